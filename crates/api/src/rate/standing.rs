//! What callers are told of their limits, as the IETF's draft on RateLimit header fields writes it.

use std::fmt::Write;
use std::sync::Arc;

use http::HeaderMap;
use http::header::{HeaderName, HeaderValue};
use parking_lot::Mutex;

use super::quota::Rate;

pub const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
pub const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// What is left of one limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    pub name: &'static str,
    pub rate: Rate,
    pub remaining: u32,
    /// Until everything is there again.
    pub reset_seconds: u32,
}

/// Goes with a request, and is told with its answer.
#[derive(Debug, Clone, Default)]
pub struct Standing(Arc<Mutex<Vec<Left>>>);

impl Standing {
    pub fn add(&self, left: Left) {
        self.0.lock().push(left);
    }

    pub fn tell(&self, headers: &mut HeaderMap) {
        let limits = self.0.lock();
        if limits.is_empty() {
            return;
        }
        let (mut policy, mut limit) = (String::new(), String::new());
        for left in limits.iter() {
            let between = if policy.is_empty() { "" } else { ", " };
            let (requests, window) = (left.rate.requests, left.rate.window.duration().as_secs());
            let _ = write!(policy, "{between}\"{}\";q={requests};w={window}", left.name);
            let _ = write!(limit, "{between}\"{}\";r={};t={}", left.name, left.remaining, left.reset_seconds);
        }
        for (name, text) in [(POLICY, policy), (LIMIT, limit)] {
            if let Ok(value) = HeaderValue::from_str(&text) {
                headers.insert(name, value);
            }
        }
    }
}
