//! Which attributes of an entity the conditions of a pattern test.

use crate::model::{Design, EntryCondition, IndexKey, KeyPart, Layout, Pattern, Returned, SortCondition};
use crate::template::{Format, Placeholder, Template};

/// The attributes with `visible to` that the key conditions or the filter of a pattern test.
pub(super) fn restricted_attributes(design: &Design, pattern: &Pattern, returned: &Returned) -> Vec<String> {
    let entity = &design[returned.entity()];
    if entity.attributes.iter().all(|attribute| attribute.visible_to.is_none()) {
        return Vec::new();
    }
    let layout = layout_of(design, returned);
    let mut tested: Vec<&str> = pattern.filter.iter().flat_map(|filter| filter.attributes()).collect();
    if let Some(layout) = layout {
        tested.extend(tested_by_keys(pattern, layout));
        // What is found meets the conditions.
        tested.extend(conditions(pattern, layout).flat_map(EntryCondition::attributes));
    }
    let is_tested = |name: &str| tested.contains(&name);
    let restricted = entity.attributes.iter().filter(|own| own.visible_to.is_some() && is_tested(&own.name));
    restricted.map(|attribute| attribute.name.clone()).collect()
}

/// The layout of the items that a query finds.
pub(super) fn layout_of<'d>(design: &'d Design, returned: &Returned) -> Option<&'d Layout> {
    let entity = &design[returned.entity()];
    match returned {
        Returned::Entity(_) => Some(&entity.layout),
        Returned::ThroughUnique { unique, .. } => entity.unique(unique).map(|unique| &unique.layout),
        // What is found are the items that lead to it.
        Returned::Referenced { .. } => None,
    }
}

/// The conditions under which items of a layout are in what a pattern queries.
pub(super) fn conditions<'d>(pattern: &Pattern, layout: &'d Layout) -> impl Iterator<Item = &'d EntryCondition> {
    let in_index = pattern.index.and_then(|index| layout.index_key(index)?.condition.as_ref());
    layout.condition.iter().chain(in_index)
}

fn tested_by_keys<'d>(pattern: &'d Pattern, layout: &'d Layout) -> Vec<&'d str> {
    let part_of = |key: &str| key_part(pattern, layout, key);
    let equal = pattern.equal.iter().filter_map(|equality| part_of(&equality.attribute));
    let equal = equal.flat_map(|part| part.template.alternatives());
    // All shards are read, so that a shard says nothing of the value it is made from.
    let whole = equal.flat_map(Template::placeholders).filter(|placeholder| !is_shard(placeholder));
    let sort = pattern.sort.iter().flat_map(|sort| {
        let part = part_of(&sort.attribute);
        part.into_iter().flat_map(|part| leading_placeholders(sort, &part.template))
    });
    whole.chain(sort).map(|placeholder| placeholder.attribute.as_str()).collect()
}

fn is_shard(placeholder: &Placeholder) -> bool {
    placeholder.formats.iter().any(|format| matches!(format, Format::Shard(_)))
}

/// The placeholders of a sort key up to where a condition on it reaches.
fn leading_placeholders<'d>(
    condition: &SortCondition,
    template: &'d Template,
) -> impl Iterator<Item = &'d Placeholder> + use<'d> {
    // A bound that begins with other text than the key is a bound for other items: these are all within it, or none.
    let may_meet = |bound: &&Template| {
        let (own, bound) = (template.literal_prefix(), bound.literal_prefix());
        own.starts_with(bound) || bound.starts_with(own)
    };
    let bounds: Vec<&Template> = condition.range.bounds().filter(may_meet).collect();
    let reached = bounds.iter().map(|bound| bound.placeholders().count()).max().unwrap_or(0);
    // A text beyond the key's own literal stands for values.
    let is_within_literal = bounds.iter().all(|bound| template.literal_prefix().starts_with(&bound.source));
    let reached = if reached == 0 && !is_within_literal { usize::MAX } else { reached };
    template.placeholders().take(reached)
}

/// The part of a layout's keys that a key attribute of the queried table or index is.
fn key_part<'d>(pattern: &Pattern, layout: &'d Layout, key: &str) -> Option<&'d KeyPart> {
    let mut parts: Vec<&KeyPart> = match pattern.index {
        None => std::iter::once(&layout.partition).chain(&layout.sort).collect(),
        Some(index) => layout.index_key(index).into_iter().flat_map(IndexKey::parts).collect(),
    };
    parts.retain(|part| part.key.name == key);
    parts.first().copied()
}
