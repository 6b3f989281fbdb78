//! A pattern's line against the design: its index, the entities in its key range, its parameters.

use super::days::admit_days;
use super::filter;
use super::keys::{FanOut, KeyCondition, Keys, ends_descending};
use super::line::{FanOutUnit, PatternLine};
use super::members::{KeyMatch, Member, candidates, nth};
use super::parameters::Parameters;
use super::range_members::{Members, returned};
use super::source::Source;
use crate::build::codes::{BAD_FAN_OUT, BAD_PATTERN};
use crate::build::reader::Reader;
use crate::model::access::{KeyEquality, KeyValue, PartitionSet};
use crate::model::{
    Design, Entity, EntityId, Order, Pattern, PatternId, Projection, Returned, SortCondition, SortRange, TenantMode,
    slug,
};
use crate::syntax::Entry;
use crate::template::{Binding, Part, Template, ValueKind};

pub(super) fn resolve(
    id: PatternId,
    declared: &Entry,
    line: PatternLine<'_>,
    design: &Design,
    reader: &mut Reader<'_>,
) -> Option<Pattern> {
    let source = Source::find(&line, declared, design, reader)?;
    let mut keys = Keys::sort(&line, &source, declared, reader)?;
    let found = candidates(&source, &keys, design);
    let members = Members::of_range(found, &source, declared, &keys, reader)?;
    let returns = returned(&line, &members, design, declared, reader)?;
    let (chosen, others) = members.divide(&returns);
    let mut parameters = Parameters::of(chosen.iter().copied());
    parameters.complete(Parameters::of(others.iter().copied()));
    let mut parameters = parameters.apply(&mut keys, &source, declared.value.span, reader);
    one_direction(&keys, declared, reader)?;
    keys.turn_descending();
    let all: Vec<&Member<'_>> = chosen.iter().chain(&others).copied().collect();
    admit_days(&mut keys, &mut parameters, &all);
    if let Some(sort) = &mut keys.sort {
        sort.component = component(&chosen, sort);
        sort.is_beyond_prefix = false;
    }
    let is_outside = |member: &&Member<'_>| !member.is_whole && !keys.can_hold(&source, member.layout);
    let is_beyond_prefix = chosen.iter().any(is_outside);
    if let Some(sort) = &mut keys.sort {
        sort.is_beyond_prefix = is_beyond_prefix;
    }
    let equal = equalities(&keys);
    let partitions = match keys.fan_out {
        Some(fan_out) => Some(partition_set(fan_out, declared, reader)?),
        None => None,
    };
    let mut pattern = Pattern {
        id,
        name: declared.name().to_owned(),
        slug: slug(declared.name()),
        span: declared.key.span,
        source: declared.value.scalar().map_or_else(|| key_text(declared), str::to_owned),
        condition: condition_text(&line),
        description: None,
        index: source.index,
        equal,
        sort: keys.sort,
        returns,
        filter: None,
        order: if line.options.descending { Order::Descending } else { Order::Ascending },
        tenant: TenantMode::Global,
        tenant_stated: line.options.across_tenants || line.options.own_tenant_only || line.options.misunderstood,
        parameters,
        partitions,
        count: line.options.count,
        projected_only: line.options.projected_only,
        limit: line.options.limit,
    };
    if pattern.projected_only {
        require_projection(&pattern, declared, design, reader);
    }
    pattern.tenant = tenant_mode(&pattern, &chosen, &line, design);
    if let Some(filter) = line.filter {
        let entities: Vec<&Entity> = chosen.iter().map(|member| member.entity).collect();
        pattern.filter = Some(filter::parse(filter, &entities, &mut pattern.parameters, reader)?);
    }
    Some(pattern)
}

