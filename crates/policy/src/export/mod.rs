//! The design's `allow` rules exported as Cedar policies, for `generate cedar` and for tools that read Cedar.
//!
//! Nothing here decides about a call. The agreement tests keep the exported text equal to the evaluator in
//! `keyfold-runtime`.

mod condition;
mod formula;
mod principal;
mod spelling;

use std::collections::BTreeSet;

use keyfold_design::Design;
use keyfold_design::model::{Entity, Rule, Verb};

use crate::names::{self, EntityTypes, quote};
use crate::source;
use crate::statement::{Effect, Statement};
use formula::Formula;

/// Longer ids are cut and end in a fingerprint of the whole rule.
const MAX_ID_LENGTH: usize = 80;

/// One rule as a policy.
#[derive(Debug, Clone)]
pub(crate) struct ExportedRule {
    pub statement: Statement,
    /// The Cedar text.
    pub cedar: String,
}

/// The policies in the order of the rules. `text` is the design file; where it is empty, rules are written out from the
/// model.
pub(crate) fn rules(design: &Design, text: &str, types: &EntityTypes) -> Vec<ExportedRule> {
    let mut used_ids = BTreeSet::new();
    design.rules.iter().map(|rule| export_rule(rule, design, text, types, &mut used_ids)).collect()
}

fn export_rule(
    rule: &Rule,
    design: &Design,
    text: &str,
    types: &EntityTypes,
    used_ids: &mut BTreeSet<String>,
) -> ExportedRule {
    let written = text.get(rule.span.range()).map(source::on_one_line).filter(|written| !written.is_empty());
    let line = written.as_ref().map(|_| source::line_of(text, rule.span.start));
    let spelt = written.filter(|written| !is_quoted(written)).unwrap_or_else(|| spelling::rule(rule, design));
    let id = identifier(&spelt, rule.when.is_some(), used_ids);
    let entities: Vec<&Entity> = design.entities.iter().filter(|entity| rule.entities.contains(&entity.id)).collect();

    let mut conditions = Vec::new();
    if let Some(when) = &rule.when {
        let translated: Option<Vec<Formula>> = entities.iter().map(|entity| condition::formula(when, entity)).collect();
        // The program that makes the request evaluates what Cedar cannot express, and passes the ids of the rules that
        // hold.
        conditions = translated
            .unwrap_or_else(|| vec![Formula::atom(format!("context.holds.contains({})", quote(&id))); entities.len()]);
    }
    conditions.resize(entities.len(), Formula::Always);
    let whole: Vec<(&str, Formula)> = entities
        .iter()
        .zip(conditions)
        .map(|(entity, when)| {
            (types.name(entity), Formula::all([principal::formula(&rule.grantee, design, entity), when]))
        })
        .collect();
    let (resource, formula) = over_entities(whole, entities.len() == design.entities.len());

    let mut cedar = format!("@id({})\n", quote(&id));
    if let Some(line) = line {
        cedar.push_str(&format!("@line(\"{line}\")\n"));
    }
    cedar.push_str(&format!("@rule({})\n", quote(&spelt)));
    cedar.push_str(&format!("permit (\n  principal,\n  {},\n  {resource}\n)", action_scope(&rule.verbs)));
    if formula != Formula::Always {
        cedar.push_str(&format!("\nwhen {{\n  {}\n}}", formula.text("  ")));
    }
    cedar.push(';');
    let statement = Statement { id, effect: Effect::Permit, file: None, line, text: spelt };
    ExportedRule { statement, cedar }
}

/// Whether YAML's quotes are among the rule's words.
fn is_quoted(rule: &str) -> bool {
    let starts_quoted = |text: &str| text.starts_with(['"', '\'']);
    starts_quoted(rule) || rule.split_once(": ").is_some_and(|(_, value)| starts_quoted(value))
}

/// The scope of the resource, and one condition for all entities; entities with different conditions are distinguished
/// by their type.
fn over_entities(whole: Vec<(&str, Formula)>, is_every_entity: bool) -> (String, Formula) {
    let is = |name: &str| Formula::atom(format!("resource is {name}"));
    let mut groups: Vec<(Vec<&str>, Formula)> = Vec::new();
    for (name, formula) in whole {
        match groups.iter_mut().find(|(_, known)| *known == formula) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], formula)),
        }
    }
    match groups.as_mut_slice() {
        [(names, formula)] if names.len() == 1 && !is_every_entity => {
            (format!("resource is {}", names.concat()), formula.clone())
        }
        [(_, formula)] if is_every_entity => ("resource".to_owned(), formula.clone()),
        groups => {
            let parts = groups.iter().map(|(names, formula)| {
                Formula::all([Formula::any(names.iter().map(|name| is(name))), formula.clone()])
            });
            ("resource".to_owned(), Formula::any(parts))
        }
    }
}

fn action_scope(verbs: &BTreeSet<Verb>) -> String {
    let verbs: Vec<Verb> = verbs.iter().copied().collect();
    match verbs.as_slice() {
        [Verb::Get, Verb::List] => "action in Action::\"read\"".to_owned(),
        [Verb::Create, Verb::Update, Verb::Delete] => "action in Action::\"write\"".to_owned(),
        [verb] => format!("action == {}", names::action(*verb)),
        all if all.len() == Verb::ALL.len() => "action".to_owned(),
        some => {
            let names: Vec<String> = some.iter().map(|verb| names::action(*verb)).collect();
            format!("action in [{}]", names.join(", "))
        }
    }
}

/// Words of the rule itself, so that an id outlives the rules before and behind it.
fn identifier(rule: &str, has_condition: bool, used_ids: &mut BTreeSet<String>) -> String {
    let words: Vec<&str> =
        rule.split(|c: char| !c.is_alphanumeric() && c != '.' && c != '_').filter(|word| !word.is_empty()).collect();
    let mut id = words.join("-");
    // The operators of a condition are not words, but distinguish it from others.
    if has_condition || id.len() > MAX_ID_LENGTH {
        let mut cut = String::new();
        for word in words {
            if cut.len() + word.len() > MAX_ID_LENGTH - 7 {
                break;
            }
            cut.push_str(word);
            cut.push('-');
        }
        id = format!("{cut}{:06x}", fingerprint(rule) & 0x00ff_ffff);
    }
    let mut free = id.clone();
    let mut count = 1;
    while !used_ids.insert(free.clone()) {
        count += 1;
        free = format!("{id}-{count}");
    }
    free
}

/// FNV-1a: the same for a text wherever and whenever it is asked.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
