//! An answer that may be given once what it rests on is on disk.

use keyfold_dynamo::ServiceError;

use crate::commit::Landing;

/// Also a refusal waits: a condition that failed on a value still in flight must not be reported before that value is
/// on disk, or a crash could take back what the caller was told.
pub struct Pending<T> {
    answer: Result<T, ServiceError>,
    landing: Option<Landing>,
}

impl<T> Pending<T> {
    pub fn new(answer: Result<T, ServiceError>, landing: Option<Landing>) -> Self {
        Self { answer, landing }
    }

    pub async fn settle(self) -> Result<T, ServiceError> {
        if let Some(landing) = self.landing {
            landing.landed().await?;
        }
        self.answer
    }
}
