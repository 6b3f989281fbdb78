//! `operators`, `the owner`, `role manager and group Squash`.

use super::codes::BAD_RULE;
use super::reader::Reader;
use crate::diagnostic::did_you_mean;
use crate::model::Grantee;
use crate::syntax::Located;

const WORDS: &[&str] =
    &["anyone", "signed in", "operators", "members", "the owner", "role NAME", "group NAME", "permission NAME"];

/// Parses a grantee; `and` binds tighter than `or`.
pub(super) fn parse(text: Located<'_>, reader: &mut Reader<'_>) -> Option<Grantee> {
    let mut any = Vec::new();
    for alternative in split_word(text, " or ") {
        let mut all = Vec::new();
        for part in split_word(alternative, " and ") {
            all.extend(one(part, reader)?);
        }
        any.push(if all.len() == 1 { all.pop()? } else { Grantee::All(all) });
    }
    if any.len() == 1 { any.pop() } else { Some(Grantee::Any(any)) }
}

fn split_word<'a>(text: Located<'a>, separator: &str) -> Vec<Located<'a>> {
    let mut pieces = Vec::new();
    let mut rest = text.trim();
    while let Some(at) = rest.text.find(separator) {
        pieces.push(rest.slice(0, at).trim());
        rest = rest.from(at + separator.len());
    }
    pieces.push(rest.trim());
    pieces
}

/// One kind of caller, `with permission …` included.
fn one(text: Located<'_>, reader: &mut Reader<'_>) -> Option<Vec<Grantee>> {
    let (head, permission) = match text.text.find(" with permission ") {
        Some(at) => (text.slice(0, at).trim(), Some(text.from(at + " with permission ".len()).trim())),
        None => (text, None),
    };
    let grantee = match head.text {
        "anyone" => Grantee::Anyone,
        "signed in" | "anyone signed in" => Grantee::SignedIn,
        "operators" => Grantee::Operators,
        "members" => Grantee::Members,
        "the owner" => Grantee::Owner,
        other => match other.split_once(' ') {
            Some(("role", name)) if is_word(name) => Grantee::Role(unquoted_name(head, "role", name, reader)?),
            Some(("group", name)) if is_word(name) => Grantee::Group(unquoted_name(head, "group", name, reader)?),
            Some(("permission", name)) if is_word(name) => {
                Grantee::Permission(unquoted_name(head, "permission", name, reader)?)
            }
            _ => {
                let help = match did_you_mean(other, WORDS.iter().copied()) {
                    Some(close) => format!("did you mean `{close}`?"),
                    None => format!("callers are `{}`, joined by `and` or `or`", WORDS.join("`, `")),
                };
                reader.fault(&BAD_RULE, head.span(), format!("`{other}` is not a caller"), help);
                return None;
            }
        },
    };
    let mut all = vec![grantee];
    if let Some(permission) = permission {
        all.push(Grantee::Permission(unquoted_name(permission, "permission", permission.text, reader)?));
    }
    Some(all)
}

/// The name of a role, group or permission. Quotes around it would be part of it, and no caller has such a name.
fn unquoted_name(text: Located<'_>, kind: &str, name: &str, reader: &mut Reader<'_>) -> Option<String> {
    let inner = ['"', '\'', '`'].iter().find_map(|quote| name.strip_prefix(*quote)?.strip_suffix(*quote));
    let Some(inner) = inner else { return Some(name.to_owned()) };
    let help = format!("did you mean `{kind} {inner}`?");
    reader.fault(&BAD_RULE, text.span(), format!("the name of a {kind} is written without quotes"), help);
    None
}

fn is_word(text: &str) -> bool {
    !text.trim().is_empty() && !text.trim().contains(char::is_whitespace)
}
