//! Entities as interfaces.

use keyfold_design::Design;
use keyfold_design::model::{AttributeType, Stamp};
use keyfold_design::template::TimestampFormat;

use super::property;
use crate::lines::Lines;
use crate::typescript_text::{comment, quoted};

pub(super) fn text(design: &Design) -> String {
    let mut out = Lines::new();
    for entity in &design.entities {
        out.blank();
        entity.description.iter().for_each(|text| out.line(comment(text)));
        out.block(format!("export interface {} {{", entity.name), "}", |out| {
            if entity.open {
                out.line("[name: string]: unknown;");
            }
            for attribute in &entity.attributes {
                attribute.description.iter().for_each(|text| out.line(comment(text)));
                let mark = if entity.is_always_stored(attribute) { "" } else { "?" };
                out.line(format!("{}{mark}: {};", property(&attribute.name), type_of(&attribute.value_type)));
            }
        });
    }
    out.into_text()
}

pub(super) fn type_of(value_type: &AttributeType) -> String {
    if value_type.timestamp_format().is_some_and(TimestampFormat::is_number) {
        return "number".to_owned();
    }
    match value_type {
        // A date is a text, whatever the timestamps are.
        AttributeType::Moment(format) if format.is_number() => "number | string".to_owned(),
        AttributeType::Integer
        | AttributeType::Number
        | AttributeType::Sequence(_)
        | AttributeType::Expiry(_)
        | AttributeType::Stamp(Stamp::Version) => "number".to_owned(),
        AttributeType::Boolean => "boolean".to_owned(),
        AttributeType::Binary => "Uint8Array".to_owned(),
        AttributeType::Enumeration(values) => values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(" | "),
        AttributeType::StringSet => "Set<string>".to_owned(),
        AttributeType::NumberSet => "Set<number>".to_owned(),
        AttributeType::List(element) => {
            format!("Array<{}>", element.as_deref().map_or_else(|| "unknown".to_owned(), type_of))
        }
        // An entity may be called `Record`.
        AttributeType::Map => "{ [name: string]: unknown }".to_owned(),
        AttributeType::Any => "unknown".to_owned(),
        _ => "string".to_owned(),
    }
}
