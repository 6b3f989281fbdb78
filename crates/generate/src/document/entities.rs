//! Entities: their keys, attributes and rules.

use keyfold_design::Design;
use keyfold_design::model::{
    Attribute, DeleteRule, Entity, EntryCondition, Generator, KeyPart, Layout, OnDelete, Over, Scope,
};
use keyfold_design::template::Template;

use super::{Block, code, codes, spelling};

pub(super) fn blocks(design: &Design) -> Vec<Block> {
    let mut blocks = vec![Block::heading(2, "Key patterns by entity"), summary(design), Block::heading(2, "Entities")];
    for entity in &design.entities {
        blocks.extend(of_entity(design, entity));
    }
    blocks
}

fn summary(design: &Design) -> Block {
    let rows = design
        .entities
        .iter()
        .flat_map(|entity| {
            let lookups = entity
                .uniques
                .iter()
                .map(|unique| key_row(design, &format!("{} (lookup by {})", entity.name, unique.name), &unique.layout));
            std::iter::once(key_row(design, &format!("**{}**", entity.name), &entity.layout))
                .chain(lookups)
                .collect::<Vec<_>>()
        })
        .collect();
    Block::Table { head: vec!["Entity", "Partition key", "Sort key", "Indexes"], rows }
}

fn key_row(design: &Design, name: &str, layout: &Layout) -> Vec<String> {
    let indexes: Vec<&str> = layout.index_keys.iter().map(|key| design[key.index].name.as_str()).collect();
    let sort = layout.sort.as_ref().map(|part| code(&spelling(&part.template))).unwrap_or_default();
    vec![name.to_owned(), code(&spelling(&layout.partition.template)), sort, indexes.join(", ")]
}

fn of_entity(design: &Design, entity: &Entity) -> Vec<Block> {
    let mut blocks = vec![Block::heading(3, entity.name.clone())];
    blocks.extend(entity.description.iter().map(|description| Block::Paragraph(description.clone())));
    let facts = facts(design, entity);
    if !facts.is_empty() {
        blocks.push(Block::List(facts));
    }
    blocks.push(Block::Table { head: vec!["Key", "Pattern", "Present"], rows: keys(design, &entity.layout) });
    for unique in &entity.uniques {
        blocks.push(Block::Paragraph(format!(
            "{} unique{}, through a lookup item written in the same transaction.",
            match unique.attributes.as_slice() {
                [_] => format!("{} is", codes(&unique.attributes)),
                _ => format!("{} together are", codes(&unique.attributes)),
            },
            unique.layout.condition.as_ref().map_or_else(String::new, |condition| {
                format!(" among the items with {}", code(condition.source()))
            })
        )));
        blocks
            .push(Block::Table { head: vec!["Lookup key", "Pattern", "Present"], rows: keys(design, &unique.layout) });
    }
    if !entity.attributes.is_empty() {
        let rows = entity.attributes.iter().map(|attribute| attribute_row(design, entity, attribute)).collect();
        blocks.push(Block::Table { head: vec!["Attribute", "Type", "Notes"], rows });
    }
    if !entity.must_hold.is_empty() {
        blocks.push(Block::Paragraph("Constraints, checked on every write:".to_owned()));
        let rules = entity.must_hold.iter().map(|rule| format!("{} (`{}`)", rule.message, rule.expression.source()));
        blocks.push(Block::List(rules.collect()));
    }
    blocks
}

fn facts(design: &Design, entity: &Entity) -> Vec<String> {
    let mut facts = Vec::new();
    if design.tenant.is_some() {
        facts.push(match entity.scope {
            Scope::Tenant => "Belongs to a tenant.".to_owned(),
            Scope::Global => "Global: belongs to no tenant.".to_owned(),
            Scope::TenantOrGlobal => "Belongs to a tenant, or is global if it names none.".to_owned(),
        });
    }
    if let Some(kind) = &entity.kind {
        let others: Vec<&str> = kind.others.iter().map(|id| design[*id].name.as_str()).collect();
        let value = kind.value.as_str().unwrap_or_default();
        facts.push(format!(
            "Has the same keys as {}; `{}` is `{value}` in its items.",
            others.join(" and "),
            kind.attribute
        ));
    }
    if let Some(owner) = &entity.owner {
        facts.push(format!("Owned by the subject in `{owner}`."));
    }
    if let Some(derivation) = &entity.derivation {
        let source = &design[derivation.source].name;
        facts.push(match derivation.each.as_ref().map(|each| (&each.variable, &each.over)) {
            None => format!("Derived from {source} and updated in the same transaction."),
            Some((_, Over::Items(list))) => format!(
                "Derived from {source}: one item for each element of `{list}`, updated in the same transaction."
            ),
            Some((_, Over::Words(text))) => {
                format!("Derived from {source}: one item for each word in `{text}`, updated in the same transaction.")
            }
            Some((_, Over::Attributes(names))) => {
                format!(
                    "Derived from {source}: one item for each of {}, updated in the same transaction.",
                    codes(names)
                )
            }
        });
    }
    if !entity.is_found_by_key() {
        facts.push(format!("Identified by {}; the item moves when its sort key changes.", codes(&entity.identity)));
    }
    if entity.append_only {
        facts.push("Append-only: never changed or deleted.".to_owned());
    }
    if entity.is_singleton() {
        facts.push("Singleton: there is only one item.".to_owned());
    }
    match entity.delete {
        DeleteRule::ByReference => {}
        DeleteRule::CascadeWhenAsked => {
            facts.push("Cannot be deleted while other items refer to it, unless a cascade is requested.".to_owned());
        }
        DeleteRule::Never => facts.push("Cannot be deleted.".to_owned()),
    }
    facts
}

