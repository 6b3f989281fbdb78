//! Authentication: issuers of tokens, machine keys, revocations and sessions.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use keyfold_api::ServedDesign;
use keyfold_api::identity::{
    ClaimSettings, Development, Identity, KeySettings, MachineKeyFile, SessionSettings, SettingsError, SignInSettings,
    Subjects, TokenSettings,
};
use keyfold_runtime::{Clock, SystemRandom};

use crate::config::{Config, IssuerConfig, Source, TokenSecret, read_issuers, settings};

/// The designs that each issuer is trusted with; all if none is named.
type TrustedWith = Vec<Vec<String>>;

pub(super) fn open(
    config: &Config,
    development: Option<&Development>,
    clock: &Arc<dyn Clock>,
) -> anyhow::Result<(Identity, TrustedWith)> {
    let issuers = match development {
        Some(development) => vec![development.settings()],
        None => issuers(config)?,
    };
    let machine_keys = config.find(&settings::MACHINE_KEYS)?;
    if issuers.is_empty() && machine_keys.is_none() {
        bail!("no authentication is configured: use --dev, --issuer, --issuers or --machine-keys");
    }
    let trusted_with = issuers.iter().map(|issuer| issuer.designs.clone()).collect();
    let signs_in = issuers.iter().any(|issuer| issuer.sign_in.is_some());
    let identity = Identity::new(issuers, machine_keys.as_deref(), Arc::clone(clock))?;
    Ok((with_sessions(identity, config, signs_in)?, trusted_with))
}

/// The issuers whose tokens are accepted; none if tokens are not configured.
fn issuers(config: &Config) -> anyhow::Result<Vec<TokenSettings>> {
    let Some(path) = config.find(&settings::ISSUERS)? else {
        let keys = keys(config)?;
        let is_configured = keys.is_some() || config.find(&settings::ISSUER)?.is_some();
        return match is_configured {
            true => Ok(vec![issuer(config, keys, Vec::new())?]),
            false => Ok(Vec::new()),
        };
    };
    refuse_settings_of_one(config)?;
    let read = read_issuers(&path)?;
    let clock_skew_seconds = config.get(&settings::CLOCK_SKEW)?.as_secs();
    let issuers = read.iter().map(|IssuerConfig { place, config: own }| {
        let designs = own.find(&settings::ISSUER_DESIGNS)?.unwrap_or_default();
        let issuer = keys(own).and_then(|keys| issuer(own, keys, designs)).with_context(|| place.clone())?;
        let issuer =
            TokenSettings { shares_subjects: own.find(&settings::SHARES_SUBJECTS)?.unwrap_or_default(), ..issuer };
        match own.source(&settings::CLOCK_SKEW) {
            Source::Default => Ok(TokenSettings { clock_skew_seconds, ..issuer }),
            _ => Ok(issuer),
        }
    });
    issuers.collect()
}

/// Beside a file of issuers, the settings of a single one would be ignored.
fn refuse_settings_of_one(config: &Config) -> anyhow::Result<()> {
    for about in settings::about_issuers() {
        let is_of_all = [settings::CLOCK_SKEW.about.name, settings::ISSUER_DESIGNS.about.name].contains(&about.name);
        if !is_of_all && config.source_of(about) != Source::Default {
            bail!("`{}` is a setting of each issuer: write it into the file `issuers`", about.name);
        }
    }
    Ok(())
}

/// `None` if the issuer publishes where its keys are.
fn keys(config: &Config) -> anyhow::Result<Option<KeySettings>> {
    Ok(match (config.find(&settings::JWKS)?, config.find(&settings::TOKEN_SECRET)?) {
        (Some(address), _) if address.contains("://") => {
            Some(KeySettings::Url(address.parse().with_context(|| format!("`{address}` is not a valid URL"))?))
        }
        (Some(file), _) => Some(KeySettings::File(file.into())),
        (None, Some(TokenSecret::Stated(secret))) => Some(KeySettings::Secret(secret)),
        (None, Some(TokenSecret::File(file))) => Some(KeySettings::SecretFile(file)),
        (None, None) => None,
    })
}

fn issuer(config: &Config, keys: Option<KeySettings>, designs: Vec<String>) -> anyhow::Result<TokenSettings> {
    let claims = ClaimSettings {
        subject: config.get(&settings::SUBJECT_CLAIM)?,
        tenant: config.get(&settings::TENANT_CLAIM)?,
        designs: config.get(&settings::DESIGN_CLAIM)?,
        roles: config.get(&settings::ROLE_CLAIMS)?,
    };
    Ok(TokenSettings {
        keys: keys.unwrap_or(KeySettings::Discovery),
        issuer: config.find(&settings::ISSUER)?.ok_or(SettingsError::NoIssuer)?,
        audience: config.find(&settings::AUDIENCE)?.ok_or(SettingsError::NoAudience)?,
        algorithms: config.find(&settings::ALGORITHMS)?.unwrap_or_default(),
        clock_skew_seconds: config.get(&settings::CLOCK_SKEW)?.as_secs(),
        claims,
        subjects: Subjects::PeopleOfIssuer,
        shares_subjects: false,
        designs,
        sign_in: client(config)?,
    })
}

