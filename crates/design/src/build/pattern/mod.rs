//! `patterns:`, each one line or a mapping.

mod days;
pub(super) mod filter;
mod keys;
mod line;
mod members;
mod parameters;
mod range_members;
mod resolve;
mod source;

use self::line::PatternLine;
use super::codes::{BAD_NAME, NAME_TAKEN};
use super::reader::{Reader, entry};
use crate::diagnostic::Diagnostic;
use crate::model::{Design, Pattern, PatternId, slug};
use crate::syntax::{Entry, comment_after};

pub(crate) const KEYS: &[&str] = &[
    "key",
    "where",
    "order",
    "returns",
    "description",
    "limit",
    "tenant",
    "using",
    "at most",
    "count",
    "projected attributes only",
];

pub(super) fn build_all(stated: &Entry, design: &mut Design, reader: &mut Reader<'_>) {
    let example = "patterns: {all accounts: GSI1PK = ENTITY#ACCOUNT}";
    let mut patterns: Vec<Pattern> = Vec::new();
    for declared in reader.mapping(&stated.value, "`patterns`", example) {
        let id = PatternId::new(patterns.len());
        match one(id, declared, design, reader) {
            Some(pattern) => {
                if let Some(first) = patterns.iter().find(|known| known.slug == pattern.slug) {
                    let message =
                        format!("`{}` and `{}` have the same slug `{}`", first.name, pattern.name, pattern.slug);
                    reader.push(
                        Diagnostic::new(&NAME_TAKEN, pattern.span, message)
                            .also(first.span, "the other one")
                            .help("rename one of the two"),
                    );
                }
                patterns.push(pattern);
            }
            None => reader.patterns_incomplete = true,
        }
    }
    design.patterns = patterns;
}

fn one(id: PatternId, declared: &Entry, design: &Design, reader: &mut Reader<'_>) -> Option<Pattern> {
    if slug(declared.name()).is_empty() {
        let message = format!("`{}` cannot name a pattern", declared.name());
        reader.fault(&BAD_NAME, declared.key.span, message, "use words");
        return None;
    }
    let Some(entries) = declared.value.entries() else {
        reader.text(&declared.value, "a pattern", "all accounts: GSI1PK = ENTITY#ACCOUNT")?;
        if let Some(diagnostic) = comment_after(reader.source, &declared.value) {
            reader.push(diagnostic);
        }
        let line = line::parse(declared.value.located()?, reader)?;
        return resolve::resolve(id, declared, line, design, reader);
    };
    for unknown in entries.iter().filter(|entry| !KEYS.contains(&entry.name())) {
        reader.unknown_key(unknown, KEYS, "a pattern");
    }
    let Some(key) = entry(entries, "key") else {
        let message = format!("the pattern `{}` has no `key`", declared.name());
        reader.fault(&super::codes::MISSING, declared.key.span, message, "add `key: PK = …`");
        return None;
    };
    reader.text(&key.value, "the key condition", "key: PK = ACCOUNT#<accountId>")?;
    let mut line = line::parse(key.value.located()?, reader)?;
    for stated in entries {
        long_form(stated, &mut line, reader);
    }
    let mut pattern = resolve::resolve(id, declared, line, design, reader)?;
    pattern.description = entry(entries, "description")
        .and_then(|stated| reader.text(&stated.value, "a description", "description: …"))
        .map(str::to_owned);
    Some(pattern)
}

/// A key of the long form says what an option of the line says.
fn long_form<'n>(stated: &'n Entry, line: &mut PatternLine<'n>, reader: &mut Reader<'_>) {
    let value = &stated.value;
    match stated.name() {
        "where" => {
            let filter = reader.text(value, "a filter", "where: status = <status>");
            line.filter = filter.and(value.located());
        }
        "returns" => {
            for (name, span) in reader.list(value, "`returns`", "returns: License") {
                line.returns.push(crate::span::Spanned::new(name.to_owned(), span));
            }
        }
        "order" | "tenant" => {
            if reader.text(value, "an option", "order: newest first").is_some()
                && let Some(text) = value.located()
            {
                line::option(text, &mut line.options, reader);
            }
        }
        "using" => {
            if let Some(name) = reader.text(value, "an index", "using: GSI1") {
                line.options.using = Some(crate::span::Spanned::new(name.to_owned(), value.span));
            }
        }
        "at most" => {
            if let Some(text) = reader.text(value, "a bound", "at most: 92 days") {
                let whole = format!("at most {text}");
                line::option(crate::syntax::Located::whole(&whole, value.span), &mut line.options, reader);
            }
        }
        "limit" => {
            if let Some(text) = reader.text(value, "a limit", "limit: 50") {
                match text.parse() {
                    Ok(limit) => line.options.limit = Some(limit),
                    Err(_) => reader.fault(
                        &super::codes::BAD_VALUE,
                        value.span,
                        format!("`{text}` is not a valid limit"),
                        "write `limit: 50`",
                    ),
                }
            }
        }
        "count" => line.options.count = reader.flag(stated),
        "projected attributes only" => line.options.projected_only = reader.flag(stated),
        _ => {}
    }
}
