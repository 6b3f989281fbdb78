//! The parameters of a pattern: their types for the compiler, and the checks that the runtime makes as well.

use keyfold_design::access::{AccessParameter, AccessPlan};
use keyfold_design::model::{AttributeType, Stamp};
use keyfold_design::template::{Precision, TimestampFormat, Zone};

use super::entities::type_of;
use super::property;
use crate::typescript_text::quoted;

/// `licenseId: string; stars: Array<number>`.
pub(super) fn types(plan: &AccessPlan) -> String {
    let parameters = plan.parameters.iter().map(|parameter| {
        let one = type_of(&parameter.value_type);
        let list = if parameter.list_of_at_most.is_some() { format!("Array<{one}>") } else { one };
        format!("{}: {list}", property(&parameter.name))
    });
    parameters.collect::<Vec<_>>().join("; ")
}

/// `{ before: { fits: support.isDate, rule: 'a date (YYYY-MM-DD)' } }`.
pub(super) fn checks(plan: &AccessPlan) -> String {
    let checks: Vec<String> = plan
        .parameters
        .iter()
        .map(|parameter| format!("{}: {}", property(&parameter.name), check(parameter)))
        .collect();
    format!("{{ {} }}", checks.join(", "))
}

fn check(parameter: &AccessParameter) -> String {
    let mut fields = vec![
        format!("fits: {}", test(&parameter.value_type)),
        format!("rule: {}", quoted(&parameter.value_type.rule())),
    ];
    if parameter.list_of_at_most.is_some() {
        fields.push("isList: true".to_owned());
    }
    match &parameter.value_type {
        AttributeType::Date => fields.push("normalize: support.utcDate".to_owned()),
        AttributeType::Moment(format) => fields.push(format!("normalize: support.inFormat({})", timestamps(*format))),
        value_type => {
            let format = value_type.timestamp_format();
            fields.extend(format.map(|format| format!("normalize: support.inFormat({})", timestamps(format))));
        }
    }
    if let Some(least) = parameter.at_least_characters {
        fields.push(format!("atLeastCharacters: {least}"));
    }
    format!("{{ {} }}", fields.join(", "))
}

/// A format of timestamps as `support.ts` describes it: the digits behind the second and what follows, or the units of
/// which a second has so many.
fn timestamps(format: TimestampFormat) -> String {
    let text = match format {
        TimestampFormat::EpochSeconds => return "{ perSecond: 1 }".to_owned(),
        TimestampFormat::EpochMilliseconds => return "{ perSecond: 1000 }".to_owned(),
        TimestampFormat::Text(text) => text,
    };
    let digits = match text.precision {
        Precision::Seconds => 0,
        Precision::Milliseconds => 3,
        Precision::Microseconds => 6,
    };
    let zone = match text.zone {
        Zone::Utc => "Z",
        Zone::Offset => "+00:00",
        Zone::Absent => "",
    };
    let case = if text.is_lower_case { ", lower: true" } else { "" };
    format!("{{ digits: {digits}, zone: '{zone}'{case} }}")
}

fn test(value_type: &AttributeType) -> String {
    let name = match value_type {
        AttributeType::String | AttributeType::Stamp(Stamp::CreatedBy | Stamp::ModifiedBy) => "isText",
        AttributeType::Integer => "isInteger",
        AttributeType::Number => "isNumber",
        AttributeType::Boolean => "isBoolean",
        AttributeType::Date => "isDate",
        AttributeType::DateTime(format)
        | AttributeType::Stamp(Stamp::CreatedAt(format) | Stamp::ModifiedAt(format)) => {
            return format!("support.isTimestamp({})", timestamps(*format));
        }
        AttributeType::Moment(format) => return format!("support.isMoment({})", timestamps(*format)),
        AttributeType::Ulid => "isUlid",
        AttributeType::Uuid => "isUuid",
        AttributeType::Sequence(_) | AttributeType::Expiry(_) | AttributeType::Stamp(Stamp::Version) => "isCount",
        AttributeType::Url => "isUrl",
        AttributeType::Email => "isEmail",
        AttributeType::Enumeration(values) => {
            let values: Vec<String> = values.iter().map(|value| quoted(value)).collect();
            return format!("support.isOneOf({})", values.join(", "));
        }
        // The compiler's types are as exact.
        AttributeType::Binary
        | AttributeType::StringSet
        | AttributeType::NumberSet
        | AttributeType::List(_)
        | AttributeType::Map
        | AttributeType::Any => "isPresent",
    };
    format!("support.{name}")
}
