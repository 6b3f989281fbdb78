//! A pattern's line against the design: its index, the entities in its key range, its parameters.

use super::filter;
use super::keys::{FanOut, KeyCondition, Keys};
use super::line::{FanOutUnit, PatternLine};
use super::members::{Member, candidates, members, nth, returned};
use super::parameters::Parameters;
use super::source::Source;
use crate::build::codes::{BAD_FAN_OUT, BAD_PATTERN};
use crate::build::reader::Reader;
use crate::model::access::{KeyEquality, KeyValue, PartitionSet};
use crate::model::{
    Design, Entity, EntityId, Order, Pattern, PatternId, Projection, Returned, SortCondition, SortRange, TenantMode,
    slug,
};
use crate::syntax::Entry;
use crate::template::{Binding, Template, ValueKind};

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
    let mut parameters = Parameters::default();
    let members = members(found, declared, &keys, reader)?;
    let returns = returned(&line, &members, design, declared, reader)?;
    let chosen: Vec<&Member<'_>> = members.iter().filter(|member| member.leads_to(&returns)).collect();
    parameters.take(&chosen);
    let parameters = parameters.apply(&mut keys, &source, declared.value.span, reader);
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
        others: others(&members, &returns),
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

/// The entities of the range that are not returned, each once.
fn others(members: &[Member<'_>], returns: &[Returned]) -> Vec<EntityId> {
    let mut others: Vec<EntityId> =
        members.iter().filter(|member| !member.leads_to(returns)).map(|member| member.entity.id).collect();
    others.dedup();
    others
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
    if let (Some(first), Some(last)) = (only_parameter(&from, &wanted), only_parameter(&to, &wanted)) {
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

/// The parameter of a bound that has exactly one, of a kind.
fn only_parameter(bound: &Template, kind: &ValueKind) -> Option<String> {
    let mut placeholders = bound.placeholders();
    let only = placeholders.next().filter(|placeholder| placeholder.kind == *kind)?;
    placeholders.next().is_none().then(|| only.attribute.clone())
}

/// The character with which keys go on behind a bound that covers their leading components.
fn component(members: &[&Member<'_>], sort: &SortCondition) -> Option<char> {
    if matches!(sort.range, SortRange::Equal(_) | SortRange::BeginsWith(_)) {
        return None;
    }
    members
        .iter()
        .flat_map(|member| &member.matches)
        .filter(|key_match| key_match.sort && key_match.key == sort.attribute && key_match.fit.open)
        .find_map(|key_match| key_match.fit.next)
}

fn tenant_mode(pattern: &Pattern, members: &[&Member<'_>], line: &PatternLine<'_>, design: &Design) -> TenantMode {
    let Some(tenant) = &design.tenant else { return TenantMode::Global };
    let owned: Vec<&&Member<'_>> = members.iter().filter(|member| member.entity.scope.has_tenant()).collect();
    let is_of_tenant = |entity: EntityId| design[entity].scope.has_tenant();
    if owned.is_empty() && !pattern.entities().any(is_of_tenant) {
        return TenantMode::Global;
    }
    let pinned_by = |member: &Member<'_>| {
        member.matches.iter().filter(|key_match| !key_match.sort).find_map(|key_match| {
            key_match.fit.bindings.iter().find_map(|binding| match binding {
                Binding::Parameter { parameter, placeholder } => {
                    let placeholder = nth(key_match.template, *placeholder)?;
                    // A form that tenants share, such as the first characters, pins none of them.
                    (placeholder.attribute == tenant.attribute && placeholder.is_recoverable())
                        .then(|| nth(&key_match.condition, *parameter).map(|parameter| parameter.attribute.clone()))?
                }
                _ => None,
            })
        })
    };
    let pins: Vec<Option<String>> = owned.iter().map(|member| pinned_by(member)).collect();
    match pins.first() {
        Some(Some(parameter))
            if pins.iter().all(|pin| pin.as_ref() == Some(parameter)) && pattern.partitions.is_none() =>
        {
            TenantMode::Pinned { parameter: parameter.clone() }
        }
        _ if line.options.across_tenants => TenantMode::AcrossTenants,
        _ => TenantMode::Filtered,
    }
}
