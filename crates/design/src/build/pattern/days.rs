//! Dates as bounds of timestamps: each stands for its whole day, in UTC.

use super::keys::Keys;
use super::members::{Member, is_day_of, nth};
use crate::model::{AttributeType, Parameter, SortCondition, SortRange};
use crate::template::{Binding, Format, Part, Template, ValueKind};

/// Which moments of its day a date stands for; `None` for the day as the beginning of timestamps.
type Edge = Option<Format>;

/// Lets dates be bounds where the sort key has timestamps, and equality with a date mean the whole day. A timestamp that
/// the partition key equals has to be whole.
pub(super) fn admit_days(keys: &mut Keys, parameters: &mut [Parameter], members: &[&Member<'_>]) {
    if let Some(sort) = &mut keys.sort {
        if let SortRange::Equal(template) = &sort.range
            && ends_with_timestamp(template)
        {
            sort.range = SortRange::Between(template.clone(), template.clone());
        }
        for (bound, edge) in bounds_with_edges(sort) {
            admit_day(bound, edge, members);
        }
    }
    for parameter in parameters.iter_mut().filter(|one| one.value_type.kind() == Some(ValueKind::DateTime)) {
        let mut templates = keys.templates_mut();
        let mut uses = templates
            .iter_mut()
            .flat_map(|(_, template)| template.placeholders_mut())
            .filter(|placeholder| placeholder.attribute == parameter.name);
        if !parameter.many && uses.all(|placeholder| placeholder.kind == ValueKind::Moment) {
            parameter.value_type = AttributeType::Moment;
        }
    }
}

fn ends_with_timestamp(template: &Template) -> bool {
    let is_timestamp = |part: &Part| match part {
        Part::Placeholder(own) => own.kind == ValueKind::DateTime && own.formats.is_empty(),
        Part::Literal(_) => false,
    };
    template.parts.last().is_some_and(is_timestamp)
}

fn bounds_with_edges(sort: &mut SortCondition) -> Vec<(&mut Template, Edge)> {
    const START: Edge = Some(Format::StartOfDay);
    const END: Edge = Some(Format::EndOfDay);
    match &mut sort.range {
        SortRange::Equal(_) => Vec::new(),
        SortRange::BeginsWith(bound) => vec![(bound, None)],
        SortRange::Less(bound) | SortRange::GreaterOrEqual(bound) => vec![(bound, START)],
        SortRange::LessOrEqual(bound) | SortRange::Greater(bound) => vec![(bound, END)],
        SortRange::Between(low, high) => vec![(low, START), (high, END)],
    }
}

fn admit_day(bound: &mut Template, edge: Edge, members: &[&Member<'_>]) {
    let is_date = ends_with_date(bound, members);
    let is_timestamp = ends_with_timestamp(bound);
    match (bound.parts.last_mut(), edge) {
        (Some(Part::Placeholder(own)), edge) if is_timestamp => {
            own.kind = ValueKind::Moment;
            own.formats.extend(edge);
        }
        (Some(Part::Literal(text)), Some(edge)) if is_date => {
            let (before, date) = text.split_at(text.len() - "2026-11-15".len());
            if let Some(moment) = edge.apply(date.to_owned()) {
                *text = before.to_owned() + &moment;
            }
        }
        _ => {}
    }
}

/// Whether the literal text of a bound ends with a date where a key has a timestamp.
fn ends_with_date(bound: &Template, members: &[&Member<'_>]) -> bool {
    let matches = members.iter().flat_map(|member| &member.matches);
    matches.filter(|key_match| key_match.condition.span == bound.span).any(|key_match| {
        match key_match.fit.bindings.last() {
            Some(Binding::Literal { text, placeholder } | Binding::LiteralPrefix { text, placeholder }) => {
                let stands_last =
                    matches!(bound.parts.last(), Some(Part::Literal(own)) if own.ends_with(text.as_str()));
                stands_last && nth(key_match.template, *placeholder).is_some_and(|own| is_day_of(own, text))
            }
            _ => false,
        }
    })
}
