//! Limits for clients.

use std::sync::Arc;

use anyhow::Context;
use keyfold_api::{Cors, Limits, RateLimits, RateTable};
use keyfold_dynamo::Backend;
use keyfold_environment::Clock;

use crate::config::{Config, RateStore, settings};

fn from_config(config: &Config) -> anyhow::Result<Limits> {
    Ok(Limits {
        body_bytes: config.get(&settings::MAX_BODY)?,
        depth: config.get(&settings::MAX_DEPTH)?,
        header_read: config.get(&settings::HEAD_TIMEOUT)?,
        body_read: config.get(&settings::BODY_TIMEOUT)?,
        request: config.get(&settings::REQUEST_TIMEOUT)?,
        write_stall: config.get(&settings::WRITE_TIMEOUT)?,
        // Set from the memory of the process.
        bodies_bytes: Limits::default().bodies_bytes,
        responses_bytes: Limits::default().responses_bytes,
        requests: config.get(&settings::MAX_REQUESTS)?,
        connections: config.get(&settings::MAX_CONNECTIONS)?,
        drain: config.get(&settings::DRAIN_TIMEOUT)?,
        page: config.get(&settings::MAX_PAGE)?,
        membership: config.get(&settings::MEMBERSHIP_CACHE)?,
        rates: RateLimits {
            subject: config.get(&settings::RATE_SUBJECT)?,
            tenant: config.get(&settings::RATE_TENANT)?,
            address: config.get(&settings::RATE_ADDRESS)?,
            sign_up: config.get(&settings::RATE_SIGN_UP)?,
            proxies: config.get(&settings::PROXIES)?,
            // Opened with the backend.
            table: None,
        },
        cors: config.find(&settings::CORS_ORIGINS)?.unwrap_or(Cors::Off),
    })
}

/// The limits, with the table in which several processes count requests, if there is one.
pub(super) async fn open(
    config: &Config,
    backend: &Arc<dyn Backend>,
    clock: &Arc<dyn Clock>,
) -> anyhow::Result<Limits> {
    let mut limits = from_config(config)?;
    if config.get(&settings::RATE_STORE)? == RateStore::Table {
        let name = config.get(&settings::RATE_TABLE)?;
        let opened = RateTable::open(Arc::clone(backend), &name, Arc::clone(clock)).await;
        limits.rates.table = Some(opened.with_context(|| format!("cannot open the table `{name}` for rate limits"))?);
    }
    Ok(limits)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use clap::Parser;

    use super::*;
    use crate::config::Flags;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        flags: Flags,
    }

    #[test]
    fn the_defaults_are_those_of_the_library() {
        let command = Command::try_parse_from(["keyfold", "--dev"]).unwrap();
        let config = Config::from_sources(&command.flags, &BTreeMap::new()).unwrap();
        assert_eq!(format!("{:?}", from_config(&config).unwrap()), format!("{:?}", Limits::default()));
    }
}
