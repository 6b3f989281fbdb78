//! The health of the engine, for the probes of both endpoints.

use std::sync::Arc;

use keyfold_engine::{Engine, Health};
use keyfold_wire::{Readiness, ReadinessSource};

pub(crate) fn source(engine: Arc<Engine>) -> ReadinessSource {
    Arc::new(move || {
        let health = engine.health();
        let mut gauges = Vec::new();
        if let Some(space) = engine.known_disk_space() {
            gauges.push(("keyfold_store_free_bytes", "Free space of the disk that holds the data.", space.free_bytes));
        }
        let damage = engine.damage();
        gauges.push(("keyfold_store_damaged_blocks", "Damaged blocks that were found.", damage.len() as u64));
        let mut detail = health.to_string();
        if health.is_serving() && !damage.is_empty() {
            let found: Vec<String> = damage.iter().map(ToString::to_string).collect();
            detail = format!("{detail}, but {}", found.join("; "));
        }
        Readiness {
            state: health.name(),
            is_alive: !matches!(health, Health::Broken(_)),
            // Deletes must get through to a full disk.
            is_ready: matches!(health, Health::Serving | Health::NearlyFull { .. }),
            detail,
            gauges,
        }
    })
}
