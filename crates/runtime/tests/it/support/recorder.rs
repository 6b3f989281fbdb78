//! Writes down every request.

use std::sync::Mutex;

use keyfold_dynamo::BackendFuture;

use super::watched::{Call, Hook};

#[derive(Default)]
pub(crate) struct Recorder {
    calls: Mutex<Vec<Call>>,
}

impl Recorder {
    /// The requests since the last time.
    pub(crate) fn take(&self) -> Vec<Call> {
        std::mem::take(&mut self.calls.lock().unwrap())
    }

    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.take().iter().map(Call::name).collect()
    }
}

impl Hook for Recorder {
    fn before(&self, call: Call) -> BackendFuture<'_, ()> {
        self.calls.lock().unwrap().push(call);
        Box::pin(async { Ok(()) })
    }
}