fn keys(design: &Design, layout: &Layout) -> Vec<Vec<String>> {
    let base = std::iter::once(&layout.partition).chain(&layout.sort);
    let always = present(layout.condition.as_ref(), []);
    let row = |part: &KeyPart| vec![code(&part.key.name), code(&spelling(&part.template)), always.clone()];
    let mut rows: Vec<Vec<String>> = base.map(row).collect();
    for index_key in &layout.index_keys {
        let present = present(index_key.condition.as_ref(), index_key.parts().map(|part| &part.template));
        for part in index_key.parts() {
            if rows.iter().any(|row| row.first() == Some(&code(&part.key.name))) {
                continue;
            }
            let name = &design[index_key.index].name;
            rows.push(vec![code(&part.key.name), code(&spelling(&part.template)), format!("{present} ({name})")]);
        }
    }
    rows
}

/// When an item has a key.
fn present<'t>(condition: Option<&EntryCondition>, templates: impl IntoIterator<Item = &'t Template>) -> String {
    let is_sparse = templates.into_iter().any(Template::is_sparse);
    match (condition, is_sparse) {
        (None, false) => "always".to_owned(),
        (None, true) => "if all its values are present".to_owned(),
        (Some(condition), false) => format!("when {}", code(condition.source())),
        (Some(condition), true) => format!("when {}, if all its values are present", code(condition.source())),
    }
}

fn attribute_row(design: &Design, entity: &Entity, attribute: &Attribute) -> Vec<String> {
    let mut notes: Vec<String> = attribute.description.iter().cloned().collect();
    if attribute.optional {
        notes.push("optional".to_owned());
    }
    if let Some(default) = &attribute.default {
        notes.push(format!("default {}", super::collections::display_value(default)));
    }
    match &attribute.generator {
        Some(Generator::Ulid) => notes.push("generated as a ULID if absent".to_owned()),
        Some(Generator::Uuid) => notes.push("generated as a UUID if absent".to_owned()),
        Some(Generator::Sequence(name)) => notes.push(format!("taken from the sequence `{name}` if absent")),
        None => {}
    }
    notes.extend(attribute.bounds.iter().map(ToString::to_string));
    if let Some(pattern) = &attribute.pattern {
        notes.push(format!("matches `/{}/`", pattern.source));
    }
    if let Some(other) = &attribute.same_as {
        notes.push(format!("same as `{other}`"));
    }
    if let Some(template) = &attribute.computed {
        notes.push(format!("computed: {}", code(&spelling(template))));
    }
    if attribute.fixed {
        notes.push("immutable".to_owned());
    }
    if !attribute.is_stored() {
        notes.push("stored in the key only".to_owned());
    }
    if attribute.personal {
        notes.push("personal".to_owned());
    }
    if let Some(who) = &attribute.visible_to {
        notes.push(format!("visible to {who}"));
    }
    if let Some(who) = &attribute.settable_by {
        notes.push(format!("settable by {who}"));
    }
    for reference in entity.references.iter().filter(|reference| reference.attribute == attribute.name) {
        let target = &design[reference.target].name;
        notes.push(match reference.on_delete {
            OnDelete::Refuse if design[reference.target].delete == DeleteRule::CascadeWhenAsked => {
                format!("refers to {target}, which cannot be deleted while referenced unless a cascade is requested")
            }
            OnDelete::Refuse => format!("refers to {target}, which cannot be deleted while referenced"),
            OnDelete::Cascade => format!("refers to {target}, deleted with it"),
            OnDelete::Ignore => format!("refers to {target}"),
        });
        if reference.acyclic {
            notes.push("no cycles".to_owned());
        }
        notes.extend(reference.counted_as.iter().map(|counter| format!("counted in `{counter}`")));
    }
    vec![code(&attribute.name), attribute.value_type.spelling(), notes.join("; ")]
}
