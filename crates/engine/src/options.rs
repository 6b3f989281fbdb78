//! How an engine is opened, and why it may not be.

use std::sync::Arc;
use std::time::Duration;

use keyfold_environment::{Clock, Random, SystemClock, SystemRandom};

use crate::store::{Durability, StoreError, StoreSettings};

#[derive(Clone)]
pub struct Options {
    pub durability: Durability,
    /// The settings that bound memory and disk.
    pub store: StoreSettings,
    /// How often expired items and tokens are looked for.
    pub sweep_interval: Duration,
    /// The region and account that appear in ARNs.
    pub region: String,
    pub account: String,
    pub clock: Arc<dyn Clock>,
    pub random: Arc<dyn Random>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            durability: Durability::Durable,
            store: StoreSettings::default(),
            sweep_interval: Duration::from_secs(1),
            region: "local".to_owned(),
            account: "000000000000".to_owned(),
            clock: Arc::new(SystemClock),
            random: Arc::new(SystemRandom),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the data was written in format {found}, and this version reads format {expected}")]
    Format { found: u32, expected: u32 },
    #[error("the data folder holds a record that cannot be read")]
    Damaged,
    #[error("a thread could not be started: {0}")]
    Thread(#[from] std::io::Error),
}