/// The client as which people sign in; `None` if they do not.
fn client(config: &Config) -> anyhow::Result<Option<SignInSettings>> {
    let Some(client_id) = config.find(&settings::SIGN_IN_CLIENT_ID)? else {
        let others = [
            &settings::SIGN_IN_CLIENT_SECRET.about,
            &settings::SIGN_IN_SCOPES.about,
            &settings::SIGN_IN_PARAMETERS.about,
            &settings::SIGN_IN_TOKEN.about,
        ];
        return match others.into_iter().find(|about| config.source_of(about) != Source::Default) {
            Some(other) => bail!("`{}` requires `{}`", other.name, settings::SIGN_IN_CLIENT_ID.about.name),
            None => Ok(None),
        };
    };
    let secret = config.find(&settings::SIGN_IN_CLIENT_SECRET)?;
    let secret = secret.map(|secret| String::from_utf8(secret.0)).transpose();
    Ok(Some(SignInSettings {
        client_id,
        client_secret: secret.ok().context("the client secret is not text in UTF-8")?,
        scopes: config.find(&settings::SIGN_IN_SCOPES)?.unwrap_or_default(),
        parameters: config.find(&settings::SIGN_IN_PARAMETERS)?.unwrap_or_default(),
        token: config.get(&settings::SIGN_IN_TOKEN)?,
    }))
}

/// The identity with revocations and sessions, where they are configured.
fn with_sessions(identity: Identity, config: &Config, signs_in: bool) -> anyhow::Result<Identity> {
    let mut identity = identity;
    if let Some(path) = config.find(&settings::REVOCATIONS)? {
        identity = identity.with_revocations(&path)?;
    }
    let public_url = config.find(&settings::PUBLIC_URL)?;
    let secret = config.find(&settings::SESSION_SECRET)?;
    // Development mode has an issuer of its own, with which nobody signs in.
    if config.get(&settings::DEV)? {
        return Ok(identity);
    }
    if !signs_in {
        let is_set = [&settings::PUBLIC_URL.about, &settings::SESSION_SECRET.about];
        return match is_set.into_iter().find(|about| config.source_of(about) != Source::Default) {
            Some(other) => bail!("`{}` requires `{}`", other.name, settings::SIGN_IN_CLIENT_ID.about.name),
            None => Ok(identity),
        };
    }
    let (Some(public_url), Some(secret)) = (public_url, secret) else {
        bail!(
            "`{}` requires `{}` and `{}`",
            settings::SIGN_IN_CLIENT_ID.about.name,
            settings::PUBLIC_URL.about.name,
            settings::SESSION_SECRET.about.name
        );
    };
    let sessions = SessionSettings { public_url, secret: secret.0, lifetime: config.get(&settings::SESSION_LIFETIME)? };
    Ok(identity.with_sessions(sessions, Arc::new(SystemRandom))?)
}

/// The claims from which the designs take attributes of new users.
fn claims_of_new_users(served: &[ServedDesign]) -> Vec<String> {
    let users = served.iter().filter_map(|served| served.design().callers.users.as_ref());
    let claimed = users.filter_map(|users| users.created_with.as_ref()).flatten();
    let mut claims: Vec<String> = claimed.flat_map(|claimed| claimed.claims.clone()).collect();
    claims.sort_unstable();
    claims.dedup();
    claims
}

/// The identity of the callers of the designs: their claims, and the scopes of machine keys.
pub(super) fn for_designs(
    identity: Identity,
    config: &Config,
    served: &[ServedDesign],
    clock: &Arc<dyn Clock>,
) -> anyhow::Result<Identity> {
    let names: Vec<String> = served.iter().map(|served| served.design().name.clone()).collect();
    let designs: Vec<_> = served.iter().map(|served| Arc::clone(served.design())).collect();
    let mut identity =
        identity.for_designs(&names)?.checking_scopes(&designs)?.keeping_claims(claims_of_new_users(served));
    let uses = config.find(&settings::MACHINE_KEY_USES)?;
    if let Some(uses) = &uses {
        identity = identity.recording_uses(uses);
    }
    if config.get(&settings::MACHINE_KEY_API)? {
        let keys = config.find(&settings::MACHINE_KEYS)?;
        let keys = keys.context("`machine-key-api` needs a file of machine keys: set `machine-keys`")?;
        let uses = uses.as_deref().map(Path::new);
        identity = identity.managing_machine_keys(MachineKeyFile::new(&keys, uses, Arc::clone(clock)));
    }
    Ok(identity)
}
