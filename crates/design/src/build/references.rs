//! `refers to`: from attributes to the key of another entity, and back to the referring items.

use super::attribute_line::ReferenceLine;
use super::codes::BAD_REFERENCE;
use super::derivation;
use super::entity_draft::{EntityDraft, position, unknown_attribute};
use super::reader::Reader;
use super::reference_range;
use crate::model::{AttributeType, Design, Entity, EntityId, IncomingReference, Reference};
use crate::span::Span;
use crate::syntax::Entry;

pub(super) fn resolve(declared: &[Entry], drafts: &[EntityDraft<'_>], design: &mut Design, reader: &mut Reader<'_>) {
    derivation::link(&mut design.entities);
    for (child, draft) in drafts.iter().enumerate() {
        let mut references = Vec::new();
        for (attribute, span, line) in &draft.references {
            let Some(target) = position(declared, &line.target.value, line.target.span, reader) else { continue };
            references.extend(one(child, attribute, *span, line, target, design, reader));
        }
        for (reference, outgoing) in references.iter().enumerate() {
            if let Some(entity) = design.entities.get_mut(outgoing.target.index()) {
                entity.referenced_by.push(IncomingReference { child: EntityId::new(child), reference });
                entity.counters.extend(outgoing.counted_as.clone());
            }
        }
        if let Some(entity) = design.entities.get_mut(child) {
            entity.references = references;
        }
    }
}

fn one(
    child: usize,
    attribute: &str,
    span: Span,
    line: &ReferenceLine,
    target: EntityId,
    design: &Design,
    reader: &mut Reader<'_>,
) -> Option<Reference> {
    let own = design.entities.get(child)?;
    let other = &design[target];
    let mapping = mapping(own, attribute, line, other, reader)?;
    if line.acyclic && target != own.id {
        let message = format!("`{attribute}` refers to another entity, so it cannot form a cycle");
        reader.fault(&BAD_REFERENCE, span, message, "`no cycles` is for references within an entity");
    }
    if let Some(counter) = &line.counted_as {
        match other.attribute(&counter.value).map(|counter| &counter.value_type) {
            Some(AttributeType::Integer) => {}
            Some(_) => {
                let message = format!("`{}` of `{}` is not an integer", counter.value, other.name);
                reader.fault(&BAD_REFERENCE, counter.span, message, "a counter is `integer, default 0`");
            }
            None => unknown_attribute(other, &counter.value, counter.span, reader),
        }
    }
    let range = reference_range::find(own, attribute, &mapping, design);
    Some(Reference {
        attribute: attribute.to_owned(),
        span,
        target,
        mapping,
        on_delete: line.on_delete,
        acyclic: line.acyclic,
        counted_as: line.counted_as.as_ref().map(|counter| counter.value.clone()),
        range,
    })
}

/// Which own attribute gives which identifying attribute of the target: `through` first, then equal names, and the
/// referring attribute for the one that is left.
fn mapping(
    own: &Entity,
    attribute: &str,
    line: &ReferenceLine,
    other: &Entity,
    reader: &mut Reader<'_>,
) -> Option<Vec<(String, String)>> {
    for through in &line.through {
        if own.attribute(&through.value).is_none() {
            unknown_attribute(own, &through.value, through.span, reader);
            return None;
        }
    }
    let mut open: Vec<&String> = other.identity.iter().collect();
    let mut mapping: Vec<(String, String)> = Vec::new();
    // The attribute itself: of the same name, or else of the last one that nothing else gives.
    let by_name = open.iter().position(|name| *name == attribute);
    let gives = |name: &str| name != attribute && own.attribute(name).is_some();
    let itself = by_name.or_else(|| open.iter().rposition(|name| !gives(name))).or_else(|| open.len().checked_sub(1));
    if let Some(itself) = itself {
        mapping.push((open.remove(itself).clone(), attribute.to_owned()));
    }
    for through in &line.through {
        // An attribute of another name gives the first identifying attribute that nothing gives yet.
        let same_name = open.iter().position(|name| **name == through.value);
        if let Some(position) = same_name.or_else(|| (!open.is_empty()).then_some(0)) {
            mapping.push((open.remove(position).clone(), through.value.clone()));
        }
    }
    let missing: Vec<&str> =
        open.iter().map(|name| name.as_str()).filter(|name| own.attribute(name).is_none()).collect();
    if !missing.is_empty() {
        let message =
            format!("`{attribute}` alone does not identify a `{}`: `{}` is missing", other.name, missing.join("`, `"));
        let help = format!(
            "add `{}` to `{}`, or write `refers to {} through ATTRIBUTE`",
            missing.join("`, `"),
            own.name,
            other.name
        );
        reader.fault(&BAD_REFERENCE, line.target.span, message, help);
        return None;
    }
    mapping.extend(open.into_iter().map(|name| (name.clone(), name.clone())));
    Some(mapping)
}
