//! Arguments with which a pattern finds a known item and reads as much as possible.

use keyfold_design::model::{AttributeType, FanOut, Layout, Pattern, SortOperator};
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::clock::day_after;
use crate::error::Error;

/// The values of the item's own keys, the shortest prefix, and bounds that exclude nothing. `None` if the item is not in
/// the range, or its arguments are unknown.
pub(super) fn arguments(pattern: &Pattern, layout: &Layout, item: &Attributes) -> Result<Option<Attributes>, Error> {
    let mut arguments = Attributes::new();
    for condition in pattern.partition.iter().chain(&pattern.sort_equal) {
        let key = key_of(layout, &condition.attribute, item)?;
        let Some(values) = key.and_then(|key| condition.template.read_value(&key)) else { return Ok(None) };
        arguments.extend(values);
    }
    if !add_partitions(pattern, layout, item, &mut arguments)? {
        return Ok(None);
    }
    add_sort(pattern, layout, item, &mut arguments)?;
    // The item has the other values of the key and the filter.
    for parameter in &pattern.parameters {
        if let (false, Some(value)) = (arguments.contains_key(&parameter.name), item.get(&parameter.name)) {
            arguments.insert(parameter.name.clone(), value.clone());
        }
    }
    let complete = pattern.parameters.iter().all(|parameter| arguments.contains_key(&parameter.name));
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

/// Adds the partitions of a fan-out: as many as the pattern allows from the item's own on, or the item's own value.
fn add_partitions(
    pattern: &Pattern,
    layout: &Layout,
    item: &Attributes,
    arguments: &mut Attributes,
) -> Result<bool, Error> {
    match &pattern.fan_out {
        None | Some(FanOut::Shards { .. }) => {}
        Some(FanOut::Values { attribute, parameter, .. }) => {
            let Some(value) = key_of(layout, attribute, item)? else { return Ok(false) };
            arguments.insert(parameter.clone(), AttributeValue::L(vec![value]));
        }
        Some(FanOut::Range { attribute, from, to, at_most, .. }) => {
            let key = key_of(layout, attribute, item)?;
            let Some(first) = key.and_then(|key| from.read_value(&key)) else { return Ok(false) };
            let further = at_most.saturating_sub(1);
            for value in first.values() {
                let last = match value {
                    AttributeValue::S(day) => day_after(day, further).map(AttributeValue::S),
                    AttributeValue::N(number) => {
                        number.to_i64().map(|first| AttributeValue::N((first + i64::from(further)).into()))
                    }
                    _ => None,
                };
                let last = last.unwrap_or_else(|| value.clone());
                arguments.extend(to.attributes().into_iter().map(|name| (name.to_owned(), last.clone())));
            }
            arguments.extend(first);
        }
    }
    Ok(true)
}

fn add_sort(pattern: &Pattern, layout: &Layout, item: &Attributes, arguments: &mut Attributes) -> Result<(), Error> {
    let Some(sort) = &pattern.sort else { return Ok(()) };
    let bounds = match &sort.operator {
        SortOperator::Less(high) | SortOperator::LessOrEqual(high) => vec![(high, true)],
        SortOperator::Greater(low) | SortOperator::GreaterOrEqual(low) => vec![(low, false)],
        SortOperator::Between(low, high) => vec![(low, false), (high, true)],
        SortOperator::Equal(template) | SortOperator::BeginsWith(template) => {
            let values = key_of(layout, &sort.attribute, item)?.and_then(|key| template.read_value(&key));
            for (name, value) in values.into_iter().flatten() {
                let value = shortest_prefix(pattern, &name, value);
                arguments.entry(name).or_insert(value);
            }
            Vec::new()
        }
    };
    for (template, highest) in bounds {
        for name in template.attributes() {
            let extreme = pattern.parameter(name).and_then(|parameter| extreme_value(&parameter.value_type, highest));
            arguments.extend(extreme.map(|value| (name.to_owned(), value)));
        }
    }
    Ok(())
}

/// The shortest prefix of a value that the pattern accepts.
fn shortest_prefix(pattern: &Pattern, name: &str, value: AttributeValue) -> AttributeValue {
    let least = pattern.parameter(name).and_then(|parameter| parameter.at_least_characters);
    let begins = matches!(pattern.sort.as_ref().map(|sort| &sort.operator), Some(SortOperator::BeginsWith(_)));
    match (value, least) {
        (AttributeValue::S(text), Some(least)) if begins => AttributeValue::S(text.chars().take(least).collect()),
        (value, _) => value,
    }
}

/// The least or the greatest value of a type.
fn extreme_value(value_type: &AttributeType, highest: bool) -> Option<AttributeValue> {
    let text = match (value_type, highest) {
        (AttributeType::Date, true) => "9999-12-31",
        (AttributeType::Date, false) => "0001-01-01",
        (AttributeType::DateTime | AttributeType::Stamp(_), true) => "9999-12-31T23:59:59.999Z",
        (AttributeType::DateTime | AttributeType::Stamp(_), false) => "0001-01-01T00:00:00.000Z",
        _ => return None,
    };
    Some(AttributeValue::S(text.to_owned()))
}