/// Both bounds of a range are numbers that descend, or neither is: otherwise it is unclear which is the upper one.
fn one_direction(keys: &Keys, declared: &Entry, reader: &mut Reader<'_>) -> Option<()> {
    let Some(SortCondition { attribute, range: SortRange::Between(low, high), .. }) = &keys.sort else {
        return Some(());
    };
    if ends_descending(low) == ends_descending(high) {
        return Some(());
    }
    let message = format!("`{}` has one bound on `{attribute}` that descends and one that does not", declared.name());
    let help = "use two numbers of one kind as bounds, or one bound: `SK <= TEMPLATE`";
    reader.fault(&BAD_PATTERN, declared.value.span, message, help);
    None
}

/// `projected attributes only` says something where an index holds a part of the items themselves.
fn require_projection(pattern: &Pattern, declared: &Entry, design: &Design, reader: &mut Reader<'_>) {
    let is_partial = pattern.index.map(|id| &design[id]).is_some_and(|index| index.projection != Projection::All);
    let returns_items = pattern.returns.iter().all(|returned| matches!(returned, Returned::Entity(_)));
    let (message, help) = match (is_partial, returns_items) {
        (true, true) if pattern.count => ("a number has no attributes", "remove `count`, or the option"),
        (true, true) => return,
        (false, _) => {
            ("what the pattern reads holds all attributes", "remove the option, or give the index a `projection`")
        }
        (true, false) => ("the index holds items that lead to the results", "remove the option"),
    };
    let message = format!("`projected attributes only` has no effect: {message}");
    reader.fault(&BAD_PATTERN, declared.value.span, message, help);
}

/// The key condition and the filter as the design spells them.
fn condition_text(line: &PatternLine<'_>) -> String {
    match &line.filter {
        Some(filter) => format!("{} where {}", line.key_condition, filter.text),
        None => line.key_condition.to_owned(),
    }
}

fn key_text(declared: &Entry) -> String {
    let key = declared.value.entries().and_then(|entries| crate::build::reader::entry(entries, "key"));
    key.and_then(|entry| entry.value.scalar()).unwrap_or_default().to_owned()
}

/// Equality on the attributes of the partition key, then on the leading ones of a sort key of several.
fn equalities(keys: &Keys) -> Vec<KeyEquality> {
    let equal = |condition: &KeyCondition| KeyEquality {
        attribute: condition.attribute.clone(),
        value: KeyValue::Template(condition.template.clone()),
    };
    let partition = match &keys.fan_out {
        Some(FanOut::Range { attribute, .. } | FanOut::Values { attribute, .. }) => {
            Some(KeyEquality { attribute: attribute.clone(), value: KeyValue::Partition })
        }
        // The number of a shard is a part of the key, which is a condition already.
        Some(FanOut::Shards { .. }) | None => None,
    };
    keys.partition.iter().map(equal).chain(partition).chain(keys.sort_equal.iter().map(equal)).collect()
}

/// The partitions of a fan-out. A range needs values that can be counted from one bound to the other.
fn partition_set(fan_out: FanOut, declared: &Entry, reader: &mut Reader<'_>) -> Option<PartitionSet> {
    let (attribute, from, to, at_most, unit) = match fan_out {
        FanOut::Shards { placeholder, count } => return Some(PartitionSet::Shards { placeholder, count }),
        FanOut::Values { parameter, at_most, .. } => return Some(PartitionSet::Values { parameter, at_most }),
        FanOut::Range { attribute, from, to, at_most, unit } => (attribute, from, to, at_most, unit),
    };
    let wanted = match unit {
        FanOutUnit::Days => ValueKind::Date,
        FanOutUnit::Values => ValueKind::Integer,
    };
    if let Some((first, last)) = ranging_parameters(&from, &to, &wanted) {
        return Some(match unit {
            FanOutUnit::Days => PartitionSet::Days { from: first, to: last, key: from, at_most },
            FanOutUnit::Values => PartitionSet::Integers { from: first, to: last, key: from, at_most },
        });
    }
    let message =
        format!("`{attribute}` is not {}, so its values between two bounds cannot be listed", wanted.describe());
    let help = "a range over partitions is of dates (`at most 92 days`) or whole numbers (`at most 20 values`); others are `in <list>`";
    reader.fault(&BAD_FAN_OUT, declared.value.span, message, help);
    None
}

