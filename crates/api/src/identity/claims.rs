//! Checks the claims of a token with a valid signature, and reads the caller from them.

use keyfold_runtime::{MACHINE_SUBJECT, TokenIdentity};
use serde_json::{Map, Value};

use super::settings::{ClaimSettings, TokenSettings};
use super::stated_grants::StatedGrants;

pub(super) type Claims = Map<String, Value>;

/// The maximum length of a subject, tenant or role: longer ones do not fit into a table key.
const MAX_NAME_BYTES: usize = 1024;
const MAX_ROLES: usize = 100;
/// The claim that counts only with `email_verified`.
const EMAIL: &str = "email";
const TOKEN_ID: &str = "jti";
/// At the end of the name of a claim that says whether another was verified.
const VERIFIED: &str = "_verified";

/// Why a token is rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refusal {
    #[error("the token is longer than {0} bytes")]
    Long(usize),
    #[error("the token is malformed: a signed JWT with three parts is required")]
    Malformed,
    #[error("the token's header is malformed or names an unsupported algorithm")]
    Header,
    #[error("the token's type is not accepted")]
    Type,
    #[error("the token requires unsupported extensions")]
    Critical,
    #[error("the token's algorithm is not accepted")]
    Algorithm,
    #[error("the token was signed with an unknown key")]
    UnknownKey,
    #[error("the token's signature is invalid")]
    Signature,
    #[error("the token's claim `{0}` is missing or invalid")]
    Claim(String),
    #[error("the token's subject starts with `{MACHINE_SUBJECT}`, which is reserved for machine keys")]
    ReservedSubject,
    #[error("the token's claim `{0}` identifies its person, and its issuer has not verified it")]
    Unverified(String),
    #[error("the token has expired")]
    Expired,
    #[error("the token is not valid yet")]
    NotYet,
    #[error("the token is from another issuer")]
    Issuer,
    #[error("the token is for another audience")]
    Audience,
}

/// Checks issuer, audience and times. Returns the time at which the token expires, in milliseconds.
pub(super) fn check(claims: &Claims, settings: &TokenSettings, served: &[String], now_ms: u64) -> Result<u64, Refusal> {
    let skew_ms = settings.clock_skew_seconds.saturating_mul(1000);
    if claims.get("iss").and_then(Value::as_str) != Some(settings.issuer.as_str()) {
        return Err(Refusal::Issuer);
    }
    let for_us = settings.audience.iter().any(|audience| names_audience(claims, of_design(audience, served).1));
    if !for_us {
        return Err(Refusal::Audience);
    }
    let expires_at = timestamp(claims, "exp")?.ok_or_else(|| Refusal::Claim("exp".to_owned()))?.saturating_add(skew_ms);
    if expires_at <= now_ms {
        return Err(Refusal::Expired);
    }
    if timestamp(claims, "nbf")?.is_some_and(|valid_from| valid_from > now_ms.saturating_add(skew_ms)) {
        return Err(Refusal::NotYet);
    }
    Ok(expires_at)
}

/// Checks that an ID token was issued to a client, also where it has several audiences.
pub(super) fn check_client(claims: &Claims, client: &str) -> Result<(), Refusal> {
    let has_several = claims.get("aud").and_then(Value::as_array).is_some_and(|audiences| audiences.len() > 1);
    match claims.get("azp") {
        Some(own) if own.as_str() == Some(client) => Ok(()),
        None if !has_several => Ok(()),
        _ => Err(Refusal::Audience),
    }
}

/// When a token was issued, in milliseconds; `None` if it does not say.
pub(super) fn issued_at(claims: &Claims) -> Option<u64> {
    timestamp(claims, "iat").ok().flatten()
}

/// A claim that is a text.
pub(super) fn text_claim(claims: &Claims, name: &str) -> Option<String> {
    claims.get(name).and_then(Value::as_str).map(str::to_owned)
}

/// The id by which a token can be revoked. A revocation cannot name one that is no text, or a long one.
pub(super) fn token_id(claims: &Claims) -> Result<Option<String>, Refusal> {
    match claims.get(TOKEN_ID) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(id)) if is_name(id) => Ok(Some(id.clone())),
        Some(_) => Err(Refusal::Claim(TOKEN_ID.to_owned())),
    }
}

