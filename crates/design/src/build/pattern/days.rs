//! Dates as bounds of timestamps: each stands for its whole day, in UTC.

use super::keys::Keys;
use super::members::{Member, is_day_of, nth, timestamp_format};
use crate::model::{AttributeType, Parameter, SortCondition, SortRange};
use crate::template::{Binding, Format, Part, Template, TimestampFormat, ValueKind};

/// Which moments of its day a date stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edge {
    Start,
    End,
    /// The date as the beginning of timestamps.
    Whole,
}

impl Edge {
    fn of(self, format: TimestampFormat) -> Option<Format> {
        match self {
            Self::Start => Some(Format::StartOfDay(format)),
            Self::End => Some(Format::EndOfDay(format)),
            Self::Whole => None,
        }
    }
}

/// Lets dates be bounds where the sort key has timestamps, and equality with a date mean the whole day. A timestamp
/// that the partition key equals has to be whole.
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
    for parameter in parameters.iter_mut().filter(|one| !one.many) {
        let Some(format) = parameter.value_type.timestamp_format() else { continue };
        let mut templates = keys.templates_mut();
        let mut uses = templates
            .iter_mut()
            .flat_map(|(_, template)| template.placeholders_mut())
            .filter(|placeholder| placeholder.attribute == parameter.name);
        if uses.all(|placeholder| matches!(placeholder.kind, ValueKind::Moment(_))) {
            parameter.value_type = AttributeType::Moment(format);
        }
    }
}

fn ends_with_timestamp(template: &Template) -> bool {
    match template.parts.last() {
        Some(Part::Placeholder(own)) => timestamp_format(own).is_some(),
        Some(Part::Literal(_)) | None => false,
    }
}

fn bounds_with_edges(sort: &mut SortCondition) -> Vec<(&mut Template, Edge)> {
    match &mut sort.range {
        SortRange::Equal(_) => Vec::new(),
        SortRange::BeginsWith(bound) => vec![(bound, Edge::Whole)],
        SortRange::Less(bound) | SortRange::GreaterOrEqual(bound) => vec![(bound, Edge::Start)],
        SortRange::LessOrEqual(bound) | SortRange::Greater(bound) => vec![(bound, Edge::End)],
        SortRange::Between(low, high) => vec![(low, Edge::Start), (high, Edge::End)],
    }
}

fn admit_day(bound: &mut Template, edge: Edge, members: &[&Member<'_>]) {
    let of_literal = timestamp_of_literal(bound, members);
    match bound.parts.last_mut() {
        Some(Part::Placeholder(own)) => {
            let Some(format) = timestamp_format(own) else { return };
            if format.is_number() && edge == Edge::Whole {
                return;
            }
            own.kind = ValueKind::Moment(format);
            own.formats.splice(..0, edge.of(format));
        }
        Some(Part::Literal(text)) => {
            let Some((format, formats)) = of_literal else { return };
            let Some(edge) = edge.of(format) else { return };
            let (before, date) = text.split_at(text.len() - "2026-11-15".len());
            let mut formats = std::iter::once(edge).chain(formats);
            if let Some(moment) = formats.try_fold(date.to_owned(), |text, format| format.apply(text)) {
                *text = before.to_owned() + &moment;
            }
        }
        None => {}
    }
}

/// The format of the timestamps of a key where the literal text of a bound ends with a date, and what the key does to
/// them.
fn timestamp_of_literal(bound: &Template, members: &[&Member<'_>]) -> Option<(TimestampFormat, Vec<Format>)> {
    let matches = members.iter().flat_map(|member| &member.matches);
    matches.filter(|key_match| key_match.condition.span == bound.span).find_map(|key_match| {
        let (Binding::Literal { text, placeholder } | Binding::LiteralPrefix { text, placeholder }) =
            key_match.fit.bindings.last()?
        else {
            return None;
        };
        let own = nth(key_match.template, *placeholder)?;
        let stands_last = matches!(bound.parts.last(), Some(Part::Literal(last)) if last.ends_with(text.as_str()));
        let format = timestamp_format(own).filter(|_| stands_last && is_day_of(own, text))?;
        Some((format, own.formats.clone()))
    })
}
