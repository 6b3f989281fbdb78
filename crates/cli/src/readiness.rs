//! The health of the engine, for the probes of both endpoints.

use std::sync::Arc;

use keyfold_engine::{Engine, Health};
use keyfold_wire::{Readiness, ReadinessSource};

pub(crate) fn of(engine: Arc<Engine>) -> ReadinessSource {
    Arc::new(move || {
        let health = engine.health();
        let mut gauges = Vec::new();
        if let Some(space) = engine.disk_space() {
            gauges.push(("keyfold_store_free_bytes", "Free space of the disk that holds the data.", space.free_bytes));
        }
        Readiness {
            state: health.name(),
            is_alive: !matches!(health, Health::Broken(_)),
            // Deletes must get through to a full disk.
            is_ready: matches!(health, Health::Serving | Health::NearlyFull { .. }),
            detail: health.to_string(),
            gauges,
        }
    })
}
