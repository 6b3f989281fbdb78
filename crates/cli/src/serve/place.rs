//! Where the table is.

use crate::backend::BackendPlace;
use crate::config::{Config, settings};

/// The settings exclude each other, so that the first that is there is the only one.
pub fn of(config: &Config) -> anyhow::Result<BackendPlace> {
    if config.get(&settings::AWS)? {
        return Ok(BackendPlace::Aws);
    }
    let service = config.find(&settings::ENDPOINT)?.or(config.find(&settings::ALTERNATOR)?);
    match service {
        Some(place) => Ok(place),
        None => Ok(BackendPlace::Folder(config.get(&settings::DATA)?)),
    }
}
