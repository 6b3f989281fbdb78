//! Reads all table files, slowly, to find damaged blocks before a merge of tables meets them.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use keyfold_dynamo::ServiceError;

use crate::background_thread::{BackgroundThread, StopSignal};
use crate::catalog::TableDefinition;
use crate::damage::Damage;
use crate::failure::store_failed;
use crate::shared::Shared;
use crate::store::OnRead;

/// The most that is read in a second.
const BYTES_PER_SECOND: u64 = 8 << 20;
/// It is read in pieces of about this size, with pauses between them.
const PIECE: u64 = 1 << 20;
/// The longest pause before the first pass.
const FIRST_PAUSE: Duration = Duration::from_secs(60);

/// The reading thread.
pub(crate) fn start(shared: Arc<Shared>) -> std::io::Result<BackgroundThread> {
    BackgroundThread::start("keyfold-scrub", move |stop| {
        let pause = shared.options.scrub_interval;
        let mut is_stopped = stop.sleep(pause.min(FIRST_PAUSE));
        while !is_stopped {
            if let Err(error) = pass(&shared, stop) {
                tracing::warn!(%error, "table files could not be checked; they are checked again later");
            }
            is_stopped = stop.sleep(pause);
        }
    })
}

/// All tables once, at a bounded rate.
fn pass(shared: &Shared, stop: &StopSignal) -> Result<(), ServiceError> {
    let mut unpaid = 0;
    find_damage(shared, &mut |bytes| {
        unpaid += bytes;
        if unpaid < PIECE {
            return ControlFlow::Continue(());
        }
        let pause = Duration::from_secs_f64(unpaid as f64 / BYTES_PER_SECOND as f64);
        unpaid = 0;
        if stop.sleep(pause) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
}

/// Reads all tables, and records what is damaged.
pub(crate) fn find_damage(shared: &Shared, on_read: &mut OnRead<'_>) -> Result<(), ServiceError> {
    let faults = shared.store.find_damage(on_read).map_err(|error| store_failed(&error))?;
    let tables: Vec<TableDefinition> = shared.catalog.all().iter().map(|table| (*table.definition()).clone()).collect();
    let mut known = shared.damage.lock();
    for found in faults.iter().map(|fault| Damage::new(&tables, fault)) {
        if !known.contains(&found) {
            tracing::error!(
                damage = %found,
                "stored data is damaged; reads elsewhere and writes go on until the store merges this table"
            );
            known.push(found);
        }
    }
    Ok(())
}
