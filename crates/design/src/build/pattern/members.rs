//! The entities whose keys a pattern's conditions can find.

use std::borrow::Cow;

use super::keys::{FanOut, Keys};
use super::source::Source;
use crate::build::access::key_parts;
use crate::model::{Design, Entity, KeyPart, Layout, Returned, SortRange};
use crate::span::Span;
use crate::template::{Binding, Fit, Format, Placeholder, Template, TimestampFormat, ValueKind, is_date, unify};

/// An entity (or the lookup of a unique) whose keys may be in the pattern's range.
pub(super) struct Member<'d> {
    pub entity: &'d Entity,
    pub unique: Option<&'d str>,
    pub layout: &'d Layout,
    /// The conditions whose templates correspond to the entity's.
    pub matches: Vec<KeyMatch<'d>>,
    /// Whether all of them do. Otherwise the range may hold the entity's items between its bounds.
    pub is_whole: bool,
}

pub(super) struct KeyMatch<'d> {
    /// Which condition of the pattern it is: one meets each alternative of a template that it fits.
    pub number: usize,
    pub condition: Template,
    pub key: &'d str,
    /// The entity's template, the alternative of it that the condition meets.
    pub template: &'d Template,
    pub fit: Fit,
    /// The condition is a bound, not an equality.
    pub is_open: bool,
    /// The condition is `begins_with`: its last parameter may be the beginning of a value.
    pub prefix: bool,
    pub sort: bool,
}

impl Member<'_> {
    /// How many conditions of the pattern meet the keys.
    pub(super) fn conditions(&self) -> usize {
        conditions_of(self.matches.iter())
    }

    /// Whether results are the items of this member, or are found through them.
    pub(super) fn leads_to(&self, returns: &[Returned]) -> bool {
        returns.iter().any(|returned| match returned {
            Returned::Referenced { from, .. } => self.unique.is_none() && *from == self.entity.id,
            other => *other == self.returned(),
        })
    }

    pub(super) fn returned(&self) -> Returned {
        match self.unique {
            None => Returned::Entity(self.entity.id),
            Some(unique) => Returned::ThroughUnique { entity: self.entity.id, unique: unique.to_owned() },
        }
    }
}

pub(super) fn conditions_of<'m, 'd: 'm>(matches: impl Iterator<Item = &'m KeyMatch<'d>>) -> usize {
    let mut numbers: Vec<usize> = matches.map(|key_match| key_match.number).collect();
    numbers.dedup();
    numbers.len()
}

/// A template of a condition, the key that it is for, and how it is laid over the key.
struct Condition<'k> {
    key: &'k str,
    template: Cow<'k, Template>,
    is_open: bool,
    is_prefix: bool,
    is_sort: bool,
}

fn conditions(keys: &Keys, delimiter: char) -> Vec<Condition<'_>> {
    let equal = |key, template, is_sort| Condition { key, template, is_open: false, is_prefix: false, is_sort };
    let of_partition = keys.partition.iter().map(|condition| (condition, false));
    let of_sort = keys.sort_equal.iter().map(|condition| (condition, true));
    let stated = of_partition.chain(of_sort);
    let mut conditions: Vec<Condition<'_>> = stated
        .map(|(condition, is_sort)| equal(condition.attribute.as_str(), Cow::Borrowed(&condition.template), is_sort))
        .collect();
    match &keys.fan_out {
        Some(FanOut::Range { attribute, from, to, .. }) => {
            conditions.extend([from, to].map(|bound| equal(attribute.as_str(), Cow::Borrowed(bound), false)));
        }
        Some(FanOut::Values { attribute, parameter, .. }) => {
            let template = Template::plain(parameter, Span::default(), delimiter);
            conditions.push(equal(attribute.as_str(), Cow::Owned(template), false));
        }
        Some(FanOut::Shards { .. }) | None => {}
    }
    if let Some(sort) = &keys.sort {
        let is_open = !matches!(sort.range, SortRange::Equal(_));
        let is_prefix = matches!(sort.range, SortRange::BeginsWith(_));
        conditions.extend(sort.range.bounds().map(|bound| Condition {
            key: &sort.attribute,
            template: Cow::Borrowed(bound),
            is_open,
            is_prefix,
            is_sort: true,
        }));
    }
    conditions
}

