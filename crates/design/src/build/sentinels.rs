//! Defaults with a delimiter at the end of a key, where any value may contain it unless another entity has the key.

use super::codes::BAD_SENTINEL;
use super::reader::Reader;
use crate::diagnostic::Diagnostic;
use crate::model::{Design, Entity};
use crate::template::{Overlap, Part, Template, overlap};

/// Reports defaults that give keys of other entities: each item with the default would be rejected when it is written.
pub(super) fn refuse_rivals(design: &Design, reader: &mut Reader<'_>) {
    for entity in &design.entities {
        let layouts = std::iter::once(&entity.layout).chain(entity.uniques.iter().map(|unique| &unique.layout));
        for part in layouts.flat_map(|layout| std::iter::once(&layout.partition).chain(&layout.sort)) {
            for template in part.template.alternatives() {
                refuse(entity, template, part.template.rivals(), reader);
            }
        }
    }
}

fn refuse(entity: &Entity, template: &Template, rivals: &[Template], reader: &mut Reader<'_>) {
    let Some((Part::Placeholder(last), before)) = template.parts.split_last() else { return };
    let default = entity.attribute(&last.attribute).and_then(|attribute| attribute.default.as_ref());
    let Some(Ok(text)) = default.map(|default| template.piece(before.len(), last, default)) else { return };
    if !text.contains(template.delimiter) {
        return;
    }
    let parts = before.iter().cloned().chain([Part::Literal(text.clone())]).collect();
    let with_default = Template::new(template.source.clone(), template.span, parts, template.delimiter);
    if let Some(rival) = rivals.iter().find(|rival| overlap(&with_default, rival) != Overlap::Never) {
        let message =
            format!("the default of `{}` gives `{text}`, and `{template}` a key of `{rival}`", last.attribute);
        let help = "choose another default, encode it with `:url`, or change the literal text of one key";
        reader.push(Diagnostic::new(&BAD_SENTINEL, last.span, message).also(rival.span, "the other key").help(help));
    }
}
