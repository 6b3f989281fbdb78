//! The backend.

use keyfold_engine::Options;

use crate::backend::BackendPlace;
use crate::config::{Config, settings};

/// The settings are mutually exclusive, so at most one is present.
pub(super) fn from_config(config: &Config) -> anyhow::Result<BackendPlace> {
    if config.get(&settings::AWS)? {
        return Ok(BackendPlace::Aws);
    }
    let service = config.find(&settings::ENDPOINT)?.or(config.find(&settings::ALTERNATOR)?);
    match service {
        Some(place) => Ok(place),
        None => Ok(BackendPlace::Folder(config.get(&settings::DATA)?)),
    }
}

/// The options of the embedded engine.
pub(super) fn engine_options(config: &Config) -> anyhow::Result<Options> {
    Ok(Options {
        disk_reserve_bytes: config.get(&settings::DISK_RESERVE)? as u64,
        unresponsive_after: config.get(&settings::STORE_TIMEOUT)?,
        ..Options::default()
    })
}
