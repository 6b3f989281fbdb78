//! `budgets:`, what patterns and verbs may cost.

use super::codes::BAD_BUDGET;
use super::reader::{Reader, suggest};
use crate::model::{Budget, BudgetTarget, Capacity, Design, Verb};
use crate::syntax::Entry;

pub(super) fn build(stated: &Entry, design: &mut Design, reader: &mut Reader<'_>) {
    let example = "budgets: {licenses by enterprise: at most 2.5 read units for 20}";
    let mut budgets = Vec::new();
    for stated in reader.mapping(&stated.value, "`budgets`", example) {
        let target = target(stated, design, reader);
        let Some(line) = reader.text(&stated.value, "a budget", "at most 2.5 read units for 20") else { continue };
        let words: Vec<&str> = line.split_whitespace().collect();
        let (units, capacity, results) = match words.as_slice() {
            ["at", "most", units, kind, "units" | "unit"] => (*units, *kind, None),
            ["at", "most", units, kind, "units" | "unit", "for", results] => (*units, *kind, Some(*results)),
            _ => ("", "", None),
        };
        let capacity = match capacity {
            "read" => Some(Capacity::Read),
            "write" => Some(Capacity::Write),
            _ => None,
        };
        let results = results.map(str::parse::<u32>).transpose();
        let (Some(half_units), Some(capacity), Ok(results)) = (half_units(units), capacity, results) else {
            let help = "write `at most 2.5 read units for 20`, in halves of a unit";
            reader.fault(&BAD_BUDGET, stated.value.span, format!("`{line}` is not a valid budget"), help);
            continue;
        };
        if let Some(target) = target {
            budgets.push(Budget { span: stated.key.span, target, capacity, half_units, results });
        }
    }
    design.budgets = budgets;
}

/// `2.5` is five halves.
fn half_units(text: &str) -> Option<u64> {
    let (whole, half) = match text.split_once('.') {
        Some((whole, "5")) => (whole, 1),
        Some((whole, "0")) => (whole, 0),
        Some(_) => return None,
        None => (text, 0),
    };
    whole.parse::<u64>().ok().map(|whole| whole * 2 + half)
}

fn target(stated: &Entry, design: &Design, reader: &mut Reader<'_>) -> Option<BudgetTarget> {
    let name = stated.name();
    if let Some(pattern) = design.pattern_named(name) {
        return Some(BudgetTarget::Pattern(pattern.id));
    }
    let verb = name.split_once(' ').and_then(|(verb, entity)| {
        let verb = Verb::ALL.into_iter().find(|candidate| candidate.as_str() == verb && *candidate != Verb::List)?;
        Some(BudgetTarget::Verb(verb, design.entity_named(entity)?.id))
    });
    if verb.is_none() && !reader.patterns_incomplete {
        let names = design.patterns.iter().map(|pattern| pattern.name.as_str());
        let help = match suggest(name, names) {
            Some(close) => format!("did you mean `{close}`?"),
            None => "name a pattern, or a verb and an entity: `create License`".to_owned(),
        };
        reader.fault(&BAD_BUDGET, stated.key.span, format!("unknown pattern `{name}`"), help);
    }
    verb
}
