//! As much of IAM's evaluation as the generated policies use: statements with actions and resources by wildcards,
//! conditions on leading keys and tags with variables, an explicit deny over every allow.

use std::collections::BTreeMap;
use std::path::Path;

use keyfold_design::Design;
use keyfold_generate::{File, Input, Target, generate};
use serde_json::Value;

pub(super) struct Policy {
    pub name: String,
    pub statements: Vec<Value>,
}

/// One request of a session.
pub(super) struct Request<'a> {
    pub action: &'a str,
    /// The table, or `table/index/NAME`.
    pub resource: &'a str,
    pub leading_keys: &'a [&'a str],
    pub tags: BTreeMap<&'a str, &'a str>,
}

pub(super) fn design(name: &str) -> Design {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../designs").join(name);
    let text = std::fs::read_to_string(folder.join("design.yaml")).unwrap();
    keyfold_design::load("design.yaml", &text).unwrap().0
}

/// Every policy of a design.
pub(super) fn policies(design: &Design) -> Vec<Policy> {
    let files = generate(Target::Iam, &Input::new(design));
    files.iter().filter_map(read).collect()
}

pub(super) fn policy(design_name: &str, name: &str) -> Policy {
    policies(&design(design_name)).into_iter().find(|policy| policy.name == name).unwrap()
}

fn read(file: &File) -> Option<Policy> {
    let name = file.path.strip_prefix("iam/")?.strip_suffix(".json")?;
    let document: Value = serde_json::from_str(&file.text).unwrap();
    assert_eq!(document["Version"], "2012-10-17");
    Some(Policy { name: name.to_owned(), statements: document["Statement"].as_array().unwrap().clone() })
}

pub(super) fn list(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().map(|item| item.as_str().unwrap().to_owned()).collect(),
        _ => panic!("{value}"),
    }
}

/// A piece of a pattern: a character, or a wildcard.
#[derive(Clone, Copy, PartialEq)]
enum Piece {
    Character(char),
    Anything,
    AnyOne,
}

/// Puts the tags in; `None` where a tag is missing, which makes a condition false.
fn pieces(pattern: &str, request: &Request<'_>) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        if let Some((variable, after)) = rest.strip_prefix("${").and_then(|inner| inner.split_once('}')) {
            match variable.strip_prefix("aws:PrincipalTag/") {
                // The worst reading: wildcards within a tag count as wildcards.
                Some(tag) => pieces.extend(request.tags.get(tag)?.chars().map(wild)),
                None => pieces.extend(variable.chars().map(Piece::Character)),
            }
            rest = after;
        } else {
            pieces.push(wild(first));
            rest = &rest[first.len_utf8()..];
        }
    }
    Some(pieces)
}

fn wild(character: char) -> Piece {
    match character {
        '*' => Piece::Anything,
        '?' => Piece::AnyOne,
        other => Piece::Character(other),
    }
}

fn is_like(pieces: &[Piece], text: &str) -> bool {
    match (pieces.split_first(), text.chars().next()) {
        (None, None) => true,
        (Some((Piece::Anything, rest)), next) => {
            is_like(rest, text) || next.is_some_and(|next| is_like(pieces, &text[next.len_utf8()..]))
        }
        (Some((piece, rest)), Some(next)) => {
            (*piece == Piece::AnyOne || *piece == Piece::Character(next)) && is_like(rest, &text[next.len_utf8()..])
        }
        _ => false,
    }
}

fn is_equal(pieces: &[Piece], text: &str) -> bool {
    let literal: String = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Character(character) => *character,
            Piece::Anything => '*',
            Piece::AnyOne => '?',
        })
        .collect();
    literal == text
}

fn holds(operator: &str, key: &str, wanted: &[String], request: &Request<'_>) -> bool {
    let matches = |value: &str, like: bool| {
        wanted.iter().filter_map(|pattern| pieces(pattern, request)).any(|pieces| match like {
            true => is_like(&pieces, value),
            false => is_equal(&pieces, value),
        })
    };
    match (operator, key) {
        ("ForAllValues:StringEquals", "dynamodb:LeadingKeys") => {
            request.leading_keys.iter().all(|key| matches(key, false))
        }
        ("ForAllValues:StringLike", "dynamodb:LeadingKeys") => {
            request.leading_keys.iter().all(|key| matches(key, true))
        }
        ("Null", "dynamodb:LeadingKeys") => wanted == ["false"] && !request.leading_keys.is_empty(),
        ("StringLike", key) => {
            let tag = key.strip_prefix("aws:PrincipalTag/").unwrap();
            request.tags.get(tag).is_some_and(|value| matches(value, true))
        }
        _ => panic!("{operator} {key}"),
    }
}

impl Policy {
    pub(super) fn allows(&self, request: &Request<'_>) -> bool {
        let applies = |statement: &Value| {
            let fits = |field: &str, text: &str| {
                list(&statement[field]).iter().any(|pattern| {
                    let pieces: Vec<Piece> = pattern.chars().map(wild).collect();
                    is_like(&pieces, text)
                })
            };
            let conditions = statement["Condition"].as_object();
            fits("Action", &format!("dynamodb:{}", request.action))
                && fits("Resource", &format!("arn:aws:dynamodb:eu-north-1:123456789012:table/{}", request.resource))
                && conditions.into_iter().flatten().all(|(operator, keys)| {
                    keys.as_object().unwrap().iter().all(|(key, wanted)| holds(operator, key, &list(wanted), request))
                })
        };
        let of = |effect: &str| self.statements.iter().any(|found| found["Effect"] == effect && applies(found));
        of("Allow") && !of("Deny")
    }

    pub(super) fn check(&self, tags: &[(&str, &str)], rows: &[(bool, &str, &str, &[&str])]) {
        for (wanted, action, resource, leading_keys) in rows {
            let request = Request { action, resource, leading_keys, tags: tags.iter().copied().collect() };
            assert_eq!(self.allows(&request), *wanted, "{action} {resource} {leading_keys:?} as {tags:?}");
        }
    }
}
