//! Templates of entities: parsed, and their placeholders resolved against attributes.

use keyfold_dynamo::Number;
use keyfold_dynamo::table::KeyType;

use super::BROKEN;
use super::codes::{BAD_FORMAT, BAD_SENTINEL, BAD_TEMPLATE, INSEPARABLE, KEY_TYPE};
use super::entity_draft::unknown_name;
use super::reader::Reader;
use crate::diagnostic::Diagnostic;
use crate::model::{Attribute, Entity, Unit};
use crate::syntax::{Located, Node, comment_after};
use crate::template::{self, Format, Part, Placeholder, Template, ValueKind};

/// Attributes that placeholders may name.
pub(super) struct Names<'a> {
    pub entity: &'a str,
    pub attributes: Vec<&'a Attribute>,
}

impl<'a> Names<'a> {
    pub(super) fn of_entity(entity: &'a Entity) -> Self {
        Self { entity: &entity.name, attributes: entity.attributes.iter().collect() }
    }

    pub(super) fn find(&self, name: &str) -> Option<&'a Attribute> {
        self.attributes.iter().copied().find(|attribute| attribute.name == name)
    }
}

/// Parses and resolves the template of a node; returns it with the text of its condition.
pub(super) fn build<'n>(
    node: &'n Node,
    key_type: KeyType,
    names: &Names<'_>,
    reader: &mut Reader<'_>,
) -> (Template, Option<Located<'n>>) {
    let broken = Template::literal(BROKEN, node.span, reader.delimiter);
    let Some((mut template, condition)) = parse(node, reader) else {
        reader.entities_incomplete = true;
        return (broken, None);
    };
    let mut next = Some(&mut template);
    while let Some(template) = next {
        if !resolve(template, names, reader) {
            reader.entities_incomplete = true;
            return (broken, condition);
        }
        set_sentinels(template, names, reader);
        set_key_type(template, key_type, reader);
        next = template.otherwise.as_deref_mut();
    }
    (template, condition)
}

/// Resolves a template and those that stand in for it. Whether all of their placeholders are known.
pub(super) fn resolve_all(template: &mut Template, names: &Names<'_>, reader: &mut Reader<'_>) -> bool {
    let mut next = Some(template);
    let mut resolved = true;
    while let Some(template) = next {
        resolved &= resolve(template, names, reader);
        next = template.otherwise.as_deref_mut();
    }
    resolved
}

/// Parses a template; returns it with the text of its condition.
pub(super) fn parse<'n>(node: &'n Node, reader: &mut Reader<'_>) -> Option<(Template, Option<Located<'n>>)> {
    reader.text(node, "a template", "PK: ACCOUNT#<accountId>")?;
    if let Some(diagnostic) = comment_after(reader.source, node) {
        reader.push(diagnostic);
        reader.entities_incomplete = true;
    }
    let (template, condition) = split_condition(node.located()?);
    Some((parse_alternatives(template, reader)?, condition))
}

/// `MESSAGES#<user> when unread`: the template, and the condition that ` when ` begins. It is that of all alternatives.
pub(super) fn split_condition(text: Located<'_>) -> (Located<'_>, Option<Located<'_>>) {
    let word = " when";
    // At the end of the text, the condition is missing, which is reported where it is read.
    let at_end = text.text.ends_with(word).then(|| text.text.len() - word.len());
    match outside_of_placeholders(text.text, " when ").or(at_end) {
        Some(at) => (text.slice(0, at).trim(), Some(text.from(at + word.len()).trim())),
        None => (text, None),
    }
}

/// `ALBUM#<parentId> or TENANT#<tenantId>`: the first one whose attributes an item has.
fn parse_alternatives(text: Located<'_>, reader: &mut Reader<'_>) -> Option<Template> {
    let (own, rest) = match outside_of_placeholders(text.text, " or ") {
        Some(at) => (text.slice(0, at).trim(), Some(text.from(at + " or ".len()).trim())),
        None => (text, None),
    };
    let mut template = match template::parse(own, reader.delimiter) {
        Ok(template) => template,
        Err(faults) => {
            for fault in faults {
                let mut diagnostic = Diagnostic::new(&BAD_TEMPLATE, fault.span, fault.message);
                diagnostic.help = fault.help;
                reader.push(diagnostic);
            }
            return None;
        }
    };
    if let Some(rest) = rest {
        template.otherwise = Some(Box::new(parse_alternatives(rest, reader)?));
    }
    Some(template)
}

/// Where a word stands outside of a placeholder, in which ` or ` begins a fallback.
fn outside_of_placeholders(text: &str, word: &str) -> Option<usize> {
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        let before = text.get(..*at).unwrap_or_default();
        before.matches('<').count() == before.matches('>').count()
    })
}