/// A timestamp claim, which is in seconds with an optional fraction, in milliseconds.
fn timestamp(claims: &Claims, name: &str) -> Result<Option<u64>, Refusal> {
    let Some(value) = claims.get(name) else { return Ok(None) };
    let wrong = || Refusal::Claim(name.to_owned());
    if let Some(seconds) = value.as_u64() {
        return Ok(Some(seconds.saturating_mul(1000)));
    }
    let seconds = value.as_f64().filter(|seconds| (0.0..1e15).contains(seconds)).ok_or_else(wrong)?;
    Ok(Some((seconds * 1000.0) as u64))
}

/// What the claims state about the caller and their designs. A claim `DESIGN=CLAIM` counts in one of the served
/// designs.
pub(super) fn read_grants(
    claims: &Claims,
    settings: &TokenSettings,
    served: &[String],
) -> Result<StatedGrants, Refusal> {
    let ClaimSettings { tenant, roles, designs, .. } = &settings.claims;
    let subject = read_subject(claims, settings)?.to_owned();
    let designs = read_designs(claims, settings, designs, served)?;
    let mut stated = StatedGrants { subject, designs, ..Default::default() };
    for setting in tenant {
        let (design, path) = of_design(setting, served);
        let Some(tenant) = read_tenant(claims, path)? else { continue };
        match design {
            Some(design) => drop(stated.design_tenants.insert(design.to_owned(), tenant)),
            None => stated.tenant = Some(tenant),
        }
    }
    for setting in roles {
        let (design, path) = of_design(setting, served);
        let read = match design {
            Some(design) => stated.design_roles.entry(design.to_owned()).or_default(),
            None => &mut stated.roles,
        };
        read_names(claims, path, read)?;
    }
    Ok(stated)
}

fn read_subject<'c>(claims: &'c Claims, settings: &TokenSettings) -> Result<&'c str, Refusal> {
    match claim_at(claims, &settings.claims.subject) {
        Some(Value::String(name)) if name.starts_with(MACHINE_SUBJECT) => Err(Refusal::ReservedSubject),
        Some(_) if is_address(&settings.claims.subject) && !is_verified(claims, &settings.claims.subject) => {
            Err(Refusal::Unverified(settings.claims.subject.clone()))
        }
        Some(Value::String(name)) if is_name(name) => Ok(name),
        _ => Err(Refusal::Claim(settings.claims.subject.clone())),
    }
}

/// Whether a claim is an e-mail address by its name: `email`, or `email` inside another claim.
fn is_address(path: &str) -> bool {
    path.rsplit(['.', '/']).next() == Some(EMAIL)
}

/// What the claims state about the person, with these claims for new users. An e-mail address that the issuer has not
/// verified may be anyone's, and is left out.
pub(super) fn read_identity(
    claims: &Claims,
    settings: &TokenSettings,
    kept: &[String],
) -> Result<TokenIdentity, Refusal> {
    let mut identity = TokenIdentity {
        issuer: settings.issuer.clone(),
        subject: read_subject(claims, settings)?.to_owned(),
        has_verified_subject: is_verified(claims, &settings.claims.subject),
        ..TokenIdentity::default()
    };
    for name in kept {
        let is_verified = is_verified(claims, name);
        if name == EMAIL && !is_verified {
            continue;
        }
        if is_verified {
            identity.verified.insert(name.clone());
        }
        if let Some(text) = claim_at(claims, name).and_then(Value::as_str).filter(|text| is_name(text)) {
            identity.claims.insert(name.clone(), text.to_owned());
        }
    }
    Ok(identity)
}

/// Whether the issuer says that it has verified a claim: `email_verified` beside `email`, wherever that is.
fn is_verified(claims: &Claims, path: &str) -> bool {
    match claim_at(claims, &format!("{path}{VERIFIED}")) {
        Some(Value::Bool(is_verified)) => *is_verified,
        Some(Value::String(text)) => text == "true",
        _ => false,
    }
}