pub(super) fn candidates<'d>(source: &Source<'_>, keys: &Keys, design: &'d Design) -> Vec<Member<'d>> {
    let conditions = conditions(keys, design.table.delimiter);
    let mut members = Vec::new();
    for entity in &design.entities {
        let layouts = std::iter::once((None, &entity.layout))
            .chain(entity.uniques.iter().map(|unique| (Some(unique.name.as_str()), &unique.layout)));
        for (unique, layout) in layouts {
            let Some(parts) = key_parts(layout, source.index) else { continue };
            let laid = conditions.iter().enumerate().flat_map(|(number, condition)| lay(number, condition, &parts));
            let mut member = Member { entity, unique, layout, matches: laid.collect(), is_whole: false };
            member.is_whole = member.conditions() == conditions.len();
            members.push(member);
        }
    }
    members
}

/// Lays a condition over its key and the templates that stand in for the key's; empty where it meets none of them.
fn lay<'d>(number: usize, condition: &Condition<'_>, parts: &[&'d KeyPart]) -> Vec<KeyMatch<'d>> {
    let Some(part) = parts.iter().find(|part| part.key.name == condition.key) else { return Vec::new() };
    let laid = part.template.alternatives().filter_map(|template| {
        Some(KeyMatch {
            number,
            condition: condition.template.clone().into_owned(),
            key: &part.key.name,
            template,
            fit: unify(&condition.template, template, condition.is_open)?,
            is_open: condition.is_open,
            prefix: condition.is_prefix,
            sort: condition.is_sort,
        })
    });
    // An alternative that has no such literal is not meant, unless none has it: then that is the mistake.
    let (meant, others): (Vec<_>, Vec<_>) = laid.partition(|found| invalid_literal(found).is_none());
    if meant.is_empty() { others } else { meant }
}

/// A literal of a condition that is not a value of its attribute.
pub(super) fn invalid_literal(key_match: &KeyMatch<'_>) -> Option<(String, Placeholder)> {
    key_match.fit.bindings.iter().find_map(|binding| {
        let (text, placeholder, is_whole) = match binding {
            Binding::Literal { text, placeholder } => (text, placeholder, true),
            Binding::LiteralPrefix { text, placeholder } => (text, placeholder, false),
            Binding::Parameter { .. } | Binding::ParameterIsLiteral { .. } => return None,
        };
        let placeholder = nth(key_match.template, *placeholder)?;
        let fits = placeholder
            .fallback
            .as_deref()
            .is_some_and(|fallback| fallback == text || !is_whole && fallback.starts_with(text.as_str()))
            || !placeholder.formats.is_empty()
            || key_match.is_open && is_day_of(placeholder, text)
            || if is_whole { placeholder.kind.admits(text) } else { placeholder.kind.admits_prefix(text) };
        (!fits).then(|| (text.clone(), placeholder.clone()))
    })
}

/// The format of the timestamps that a placeholder stands for, as a whole and in their order.
pub(super) fn timestamp_format(placeholder: &Placeholder) -> Option<TimestampFormat> {
    let keeps_order = |format: &Format| matches!(format, Format::Lower | Format::Upper);
    match placeholder.kind {
        ValueKind::DateTime(format) if placeholder.formats.iter().all(keeps_order) => {
            Some(format).filter(|own| own.sorts())
        }
        _ => None,
    }
}

/// Whether a text is a date that stands for a day of timestamps.
pub(super) fn is_day_of(placeholder: &Placeholder, text: &str) -> bool {
    timestamp_format(placeholder).is_some() && is_date(text)
}

pub(super) fn nth(template: &Template, position: usize) -> Option<&Placeholder> {
    template.placeholders().nth(position)
}
