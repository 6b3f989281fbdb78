//! Token settings.

use anyhow::Context;
use keyfold_api::identity::{ClaimSettings, KeySettings, TokenSettings};

use crate::config::{Config, settings};

/// `None` if tokens are not configured.
pub(super) fn tokens(config: &Config) -> anyhow::Result<Option<TokenSettings>> {
    let keys = match (config.find(&settings::JWKS)?, config.find(&settings::TOKEN_SECRET)?) {
        (Some(address), _) if address.contains("://") => {
            KeySettings::Url(address.parse().with_context(|| format!("`{address}` is not a valid URL"))?)
        }
        (Some(file), _) => KeySettings::File(file.into()),
        (None, Some(secret)) => KeySettings::Secret(secret.0),
        (None, None) => return Ok(None),
    };
    let claims = ClaimSettings {
        subject: config.get(&settings::SUBJECT_CLAIM)?,
        tenant: config.get(&settings::TENANT_CLAIM)?,
        designs: config.get(&settings::DESIGN_CLAIM)?,
        roles: config.get(&settings::ROLE_CLAIMS)?,
    };
    Ok(Some(TokenSettings {
        keys,
        issuer: config.find(&settings::ISSUER)?.unwrap_or_default(),
        audience: config.find(&settings::AUDIENCE)?.unwrap_or_default(),
        algorithms: config.find(&settings::ALGORITHMS)?.unwrap_or_default(),
        clock_skew_seconds: config.get(&settings::CLOCK_SKEW)?.as_secs(),
        claims,
    }))
}