/// The one parameter in which two bounds differ, of a kind: the first value and the last one.
fn ranging_parameters(from: &Template, to: &Template, kind: &ValueKind) -> Option<(String, String)> {
    let mut found = None;
    if from.parts.len() != to.parts.len() {
        return None;
    }
    for pair in from.parts.iter().zip(&to.parts) {
        match pair {
            (Part::Literal(first), Part::Literal(last)) if first == last => {}
            (Part::Placeholder(first), Part::Placeholder(last)) if first.attribute == last.attribute => {}
            (Part::Placeholder(first), Part::Placeholder(last)) if found.is_none() => {
                let is_of_kind = first.kind == *kind && last.kind == *kind && first.formats == last.formats;
                found = Some(is_of_kind.then(|| (first.attribute.clone(), last.attribute.clone()))?);
            }
            _ => return None,
        }
    }
    found
}

/// The character with which keys go on behind the bound that covers their leading components: of two the upper one.
fn component(members: &[&Member<'_>], sort: &SortCondition) -> Option<char> {
    if matches!(sort.range, SortRange::Equal(_) | SortRange::BeginsWith(_)) {
        return None;
    }
    let bound = sort.range.bounds().last()?;
    let is_of_bound = |key_match: &&KeyMatch<'_>| {
        key_match.sort && key_match.key == sort.attribute && key_match.condition.span == bound.span
    };
    members
        .iter()
        .flat_map(|member| &member.matches)
        .filter(|key_match| is_of_bound(key_match) && key_match.fit.open)
        .find_map(|key_match| key_match.fit.next)
}

fn tenant_mode(pattern: &Pattern, members: &[&Member<'_>], line: &PatternLine<'_>, design: &Design) -> TenantMode {
    let Some(tenant) = &design.tenant else { return TenantMode::Global };
    let owned: Vec<&&Member<'_>> = members.iter().filter(|member| member.entity.scope.has_tenant()).collect();
    let is_of_tenant = |entity: EntityId| design[entity].scope.has_tenant();
    if owned.is_empty() && !pattern.entities().any(is_of_tenant) {
        return TenantMode::Global;
    }
    // Every alternative of the key that the condition meets has to be pinned to the same tenant.
    let pinned_by = |member: &Member<'_>| {
        let conditions = member.matches.chunk_by(|one, other| one.number == other.number);
        conditions.filter(|alternatives| alternatives.iter().all(|key_match| !key_match.sort)).find_map(
            |alternatives| {
                let mut pins = alternatives.iter().map(|key_match| pin(key_match, &tenant.attribute));
                let first = pins.next()??;
                pins.all(|pin| pin == Some(first)).then(|| first.to_owned())
            },
        )
    };
    let pins: Vec<Option<String>> = owned.iter().map(|member| pinned_by(member)).collect();
    match pins.first() {
        Some(Some(parameter))
            if pins.iter().all(|pin| pin.as_ref() == Some(parameter))
                && pattern.partitions.as_ref().is_none_or(|set| set.shares(parameter)) =>
        {
            TenantMode::Pinned { parameter: parameter.clone() }
        }
        _ if line.options.across_tenants => TenantMode::AcrossTenants,
        _ => TenantMode::Filtered,
    }
}

/// The parameter of a condition that stands for the tenant in a key.
fn pin<'m>(key_match: &'m KeyMatch<'_>, tenant: &str) -> Option<&'m str> {
    key_match.fit.bindings.iter().find_map(|binding| {
        let Binding::Parameter { parameter, placeholder } = binding else { return None };
        let placeholder = nth(key_match.template, *placeholder)?;
        // A form that tenants share, such as the first characters, pins none of them.
        let is_tenant = placeholder.attribute == tenant && placeholder.is_recoverable();
        let parameter = nth(&key_match.condition, *parameter).filter(|_| is_tenant)?;
        Some(parameter.attribute.as_str())
    })
}
