//! `derived from:` and `collects:`.

use super::codes::BAD_DERIVATION;
use super::entity_draft::{EntityDraft, position, unknown_name};
use super::reader::{Reader, keyword};
use crate::entity_keyword::EntityKeyword;
use crate::model::{Attribute, AttributeType, Collects, Derivation, Each, EntityId, Over, Scope};
use crate::span::Span;
use crate::syntax::{Entry, Located};

/// Resolves the sources of derived entities and what their templates may name.
pub(super) fn resolve(declared: &[Entry], drafts: &mut [EntityDraft<'_>], reader: &mut Reader<'_>) {
    for index in 0..drafts.len() {
        let Some(draft) = drafts.get(index) else { continue };
        let Some(stated) = keyword(draft.entries, EntityKeyword::DerivedFrom) else {
            if let Some(collects) = keyword(draft.entries, EntityKeyword::Collects) {
                let help = "add `derived from: ENTITY, for each …`";
                reader.fault(&BAD_DERIVATION, collects.key.span, "`collects` is for derived entities", help);
            }
            continue;
        };
        let line = reader.text(&stated.value, "`derived from`", "derived from: Site, for each tag in tags");
        let Some(line) = line.and(stated.value.located()) else { continue };
        let Some((derivation, borrowed, scope)) = one(line, declared, drafts, draft, reader) else {
            reader.entities_incomplete = true;
            continue;
        };
        if let Some(draft) = drafts.get_mut(index) {
            draft.derivation = Some(derivation);
            draft.borrowed = borrowed;
            draft.scope = draft.scope.or(scope);
        }
    }
}

fn one(
    line: Located<'_>,
    declared: &[Entry],
    drafts: &[EntityDraft<'_>],
    draft: &EntityDraft<'_>,
    reader: &mut Reader<'_>,
) -> Option<(Derivation, Vec<Attribute>, Option<Scope>)> {
    let (head, each) = match line.text.find(',') {
        Some(at) => (line.slice(0, at).trim(), Some(line.from(at + 1).trim())),
        None => (line.trim(), None),
    };
    let source = position(declared, head.text, head.span(), reader)?;
    let from = drafts.get(source.index())?;
    if keyword(from.entries, EntityKeyword::DerivedFrom).is_some() {
        let message = format!("`{}` is itself derived", head.text);
        reader.fault(&BAD_DERIVATION, head.span(), message, "derive from the entity it comes from");
        return None;
    }
    let mut borrowed = from.attributes.clone();
    let each = match each {
        None => None,
        Some(text) => {
            let (each, element) = for_each(text, from, reader)?;
            if borrowed.iter().any(|attribute| attribute.name == each.variable) {
                borrowed.retain(|attribute| attribute.name != each.variable);
            }
            borrowed.push(Attribute::key_only(&each.variable, text.span(), element));
            Some(each)
        }
    };
    let collects = match keyword(draft.entries, EntityKeyword::Collects) {
        None => None,
        Some(stated) => Some(collects(stated, from, draft, reader)?),
    };
    let copies = copies(draft, &borrowed, collects.as_ref(), reader);
    let derivation = Derivation { source, span: line.span(), each, collects, copies };
    Some((derivation, borrowed, from.scope))
}

/// `for each tag in tags`, `for each playerId in [a, b]`, `for each word in words(fullName)`.
fn for_each(text: Located<'_>, source: &EntityDraft<'_>, reader: &mut Reader<'_>) -> Option<(Each, AttributeType)> {
    let rest = text.text.strip_prefix("for each ").and_then(|rest| rest.split_once(" in "));
    let Some((variable, over)) = rest else {
        let message = format!("`{}` does not state what to repeat over", text.text);
        reader.fault(&BAD_DERIVATION, text.span(), message, "write `for each tag in tags`");
        return None;
    };
    let over = text.from(text.text.len() - over.len()).trim();
    let each = |over| Each { variable: variable.trim().to_owned(), over };
    if let Some(inner) = over.text.strip_prefix("words(").and_then(|rest| rest.strip_suffix(')')) {
        let attribute = source_attribute(inner.trim(), over.span(), source, reader)?;
        return Some((each(Over::Words(attribute.name.clone())), AttributeType::String));
    }
    if let Some(inner) = over.text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let mut names = Vec::new();
        let mut element: Option<AttributeType> = None;
        for name in inner.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let attribute = source_attribute(name, over.span(), source, reader)?;
            match &element {
                Some(first) if *first != attribute.value_type => {
                    let message =
                        format!("`{name}` is {}, and the others are {}", attribute.value_type.rule(), first.rule());
                    reader.fault(&BAD_DERIVATION, over.span(), message, "list attributes of one type");
                    return None;
                }
                _ => element = Some(attribute.value_type.clone()),
            }
            names.push(name.to_owned());
        }
        return Some((each(Over::Attributes(names)), element?));
    }
    let attribute = source_attribute(over.text, over.span(), source, reader)?;
    match attribute.value_type.element() {
        Some(AttributeType::Any) => Some((each(Over::Items(attribute.name.clone())), AttributeType::String)),
        Some(element) => Some((each(Over::Items(attribute.name.clone())), element)),
        None => {
            let message = format!("`{}` is {}, not a list", attribute.name, attribute.value_type.rule());
            let help = "use a list or set, several attributes (`[a, b]`), or `words(…)` of a text";
            reader.fault(&BAD_DERIVATION, over.span(), message, help);
            None
        }
    }
}

