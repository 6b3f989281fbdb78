//! The values of `dynamodb:LeadingKeys`: the partitions that a session may access.

use keyfold_design::template::{Part, Template};

/// A partition, or all that begin with a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LeadingKey {
    /// Exactly this key, compared with `StringEquals`: characters in a caller's tag have no special meaning.
    Exact(String),
    /// Keys with wildcards, compared with `StringLike`.
    Like(String),
    /// Any key at all: the template begins with a value.
    Any,
}

/// The caller's own value of an attribute, from the tag of their session.
pub(super) fn tag(attribute: &str) -> String {
    format!("${{aws:PrincipalTag/{attribute}}}")
}

/// The partitions of one caller: the attribute has to come before every other value of the template, and a delimiter
/// has to follow it or nothing, since `TENANT#1*` also matches the tenant 10. `None` if the keys do not contain the
/// caller.
pub(super) fn own(template: &Template, attribute: &str, tag_name: &str) -> Option<LeadingKey> {
    let mut text = String::new();
    let mut is_pinned = false;
    for part in &template.parts {
        match part {
            Part::Literal(literal) => text.push_str(&escaped(literal)),
            Part::Placeholder(placeholder) if placeholder.attribute == attribute && !is_pinned => {
                if !placeholder.formats.is_empty() || placeholder.fallback.is_some() {
                    return None;
                }
                text.push_str(&tag(tag_name));
                is_pinned = true;
            }
            Part::Placeholder(_) if is_pinned && text.ends_with(template.delimiter) => {
                text.push('*');
                return Some(LeadingKey::Like(text));
            }
            Part::Placeholder(_) => return None,
        }
    }
    is_pinned.then_some(LeadingKey::Exact(text))
}

/// All partitions that a template can give.
pub(super) fn all(template: &Template) -> LeadingKey {
    let mut text = String::new();
    let mut has_wildcard = false;
    for part in &template.parts {
        match part {
            Part::Literal(literal) => text.push_str(&escaped(literal)),
            Part::Placeholder(_) => {
                text.push('*');
                has_wildcard = true;
            }
        }
    }
    match has_wildcard {
        _ if text.starts_with('*') => LeadingKey::Any,
        true => LeadingKey::Like(text),
        false => LeadingKey::Exact(text),
    }
}

/// Characters that would mean something in a policy.
fn escaped(literal: &str) -> String {
    let mut text = String::with_capacity(literal.len());
    for character in literal.chars() {
        match character {
            '*' | '?' | '$' => text.push_str(&format!("${{{character}}}")),
            _ => text.push(character),
        }
    }
    text
}
