//! Versions as entity tags, and the preconditions `If-Match` and `If-None-Match`.

use http::HeaderMap;
use http::header::{HeaderName, IF_MATCH, IF_NONE_MATCH};
use keyfold_design::model::Entity;
use keyfold_dynamo::{AttributeValue, Attributes};
use xxhash_rust::xxh3::xxh3_64;

use crate::response::problem::{Problem, ProblemKind};

/// Between the version and the counters in a tag.
const SEPARATOR: char = '-';

/// The tag of an item: its version, followed by the counters that the caller sees, which change without a new version;
/// where it has no version, a weak one made from what the caller sees.
pub(crate) fn compute(entity: &Entity, attributes: &Attributes, body: &[u8]) -> String {
    let Some(version) = version(entity, attributes) else { return format!("W/\"{:016x}\"", xxh3_64(body)) };
    let mut tag = format!("\"{version}");
    for counter in &entity.counters {
        tag.push(SEPARATOR);
        if let Some(AttributeValue::N(count)) = attributes.get(counter) {
            tag.push_str(&count.to_string());
        }
    }
    tag.push('"');
    tag
}

/// The tag of an item that the caller may not read: its version; `None` where it has none.
pub(crate) fn version_alone(entity: &Entity, attributes: &Attributes) -> Option<String> {
    version(entity, attributes).map(|version| format!("\"{version}\""))
}

/// A tag without what the caller may not read: its version alone; `None` for a weak one.
pub(crate) fn without_counters(tag: &str) -> Option<String> {
    let tag = tag.strip_prefix('"')?.strip_suffix('"')?;
    let version = tag.split_once(SEPARATOR).map_or(tag, |(version, _)| version);
    Some(format!("\"{version}\""))
}

/// The version of an item.
pub(crate) fn version(entity: &Entity, attributes: &Attributes) -> Option<u64> {
    match attributes.get(&entity.version()?.name)? {
        AttributeValue::N(number) => number.to_i64().and_then(|version| u64::try_from(version).ok()),
        _ => None,
    }
}

/// The precondition of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    Nothing,
    /// `If-Match: *`.
    Present,
    /// `If-None-Match: *`.
    Absent,
    /// `If-Match: "7"`, or with counters `"7-2"`.
    Version(u64),
    /// A tag that no version has.
    Never,
}

impl Expected {
    /// The version that the item must have; `None` for any.
    pub(crate) fn version(self) -> Option<u64> {
        match self {
            Self::Version(version) => Some(version),
            Self::Nothing | Self::Present | Self::Absent | Self::Never => None,
        }
    }
}

/// Whether `If-Match` names a weak tag, which it never matches.
pub(crate) fn names_weak_tag(headers: &HeaderMap) -> bool {
    headers.get(IF_MATCH).is_some_and(|value| value.as_bytes().starts_with(b"W/"))
}

/// Reads the preconditions of a change.
pub(crate) fn precondition(headers: &HeaderMap, entity: &Entity) -> Result<Expected, Problem> {
    let none_match = tags(headers, &IF_NONE_MATCH)?;
    let Some(tags) = tags(headers, &IF_MATCH)? else {
        return match none_match.as_deref() {
            None => Ok(Expected::Nothing),
            Some("*") => Ok(Expected::Absent),
            Some(_) => Err(Problem::new(ProblemKind::INVALID, "a change takes `If-None-Match: *` or an If-Match")),
        };
    };
    if none_match.is_some() {
        return Err(Problem::new(ProblemKind::INVALID, "If-Match and If-None-Match exclude each other"));
    }
    if tags == "*" {
        return Ok(Expected::Present);
    }
    if entity.version().is_none() {
        let detail = format!("{} has no version that If-Match could name; the design can declare one", entity.name);
        return Err(Problem::new(ProblemKind::INVALID, detail));
    }
    if tags.contains(',') {
        return Err(Problem::new(ProblemKind::INVALID, "If-Match takes one tag"));
    }
    if !tags.starts_with('"') && !tags.starts_with("W/") {
        return Err(Problem::new(ProblemKind::INVALID, format!("If-Match takes a tag in quotes: `\"{tags}\"`")));
    }
    // A change is for a version, whatever the counters are. Only the spelling that an ETag has is a version: `"07"`
    // never was one.
    let version = tags.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).and_then(|text| {
        let text = text.split_once(SEPARATOR).filter(|_| !entity.counters.is_empty()).map_or(text, |(text, _)| text);
        let version: u64 = text.parse().ok()?;
        (version.to_string() == text).then_some(version)
    });
    Ok(version.map_or(Expected::Never, Expected::Version))
}

/// Whether `If-None-Match` names the tag: the client has this version.
pub(crate) fn is_known(headers: &HeaderMap, tag: &str) -> Result<bool, Problem> {
    let strong = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let Some(known) = tags(headers, &IF_NONE_MATCH)? else { return Ok(false) };
    Ok(known == "*" || known.split(',').any(|known| strong(known) == strong(tag)))
}

fn tags(headers: &HeaderMap, name: &HeaderName) -> Result<Option<String>, Problem> {
    let mut values = Vec::new();
    for value in headers.get_all(name) {
        let text = value.to_str().map_err(|_| Problem::new(ProblemKind::INVALID, format!("{name} cannot be read")))?;
        values.push(text.trim());
    }
    Ok((!values.is_empty()).then(|| values.join(",")))
}
