//! The backend.

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
