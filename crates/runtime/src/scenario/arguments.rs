//! Arguments with which a pattern finds a known item and reads as much as possible.

use keyfold_design::access::{AccessPlan, KeyValue, PartitionSet, SortBound, SortRange};
use keyfold_design::model::{AttributeType, Layout};
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::clock::day_after;
use crate::error::Error;

/// The values of the item's own keys, the shortest prefix, and bounds that exclude nothing. `None` if the item is not
/// in the range, or its arguments are unknown.
pub(super) fn arguments(plan: &AccessPlan, layout: &Layout, item: &Attributes) -> Result<Option<Attributes>, Error> {
    let mut arguments = Attributes::new();
    for condition in &plan.equal {
        let Some(key) = key_of(layout, &condition.attribute, item)? else { return Ok(None) };
        let found = match (condition.value.template(), &plan.partitions) {
            (Some(template), _) => template.read_value(&key).map(Attributes::from_iter),
            (None, Some(partitions)) => partition_arguments(partitions, &key),
            (None, None) => None,
        };
        let Some(found) = found else { return Ok(None) };
        arguments.extend(found);
    }
    if let Some(sort) = &plan.sort {
        add_sort(plan, sort, layout, item, &mut arguments)?;
    }
    // The item has the other values of the key and the filter.
    for parameter in &plan.parameters {
        if let (false, Some(value)) = (arguments.contains_key(&parameter.name), item.get(&parameter.name)) {
            arguments.insert(parameter.name.clone(), value.clone());
        }
    }
    let complete = plan.parameters.iter().all(|parameter| arguments.contains_key(&parameter.name));
    Ok(complete.then_some(arguments))
}

fn key_of(layout: &Layout, name: &str, item: &Attributes) -> Result<Option<AttributeValue>, Error> {
    // Each part of a key by itself: an item may lack what another part needs.
    let computed = layout.computed.iter().find(|computed| computed.name == name);
    Ok(match computed {
        Some(computed) => computed.template.render(|name| item.get(name))?,
        None => item.get(name).cloned(),
    })
}

/// As many partitions as the pattern allows from the item's own on, or the item's own value.
fn partition_arguments(partitions: &PartitionSet, own: &AttributeValue) -> Option<Attributes> {
    let (from, to, key, at_most) = match partitions {
        PartitionSet::Shards { .. } => return Some(Attributes::new()),
        PartitionSet::Values { parameter, .. } => {
            return Some(Attributes::from([(parameter.clone(), AttributeValue::L(vec![own.clone()]))]));
        }
        PartitionSet::Days { from, to, key, at_most } | PartitionSet::Integers { from, to, key, at_most } => {
            (from, to, key, at_most)
        }
    };
    let mut found = Attributes::from_iter(key.read_value(own)?);
    let first = found.remove(from)?;
    let further = at_most.saturating_sub(1);
    let last = match &first {
        AttributeValue::S(day) => day_after(day, further).map(AttributeValue::S),
        AttributeValue::N(number) => {
            number.to_i64().map(|first| AttributeValue::N((first + i64::from(further)).into()))
        }
        _ => None,
    };
    // Days end with the calendar: then the item's own is the last one.
    let last = last.unwrap_or_else(|| first.clone());
    found.extend([(to.clone(), last), (from.clone(), first)]);
    Some(found)
}

fn add_sort(
    plan: &AccessPlan,
    sort: &SortBound,
    layout: &Layout,
    item: &Attributes,
    arguments: &mut Attributes,
) -> Result<(), Error> {
    let bounds: Vec<(&KeyValue, bool)> = match &sort.range {
        SortRange::Less(high) | SortRange::LessOrEqual(high) => vec![(high, true)],
        SortRange::Greater(low) | SortRange::GreaterOrEqual(low) => vec![(low, false)],
        // A day, or the one moment of a timestamp.
        SortRange::Between(low, high) if is_one_value(low, high) => {
            let key = key_of(layout, &sort.attribute, item)?;
            arguments.extend(key.and_then(|key| low.template()?.read_value(&key)).into_iter().flatten());
            Vec::new()
        }
        SortRange::Between(low, high) => vec![(low, false), (high, true)],
        SortRange::Equal(value) | SortRange::BeginsWith(value) => {
            let key = key_of(layout, &sort.attribute, item)?;
            let values = key.and_then(|key| value.template()?.read_value(&key));
            for (name, value) in values.into_iter().flatten() {
                let value = match &sort.range {
                    SortRange::BeginsWith(_) => shortest_prefix(plan, &name, value),
                    _ => value,
                };
                arguments.entry(name).or_insert(value);
            }
            Vec::new()
        }
    };
    for (bound, highest) in bounds {
        for name in bound.template().into_iter().flat_map(|template| template.attributes()) {
            let parameter = plan.parameter(name);
            let extreme = parameter.and_then(|parameter| extreme_value(&parameter.value_type, highest));
            arguments.extend(extreme.map(|value| (name.to_owned(), value)));
        }
    }
    Ok(())
}

/// Whether both bounds are made from the same parameters.
fn is_one_value(low: &KeyValue, high: &KeyValue) -> bool {
    let parameters = |value: &KeyValue| value.template().map(|template| template.attributes().join(" "));
    parameters(low).is_some_and(|names| !names.is_empty() && parameters(high).as_ref() == Some(&names))
}

/// The shortest prefix of a value that the pattern accepts.
fn shortest_prefix(plan: &AccessPlan, name: &str, value: AttributeValue) -> AttributeValue {
    let parameter = plan.parameter(name);
    match (value, parameter.and_then(|parameter| parameter.at_least_characters)) {
        (AttributeValue::S(text), Some(least)) => AttributeValue::S(text.chars().take(least).collect()),
        (value, _) => value,
    }
}

/// The least or the greatest value of a type. A date stands for its whole day where timestamps are expected.
fn extreme_value(value_type: &AttributeType, highest: bool) -> Option<AttributeValue> {
    let date = if highest { "9999-12-31" } else { "0001-01-01" };
    let has_dates = matches!(value_type, AttributeType::Date | AttributeType::Moment(_));
    has_dates.then(|| AttributeValue::S(date.to_owned()))
}
