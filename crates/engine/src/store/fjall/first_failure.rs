//! Why the store has stopped: after a failure, fjall only says that there was one.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::store::StoreError;

/// The first failure whose cause is known, save that a later one after which the store must not be reopened counts
/// more.
#[derive(Default)]
pub(super) struct FirstFailure(Mutex<Option<StoreError>>);

impl FirstFailure {
    /// Takes note of a failure, and explains one without a cause by what is known.
    pub(super) fn explain(&self, error: StoreError) -> StoreError {
        let mut first = self.0.lock();
        match first.as_ref() {
            Some(known) if error.is_unexplained() && known.is_final() => known.clone(),
            Some(known) if error.is_unexplained() => StoreError::Stopped(Arc::new(known.clone())),
            _ if error.is_unexplained() => error,
            known => {
                if known.is_none_or(|known| error.is_final() && !known.is_final()) {
                    *first = Some(error.clone());
                }
                error
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use keyfold_environment::error_chain;

    use super::*;
    use crate::store::error::UnknownCause;

    fn unexplained() -> StoreError {
        StoreError::Stopped(Arc::new(UnknownCause))
    }

    #[test]
    fn the_first_failure_explains_why_the_store_has_stopped() {
        let failure = FirstFailure::default();
        assert!(failure.explain(unexplained()).is_final(), "a journal may not have been synced");
        failure.explain(io::Error::from(io::ErrorKind::StorageFull).into());
        let stopped = failure.explain(unexplained());
        assert!(!stopped.is_final());
        assert_eq!(error_chain(&stopped), "the store has stopped after a failure: the disk is full: no storage space");
        failure.explain(StoreError::SyncFailed(Arc::new(io::Error::other("the disk"))));
        assert_eq!(failure.explain(unexplained()).kind(), "sync failed");
    }
}
