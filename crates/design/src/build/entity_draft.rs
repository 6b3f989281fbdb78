//! An entity on the way from words to the model, and the names that its parts refer to.

use super::attribute_line::ReferenceLine;
use super::codes::{UNKNOWN_ENTITY, UNKNOWN_NAME};
use super::reader::{Reader, keyword, suggest};
use crate::entity_keyword::EntityKeyword;
use crate::model::{Attribute, Derivation, Design, Entity, EntityId, Scope};
use crate::span::{Span, Spanned};
use crate::syntax::Entry;

/// An entity whose words are read and whose names are not yet resolved.
pub(super) struct EntityDraft<'n> {
    pub name: &'n Spanned<String>,
    pub entries: &'n [Entry],
    pub attributes: Vec<Attribute>,
    pub references: Vec<(String, Span, ReferenceLine)>,
    pub derivation: Option<Derivation>,
    /// Attributes that placeholders may name besides the declared ones: the source's and the loop's variable.
    pub borrowed: Vec<Attribute>,
    pub scope: Option<Scope>,
    /// Key attributes and fixed attributes with their templates.
    pub templates: Vec<&'n Entry>,
}

impl EntityDraft<'_> {
    /// Whether the entity is derived from something that could not be made out, so that its placeholders are unknown.
    pub(super) fn is_unresolved(&self) -> bool {
        self.derivation.is_none() && keyword(self.entries, EntityKeyword::DerivedFrom).is_some()
    }
}

/// The id of the entity that a name stands for.
pub(super) fn position(declared: &[Entry], name: &str, span: Span, reader: &mut Reader<'_>) -> Option<EntityId> {
    let found = declared.iter().position(|entry| entry.name() == name);
    if found.is_none() {
        unknown_entity(name, declared.iter().map(Entry::name), span, reader);
    }
    found.map(EntityId::new)
}

/// The entity of a name; reports that there is none.
pub(super) fn named_entity<'d>(
    name: &str,
    span: Span,
    design: &'d Design,
    reader: &mut Reader<'_>,
) -> Option<&'d Entity> {
    let found = design.entity_named(name);
    if found.is_none() {
        unknown_entity(name, design.entities.iter().map(|entity| entity.name.as_str()), span, reader);
    }
    found
}

/// Reports that no entity has a name. The words are those that could stand in its place.
pub(super) fn unknown_entity<'w>(
    name: &str,
    words: impl IntoIterator<Item = &'w str> + Clone,
    span: Span,
    reader: &mut Reader<'_>,
) {
    let help = match suggest(name, words) {
        Some(close) => format!("did you mean `{close}`?"),
        None => "the name is one under `entities:`".to_owned(),
    };
    reader.fault(&UNKNOWN_ENTITY, span, format!("unknown entity `{name}`"), help);
}

/// Reports that an entity has no attribute of a name.
pub(super) fn unknown_attribute(entity: &Entity, name: &str, span: Span, reader: &mut Reader<'_>) {
    let names: Vec<&str> = entity.attributes.iter().map(|attribute| attribute.name.as_str()).collect();
    unknown_name(&entity.name, name, &names, span, reader);
}

pub(super) fn unknown_name(entity: &str, name: &str, known: &[&str], span: Span, reader: &mut Reader<'_>) {
    let help = match suggest(name, known.iter().copied()) {
        Some(close) => format!("did you mean `{close}`?"),
        None if known.is_empty() => format!("declare it: `attributes: {{{name}: string}}`"),
        None => format!("declare it under `attributes:`, or use one of `{}`", known.join("`, `")),
    };
    reader.fault(&UNKNOWN_NAME, span, format!("`{entity}` has no attribute `{name}`"), help);
}