fn source_attribute<'s>(
    name: &str,
    span: Span,
    source: &'s EntityDraft<'_>,
    reader: &mut Reader<'_>,
) -> Option<&'s Attribute> {
    let found = source.attributes.iter().find(|attribute| attribute.name == name);
    if found.is_none() {
        let known: Vec<&str> = source.attributes.iter().map(|attribute| attribute.name.as_str()).collect();
        unknown_name(&source.name.value, name, &known, span, reader);
    }
    found
}

/// `collects: placeIds <id>`.
fn collects(
    stated: &Entry,
    source: &EntityDraft<'_>,
    draft: &EntityDraft<'_>,
    reader: &mut Reader<'_>,
) -> Option<Collects> {
    let text = reader.text(&stated.value, "`collects`", "collects: placeIds <id>")?;
    let parts = text
        .split_once(' ')
        .and_then(|(set, member)| Some((set.trim(), member.trim().strip_prefix('<')?.strip_suffix('>')?)));
    let Some((set, member)) = parts else {
        let message = format!("`{text}` does not state what is collected");
        reader.fault(&BAD_DERIVATION, stated.value.span, message, "write `collects: placeIds <id>`");
        return None;
    };
    source_attribute(member, stated.value.span, source, reader)?;
    let declared = draft.attributes.iter().find(|attribute| attribute.name == set);
    match declared.map(|attribute| &attribute.value_type) {
        Some(AttributeType::StringSet | AttributeType::NumberSet) => {}
        _ => {
            let message = format!("`{set}` of `{}` is not a set", draft.name.value);
            let help = format!("declare it: `attributes: {{{set}: number set}}`");
            reader.fault(&BAD_DERIVATION, stated.value.span, message, help);
            return None;
        }
    }
    Some(Collects { set: set.to_owned(), member: member.to_owned() })
}

/// Declared attributes come from the source, unless the runtime keeps them.
fn copies(
    draft: &EntityDraft<'_>,
    borrowed: &[Attribute],
    collects: Option<&Collects>,
    reader: &mut Reader<'_>,
) -> Vec<String> {
    let mut copies = Vec::new();
    for attribute in &draft.attributes {
        let from = borrowed.iter().find(|candidate| candidate.name == attribute.name);
        match from {
            Some(_) => copies.push(attribute.name.clone()),
            None if collects.is_some_and(|collects| collects.set == attribute.name) => {}
            None if attribute.value_type.is_kept_by_runtime() || attribute.optional => {}
            None => {
                let message = format!("`{}` of `{}` has no source", attribute.name, draft.name.value);
                let known: Vec<&str> = borrowed.iter().map(|candidate| candidate.name.as_str()).collect();
                let help = match super::reader::suggest(&attribute.name, known.iter().copied()) {
                    Some(close) => {
                        format!("did you mean `{close}`? a derived entity copies attributes of the same name")
                    }
                    None => "a derived entity copies attributes of the same name from its source".to_owned(),
                };
                reader.fault(&BAD_DERIVATION, attribute.span, message, help);
            }
        }
    }
    copies
}

/// Tells the sources which entities are derived from them.
pub(super) fn link(entities: &mut [crate::model::Entity]) {
    let links: Vec<(EntityId, EntityId)> =
        entities.iter().filter_map(|entity| Some((entity.derivation.as_ref()?.source, entity.id))).collect();
    for (source, derived) in links {
        if let Some(entity) = entities.get_mut(source.index()) {
            entity.derived.push(derived);
        }
    }
}
