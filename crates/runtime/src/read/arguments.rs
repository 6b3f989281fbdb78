//! The arguments of a pattern, and the key ranges they stand for.

use keyfold_design::model::{FanOut, Pattern};
use keyfold_dynamo::{AttributeValue, Attributes, Number};

use crate::clock::days;
use crate::error::Error;

/// The value of the partition that one range of a fan-out reads.
pub(super) const FAN_OUT_VALUE: &str = "\u{0}fan-out";

pub(super) fn missing_argument(pattern: &Pattern) -> Error {
    let names: Vec<&str> = pattern.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    Error::Invalid(format!("`{}` takes {}", pattern.name, names.join(", ")))
}

/// Exactly the parameters of the pattern, each of its type.
pub(super) fn check_arguments(pattern: &Pattern, arguments: &Attributes) -> Result<(), Error> {
    let unknown = arguments.keys().find(|name| pattern.parameter(name).is_none());
    let missing = pattern.parameters.iter().find(|parameter| !arguments.contains_key(&parameter.name));
    if unknown.is_some() || missing.is_some() {
        return Err(missing_argument(pattern));
    }
    for parameter in &pattern.parameters {
        let Some(value) = arguments.get(&parameter.name) else { continue };
        match value {
            AttributeValue::L(values) if parameter.many => {
                values.iter().try_for_each(|value| parameter.value_type.check(&parameter.name, value))?;
            }
            value => parameter.value_type.check(&parameter.name, value)?,
        }
        if let (Some(least), AttributeValue::S(text)) = (parameter.at_least_characters, value)
            && text.chars().count() < least
        {
            return Err(Error::constraint(
                parameter.name.clone(),
                Some(&parameter.name),
                format!("`{}` must have at least {least} characters, and is `{text}`", parameter.name),
            ));
        }
    }
    Ok(())
}

/// The arguments of each key range.
pub(super) fn ranges(pattern: &Pattern, arguments: &Attributes) -> Result<Vec<Attributes>, Error> {
    let with = |name: &str, value: AttributeValue| {
        let mut range = arguments.clone();
        range.insert(name.to_owned(), value);
        range
    };
    Ok(match &pattern.fan_out {
        None => vec![arguments.clone()],
        Some(FanOut::Shards { placeholder, count }) => {
            let shards = (0..*count).filter_map(|shard| Number::parse(&shard.to_string()).ok()).map(AttributeValue::N);
            shards.map(|shard| with(placeholder, shard)).collect()
        }
        Some(FanOut::Values { parameter, at_most, .. }) => {
            let values = match arguments.get(parameter) {
                Some(AttributeValue::L(values)) => values.clone(),
                Some(value) => vec![value.clone()],
                None => Vec::new(),
            };
            let mut distinct: Vec<AttributeValue> = Vec::with_capacity(values.len());
            for value in values {
                if !distinct.contains(&value) {
                    distinct.push(value);
                }
            }
            refuse_wide(pattern, distinct.len(), *at_most)?;
            distinct.into_iter().map(|value| with(FAN_OUT_VALUE, value)).collect()
        }
        Some(FanOut::Range { from, to, at_most, .. }) => {
            let text = |template: &keyfold_design::template::Template| {
                template.render_text(|name| arguments.get(name))?.ok_or_else(|| missing_argument(pattern))
            };
            let (from, to) = (text(from)?, text(to)?);
            let found = days(&from, &to, *at_most as usize)
                .ok_or_else(|| Error::Invalid(format!("`{from}` to `{to}` is no range of days")))?;
            let days = match found {
                Ok(days) => days,
                Err(count) => {
                    refuse_wide(pattern, count, *at_most)?;
                    Vec::new()
                }
            };
            days.into_iter().map(|day| with(FAN_OUT_VALUE, AttributeValue::S(day))).collect()
        }
    })
}

fn refuse_wide(pattern: &Pattern, count: usize, at_most: u32) -> Result<(), Error> {
    if count <= at_most as usize {
        return Ok(());
    }
    Err(Error::constraint(
        "range",
        None,
        format!("`{}` reads at most {at_most} partitions, and {count} are asked for", pattern.name),
    ))
}
