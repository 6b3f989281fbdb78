//! `attributes:` of an entity.

use super::attribute_line::{self, ReferenceLine};
use super::codes::{BAD_ATTRIBUTE_LINE, BAD_NAME};
use super::computed_attributes;
use super::reader::{Reader, entry};
use crate::model::Attribute;
use crate::span::Span;
use crate::syntax::Entry;

type References = Vec<(String, Span, ReferenceLine)>;

pub(super) fn read(stated: &Entry, reader: &mut Reader<'_>) -> (Vec<Attribute>, References) {
    let mut attributes = Vec::new();
    let mut references = Vec::new();
    for declared in reader.mapping(&stated.value, "`attributes`", "attributes: {accountId: string}") {
        let name = declared.name();
        if name.is_empty() || name.len() > 255 || name.contains(['<', '>', ' ', '.']) {
            let help = "use letters, digits and `_`, at most 255 bytes";
            reader.fault(&BAD_NAME, declared.key.span, format!("`{name}` cannot name an attribute"), help);
            continue;
        }
        let Some((attribute, reference)) = one(declared, reader) else { continue };
        if let Some(reference) = reference {
            references.push((name.to_owned(), declared.value.span, reference));
        }
        attributes.push(attribute);
    }
    (attributes, references)
}

const ENTRIES: &[&str] = &["type", "description", "computed"];

/// A line, or a mapping `{type: LINE, description: TEXT, computed: TEMPLATE}`.
fn one(declared: &Entry, reader: &mut Reader<'_>) -> Option<(Attribute, Option<ReferenceLine>)> {
    let (line, description, computed) = match declared.value.entries() {
        None => (&declared.value, None, None),
        Some(entries) => {
            for unknown in entries.iter().filter(|entry| !ENTRIES.contains(&entry.name())) {
                reader.unknown_key(unknown, ENTRIES, "an attribute");
            }
            let Some(line) = entry(entries, "type") else {
                let message = format!("`{}` has no type", declared.name());
                reader.fault(
                    &BAD_ATTRIBUTE_LINE,
                    declared.value.span,
                    message,
                    "write `{type: string, description: …}`",
                );
                return None;
            };
            let description = entry(entries, "description")
                .and_then(|entry| reader.text(&entry.value, "a description", "description: …"));
            (&line.value, description, entry(entries, "computed"))
        }
    };
    reader.text(line, &format!("the attribute `{}`", declared.name()), &format!("{}: string", declared.name()))?;
    let (mut attribute, reference) = attribute_line::parse(&declared.key, line.located()?, reader);
    attribute.description = description.map(str::to_owned);
    if let Some(stated) = computed {
        attribute.computed = computed_attributes::parse(&stated.value, &attribute, reader);
    }
    Some((attribute, reference))
}
