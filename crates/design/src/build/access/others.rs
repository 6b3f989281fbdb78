//! What a key range may hold besides the results of its pattern.

use super::{KeyRange, covered, key_parts};
use crate::model::access::{KeyValue, OtherItems, PartitionSet};
use crate::model::{Design, Entity, Layout, Pattern, Returned, TenantMode};
use crate::span::Span;
use crate::template::{Binding, Template, ValueKind, unify};

/// The items that the range may hold, without the results.
pub(super) fn others(design: &Design, pattern: &Pattern) -> Vec<OtherItems> {
    let partition = pattern.partitions.as_ref().and_then(|set| partition(design, pattern, set));
    let equal = pattern.equal.iter().filter_map(|equality| {
        let template = match &equality.value {
            KeyValue::Partition => partition.as_ref(),
            value => value.template(),
        };
        Some((equality.attribute.as_str(), template?))
    });
    let sort = pattern.sort.as_ref().map(|sort| (sort.attribute.as_str(), covered(sort)));
    let range = KeyRange { index: pattern.index, equal: equal.collect(), sort };
    let layouts = design.entities.iter().flat_map(|entity| {
        let own = (entity, None, &entity.layout);
        let uniques = entity.uniques.iter().map(move |unique| (entity, Some(unique.name.clone()), &unique.layout));
        std::iter::once(own).chain(uniques)
    });
    layouts
        .filter(|(entity, unique, layout)| !is_result(pattern, entity, unique.as_deref()) && range.can_hold(layout))
        .map(|(entity, unique, layout)| OtherItems {
            entity: entity.id,
            unique,
            is_of_any_tenant: is_of_any_tenant(design, pattern, entity, layout),
        })
        .collect()
}

fn is_result(pattern: &Pattern, entity: &Entity, unique: Option<&str>) -> bool {
    pattern.returns.iter().any(|returned| match returned {
        Returned::Entity(id) => *id == entity.id && unique.is_none(),
        Returned::ThroughUnique { entity: id, unique: own } => *id == entity.id && unique == Some(own),
        Returned::Referenced { from, .. } => *from == entity.id && unique.is_none(),
    })
}

/// The key of the partitions that a pattern reads one after the other.
fn partition(design: &Design, pattern: &Pattern, set: &PartitionSet) -> Option<Template> {
    match set {
        PartitionSet::Shards { .. } => None,
        PartitionSet::Days { key, .. } | PartitionSet::Integers { key, .. } => Some(key.clone()),
        PartitionSet::Values { parameter, .. } => {
            let mut template = Template::plain(parameter, Span::default(), design.table.delimiter);
            let of_list = pattern.equal.iter().find(|equality| equality.value == KeyValue::Partition)?;
            let index = pattern.index.map(|id| &design[id]);
            let keys = index.map_or(std::slice::from_ref(&design.table.partition), |index| &index.partition);
            template.key_type = keys.iter().find(|key| key.name == of_list.attribute)?.key_type;
            let kind = pattern.parameter(parameter).and_then(|parameter| parameter.value_type.kind());
            template.placeholders_mut().for_each(|own| own.kind = kind.clone().unwrap_or(ValueKind::Text));
            Some(template)
        }
    }
}

/// Whether the items may belong to another tenant than the one whose partition the pattern reads.
fn is_of_any_tenant(design: &Design, pattern: &Pattern, entity: &Entity, layout: &Layout) -> bool {
    let (Some(tenant), TenantMode::Pinned { parameter }) = (&design.tenant, &pattern.tenant) else { return false };
    if !entity.scope.has_tenant() {
        return false;
    }
    let pins = |wanted: &Template, own: &Template| {
        unify(wanted, own, false).is_some_and(|fit| {
            fit.bindings.iter().any(|binding| match binding {
                Binding::Parameter { parameter: wanted_at, placeholder } => {
                    let wanted = wanted.placeholders().nth(*wanted_at);
                    let own = own.placeholders().nth(*placeholder);
                    wanted.is_some_and(|wanted| wanted.attribute == *parameter)
                        && own.is_some_and(|own| own.attribute == tenant.attribute && own.is_recoverable())
                }
                _ => false,
            })
        })
    };
    let parts = key_parts(layout, pattern.index).unwrap_or_default();
    !pattern.equal.iter().any(|equality| {
        let own = parts.iter().find(|part| part.key.name == equality.attribute);
        own.zip(equality.value.template())
            .is_some_and(|(own, wanted)| own.template.alternatives().all(|own| pins(wanted, own)))
    })
}
