//! The arguments of a pattern, and the partitions that they stand for.

use std::collections::HashSet;

use keyfold_design::access::{AccessPlan, PartitionSet};
use keyfold_design::counted;
use keyfold_design::diagnostic::did_you_mean;
use keyfold_design::model::Pattern;
use keyfold_design::template::Template;
use keyfold_dynamo::{AttributeValue, Attributes, Number};

use crate::clock::days;
use crate::error::Error;

pub(super) fn missing_argument(pattern: &Pattern, plan: &AccessPlan) -> Error {
    let names: Vec<&str> = plan.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    Error::Invalid(format!("`{}` takes {}", pattern.name, names.join(", ")))
}

fn unknown_argument(pattern: &Pattern, plan: &AccessPlan, name: &str) -> Error {
    let names: Vec<&str> = plan.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let expected = match (did_you_mean(name, names.iter().copied()), names.as_slice()) {
        (Some(close), _) => format!("did you mean `{close}`?"),
        (None, []) => format!("`{}` has no parameters", pattern.name),
        (None, names) => format!("`{}` takes {}", pattern.name, names.join(", ")),
    };
    Error::InvalidArgument { name: name.to_owned(), message: format!("unknown parameter `{name}`; {expected}") }
}

/// The arguments as the pattern takes them: a timestamp stands for a date.
pub(super) fn normalize_arguments(plan: &AccessPlan, arguments: &mut Attributes) {
    for (name, value) in arguments.iter_mut() {
        let Some(parameter) = plan.parameter(name) else { continue };
        let given = std::mem::replace(value, AttributeValue::Null);
        *value = match (given, parameter.list_of_at_most) {
            (AttributeValue::L(values), Some(_)) => {
                AttributeValue::L(values.into_iter().map(|value| parameter.value_type.argument(value)).collect())
            }
            (given, _) => parameter.value_type.argument(given),
        };
    }
}

/// Requires exactly the parameters of the pattern, each of its type.
pub(super) fn check_arguments(pattern: &Pattern, plan: &AccessPlan, arguments: &Attributes) -> Result<(), Error> {
    if let Some(unknown) = arguments.keys().find(|name| !plan.parameters.iter().any(|known| known.name == **name)) {
        return Err(unknown_argument(pattern, plan, unknown));
    }
    for parameter in &plan.parameters {
        let value = arguments.get(&parameter.name).ok_or_else(|| Error::InvalidArgument {
            name: parameter.name.clone(),
            message: format!("missing parameter `{}` of `{}`", parameter.name, pattern.name),
        })?;
        match value {
            AttributeValue::L(values) if parameter.list_of_at_most.is_some() => {
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
                format!("`{}` must have at least {} but is `{text}`", parameter.name, counted(least, "character")),
            ));
        }
    }
    Ok(())
}

/// The value of each partition that a call reads; one partition without a value where the keys alone determine it.
pub(super) fn partitions(
    pattern: &Pattern,
    plan: &AccessPlan,
    arguments: &Attributes,
) -> Result<Vec<Option<AttributeValue>>, Error> {
    let Some(set) = &plan.partitions else { return Ok(vec![None]) };
    let argument = |name: &str| arguments.get(name).ok_or_else(|| missing_argument(pattern, plan));
    let values = match set {
        PartitionSet::Shards { count, .. } => (0..*count).map(|shard| integer(i64::from(shard))).collect(),
        PartitionSet::Values { parameter, at_most } => {
            let values = distinct(argument(parameter)?);
            require_few(pattern, values.len(), *at_most)?;
            values
        }
        PartitionSet::Days { from: parameter, to, key, at_most } => {
            let (from, to) = (argument(parameter)?, argument(to)?);
            let not_days = || {
                let plain = crate::description::plain_text;
                Error::Invalid(format!("`{}` to `{}` is not a range of days", plain(from), plain(to)))
            };
            let (first, last) = from.as_str().zip(to.as_str()).ok_or_else(not_days)?;
            match days(first, last, *at_most as usize).ok_or_else(not_days)? {
                Ok(days) => {
                    let days = days.into_iter().map(AttributeValue::S);
                    keys((pattern, plan, arguments), (key, parameter), days)?
                }
                Err(count) => return Err(too_many(pattern, count, *at_most)),
            }
        }
        PartitionSet::Integers { from, to, key, at_most } => {
            let whole = |name: &str| {
                let value = argument(name)?.as_number().and_then(Number::to_i64);
                value.ok_or_else(|| Error::Invalid(format!("`{name}` must be a whole number")))
            };
            let (first, last) = (whole(from)?, whole(to)?);
            let count = i128::from(last) - i128::from(first) + 1;
            require_few(pattern, usize::try_from(count.max(0)).unwrap_or(usize::MAX), *at_most)?;
            keys((pattern, plan, arguments), (key, from), (first..=last).map(integer))?
        }
    };
    Ok(values.into_iter().map(Some).collect())
}

fn integer(value: i64) -> AttributeValue {
    AttributeValue::N(Number::from(value))
}

/// The partition key of each value in a range, which stands for one placeholder of the key.
fn keys(
    query: (&Pattern, &AccessPlan, &Attributes),
    (key, parameter): (&Template, &str),
    values: impl Iterator<Item = AttributeValue>,
) -> Result<Vec<AttributeValue>, Error> {
    let (pattern, plan, arguments) = query;
    let rendered = values.map(|value| {
        let rendered = key.render(|name| if name == parameter { Some(&value) } else { arguments.get(name) })?;
        rendered.ok_or_else(|| missing_argument(pattern, plan))
    });
    rendered.collect()
}

/// The values of a list, each once; a single value is a list of one.
fn distinct(argument: &AttributeValue) -> Vec<AttributeValue> {
    let values = match argument {
        AttributeValue::L(values) => values.as_slice(),
        value => std::slice::from_ref(value),
    };
    // A request may repeat a value thousands of times.
    let mut seen = HashSet::new();
    values.iter().filter(|value| seen.insert(*value)).cloned().collect()
}

fn require_few(pattern: &Pattern, count: usize, at_most: u32) -> Result<(), Error> {
    if count <= at_most as usize { Ok(()) } else { Err(too_many(pattern, count, at_most)) }
}

fn too_many(pattern: &Pattern, count: usize, at_most: u32) -> Error {
    let message = format!("`{}` reads at most {at_most} partitions, but {count} are requested", pattern.name);
    Error::constraint("range", None, message)
}