/// Gives every placeholder the kind of its attribute. Whether all of them have one.
fn resolve(template: &mut Template, names: &Names<'_>, reader: &mut Reader<'_>) -> bool {
    let mut resolved = true;
    for placeholder in template.placeholders_mut() {
        let Some(attribute) = names.find(&placeholder.attribute) else {
            let known: Vec<&str> = names.attributes.iter().map(|attribute| attribute.name.as_str()).collect();
            unknown_name(names.entity, &placeholder.attribute, &known, placeholder.span, reader);
            resolved = false;
            continue;
        };
        let Some(kind) = attribute.value_type.kind() else {
            let message =
                format!("`{}` is {}, which cannot be part of a key", attribute.name, attribute.value_type.rule());
            reader.fault(
                &BAD_FORMAT,
                placeholder.span,
                message,
                "use an attribute with one value, or one item per value: `derived from`",
            );
            resolved = false;
            continue;
        };
        placeholder.optional = attribute.may_be_absent();
        for format in &placeholder.formats {
            if !format.fits(&kind) {
                let message =
                    format!("`{}` does not fit `{}`, which is {}", format.spelling(), attribute.name, kind.describe());
                let help = match (format, &kind) {
                    (Format::Width(_) | Format::Descending(_), ValueKind::Text) => {
                        format!("declare `{}: integer`, or remove the format", attribute.name)
                    }
                    _ => format!("remove `:{}`", format.spelling()),
                };
                reader.fault(&BAD_FORMAT, placeholder.span, message, help);
                resolved = false;
            }
        }
        placeholder.range = attribute.integer_range();
        placeholder.kind = kind;
        resolved &= fits_width(placeholder, attribute, reader);
    }
    resolved
}

/// Whether the bounds of an integer fit the width that it has in a key, which has no room for a sign.
fn fits_width(placeholder: &Placeholder, attribute: &Attribute, reader: &mut Reader<'_>) -> bool {
    let width = placeholder.formats.iter().find_map(|format| match format {
        Format::Width(width) | Format::Descending(width) => Some((*format, *width)),
        _ => None,
    });
    let Some((format, width)) = width else { return true };
    let is_too_wide = |bound: &&Number| bound.to_u64().is_none_or(|bound| bound.to_string().len() > width);
    let Some(bound) =
        [attribute.least(Unit::Value), attribute.most(Unit::Value)].into_iter().flatten().find(is_too_wide)
    else {
        return true;
    };
    let message = format!("`{}` can be {bound}, which does not fit `{}`", attribute.name, format.spelling());
    let help = match *bound < Number::ZERO {
        true => format!("declare `{}: integer, at least 0`, or use a key that is a number", attribute.name),
        false => {
            let digits = bound.to_string().len();
            let wider =
                if matches!(format, Format::Width(_)) { Format::Width(digits) } else { Format::Descending(digits) };
            format!("write `<{}:{}>`", attribute.name, wider.spelling())
        }
    };
    reader.fault(&BAD_FORMAT, placeholder.span, message, help);
    false
}

/// Lets defaults contain the delimiter, if the key still reads back in one way only.
fn set_sentinels(template: &mut Template, names: &Names<'_>, reader: &mut Reader<'_>) {
    let sentinel = |template: &Template, index: usize, part: &Part| {
        let Part::Placeholder(placeholder) = part else { return None };
        let default = names.find(&placeholder.attribute)?.default.as_ref()?;
        template.sentinel_at(index, placeholder, default)
    };
    let sentinels: Vec<Option<String>> =
        template.parts.iter().enumerate().map(|(index, part)| sentinel(template, index, part)).collect();
    for (part, sentinel) in template.parts.iter_mut().zip(sentinels) {
        if let Part::Placeholder(placeholder) = part {
            placeholder.sentinel = sentinel;
        }
    }
    if template.is_uniquely_readable() {
        return;
    }
    let source = template.source.clone();
    for placeholder in template.placeholders_mut() {
        if let Some(sentinel) = placeholder.sentinel.take() {
            let message = format!(
                "the default of `{}` gives `{sentinel}`, and `{source}` could not be read back",
                placeholder.attribute
            );
            let help = "choose another default, encode it with `:url`, or put the placeholder at the end of the key";
            reader.fault(&BAD_SENTINEL, placeholder.span, message, help);
        }
    }
}

/// In the table's key, which is read back, a placeholder right before another one has to have a fixed length.
pub(super) fn separable(template: &Template, reader: &mut Reader<'_>) -> bool {
    let source = &template.source;
    for pair in template.parts.windows(2) {
        if let [Part::Placeholder(first), Part::Placeholder(second)] = pair
            && first.counted_length().is_none()
        {
            let message =
                format!("`<{}>` and `<{}>` of `{source}` cannot be distinguished", first.attribute, second.attribute);
            let help = format!("put `{}` between them", template.delimiter);
            reader.fault(&INSEPARABLE, first.span.to(second.span), message, help);
            return false;
        }
    }
    true
}

/// A key that is not text is a single attribute of its type.
fn set_key_type(template: &mut Template, key_type: KeyType, reader: &mut Reader<'_>) {
    template.key_type = key_type;
    let fits = match key_type {
        KeyType::S => return,
        KeyType::N => {
            template.plain_attribute().is_some_and(|plain| plain.kind.is_number())
                || template.constant().is_some_and(|text| keyfold_dynamo::Number::parse(text).is_ok())
        }
        KeyType::B => template.plain_attribute().is_some_and(|plain| plain.kind == ValueKind::Binary),
    };
    if !fits {
        let wanted = if key_type == KeyType::N { "a number" } else { "binary" };
        let message = format!("this key is {wanted}, and `{}` is text", template.source);
        let help = format!("use one attribute that is {wanted}, without a format");
        reader.fault(&KEY_TYPE, template.span, message, help);
    }
}