/// The design of a setting `DESIGN=NAME`, if it is served, and the name.
fn of_design<'s>(setting: &'s str, served: &[String]) -> (Option<&'s str>, &'s str) {
    match setting.split_once('=') {
        Some((design, name)) if served.iter().any(|own| own == design) => (Some(design), name),
        _ => (None, setting),
    }
}

/// The designs that a token is for, by its claim and by audiences of single designs; `None` if it names none.
fn read_designs(
    claims: &Claims,
    settings: &TokenSettings,
    path: &str,
    served: &[String],
) -> Result<Option<Vec<String>>, Refusal> {
    let mut named = Vec::new();
    let states = read_names(claims, path, &mut named)?;
    let by_audience = settings.audience.iter().filter(|audience| names_audience(claims, of_design(audience, served).1));
    let scopes: Vec<Option<&str>> = by_audience.map(|audience| of_design(audience, served).0).collect();
    // An audience of the whole server restricts nothing.
    if scopes.contains(&None) {
        return Ok(states.then_some(named));
    }
    let is_named = |design: &&str| !states || named.iter().any(|own| own == design);
    Ok(Some(scopes.into_iter().flatten().filter(is_named).map(str::to_owned).collect()))
}

fn read_tenant(claims: &Claims, path: &str) -> Result<Option<String>, Refusal> {
    match claim_at(claims, path) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(tenant)) if is_name(tenant) => Ok(Some(tenant.clone())),
        Some(Value::Number(tenant)) if tenant.is_u64() => Ok(Some(tenant.to_string())),
        Some(_) => Err(Refusal::Claim(path.to_owned())),
    }
}

/// Adds the names in a claim: a list, or a text with spaces between them. `false` if the token does not have the claim.
fn read_names(claims: &Claims, path: &str, names: &mut Vec<String>) -> Result<bool, Refusal> {
    let wrong = || Refusal::Claim(path.to_owned());
    match claim_at(claims, path) {
        None | Some(Value::Null) => return Ok(false),
        Some(Value::String(text)) => text.split_whitespace().for_each(|name| add_once(names, name)),
        Some(Value::Array(list)) => {
            for name in list {
                add_once(names, name.as_str().filter(|name| is_name(name)).ok_or_else(wrong)?);
            }
        }
        Some(_) => return Err(wrong()),
    }
    if names.len() > MAX_ROLES { Err(wrong()) } else { Ok(true) }
}

/// Whether a token names an audience. Access tokens of Amazon Cognito have no `aud`: their audience is the client.
fn names_audience(claims: &Claims, audience: &str) -> bool {
    match claims.get("aud") {
        Some(Value::Array(audiences)) => audiences.iter().any(|own| own.as_str() == Some(audience)),
        Some(own) => own.as_str() == Some(audience),
        None => {
            let is_access_token = claims.get("token_use").and_then(Value::as_str) == Some("access");
            is_access_token && claims.get("client_id").and_then(Value::as_str) == Some(audience)
        }
    }
}

/// The claim with exactly this name, which may contain dots (`https://example.com/roles`), or the claim at this path.
fn claim_at<'c>(claims: &'c Claims, path: &str) -> Option<&'c Value> {
    if let Some(value) = claims.get(path) {
        return Some(value);
    }
    let mut names = path.split('.');
    let first = claims.get(names.next()?)?;
    names.try_fold(first, |value, name| value.as_object()?.get(name))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.len() <= MAX_NAME_BYTES && !text.chars().any(char::is_control)
}

