//! A response that may be sent once the values it depends on are on disk.

use keyfold_dynamo::ServiceError;

use crate::commit::CommitHandle;

/// Errors wait too: a condition that failed on a value in flight must not be reported before that value is on disk, or
/// a crash could undo what was reported.
pub(crate) struct Pending<T> {
    response: Result<T, ServiceError>,
    handle: Option<CommitHandle>,
}

impl<T> Pending<T> {
    pub(crate) fn new(response: Result<T, ServiceError>, handle: Option<CommitHandle>) -> Self {
        Self { response, handle }
    }

    pub(crate) async fn settle(self) -> Result<T, ServiceError> {
        if let Some(handle) = self.handle {
            handle.wait().await?;
        }
        self.response
    }
}
