//! From a target back to the items that refer to it: a key range that holds all of them.

use keyfold_dynamo::{AttributeValue, Number};

use crate::model::{AttributeType, Design, Entity, IndexKey, KeyPart, Layout, Over, ReferenceRange};
use crate::template::Template;

/// So many partitions can be read one by one.
const MOST_PARTITIONS: usize = 10;

/// The attributes of a layout that the target determines: `(attribute in the layout, target's attribute)`.
type Given = Vec<(String, String)>;

/// Finds a range: in the table, among the items derived from the referring ones, or in an index.
pub(super) fn find(
    own: &Entity,
    attribute: &str,
    mapping: &[(String, String)],
    design: &Design,
) -> Option<ReferenceRange> {
    let given: Given = mapping.iter().map(|(target, own)| (own.clone(), target.clone())).collect();
    in_table(own, &given, design)
        .or_else(|| through_derived(own, attribute, mapping, design, &in_table))
        .or_else(|| in_indexes(own, &given, design))
        .or_else(|| through_derived(own, attribute, mapping, design, &in_indexes))
}

fn in_table(entity: &Entity, given: &Given, design: &Design) -> Option<ReferenceRange> {
    let Layout { partition, sort, .. } = &entity.layout;
    range(entity, None, std::slice::from_ref(partition), sort.as_ref(), given, design)
}

fn in_indexes(entity: &Entity, given: &Given, design: &Design) -> Option<ReferenceRange> {
    let ranges: Vec<ReferenceRange> =
        entity.layout.index_keys.iter().filter_map(|key| in_index(entity, key, given, design)).collect();
    // A partition of the target's own holds few others; one of all items of a type is read where there is no better.
    let is_own = |range: &&ReferenceRange| {
        let names = range.partition.iter().flat_map(|(_, template)| template.attributes());
        names.into_iter().any(|name| is_given(given, name))
    };
    ranges.iter().find(is_own).or(ranges.first()).cloned()
}

fn in_index(entity: &Entity, key: &IndexKey, given: &Given, design: &Design) -> Option<ReferenceRange> {
    // An item that lacks an optional part of the key, or does not meet the condition, is not in the index, and would be
    // overlooked.
    let may_be_absent = key.parts().flat_map(|part| part.template.placeholders()).any(|placeholder| {
        placeholder.optional && placeholder.fallback.is_none() && !is_given(given, &placeholder.attribute)
    });
    if may_be_absent || key.condition.is_some() {
        return None;
    }
    range(entity, Some(key.index), &key.partition, key.sort.first(), given, design)
}

/// Items that are derived from the referring ones, one per source, lead to them: they are written in one transaction.
fn through_derived(
    own: &Entity,
    attribute: &str,
    mapping: &[(String, String)],
    design: &Design,
    search: &dyn Fn(&Entity, &Given, &Design) -> Option<ReferenceRange>,
) -> Option<ReferenceRange> {
    let derived = design.entities.iter().filter(|entity| {
        entity
            .derivation
            .as_ref()
            .is_some_and(|derivation| derivation.source == own.id && derivation.collects.is_none())
    });
    derived.into_iter().find_map(|entity| {
        let derivation = entity.derivation.as_ref()?;
        let tells_source = own.identity.iter().all(|name| entity.attribute(name).is_some());
        let mut given: Given = mapping.iter().map(|(target, own)| (own.clone(), target.clone())).collect();
        if let Some(each) = &derivation.each
            && let Over::Attributes(names) = &each.over
            && names.iter().any(|name| name == attribute)
        {
            let target = mapping.iter().find(|(_, own)| own == attribute)?.0.clone();
            given.retain(|(own, _)| own != attribute);
            given.push((each.variable.clone(), target));
        }
        let mut found = search(entity, &given, design)?;
        found.through = Some(entity.id);
        tells_source.then_some(found)
    })
}

fn is_given(given: &Given, name: &str) -> bool {
    given.iter().any(|(own, _)| own == name)
}

/// The range of a key, if what is given determines its partition and distinguishes one target's items from another's.
fn range(
    entity: &Entity,
    index: Option<crate::model::IndexId>,
    partition: &[KeyPart],
    sort: Option<&KeyPart>,
    given: &Given,
    design: &Design,
) -> Option<ReferenceRange> {
    let mut over: Vec<(String, Vec<AttributeValue>)> = Vec::new();
    for part in partition {
        if part.template.shards().is_some() {
            return None;
        }
        for placeholder in part.template.placeholders().filter(|placeholder| !is_given(given, &placeholder.attribute)) {
            let values = domain(entity, &placeholder.attribute)?;
            if !over.iter().any(|(name, _)| *name == placeholder.attribute) {
                over.push((placeholder.attribute.clone(), values));
            }
        }
    }
    if over.iter().map(|(_, values)| values.len()).product::<usize>() > MOST_PARTITIONS {
        return None;
    }
    let pair = |part: &KeyPart| (part.key.name.clone(), first_alternative(&part.template));
    let partition: Vec<(String, Template)> = partition.iter().map(pair).collect();
    let sort_prefix =
        sort.map(|part| (part.key.name.clone(), part.template.known_prefix(|name| is_given(given, name))));
    let tenant = design.tenant.as_ref().map(|tenant| tenant.attribute.as_str());
    // The tenant may be left to a filter; the ids may not, or one target's items could not be distinguished from
    // another's.
    let has_ids = given.iter().filter(|(own, _)| Some(own.as_str()) != tenant).all(|(own, _)| {
        let mut templates = partition.iter().chain(&sort_prefix);
        templates.any(|(_, template)| template.placeholders().any(|placeholder| placeholder.attribute == *own))
    });
    has_ids.then(|| ReferenceRange { index, partition, sort_prefix, over, through: None, given: given.clone() })
}

/// Referring items have the attribute, so that the alternative for items without it does not matter.
fn first_alternative(template: &Template) -> Template {
    let mut first = template.clone();
    first.otherwise = None;
    first
}

/// All values of an attribute, where they are few.
fn domain(entity: &Entity, name: &str) -> Option<Vec<AttributeValue>> {
    let attribute = entity.attribute(name)?;
    match &attribute.value_type {
        AttributeType::Enumeration(values) => Some(values.iter().cloned().map(AttributeValue::S).collect()),
        AttributeType::Boolean => Some(vec![AttributeValue::Bool(false), AttributeValue::Bool(true)]),
        AttributeType::Integer => {
            let (least, most) = entity.integer_range(name)?;
            let count = usize::try_from(most.checked_sub(least)?).ok()? + 1;
            if count > MOST_PARTITIONS {
                return None;
            }
            Some((least..=most).map(|number| AttributeValue::N(Number::from(number))).collect())
        }
        _ => None,
    }
}
