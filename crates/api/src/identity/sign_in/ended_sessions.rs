//! Sessions that people have signed out of, for copies of their cookies.

use std::collections::HashMap;

use parking_lot::Mutex;

/// The number of sessions above which those that are over are removed.
const CAPACITY: usize = 10_000;

/// By id, with the time at which each would have ended.
#[derive(Default)]
pub(super) struct EndedSessions(Mutex<HashMap<String, u64>>);

impl EndedSessions {
    pub(super) fn add(&self, id: String, ends_at_ms: u64, now_ms: u64) {
        let mut ended = self.0.lock();
        if ended.len() >= CAPACITY {
            ended.retain(|_, ends_at_ms| *ends_at_ms > now_ms);
        }
        ended.insert(id, ends_at_ms);
    }

    pub(super) fn contains(&self, id: &str) -> bool {
        self.0.lock().contains_key(id)
    }
}
