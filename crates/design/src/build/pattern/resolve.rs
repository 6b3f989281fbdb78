//! A pattern's line against the design: its index, the entities in its key range, its parameters.

use super::filter;
use super::keys::Keys;
use super::line::PatternLine;
use super::members::{Member, candidates, members, nth, returned};
use super::parameters::Parameters;
use super::source::Source;
use crate::build::codes::BAD_FAN_OUT;
use crate::build::reader::Reader;
use crate::model::{
    Design, Entity, EntityId, FanOut, FanOutUnit, Order, Pattern, PatternId, Returned, SortCondition, SortOperator,
    TenantMode, slug,
};
use crate::syntax::Entry;
use crate::template::{Binding, ValueKind};

pub(super) fn resolve(
    id: PatternId,
    declared: &Entry,
    line: PatternLine<'_>,
    design: &Design,
    reader: &mut Reader<'_>,
) -> Option<Pattern> {
    let source = Source::find(&line, declared, design, reader)?;
    let keys = Keys::sort(&line, &source, declared, reader)?;
    let found = candidates(&source, &keys, design);
    let mut parameters = Parameters::default();
    let members = members(found, declared, &keys, reader)?;
    let returns = returned(&line, &members, design, declared, reader)?;
    let chosen: Vec<&Member<'_>> = members.iter().filter(|member| returns.contains(&member.returned())).collect();
    parameters.take(&chosen);
    let mut pattern = Pattern {
        id,
        name: declared.name().to_owned(),
        slug: slug(declared.name()),
        span: declared.key.span,
        source: declared.value.scalar().map_or_else(|| key_text(declared), str::to_owned),
        condition: condition_text(&line),
        description: None,
        index: source.index,
        partition: keys.partition,
        sort_equal: keys.sort_equal,
        sort: keys.sort,
        others: others(&members, &returns),
        returns,
        filter: None,
        order: if line.options.descending { Order::Descending } else { Order::Ascending },
        tenant: TenantMode::Global,
        tenant_stated: line.options.across_tenants || line.options.own_tenant_only || line.options.misunderstood,
        parameters: Vec::new(),
        fan_out: keys.fan_out,
        count: line.options.count,
        limit: line.options.limit,
    };
    parameters.apply(&mut pattern, &source, declared.value.span, reader);
    refuse_uncountable(&pattern, declared, reader)?;
    if let Some(sort) = &mut pattern.sort {
        sort.component = component(&chosen, sort);
    }
    pattern.tenant = tenant_mode(&pattern, &chosen, &line, design);
    if let Some(filter) = line.filter {
        let entities: Vec<&Entity> = chosen.iter().map(|member| member.entity).collect();
        pattern.filter = Some(filter::parse(filter, &entities, &mut pattern.parameters, reader)?);
    }
    Some(pattern)
}

/// The key condition and the filter as the design spells them.
fn condition_text(line: &PatternLine<'_>) -> String {
    match &line.filter {
        Some(filter) => format!("{} where {}", line.key_condition, filter.text),
        None => line.key_condition.to_owned(),
    }
}

/// The entities of the range that are not returned, each once.
fn others(members: &[Member<'_>], returns: &[Returned]) -> Vec<EntityId> {
    let mut others: Vec<EntityId> =
        members.iter().filter(|member| !returns.contains(&member.returned())).map(|member| member.entity.id).collect();
    others.dedup();
    others
}

fn key_text(declared: &Entry) -> String {
    let key = declared.value.entries().and_then(|entries| crate::build::reader::entry(entries, "key"));
    key.and_then(|entry| entry.value.scalar()).unwrap_or_default().to_owned()
}

/// A range over partitions needs values that can be counted from one bound to the other.
fn refuse_uncountable(pattern: &Pattern, declared: &Entry, reader: &mut Reader<'_>) -> Option<()> {
    let Some(FanOut::Range { attribute, from, to, unit, .. }) = &pattern.fan_out else { return Some(()) };
    let wanted = match unit {
        FanOutUnit::Days => ValueKind::Date,
        FanOutUnit::Values => ValueKind::Integer,
    };
    let countable = [from, to].into_iter().all(|bound| {
        let mut placeholders = bound.placeholders();
        placeholders.next().is_some_and(|placeholder| placeholder.kind == wanted) && placeholders.next().is_none()
    });
    if countable {
        return Some(());
    }
    let message =
        format!("`{attribute}` is not {}, so its values between two bounds cannot be listed", wanted.describe());
    let help = "a range over partitions is of dates (`at most 92 days`) or whole numbers (`at most 20 values`); others are `in <list>`";
    reader.fault(&BAD_FAN_OUT, declared.value.span, message, help);
    None
}

/// The character with which keys go on behind a bound that covers their leading components.
fn component(members: &[&Member<'_>], sort: &SortCondition) -> Option<char> {
    if matches!(sort.operator, SortOperator::Equal(_) | SortOperator::BeginsWith(_)) {
        return None;
    }
    members
        .iter()
        .flat_map(|member| &member.meetings)
        .filter(|meeting| meeting.sort && meeting.key == sort.attribute && meeting.fit.open)
        .find_map(|meeting| meeting.fit.next)
}

fn tenant_mode(pattern: &Pattern, members: &[&Member<'_>], line: &PatternLine<'_>, design: &Design) -> TenantMode {
    let Some(tenant) = &design.tenant else { return TenantMode::Global };
    let owned: Vec<&&Member<'_>> = members.iter().filter(|member| member.entity.scope.has_tenant()).collect();
    if owned.is_empty() {
        return TenantMode::Global;
    }
    let pinned_by = |member: &Member<'_>| {
        member.meetings.iter().filter(|meeting| !meeting.sort).find_map(|meeting| {
            meeting.fit.bindings.iter().find_map(|binding| match binding {
                Binding::Parameter { parameter, placeholder } => {
                    let placeholder = nth(meeting.template, *placeholder)?;
                    (placeholder.attribute == tenant.attribute)
                        .then(|| nth(&meeting.condition, *parameter).map(|parameter| parameter.attribute.clone()))?
                }
                _ => None,
            })
        })
    };
    let pins: Vec<Option<String>> = owned.iter().map(|member| pinned_by(member)).collect();
    match pins.first() {
        Some(Some(parameter))
            if pins.iter().all(|pin| pin.as_ref() == Some(parameter)) && pattern.fan_out.is_none() =>
        {
            TenantMode::Pinned { parameter: parameter.clone() }
        }
        _ if line.options.across_tenants => TenantMode::AcrossTenants,
        _ => TenantMode::Filtered,
    }
}
