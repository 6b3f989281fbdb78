//! The keys of an entity: the table's, the indexes' and the fixed attributes.

use keyfold_dynamo::table::KeyType;

use super::BROKEN;
use super::codes::{ATTRIBUTE_CLASH, INCOMPLETE_INDEX_KEY, KEY_TYPE, MISSING, OPTIONAL_KEY};
use super::entity_draft::EntityDraft;
use super::entry_condition;
use super::reader::Reader;
use super::templates::{self, Names};
use crate::diagnostic::Diagnostic;
use crate::model::layouts_can_meet;
use crate::model::{
    Attribute, Computed, Design, EntityId, EntryCondition, IndexId, IndexKey, KeyAttribute, KeyPart, Layout,
};
use crate::span::Span;
use crate::syntax::Entry;
use crate::template::{Overlap, Template, ValueKind, are_apart_by_bounds, overlap};

pub(super) fn build(draft: &EntityDraft<'_>, design: &Design, reader: &mut Reader<'_>) -> Layout {
    let names =
        Names { entity: &draft.name.value, attributes: draft.attributes.iter().chain(&draft.borrowed).collect() };
    for entry in &draft.templates {
        if let Some(attribute) = draft.attributes.iter().find(|attribute| attribute.name == entry.name()) {
            clash(entry, attribute, reader);
        }
    }
    if draft.is_unresolved() {
        let broken = |key: &KeyAttribute| KeyPart {
            key: key.clone(),
            template: Template::literal(BROKEN, draft.name.span, reader.delimiter),
        };
        let table = &design.table;
        return Layout {
            partition: broken(&table.partition),
            sort: table.sort.as_ref().map(broken),
            index_keys: Vec::new(),
            computed: Vec::new(),
            condition: None,
        };
    }
    let owner = Owner { name: &draft.name.value, span: draft.name.span, is_lookup: false };
    let layout = layout(&draft.templates, &names, &draft.attributes, &owner, design, reader);
    // A derived item that lacks a part of its key is just not there.
    if draft.derivation.is_none() {
        for part in std::iter::once(&layout.partition).chain(&layout.sort) {
            refuse_optional(&draft.name.value, part, reader);
        }
    }
    layout
}

/// What a layout is of, as messages name it.
pub(super) struct Owner<'a> {
    pub name: &'a str,
    pub span: Span,
    /// Whether it is the lookup item of a unique, which exists under a condition.
    pub is_lookup: bool,
}

/// Lays out an item from its templates; `plain` are attributes that can be index keys by themselves.
pub(super) fn layout(
    templates: &[&Entry],
    names: &Names<'_>,
    plain: &[Attribute],
    owner: &Owner<'_>,
    design: &Design,
    reader: &mut Reader<'_>,
) -> Layout {
    let (mut computed, conditions) = compute(templates, names, owner, design, reader);
    let base = |key: &KeyAttribute, reader: &mut Reader<'_>| {
        let template = find(&computed, plain, key, reader.delimiter, reader).unwrap_or_else(|| {
            let name = owner.name;
            let help =
                format!("add the key of the table: `{}: {}{}<id>`", key.name, name.to_uppercase(), reader.delimiter);
            reader.fault(&MISSING, owner.span, format!("`{name}` has no `{}`", key.name), help);
            reader.entities_incomplete = true;
            Template::literal(BROKEN, owner.span, reader.delimiter)
        });
        KeyPart { key: key.clone(), template }
    };
    let partition = base(&design.table.partition, reader);
    let sort = design.table.sort.as_ref().map(|key| base(key, reader));
    let mut index_keys = index_keys(&computed, plain, design, reader);
    for index_key in &mut index_keys {
        let what = format!("`{}` in `{}`", owner.name, design[index_key.index].name);
        let is_own = |name: &str| !design.is_table_key(name) && index_key.parts().any(|part| part.key.name == name);
        index_key.condition = entry_condition::of_whole_key(&conditions, is_own, &what, reader);
    }
    for computed in &mut computed {
        if !design.is_table_key(&computed.name) {
            computed.indexes = indexes_of(&index_keys, &computed.name);
        }
    }
    incomplete(templates, &index_keys, owner.name, design, reader);
    let is_base = |name: &str| design.is_table_key(name);
    let condition = entry_condition::of_whole_key(&conditions, is_base, &format!("`{}`", owner.name), reader);
    Layout { partition, sort, index_keys, computed, condition }
}