fn add_once(roles: &mut Vec<String>, role: &str) {
    if !roles.iter().any(|own| own == role) {
        roles.push(role.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::settings::{KeySettings, Subjects};
    use serde_json::json;

    fn claims(value: Value) -> Claims {
        value.as_object().unwrap().clone()
    }

    fn settings(tenant: &str, roles: &[&str]) -> TokenSettings {
        let roles = roles.iter().map(|role| (*role).to_owned()).collect();
        TokenSettings {
            keys: KeySettings::Secret(Vec::new()),
            issuer: "issuer".to_owned(),
            audience: vec!["all".to_owned(), "desk=desk-audience".to_owned()],
            algorithms: Vec::new(),
            clock_skew_seconds: 0,
            claims: ClaimSettings { tenant: vec![tenant.to_owned()], roles, ..ClaimSettings::default() },
            subjects: Subjects::default(),
            shares_subjects: false,
            designs: Vec::new(),
            sign_in: None,
        }
    }

    fn served() -> Vec<String> {
        vec!["shop".to_owned(), "desk".to_owned()]
    }

    #[test]
    fn designs_come_from_their_claim_and_from_audiences() {
        let usual = settings("tenant", &["roles"]);
        for (token, designs) in [
            (json!({"aud": "all"}), None),
            (json!({"aud": "all", "designs": ["shop"]}), Some(vec!["shop"])),
            (json!({"aud": ["x", "all"], "designs": "shop desk"}), Some(vec!["shop", "desk"])),
            (json!({"aud": "desk-audience"}), Some(vec!["desk"])),
            (json!({"aud": "desk-audience", "designs": ["shop", "desk"]}), Some(vec!["desk"])),
            (json!({"aud": "desk-audience", "designs": ["shop"]}), Some(vec![])),
        ] {
            let mut token = claims(token);
            token.insert("sub".to_owned(), json!("ada"));
            let designs = designs.map(|names| names.into_iter().map(str::to_owned).collect::<Vec<String>>());
            assert_eq!(read_grants(&token, &usual, &served()).unwrap().designs, designs, "{token:?}");
        }
    }

    #[test]
    fn the_audience_of_a_cognito_access_token_is_its_client() {
        let names = |token: Value| names_audience(&claims(token), "client");
        assert!(names(json!({"token_use": "access", "client_id": "client"})));
        for other in [
            json!({"token_use": "access", "client_id": "other"}),
            json!({"token_use": "id", "client_id": "client"}),
            json!({"client_id": "client"}),
            json!({"token_use": "access", "client_id": "client", "aud": "other"}),
            json!({"token_use": "access", "client_id": "client", "aud": null}),
        ] {
            assert!(!names(other.clone()), "{other}");
        }
    }

    #[test]
    fn claims_can_belong_to_a_design() {
        let usual = settings("desk=desk.tenant", &["roles", "desk=desk.roles"]);
        let token = claims(json!({"sub": "ada", "roles": ["a"], "desk": {"roles": ["b"], "tenant": "t"}}));
        let stated = read_grants(&token, &usual, &served()).unwrap();
        assert_eq!(
            (stated.roles.as_slice(), &stated.design_roles["desk"]),
            (&["a".to_owned()][..], &vec!["b".to_owned()])
        );
        assert_eq!((stated.tenant, stated.design_tenants["desk"].as_str()), (None, "t"));
    }

    #[test]
    fn paths_lead_into_objects_and_to_names_with_dots() {
        let claims = claims(json!({
            "sub": "ada", "org": {"id": 7}, "https://example.com/roles": ["admin"],
            "realm_access": {"roles": ["editor", "admin"]}, "scope": "read  write",
        }));
        let settings = settings("org.id", &["https://example.com/roles", "realm_access.roles", "scope", "absent"]);
        let caller = read_grants(&claims, &settings, &[]).unwrap().caller();
        assert_eq!(caller.subject.as_deref(), Some("ada"));
        assert_eq!(caller.tenant.as_deref(), Some("7"));
        assert_eq!(caller.roles, ["admin", "editor", "read", "write"]);
    }

    #[test]
    fn claims_of_the_wrong_kind_are_refused() {
        let usual = settings("tenant", &["roles"]);
        for (claim, value) in [
            ("sub", json!({"roles": []})),
            ("sub", json!({"sub": ""})),
            ("sub", json!({"sub": 7})),
            ("sub", json!({"sub": "a\u{0}b"})),
            ("tenant", json!({"sub": "a", "tenant": ["x", "y"]})),
            ("tenant", json!({"sub": "a", "tenant": ""})),
            ("roles", json!({"sub": "a", "roles": {"admin": true}})),
            ("roles", json!({"sub": "a", "roles": ["admin", 7]})),
            ("roles", json!({"sub": "a", "roles": true})),
        ] {
            let refused = read_grants(&claims(value.clone()), &usual, &[]);
            assert_eq!(refused, Err(Refusal::Claim(claim.to_owned())), "{value}");
        }
    }
}
