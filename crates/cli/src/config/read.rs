//! Parsers of setting values.

use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use keyfold_api::identity::{Algorithm, PublicUrl, SessionToken};
use keyfold_api::{Cors, Rate};
use keyfold_environment::read_secret_file;

use super::raw_value::RawValue;
use crate::backend::BackendPlace;
use crate::logging::{self, LogFormat};

pub(super) fn text(raw: &RawValue) -> Result<String, String> {
    match raw.text() {
        "" => Err("must not be empty".to_owned()),
        text => Ok(text.to_owned()),
    }
}

pub(super) fn texts(raw: &RawValue) -> Result<Vec<String>, String> {
    match raw.texts.iter().any(String::is_empty) {
        true => Err("must not contain an empty value".to_owned()),
        false => Ok(raw.texts.clone()),
    }
}

pub(super) fn path(raw: &RawValue) -> Result<PathBuf, String> {
    text(raw).map(PathBuf::from)
}

pub(super) fn paths(raw: &RawValue) -> Result<Vec<PathBuf>, String> {
    Ok(texts(raw)?.into_iter().map(PathBuf::from).collect())
}

pub(super) fn switch(raw: &RawValue) -> Result<bool, String> {
    match raw.text() {
        "on" | "true" | "yes" => Ok(true),
        "off" | "false" | "no" => Ok(false),
        other => Err(format!("expected `on` or `off`, found `{other}`")),
    }
}

pub(super) fn address(raw: &RawValue) -> Result<IpAddr, String> {
    parsed(raw, "an IP address")
}

pub(super) fn port(raw: &RawValue) -> Result<u16, String> {
    parsed(raw, "a port from 0 to 65535")
}

pub(super) fn port_or_none(raw: &RawValue) -> Result<Option<u16>, String> {
    match raw.text() {
        "none" => Ok(None),
        _ => parsed(raw, "a port from 0 to 65535, or `none`").map(Some),
    }
}

/// At least one.
pub(super) fn count(raw: &RawValue) -> Result<usize, String> {
    match parsed(raw, "an integer")? {
        0 => Err("must be at least 1".to_owned()),
        count => Ok(count),
    }
}

pub(super) fn number(raw: &RawValue) -> Result<usize, String> {
    parsed(raw, "an integer")
}

/// `6000/m`, or `off`.
pub(super) fn rate(raw: &RawValue) -> Result<Option<Rate>, String> {
    match raw.text() {
        "off" => Ok(None),
        text => text.parse().map(Some).map_err(|error: keyfold_api::BadRate| error.to_string()),
    }
}

pub(super) fn cors(raw: &RawValue) -> Result<Cors, String> {
    match raw.texts.as_slice() {
        [] => Ok(Cors::Off),
        [every] if every == "*" => Ok(Cors::Everyone),
        origins => {
            let origins = origins.iter().map(|text| text.parse()).collect::<Result<_, keyfold_api::BadOrigin>>();
            origins.map(Cors::Origins).map_err(|error| error.to_string())
        }
    }
}

pub(super) fn days(raw: &RawValue) -> Result<u32, String> {
    match parsed(raw, "a number of days")? {
        0 => Err("must be at least 1".to_owned()),
        days => Ok(days),
    }
}

fn parsed<T: FromStr>(raw: &RawValue, what: &str) -> Result<T, String> {
    let text = raw.text();
    text.parse().map_err(|_| format!("expected {what}, found `{text}`"))
}

/// `500ms`, `30s`, `2m`.
pub(super) fn duration(raw: &RawValue) -> Result<Duration, String> {
    let text = raw.text();
    let refusal = || format!("`{text}` is not a valid duration; examples: 500ms, 30s, 2m");
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let milliseconds = match text.split_at(digits.len()).1 {
        "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        _ => return Err(refusal()),
    };
    let number: u32 = digits.parse().map_err(|_| refusal())?;
    Ok(Duration::from_millis(u64::from(number) * milliseconds))
}

/// `65536`, `64KiB`, `6MiB`.
pub(super) fn bytes(raw: &RawValue) -> Result<usize, String> {
    bytes_or_none(raw).and_then(|bytes| if bytes > 0 { Ok(bytes) } else { Err(not_a_size(raw)) })
}

fn not_a_size(raw: &RawValue) -> String {
    format!("`{}` is not a valid size; examples: 65536, 64KiB, 6MiB", raw.text())
}