/// The attributes that templates give, and the conditions of keys among them.
fn compute<'n>(
    templates: &[&'n Entry],
    names: &Names<'_>,
    owner: &Owner<'_>,
    design: &Design,
    reader: &mut Reader<'_>,
) -> (Vec<Computed>, Vec<(&'n str, EntryCondition)>) {
    let (mut computed, mut conditions) = (Vec::new(), Vec::new());
    for entry in templates {
        let key_type = key_type_of(entry.name(), design);
        let (mut template, condition) = templates::build(&entry.value, key_type.unwrap_or(KeyType::S), names, reader);
        let is_table_key = design.is_table_key(entry.name());
        if let Some(text) = condition {
            if key_type.is_none() || is_table_key && !owner.is_lookup {
                entry_condition::refuse(entry.name(), is_table_key, text, reader);
            } else if let Some(condition) = entry_condition::compile(text, names, reader) {
                conditions.push((entry.name(), condition));
            }
        }
        if is_table_key && !templates::separable(&template, reader) {
            reader.entities_incomplete = true;
        }
        if key_type.is_none() && template.plain_attribute().is_some_and(|plain| plain.kind != ValueKind::Boolean) {
            // A fixed attribute that is another attribute has its type.
            template.key_type = match template.plain_attribute().map(|plain| &plain.kind) {
                Some(ValueKind::Integer | ValueKind::Number) => KeyType::N,
                Some(ValueKind::Binary) => KeyType::B,
                _ => KeyType::S,
            };
        }
        computed.push(Computed { name: entry.name().to_owned(), template, indexes: Vec::new() });
    }
    (computed, conditions)
}

fn key_type_of(name: &str, design: &Design) -> Option<KeyType> {
    std::iter::once(&design.table.partition)
        .chain(&design.table.sort)
        .chain(design.indexes.iter().flat_map(|index| index.keys()))
        .find(|key| key.name == name)
        .map(|key| key.key_type)
}

/// The template of a key attribute: the one given, or the attribute of that name itself.
fn find(
    computed: &[Computed],
    plain: &[Attribute],
    key: &KeyAttribute,
    delimiter: char,
    reader: &mut Reader<'_>,
) -> Option<Template> {
    if let Some(given) = computed.iter().find(|computed| computed.name == key.name) {
        return Some(given.template.clone());
    }
    let attribute = plain.iter().find(|attribute| attribute.name == key.name)?;
    let mut template = Template::plain(&attribute.name, attribute.span, delimiter);
    let kind = attribute.value_type.kind();
    let fits = match (key.key_type, &kind) {
        (KeyType::N, Some(kind)) => kind.is_number(),
        (KeyType::B, Some(kind)) => *kind == ValueKind::Binary,
        (KeyType::S, Some(kind)) => !kind.is_number() && !matches!(kind, ValueKind::Boolean | ValueKind::Binary),
        _ => false,
    };
    if !fits {
        let wanted = match key.key_type {
            KeyType::S => "a string",
            KeyType::N => "a number",
            KeyType::B => "binary",
        };
        let message =
            format!("the key `{}` is {wanted}, and the attribute is {}", key.name, attribute.value_type.rule());
        let help = match key.key_type {
            KeyType::S => {
                format!("state the type with the key (`partition: {} number`), or change the attribute", key.name)
            }
            _ => "change the attribute's type, or the key's".to_owned(),
        };
        reader.push(Diagnostic::new(&KEY_TYPE, attribute.span, message).also(key.span, "the key").help(help));
    }
    for placeholder in template.placeholders_mut() {
        placeholder.kind = kind.clone().unwrap_or(ValueKind::Text);
        placeholder.optional = attribute.may_be_absent();
    }
    template.key_type = key.key_type;
    Some(template)
}

/// The indexes for whose whole key the item has templates or attributes.
fn index_keys(computed: &[Computed], plain: &[Attribute], design: &Design, reader: &mut Reader<'_>) -> Vec<IndexKey> {
    let has = |key: &KeyAttribute| {
        computed.iter().any(|computed| computed.name == key.name)
            || plain.iter().any(|attribute| attribute.name == key.name)
    };
    let mut found = Vec::new();
    for index in &design.indexes {
        if !index.keys().all(has) {
            continue;
        }
        let mut parts = |keys: &[KeyAttribute]| -> Vec<KeyPart> {
            keys.iter()
                .filter_map(|key| {
                    let template = find(computed, plain, key, reader.delimiter, reader)?;
                    Some(KeyPart { key: key.clone(), template })
                })
                .collect()
        };
        let (partition, sort) = (parts(&index.partition), parts(&index.sort));
        found.push(IndexKey { index: index.id, partition, sort, condition: None });
    }
    found
}

fn indexes_of(index_keys: &[IndexKey], name: &str) -> Vec<IndexId> {
    index_keys.iter().filter(|key| key.parts().any(|part| part.key.name == name)).map(|key| key.index).collect()
}

/// A key that is given for an index whose other key the entity does not have.
fn incomplete(templates: &[&Entry], index_keys: &[IndexKey], owner: &str, design: &Design, reader: &mut Reader<'_>) {
    for entry in templates {
        let name = entry.name();
        if design.is_table_key(name) || !indexes_of(index_keys, name).is_empty() {
            continue;
        }
        let Some(index) = design.indexes.iter().find(|index| index.keys().any(|key| key.name == name)) else {
            continue;
        };
        let missing: Vec<&str> = index.keys().map(|key| key.name.as_str()).filter(|key| *key != name).collect();
        let message =
            format!("`{owner}` has `{name}` and not `{}`, so it is never in `{}`", missing.join("`, `"), index.name);
        reader.entities_incomplete = true;
        reader.fault(
            &INCOMPLETE_INDEX_KEY,
            entry.key.span,
            message,
            format!("add `{}`, or remove `{name}`", missing.join("`, `")),
        );
    }
}

fn clash(entry: &Entry, attribute: &Attribute, reader: &mut Reader<'_>) {
    let message = format!("`{}` is declared both as a template and as an attribute", entry.name());
    reader.push(
        Diagnostic::new(&ATTRIBUTE_CLASH, entry.key.span, message)
            .label("computed from this template")
            .also(attribute.span, "and declared here")
            .help("remove one of the two"),
    );
}

fn refuse_optional(entity: &str, part: &KeyPart, reader: &mut Reader<'_>) {
    if !part.template.is_sparse() {
        return;
    }
    for placeholder in part.template.placeholders() {
        if placeholder.optional && placeholder.fallback.is_none() {
            let message = format!(
                "`{}` is optional, and `{entity}` has no `{}` without it",
                placeholder.attribute, part.key.name
            );
            let help = format!("make it required, or write `<{} or …>`", placeholder.attribute);
            reader.fault(&OPTIONAL_KEY, placeholder.span, message, help);
        }
    }
}

/// Tells each key template which templates of other items it must not be confused with, and puts the entities into the
/// order in which an item is recognized.
pub(super) fn set_rivals(design: &mut Design) {
    let layouts: Vec<Layout> = design
        .entities
        .iter()
        .flat_map(|entity| {
            std::iter::once(&entity.layout).chain(entity.uniques.iter().map(|unique| &unique.layout)).cloned()
        })
        .collect();
    let own = design.entities.iter_mut().flat_map(|entity| {
        std::iter::once(&mut entity.layout).chain(entity.uniques.iter_mut().map(|unique| &mut unique.layout))
    });
    for (position, layout) in own.enumerate() {
        let (partition, sort) = rivals(position, layout, &layouts);
        if partition.is_empty() && sort.is_empty() {
            continue;
        }
        for computed in &mut layout.computed {
            if computed.name == layout.partition.key.name {
                computed.template.set_rivals(partition.clone());
            } else if layout.sort.as_ref().is_some_and(|part| part.key.name == computed.name) {
                computed.template.set_rivals(sort.clone());
            }
        }
        layout.partition.template.set_rivals(partition);
        if let Some(part) = &mut layout.sort {
            part.template.set_rivals(sort);
        }
    }
    let mut order: Vec<EntityId> = design.entities.iter().map(|entity| entity.id).collect();
    order.sort_by_key(|id| {
        let specificity = crate::model::specificity(&design[*id].layout);
        (std::cmp::Reverse(specificity), *id)
    });
    design.recognition = order;
}

/// The templates that own texts which this layout's could produce with a delimiter in a value: of two templates the one
/// with less literal text gives way.
fn rivals(position: usize, layout: &Layout, all: &[Layout]) -> (Vec<Template>, Vec<Template>) {
    let (mut partition, mut sort) = (Vec::new(), Vec::new());
    for (other_position, other) in all.iter().enumerate() {
        if other_position == position || !layouts_can_meet(layout, other) {
            continue;
        }
        let gives_way = |own: &Template, other: &Template| {
            (own.literal_length(), own.parts.len(), other_position)
                < (other.literal_length(), other.parts.len(), position)
        };
        let at_partition = overlap(&layout.partition.template, &other.partition.template);
        let at_sort = match (&layout.sort, &other.sort) {
            (Some(left), Some(right)) => overlap(&left.template, &right.template),
            _ => Overlap::Direct(String::new()),
        };
        if at_partition == Overlap::Never || at_sort == Overlap::Never {
            // Bounds alone keep the keys apart: neither reads those of the other, not even beyond its bounds.
            let sorts = layout.sort.as_ref().zip(other.sort.as_ref());
            let sort_apart = sorts.filter(|(own, other)| are_apart_by_bounds(&own.template, &other.template));
            let partition_apart = are_apart_by_bounds(&layout.partition.template, &other.partition.template);
            if partition_apart && (at_sort != Overlap::Never || sort_apart.is_some()) {
                partition.push(other.partition.template.clone());
            } else if let (Some((_, other)), true) = (sort_apart, at_partition != Overlap::Never) {
                sort.push(other.template.clone());
            }
            continue;
        }
        // The half that meets only through a delimiter is the one at which the value is refused.
        if matches!(at_partition, Overlap::ThroughDelimiter(_)) {
            if gives_way(&layout.partition.template, &other.partition.template) {
                partition.push(other.partition.template.without_ranges());
            }
        } else if matches!(at_sort, Overlap::ThroughDelimiter(_))
            && let (Some(own), Some(other)) = (&layout.sort, &other.sort)
            && gives_way(&own.template, &other.template)
        {
            sort.push(other.template.without_ranges());
        }
    }
    (partition, sort)
}
