//! Names that versions and stamps go by.

use keyfold_design::model::Stamp;
use keyfold_design::template::TimestampFormat;

use crate::sample::identifier_words;

pub(super) fn is_version(name: &str) -> bool {
    matches!(name, "version" | "_version" | "rev" | "revision" | "_rev" | "_v" | "lockVersion" | "lock_version")
}

/// The stamp of an instant, by its name: `createdAt`, `created`, `creation_date`, `updatedAt`, `last_modified`.
pub(super) fn instant(name: &str) -> Option<Stamp> {
    let words = identifier_words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !matches!(*word, "ct" | "md")).collect();
    match words.as_slice() {
        ["created" | "inserted"] | ["created" | "inserted" | "creation" | "create", "at" | "on" | "date" | "time"] => {
            Some(Stamp::CreatedAt(TimestampFormat::default()))
        }
        ["updated" | "modified"]
        | ["updated" | "modified" | "update", "at" | "on" | "date" | "time"]
        | ["last", "updated" | "modified"]
        | ["last", "updated" | "modified", "at" | "on" | "date"] => Some(Stamp::ModifiedAt(TimestampFormat::default())),
        _ => None,
    }
}

/// The stamp of who did it.
pub(super) fn actor(name: &str) -> Option<Stamp> {
    let words = identifier_words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["created", "by"] | ["creator"] => Some(Stamp::CreatedBy),
        ["updated" | "modified", "by"] | ["last", "updated" | "modified", "by"] => Some(Stamp::ModifiedBy),
        _ => None,
    }
}
