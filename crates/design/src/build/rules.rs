//! `allow:`, a list of `WHO: VERBS ENTITIES [when EXPRESSION]`.

use std::collections::BTreeSet;

use super::caller_source;
use super::codes::BAD_RULE;
use super::entity_draft::unknown_entity;
use super::expression::{self, ExpressionScope};
use super::grantee;
use super::reader::Reader;
use crate::diagnostic::did_you_mean;
use crate::model::{Design, Entity, EntityId, Rule, Verb};
use crate::syntax::{Entry, Located};

const VERBS: &[&str] = &["everything", "read", "write", "get", "list", "create", "update", "delete"];

pub(super) fn build(stated: &Entry, design: &mut Design, reader: &mut Reader<'_>) {
    let Some(items) = stated.value.items() else {
        if !stated.value.is_empty() {
            let message = "`allow` is a list of rules";
            reader.fault(&BAD_RULE, stated.value.span, message, "begin each rule with `- `: `- operators: everything`");
            reader.rules_incomplete = true;
        }
        return;
    };
    let mut rules = Vec::new();
    for item in items {
        let Some(entries) = item.entries() else {
            let message = "a rule is `WHO: VERBS ENTITIES`";
            reader.fault(&BAD_RULE, item.span, message, "write `- members: read License`");
            reader.rules_incomplete = true;
            continue;
        };
        for entry in entries {
            match rule(entry, design, reader) {
                Some(rule) => rules.push(rule),
                None => reader.rules_incomplete = true,
            }
        }
    }
    design.rules = rules;
}

fn rule(entry: &Entry, design: &Design, reader: &mut Reader<'_>) -> Option<Rule> {
    let grantee = grantee::parse(Located::of_key(&entry.key), reader);
    reader.text(&entry.value, "what is allowed", "members: read License")?;
    let line = entry.value.located()?;
    let (line, condition) = match line.text.find(" when ") {
        Some(at) => (line.slice(0, at).trim(), Some(line.from(at + " when ".len()).trim())),
        None => (line.trim(), None),
    };
    if let Some(at) = line.text.find(" where ").filter(|_| condition.is_none()) {
        let word = line.slice(at + 1, at + " where".len());
        let help = "the condition of a rule follows `when`; `where` belongs to the filters of patterns";
        reader.fault(&BAD_RULE, word.span(), "a rule has no `where`", help);
        return None;
    }
    let allowed = verbs_and_entities(line, design, reader);
    let (grantee, (verbs, entities)) = (grantee?, allowed?);
    let chosen: Vec<&Entity> = entities.iter().map(|id| &design[*id]).collect();
    caller_source::check(&grantee, entry.key.span, &chosen, design, reader);
    let when = match condition {
        None => None,
        Some(text) => Some(expression::compile(text, &chosen, ExpressionScope::Rule, reader)?),
    };
    Some(Rule { span: entry.key.span.to(entry.value.span), grantee, verbs, entities, when })
}

/// `create, update License, Workstream`, or `everything` for all entities.
fn verbs_and_entities(
    line: Located<'_>,
    design: &Design,
    reader: &mut Reader<'_>,
) -> Option<(BTreeSet<Verb>, BTreeSet<EntityId>)> {
    let (mut verbs, mut entities) = (BTreeSet::new(), BTreeSet::new());
    let mut whole = true;
    for piece in line.split_outside(',') {
        let mut rest = piece;
        if entities.is_empty() {
            let (word, after) = match rest.text.find(' ') {
                Some(at) => (rest.slice(0, at), Some(rest.from(at).trim())),
                None => (rest, None),
            };
            match verbs_of(word.text) {
                Some(found) => {
                    verbs.extend(found);
                    match after {
                        Some(after) => rest = after,
                        None => continue,
                    }
                }
                None if verbs.is_empty() => {
                    unknown_verb(word, reader);
                    return None;
                }
                None => {}
            }
        }
        match design.entity_named(rest.text) {
            Some(entity) => {
                entities.insert(entity.id);
            }
            None => {
                not_an_entity(piece, rest, !entities.is_empty(), design, reader);
                whole = false;
            }
        }
    }
    if !whole {
        return None;
    }
    if entities.is_empty() {
        if line.text != "everything" && line.text != "read" {
            let message = format!("`{}` names no entity", line.text);
            reader.fault(&BAD_RULE, line.span(), message, "name the entities, or write `everything` or `read` for all");
            return None;
        }
        entities = design.entities.iter().map(|entity| entity.id).collect();
    }
    Some((verbs, entities))
}

fn verbs_of(word: &str) -> Option<Vec<Verb>> {
    Some(match word {
        "everything" => Verb::ALL.to_vec(),
        "read" => vec![Verb::Get, Verb::List],
        "write" => vec![Verb::Create, Verb::Update, Verb::Delete],
        "get" => vec![Verb::Get],
        "list" => vec![Verb::List],
        "create" => vec![Verb::Create],
        "update" => vec![Verb::Update],
        "delete" => vec![Verb::Delete],
        _ => return None,
    })
}

fn unknown_verb(word: Located<'_>, reader: &mut Reader<'_>) {
    let help = match did_you_mean(word.text, VERBS.iter().copied()) {
        Some(close) => format!("did you mean `{close}`?"),
        None => format!("verbs are `{}`", VERBS.join("`, `")),
    };
    reader.fault(&BAD_RULE, word.span(), format!("unknown verb `{}`", word.text), help);
}

/// Reports a text that is not an entity: a verb out of place, or a name that the design does not have. It ends a piece
/// of the rule, in which a verb may stand before it.
fn not_an_entity(
    piece: Located<'_>,
    text: Located<'_>,
    follows_entity: bool,
    design: &Design,
    reader: &mut Reader<'_>,
) {
    let word = text.slice(0, text.text.find(' ').unwrap_or(text.text.len()));
    if verbs_of(word.text).is_none() {
        let names = design.entities.iter().map(|entity| entity.name.as_str());
        unknown_entity(text.text, names.chain(VERBS.iter().copied()), text.span(), reader);
        return;
    }
    let verb = piece.text.split(' ').next().unwrap_or_default();
    let help = match text.text {
        _ if follows_entity => format!("verbs come before entities: write another rule for `{}`", text.text),
        "everything" => "write `everything` or `read` alone for all entities, or name them".to_owned(),
        _ => format!("separate verbs with a comma: `{verb}, {}`", text.text),
    };
    reader.fault(&BAD_RULE, word.span(), format!("`{}` is a verb, not an entity", word.text), help);
}
