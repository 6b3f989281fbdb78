//! Parsers of setting values.

use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use keyfold_api::identity::Algorithm;
use keyfold_api::{Cors, Rate};

use super::found::Found;
use crate::backend::BackendPlace;
use crate::logging::{self, Format};

pub(super) fn text(found: &Found) -> Result<String, String> {
    match found.text() {
        "" => Err("must not be empty".to_owned()),
        text => Ok(text.to_owned()),
    }
}

pub(super) fn texts(found: &Found) -> Result<Vec<String>, String> {
    match found.texts.iter().any(String::is_empty) {
        true => Err("must not contain an empty value".to_owned()),
        false => Ok(found.texts.clone()),
    }
}

pub(super) fn path(found: &Found) -> Result<PathBuf, String> {
    text(found).map(PathBuf::from)
}

pub(super) fn paths(found: &Found) -> Result<Vec<PathBuf>, String> {
    Ok(texts(found)?.into_iter().map(PathBuf::from).collect())
}

pub(super) fn switch(found: &Found) -> Result<bool, String> {
    match found.text() {
        "on" | "true" | "yes" => Ok(true),
        "off" | "false" | "no" => Ok(false),
        other => Err(format!("expected `on` or `off`, found `{other}`")),
    }
}

pub(super) fn address(found: &Found) -> Result<IpAddr, String> {
    parsed(found, "an IP address")
}

pub(super) fn port(found: &Found) -> Result<u16, String> {
    parsed(found, "a port from 0 to 65535")
}

pub(super) fn port_or_none(found: &Found) -> Result<Option<u16>, String> {
    match found.text() {
        "none" => Ok(None),
        _ => parsed(found, "a port from 0 to 65535, or `none`").map(Some),
    }
}

/// At least one.
pub(super) fn count(found: &Found) -> Result<usize, String> {
    match parsed(found, "an integer")? {
        0 => Err("must be at least 1".to_owned()),
        count => Ok(count),
    }
}

pub(super) fn number(found: &Found) -> Result<usize, String> {
    parsed(found, "an integer")
}

/// `6000/m`, or `off`.
pub(super) fn rate(found: &Found) -> Result<Option<Rate>, String> {
    match found.text() {
        "off" => Ok(None),
        text => text.parse().map(Some).map_err(|error: keyfold_api::BadRate| error.to_string()),
    }
}

pub(super) fn cors(found: &Found) -> Result<Cors, String> {
    match found.texts.as_slice() {
        [] => Ok(Cors::Off),
        [every] if every == "*" => Ok(Cors::Everyone),
        origins => {
            let origins = origins.iter().map(|text| text.parse()).collect::<Result<_, keyfold_api::BadOrigin>>();
            origins.map(Cors::Origins).map_err(|error| error.to_string())
        }
    }
}

pub(super) fn days(found: &Found) -> Result<u32, String> {
    match parsed(found, "a number of days")? {
        0 => Err("must be at least 1".to_owned()),
        days => Ok(days),
    }
}

fn parsed<T: FromStr>(found: &Found, what: &str) -> Result<T, String> {
    let text = found.text();
    text.parse().map_err(|_| format!("expected {what}, found `{text}`"))
}

/// `500ms`, `30s`, `2m`.
pub(super) fn duration(found: &Found) -> Result<Duration, String> {
    let text = found.text();
    let refused = || format!("`{text}` is not a valid duration; examples: 500ms, 30s, 2m");
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let milliseconds = match text.split_at(digits.len()).1 {
        "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        _ => return Err(refused()),
    };
    let number: u32 = digits.parse().map_err(|_| refused())?;
    Ok(Duration::from_millis(u64::from(number) * milliseconds))
}

/// `65536`, `64KiB`, `6MiB`.
pub(super) fn bytes(found: &Found) -> Result<usize, String> {
    let text = found.text();
    let refused = || format!("`{text}` is not a valid size; examples: 65536, 64KiB, 6MiB");
    let (number, unit) = match text {
        text if text.ends_with("KiB") => (text.trim_end_matches("KiB"), 1 << 10),
        text if text.ends_with("MiB") => (text.trim_end_matches("MiB"), 1 << 20),
        text => (text, 1),
    };
    let number: usize = number.parse().map_err(|_| refused())?;
    number.checked_mul(unit).filter(|bytes| *bytes > 0).ok_or_else(refused)
}

/// The URL of a service that speaks the DynamoDB protocol.
pub(super) fn service(found: &Found) -> Result<BackendPlace, String> {
    let text = found.text();
    match text.contains("://") {
        true => text.parse().map_err(|error: anyhow::Error| error.to_string()),
        false => Err(format!("`{text}` is not a valid service URL; example: http://127.0.0.1:8000")),
    }
}

pub(super) fn alternator(found: &Found) -> Result<BackendPlace, String> {
    match service(found)? {
        BackendPlace::Endpoint(url) => Ok(BackendPlace::Alternator(url)),
        other => Ok(other),
    }
}

pub(super) fn algorithms(found: &Found) -> Result<Vec<Algorithm>, String> {
    let one = |text: &String| text.parse().map_err(|_| format!("unknown signature algorithm `{text}`"));
    found.texts.iter().map(one).collect()
}

pub fn log_filter(found: &Found) -> Result<String, String> {
    // Commas are part of the filter.
    let text = found.texts.join(",");
    match logging::is_filter(&text) {
        true => Ok(text),
        false => Err(format!("`{text}` is not a valid log filter; examples: `info`, `warn,keyfold_api=debug`")),
    }
}

pub fn log_format(found: &Found) -> Result<Format, String> {
    match found.text() {
        "text" => Ok(Format::Text),
        "json" => Ok(Format::Json),
        other => Err(format!("expected `text` or `json`, found `{other}`")),
    }
}

/// Bytes that are never printed.
pub(crate) struct Secret(pub Vec<u8>);

pub(super) fn secret(found: &Found) -> Result<Secret, String> {
    if found.is_secret {
        return Ok(Secret(found.text().as_bytes().to_vec()));
    }
    let read = std::fs::read(found.text()).map_err(|error| format!("cannot read `{}`: {error}", found.text()))?;
    // Editors add a newline at the end of the file.
    Ok(Secret(read.trim_ascii_end().to_vec()))
}
