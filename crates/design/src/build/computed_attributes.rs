//! `computed:` of an attribute: what its value is made of.

use super::codes::BAD_ATTRIBUTE_LINE;
use super::reader::Reader;
use super::templates::{self, Names};
use crate::model::{Attribute, AttributeType};
use crate::syntax::Node;
use crate::template::Template;

/// The template as stated; its placeholders are resolved when all attributes are known.
pub(super) fn parse(stated: &Node, attribute: &Attribute, reader: &mut Reader<'_>) -> Option<Template> {
    let name = &attribute.name;
    let mut fault = |message: String, help: &str| reader.fault(&BAD_ATTRIBUTE_LINE, attribute.span, message, help);
    if attribute.value_type != AttributeType::String {
        let message = format!("`{name}` is {}, and a computed attribute is a string", attribute.value_type.rule());
        fault(message, "declare `type: string`");
        return None;
    }
    let contradiction = [
        ("default", attribute.default.is_some()),
        ("made as", attribute.generator.is_some()),
        ("same as", attribute.same_as.is_some()),
        ("key only", !attribute.is_stored()),
        ("fixed", attribute.fixed),
    ];
    if let Some((modifier, _)) = contradiction.into_iter().find(|(_, is_stated)| *is_stated) {
        fault(format!("`{name}` is computed, which `{modifier}` contradicts"), &format!("remove `{modifier}`"));
        return None;
    }
    let (template, condition) = templates::parse(stated, reader)?;
    if let Some(condition) = condition {
        let message = format!("`{name}` is always computed, and cannot have a condition");
        reader.fault(&BAD_ATTRIBUTE_LINE, condition.span(), message, "remove ` when ` and what follows it");
        return None;
    }
    Some(template)
}

/// Resolves the placeholders of the computed attributes of an entity.
pub(super) fn resolve(entity: &str, attributes: &mut [Attribute], is_derived: bool, reader: &mut Reader<'_>) {
    let declared = attributes.to_vec();
    let names = Names { entity, attributes: declared.iter().collect() };
    for attribute in attributes {
        let Some(template) = &mut attribute.computed else { continue };
        if is_derived {
            let message = format!("`{}` is computed, and `{entity}` is derived from another entity", attribute.name);
            let help = "compute it in the source entity; a derived entity copies attributes of the same name";
            reader.fault(&BAD_ATTRIBUTE_LINE, attribute.span, message, help);
            attribute.computed = None;
        } else if !templates::resolve_all(template, &names, reader) {
            attribute.computed = None;
        } else {
            // It says what its sources say.
            let sources = template.attributes();
            attribute.personal |= declared.iter().any(|own| own.personal && sources.contains(&own.name.as_str()));
        }
    }
}
