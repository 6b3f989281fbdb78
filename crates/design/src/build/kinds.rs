//! Entities with the same keys, told apart by a constant attribute: `type: User` and `type: Organization`.

use keyfold_dynamo::AttributeValue;

use super::codes::BAD_KIND;
use super::reader::Reader;
use crate::diagnostic::Diagnostic;
use crate::model::{Computed, Design, Entity, EntityId, IndexKey, KeyCollision, KeyPart, Kind, key_collision};

/// Finds the entities that have the same keys, and what tells them apart. Those that nothing tells apart collide, which
/// a check reports.
pub(super) fn resolve(design: &mut Design, reader: &mut Reader<'_>) {
    for group in groups(&design.entities) {
        let Some(kinds) = kinds(&group, design) else { continue };
        // A fault elsewhere may be why they differ.
        if !reader.entities_incomplete {
            group.iter().zip(&kinds).for_each(|(id, kind)| check(&design[*id], kind, design, reader));
        }
        for (id, kind) in group.iter().zip(kinds) {
            if !design.kind_attributes.contains(&kind.attribute) {
                design.kind_attributes.push(kind.attribute.clone());
            }
            if let Some(entity) = design.entities.get_mut(id.index()) {
                entity.kind = Some(kind);
            }
        }
    }
}

/// The entities whose keys meet, directly or through others, in groups of two at least.
fn groups(entities: &[Entity]) -> Vec<Vec<EntityId>> {
    let mut groups: Vec<Vec<EntityId>> = Vec::new();
    for (position, right) in entities.iter().enumerate() {
        let meeting = entities
            .iter()
            .take(position)
            .filter(|left| matches!(key_collision(&left.layout, &right.layout), KeyCollision::Direct(_)));
        for left in meeting {
            let group_of = |id: EntityId| groups.iter().position(|group| group.contains(&id));
            match (group_of(left.id), group_of(right.id)) {
                (None, None) => groups.push(vec![left.id, right.id]),
                (Some(known), None) => groups.iter_mut().skip(known).take(1).for_each(|group| group.push(right.id)),
                (None, Some(known)) => groups.iter_mut().skip(known).take(1).for_each(|group| group.push(left.id)),
                (Some(one), Some(other)) if one != other => {
                    let merged = groups.remove(one.max(other));
                    groups.iter_mut().skip(one.min(other)).take(1).for_each(|group| group.extend(&merged));
                }
                (Some(_), Some(_)) => {}
            }
        }
    }
    groups.iter_mut().for_each(|group| group.sort());
    groups
}

/// The kinds of a group, by the first constant attribute that has another value in each entity.
fn kinds(group: &[EntityId], design: &Design) -> Option<Vec<Kind>> {
    let first = &design[*group.first()?];
    first.layout.computed.iter().find_map(|computed| {
        let values: Vec<AttributeValue> =
            group.iter().map(|id| constant(&design[*id], &computed.name)).collect::<Option<_>>()?;
        let is_distinct =
            values.iter().enumerate().all(|(at, value)| !values.iter().take(at).any(|known| known == value));
        let others = |own: EntityId| group.iter().copied().filter(|id| *id != own).collect();
        is_distinct.then(|| {
            let kinds = group.iter().zip(values);
            kinds.map(|(id, value)| Kind { attribute: computed.name.clone(), value, others: others(*id) }).collect()
        })
    })
}

/// The value of a constant attribute that every item of an entity has.
fn constant(entity: &Entity, name: &str) -> Option<AttributeValue> {
    let layout = &entity.layout;
    let is_key = |part: &KeyPart| part.key.name == name;
    if is_key(&layout.partition) || layout.sort.as_ref().is_some_and(is_key) {
        return None;
    }
    let own: &Computed = layout.computed.iter().find(|computed| computed.name == name)?;
    // The key of an index is left out while the item is in none of its indexes.
    let mut entries = layout.index_keys.iter().filter(|entry| own.indexes.contains(&entry.index));
    if !own.indexes.is_empty() && entries.all(IndexKey::is_sparse) {
        return None;
    }
    own.template.constant()?;
    own.template.render(|_| None).ok().flatten()
}

/// Reports what keeps two entities from having the same keys.
fn check(entity: &Entity, kind: &Kind, design: &Design, reader: &mut Reader<'_>) {
    let Some(first) = kind.others.first().map(|id| &design[*id]).filter(|first| first.id < entity.id) else { return };
    let templates = |entity: &Entity| {
        let base = std::iter::once(&entity.layout.partition).chain(&entity.layout.sort);
        base.map(|part| part.template.source.clone()).collect::<Vec<_>>()
    };
    let (own, other) = (&entity.name, &first.name);
    let fault = if !entity.is_written_directly() || !first.is_written_directly() {
        Some((
            format!("`{own}` and `{other}` have the same keys, and one is derived"),
            "derived items have keys of their own",
        ))
    } else if entity.keeps_sequences || first.keeps_sequences {
        Some((
            format!("`{own}` and `{other}` have the same keys, and one keeps sequences"),
            "sequences have a key of their own",
        ))
    } else if templates(entity) != templates(first) {
        let message = format!("`{own}` and `{other}` share some keys, told apart by `{}`, but not all", kind.attribute);
        Some((message, "give both the same templates, or different literal text"))
    } else if entity.identity != first.identity {
        Some((
            format!("`{own}` and `{other}` have the same keys, but different identities"),
            "give both the same `identity`",
        ))
    } else if entity.scope != first.scope || entity.tenant != first.tenant {
        Some((format!("`{own}` and `{other}` have the same keys, but different scopes"), "give both the same `scope`"))
    } else {
        None
    };
    if let Some((message, help)) = fault {
        reader.push(Diagnostic::new(&BAD_KIND, entity.span, message).also(first.span, "the other entity").help(help));
    }
}
