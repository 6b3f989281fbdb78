//! Checks the claims of a token with a valid signature, and reads the caller from them.

use keyfold_runtime::Caller;
use serde_json::{Map, Value};

use super::settings::{ClaimSettings, TokenSettings};

pub(super) type Claims = Map<String, Value>;

/// The maximum length of a subject, tenant or role: longer ones do not fit into a table key.
const MAX_NAME_BYTES: usize = 1024;
const MAX_ROLES: usize = 100;

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
pub(super) fn check(claims: &Claims, settings: &TokenSettings, now_ms: u64) -> Result<u64, Refusal> {
    let skew_ms = settings.clock_skew_seconds.saturating_mul(1000);
    if claims.get("iss").and_then(Value::as_str) != Some(settings.issuer.as_str()) {
        return Err(Refusal::Issuer);
    }
    let is_ours =
        |audience: &Value| audience.as_str().is_some_and(|name| settings.audience.iter().any(|our| our == name));
    let for_us = match claims.get("aud") {
        Some(Value::Array(audiences)) => audiences.iter().any(is_ours),
        Some(audience) => is_ours(audience),
        None => false,
    };
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

/// The caller that the claims identify.
pub(super) fn read_caller(claims: &Claims, settings: &ClaimSettings) -> Result<Caller, Refusal> {
    let subject = match claim_at(claims, &settings.subject) {
        Some(Value::String(subject)) if is_name(subject) => subject.clone(),
        _ => return Err(Refusal::Claim(settings.subject.clone())),
    };
    let tenant = match claim_at(claims, &settings.tenant) {
        None | Some(Value::Null) => None,
        Some(Value::String(tenant)) if is_name(tenant) => Some(tenant.clone()),
        Some(Value::Number(tenant)) if tenant.is_u64() => Some(tenant.to_string()),
        Some(_) => return Err(Refusal::Claim(settings.tenant.clone())),
    };
    let mut roles = Vec::new();
    for path in &settings.roles {
        let wrong = || Refusal::Claim(path.clone());
        match claim_at(claims, path) {
            None | Some(Value::Null) => {}
            Some(Value::String(text)) => text.split_whitespace().for_each(|role| add_once(&mut roles, role)),
            Some(Value::Array(list)) => {
                for role in list {
                    add_once(&mut roles, role.as_str().filter(|role| is_name(role)).ok_or_else(wrong)?);
                }
            }
            Some(_) => return Err(wrong()),
        }
        if roles.len() > MAX_ROLES {
            return Err(wrong());
        }
    }
    Ok(Caller { subject: Some(subject), tenant, roles, ..Caller::default() })
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
    use serde_json::json;

    fn claims(value: Value) -> Claims {
        value.as_object().unwrap().clone()
    }

    fn settings(tenant: &str, roles: &[&str]) -> ClaimSettings {
        let roles = roles.iter().map(|role| (*role).to_owned()).collect();
        ClaimSettings { subject: "sub".to_owned(), tenant: tenant.to_owned(), roles }
    }

    #[test]
    fn paths_lead_into_objects_and_to_names_with_dots() {
        let claims = claims(json!({
            "sub": "ada", "org": {"id": 7}, "https://example.com/roles": ["admin"],
            "realm_access": {"roles": ["editor", "admin"]}, "scope": "read  write",
        }));
        let settings = settings("org.id", &["https://example.com/roles", "realm_access.roles", "scope", "absent"]);
        let caller = read_caller(&claims, &settings).unwrap();
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
            assert_eq!(read_caller(&claims(value.clone()), &usual), Err(Refusal::Claim(claim.to_owned())), "{value}");
        }
    }
}
