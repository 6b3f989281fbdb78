//! Signature Version 4: whether a request was signed recently, with a configured secret and for this service.

mod access_key;
mod access_keys;
mod authorization;
mod canonical;
mod credentials_file;
mod secret;
#[cfg(test)]
mod tests;
mod timestamp;

use std::sync::Arc;
use std::time::Duration;

use hmac::{Hmac, KeyInit as _, Mac as _};
use http::HeaderMap;
use http::header::{AUTHORIZATION, DATE};
use http::request::Parts;
use keyfold_dynamo::{ServiceError, hexadecimal};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use access_key::AccessKey;
pub use access_keys::AccessKeys;
use authorization::{Authorization, Credential};
pub use credentials_file::{CredentialsError, Mistake};
use timestamp::Timestamp;

use crate::access::Permissions;
use crate::failure::Failure;

const SERVICE: &str = "dynamodb";
const TERMINATOR: &str = "aws4_request";
const ALGORITHM: &str = "AWS4-HMAC-SHA256";
/// The maximum difference between the clocks of client and server.
const SKEW: Duration = Duration::from_secs(15 * 60);
const MISMATCH: &str = "The request signature we calculated does not match the signature you provided. Check your AWS \
                        Secret Access Key and signing method. Consult the service documentation for details.";

/// Verifies that a request was signed with one of the access keys, for DynamoDB in this region and at about `now`, in
/// seconds since the epoch. `body` is the body as it was sent.
pub fn verify_signature(
    access_keys: &AccessKeys,
    region: &str,
    head: &Parts,
    body: &[u8],
    now: u64,
) -> Result<(), Failure> {
    Verifier::new(access_keys.clone(), region.to_owned()).accept(head, now)?.verify(head, body)
}

/// Checks signatures against configured secrets.
pub(crate) struct Verifier {
    access_keys: AccessKeys,
    region: String,
}

impl Verifier {
    pub(crate) fn new(access_keys: AccessKeys, region: String) -> Self {
        Self { access_keys, region }
    }

    /// Checks everything but the signature itself, which takes the body too. `now` is in seconds since the epoch.
    pub(crate) fn accept<'a>(&'a self, head: &'a Parts, now: u64) -> Result<PendingSignature<'a>, Failure> {
        let header = text(&head.headers, AUTHORIZATION.as_str()).unwrap_or_default();
        if !header.trim_start().starts_with("AWS4-") {
            return Err(Failure::MissingAuthenticationToken);
        }
        let date = text(&head.headers, "x-amz-date").or_else(|| text(&head.headers, DATE.as_str()));
        let authorization = Authorization::parse(header, date.is_some())?;
        let algorithm = header.split_whitespace().next().unwrap_or_default();
        if algorithm != ALGORITHM {
            return Err(Failure::IncompleteSignature(format!("Unsupported AWS 'algorithm': '{algorithm}'.")));
        }
        if head.headers.get_all(AUTHORIZATION).iter().count() > 1 {
            return Err(Failure::IncompleteSignature("There are several Authorization headers.".to_owned()));
        }
        let credential = Credential::parse(authorization.credential)?;
        let time = date.and_then(Timestamp::parse).ok_or_else(|| {
            Failure::IncompleteSignature(format!(
                "Date must be in ISO-8601 'basic format'. Got '{}'. See http://en.wikipedia.org/wiki/ISO_8601",
                date.unwrap_or_default()
            ))
        })?;
        self.check_scope(&credential, time)?;
        let key = self.access_keys.find(credential.access_key).ok_or(Failure::UnrecognizedClient)?;
        check_skew(time, now)?;
        Ok(PendingSignature { authorization, credential, key, time })
    }

    /// The signature must be scoped to this service and region.
    fn check_scope(&self, credential: &Credential<'_>, time: Timestamp) -> Result<(), Failure> {
        let mut problems = Vec::new();
        if credential.region != self.region {
            problems.push(format!("Credential should be scoped to a valid region, not '{}'.", credential.region));
        }
        if credential.service != SERVICE {
            problems.push(format!("Credential should be scoped to correct service: '{SERVICE}'."));
        }
        if credential.terminator != TERMINATOR {
            problems.push(format!(
                "Credential should be scoped with a valid terminator: '{TERMINATOR}', not '{}'.",
                credential.terminator
            ));
        }
        if credential.date != time.date() {
            problems.push(format!(
                "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '{}' != \
                 '{}', from '{time}'.",
                credential.date,
                time.date()
            ));
        }
        if problems.is_empty() { Ok(()) } else { Err(Failure::InvalidSignature(problems.join(" "))) }
    }
}

/// The signature of a request whose other properties have been checked.
pub(crate) struct PendingSignature<'a> {
    authorization: Authorization<'a>,
    credential: Credential<'a>,
    key: Arc<AccessKey>,
    time: Timestamp,
}

impl PendingSignature<'_> {
    /// What the signer may do, once the signature is verified.
    pub(crate) fn permissions(&self) -> &Permissions {
        &self.key.permissions
    }

    /// `body` is the body as it was sent.
    pub(crate) fn verify(&self, head: &Parts, body: &[u8]) -> Result<(), Failure> {
        let payload_hash = payload_hash(&head.headers, body)?;
        let canonical = canonical::request(head, self.authorization.signed_headers, &payload_hash)?;
        let hash = hexadecimal(&Sha256::digest(canonical.as_bytes()));
        let to_sign = format!("{ALGORITHM}\n{}\n{}\n{hash}", self.time, self.credential.scope());
        let expected = hexadecimal(&sign(&self.key.secret.signing_key(&self.credential)?, to_sign.as_bytes())?);
        if bool::from(expected.as_bytes().ct_eq(self.authorization.signature.as_bytes())) {
            Ok(())
        } else {
            Err(Failure::InvalidSignature(MISMATCH.to_owned()))
        }
    }
}

fn check_skew(time: Timestamp, now: u64) -> Result<(), Failure> {
    let now = Timestamp::at_second(now);
    let (earliest, latest) = (now.minus(SKEW), now.plus(SKEW));
    let minutes = SKEW.as_secs() / 60;
    if time < earliest {
        return Err(Failure::InvalidSignature(format!(
            "Signature expired: {time} is now earlier than {earliest} ({now} - {minutes} min.)"
        )));
    }
    if time > latest {
        return Err(Failure::InvalidSignature(format!(
            "Signature not yet current: {time} is still later than {latest} ({now} + {minutes} min.)"
        )));
    }
    Ok(())
}

/// The hash of the body as it goes into the signature. A hash that the client sends along must be the body's: as on
/// DynamoDB, every signature covers the body.
fn payload_hash(headers: &HeaderMap, body: &[u8]) -> Result<String, Failure> {
    let actual = hexadecimal(&Sha256::digest(body));
    match text(headers, "x-amz-content-sha256") {
        Some(sent) if !sent.eq_ignore_ascii_case(&actual) => Err(Failure::InvalidSignature(MISMATCH.to_owned())),
        _ => Ok(actual),
    }
}

fn sign(key: &[u8], message: &[u8]) -> Result<[u8; 32], Failure> {
    // HMAC accepts keys of any length.
    let mut mac = Hmac::<Sha256>::new_from_slice(key)
        .map_err(|error| ServiceError::Internal(format!("a signature cannot be computed: {error}")))?;
    mac.update(message);
    Ok(mac.finalize().into_bytes().into())
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}
