//! Keeps the engine of a server in service: reopens its store after a failure, and tells when the process must end.

use std::sync::Arc;
use std::time::Duration;

use keyfold_engine::store::StoreError;
use keyfold_engine::{Engine, Health, ReopenError};
use tokio::time::{Instant, sleep};

use crate::{exit_code, running_time};

/// The time between two looks at the engine.
const INTERVAL: Duration = Duration::from_millis(100);

/// The pause before the store is reopened: none after a failure that is long ago, then twice as long each time.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// A store that has served for this long has recovered.
const RECOVERED: Duration = Duration::from_secs(60);

/// While less is free, or this part of a small disk, a store that failed on a full disk is not reopened: it would fail
/// again. Reads go on meanwhile.
const REOPEN_BYTES: u64 = 16 << 20;
const REOPEN_PART: u64 = 32;

/// Why a server must end.
#[derive(Debug, Clone)]
pub(crate) struct Fatal {
    pub code: u8,
    pub text: String,
}

/// Returns when the engine cannot be kept in service: its store is broken, or cannot be opened for as long as
/// `patience`.
pub(crate) async fn supervise(engine: Arc<Engine>, patience: Duration) -> Fatal {
    let mut pause = Duration::ZERO;
    let mut serving_since = Instant::now();
    // How long the store has been closed, while the process ran; `None` if it is open.
    let mut closed_for = None;
    loop {
        let health = engine.health();
        match &health {
            Health::Broken(cause) => {
                return Fatal { code: exit_code::for_store_error(cause), text: health.to_string() };
            }
            Health::NearlyFull { .. } | Health::Failed(_) | Health::Reopening => {
                let look = health.clone();
                match ask(&engine, patience, move |engine| is_to_be_reopened(engine, &look)).await {
                    Ok(true) => {}
                    Ok(false) => {
                        sleep(INTERVAL).await;
                        continue;
                    }
                    Err(fatal) => return fatal,
                }
                if serving_since.elapsed() >= RECOVERED {
                    pause = Duration::ZERO;
                }
                sleep(pause).await;
                let (outcome, waited) = reopen(&engine, patience).await;
                let step = INTERVAL + pause + waited;
                pause = (pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
                match outcome {
                    Ok(()) => {
                        (serving_since, closed_for) = (Instant::now(), None);
                        // It was of use. The next time is after as much has been written again.
                        if matches!(health, Health::NearlyFull { .. }) {
                            match ask(&engine, patience, Engine::bytes_freed_by_reopening).await {
                                Ok(0) => pause = Duration::ZERO,
                                Ok(_) => {}
                                Err(fatal) => return fatal,
                            }
                        }
                    }
                    Err(fatal) => {
                        let total = closed_for.map_or(waited, |closed| closed + step);
                        if total >= patience {
                            return fatal;
                        }
                        closed_for = Some(total);
                    }
                }
            }
            _ => {}
        }
        sleep(INTERVAL).await;
    }
}

/// Asks the store, on a thread of its own: the disk may hang.
async fn ask<T: Send + 'static>(
    engine: &Arc<Engine>,
    patience: Duration,
    question: impl FnOnce(&Engine) -> T + Send + 'static,
) -> Result<T, Fatal> {
    let asked = Arc::clone(engine);
    let answer = tokio::task::spawn_blocking(move || question(&asked));
    let fatal = |cause: StoreError| Fatal { code: exit_code::for_store_error(&cause), text: cause.to_string() };
    match running_time::wait(answer, patience).await.0 {
        Some(Ok(answer)) => Ok(answer),
        Some(Err(error)) => Err(fatal(StoreError::other(error))),
        None => Err(fatal(StoreError::Unresponsive { seconds: patience.as_secs() })),
    }
}

fn is_to_be_reopened(engine: &Engine, health: &Health) -> bool {
    match health {
        Health::Failed(cause) => !awaits_space(engine, cause) && !awaits_writability(engine, cause),
        Health::NearlyFull { .. } => engine.bytes_freed_by_reopening() > 0,
        _ => true,
    }
}

fn awaits_space(engine: &Engine, cause: &StoreError) -> bool {
    let may_be_full = matches!(cause, StoreError::Full(_) | StoreError::Stopped(_));
    may_be_full
        && engine.disk_space().is_some_and(|space| {
            let after_reopening = space.free_bytes + engine.bytes_freed_by_reopening();
            after_reopening < REOPEN_BYTES.min(space.total_bytes / REOPEN_PART)
        })
}

/// Whether the file system became read-only, and still is: the store could not be opened again, and reads go on
/// meanwhile.
fn awaits_writability(engine: &Engine, cause: &StoreError) -> bool {
    matches!(cause, StoreError::ReadOnlyDisk(_)) && engine.is_disk_read_only()
}

/// The outcome, and the time that it took.
async fn reopen(engine: &Arc<Engine>, patience: Duration) -> (Result<(), Fatal>, Duration) {
    let reopening = Arc::clone(engine);
    let attempt = tokio::task::spawn_blocking(move || reopening.reopen());
    let (outcome, waited) = running_time::wait(attempt, patience).await;
    let failed = |code, text| Err(Fatal { code, text });
    let outcome = match outcome {
        Some(Ok(Ok(()))) => Ok(()),
        Some(Ok(Err(ReopenError::Broken(cause)))) => failed(exit_code::for_store_error(&cause), cause.to_string()),
        Some(Ok(Err(error))) => failed(exit_code::NOT_REOPENED, format!("the store could not be reopened: {error}")),
        Some(Err(error)) => failed(exit_code::NOT_REOPENED, format!("the store could not be reopened: {error}")),
        None => failed(exit_code::UNRESPONSIVE, "the store did not open in time".to_owned()),
    };
    (outcome, waited)
}
