//! Waiting for the store, in time during which the process ran. A clock goes on while the process is stopped or the
//! machine is paused, when the store cannot work either.

use std::pin::pin;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use tokio::time::timeout;

/// Counts as one step, however long it takes by the clock.
const STEP: Duration = Duration::from_millis(100);

/// What the work gives, or `None` once it has taken this long; and the time that it took.
pub(crate) async fn wait<T>(work: impl Future<Output = T>, limit: Duration) -> (Option<T>, Duration) {
    let mut work = pin!(work);
    let mut waited = Duration::ZERO;
    while waited < limit {
        if let Ok(result) = timeout(STEP, &mut work).await {
            return (Some(result), waited);
        }
        waited += STEP;
    }
    (None, waited)
}

/// What another thread sends within this time.
pub(crate) fn receive<T>(receiver: &Receiver<T>, limit: Duration) -> Result<T, RecvTimeoutError> {
    let mut waited = Duration::ZERO;
    while waited < limit {
        match receiver.recv_timeout(STEP) {
            Err(RecvTimeoutError::Timeout) => waited += STEP,
            received => return received,
        }
    }
    Err(RecvTimeoutError::Timeout)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use tokio::time::sleep;

    use super::*;

    const LIMIT: Duration = Duration::from_millis(500);

    #[tokio::test]
    async fn time_in_which_nothing_runs_does_not_count() {
        let work = async {
            sleep(STEP / 2).await;
            // The runtime has this thread alone.
            std::thread::sleep(LIMIT * 3);
            sleep(STEP / 2).await;
            7
        };
        let (result, waited) = wait(work, LIMIT).await;
        assert_eq!(result, Some(7));
        assert!(waited < LIMIT, "{waited:?}");
    }

    #[tokio::test]
    async fn work_that_takes_too_long_is_given_up() {
        assert_eq!(wait(std::future::pending::<()>(), LIMIT).await, (None, LIMIT));
        let (sender, receiver) = mpsc::channel::<u8>();
        assert_eq!(receive(&receiver, LIMIT), Err(RecvTimeoutError::Timeout));
        sender.send(7).unwrap();
        assert_eq!(receive(&receiver, LIMIT), Ok(7));
        drop(sender);
        assert_eq!(receive(&receiver, LIMIT), Err(RecvTimeoutError::Disconnected));
    }
}