/// The same, and 0.
pub(super) fn bytes_or_none(raw: &RawValue) -> Result<usize, String> {
    let text = raw.text();
    let (number, unit) = match text {
        text if text.ends_with("KiB") => (text.trim_end_matches("KiB"), 1 << 10),
        text if text.ends_with("MiB") => (text.trim_end_matches("MiB"), 1 << 20),
        text => (text, 1),
    };
    let number: usize = number.parse().map_err(|_| not_a_size(raw))?;
    number.checked_mul(unit).ok_or_else(|| not_a_size(raw))
}

/// The URL of a service that speaks the DynamoDB protocol.
pub(super) fn service(raw: &RawValue) -> Result<BackendPlace, String> {
    let text = raw.text();
    match text.contains("://") {
        true => text.parse().map_err(|error: anyhow::Error| error.to_string()),
        false => Err(format!("`{text}` is not a valid service URL; example: http://127.0.0.1:8000")),
    }
}

pub(super) fn alternator(raw: &RawValue) -> Result<BackendPlace, String> {
    match service(raw)? {
        BackendPlace::Endpoint(url) => Ok(BackendPlace::Alternator(url)),
        other => Ok(other),
    }
}

pub(super) fn algorithms(raw: &RawValue) -> Result<Vec<Algorithm>, String> {
    let one = |text: &String| text.parse().map_err(|_| format!("unknown signature algorithm `{text}`"));
    raw.texts.iter().map(one).collect()
}

/// `NAME=VALUE` each.
pub(super) fn pairs(raw: &RawValue) -> Result<Vec<(String, String)>, String> {
    let pair = |text: &String| match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(format!("expected NAME=VALUE, found `{text}`")),
    };
    raw.texts.iter().map(pair).collect()
}

pub(super) fn public_url(raw: &RawValue) -> Result<PublicUrl, String> {
    raw.text().parse().map_err(|error: keyfold_api::identity::SignInSettingsError| error.to_string())
}

pub(super) fn session_token(raw: &RawValue) -> Result<SessionToken, String> {
    match raw.text() {
        "access" => Ok(SessionToken::Access),
        "id" => Ok(SessionToken::Id),
        other => Err(format!("expected `access` or `id`, found `{other}`")),
    }
}

pub(super) fn log_filter(raw: &RawValue) -> Result<String, String> {
    // Commas are part of the filter.
    let text = raw.texts.join(",");
    match logging::is_filter(&text) {
        true => Ok(text),
        false => Err(format!("`{text}` is not a valid log filter; examples: `info`, `warn,keyfold_api=debug`")),
    }
}

pub(super) fn log_format(raw: &RawValue) -> Result<LogFormat, String> {
    match raw.text() {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        other => Err(format!("expected `text` or `json`, found `{other}`")),
    }
}

/// Where requests are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RateStore {
    Memory,
    Table,
}

pub(super) fn rate_store(raw: &RawValue) -> Result<RateStore, String> {
    match raw.text() {
        "memory" => Ok(RateStore::Memory),
        "table" => Ok(RateStore::Table),
        other => Err(format!("expected `memory` or `table`, found `{other}`")),
    }
}

/// Bytes that are never printed.
pub(crate) struct Secret(pub Vec<u8>);

pub(super) fn secret(raw: &RawValue) -> Result<Secret, String> {
    if raw.is_secret {
        return Ok(Secret(raw.text().as_bytes().to_vec()));
    }
    let read = read_secret_file(raw.text().as_ref()).map_err(|error| format!("{:#}", anyhow::Error::new(error)))?;
    // Editors add a newline at the end of the file.
    Ok(Secret(read.trim_ascii_end().to_vec()))
}

/// The secret that tokens are signed with: as a variable states it, or in a file, which a server watches.
#[derive(PartialEq, Eq)]
#[cfg_attr(test, derive(Debug))]
pub(crate) enum TokenSecret {
    Stated(Vec<u8>),
    File(PathBuf),
}

pub(super) fn token_secret(raw: &RawValue) -> Result<TokenSecret, String> {
    let Secret(read) = secret(raw)?;
    let file = PathBuf::from(raw.text());
    // A pipe passes the secret on once.
    Ok(if raw.is_secret || !file.is_file() { TokenSecret::Stated(read) } else { TokenSecret::File(file) })
}
