//! Computes the access plan of each pattern.

mod key_range;
mod others;
mod sort_range;
mod tested;

use keyfold_dynamo::limits;

pub(super) use self::key_range::{KeyRange, key_parts};
use self::others::others;
pub(super) use self::sort_range::covered;
use self::tested::{conditions, layout_of, restricted_attributes};
use crate::model::access::{
    AccessParameter, AccessPlan, AccessResult, DEFAULT_PAGE_SIZE, FurtherRead, ItemSource, PartitionSearch,
    PartitionSet, SortBound, TenantCondition,
};
use crate::model::{Design, Entity, KeyAttribute, Pattern, Projection, Returned, TenantMode};
use crate::template::Template;

/// Computes the plan of a pattern.
pub(super) fn plan(design: &Design, pattern: &Pattern) -> AccessPlan {
    let index = pattern.index.map(|id| &design[id]);
    let names =
        |keys: &mut dyn Iterator<Item = &KeyAttribute>| -> Vec<String> { keys.map(|key| key.name.clone()).collect() };
    let table_keys = names(&mut std::iter::once(&design.table.partition).chain(&design.table.sort));
    let queried_keys = index.map_or_else(|| table_keys.clone(), |index| names(&mut index.keys()));
    let sort_key = match index {
        Some(index) => names(&mut index.sort.iter()),
        None => names(&mut design.table.sort.iter()),
    };
    let mut cursor_keys = table_keys;
    for name in &queried_keys {
        if !cursor_keys.contains(name) {
            cursor_keys.push(name.clone());
        }
    }
    AccessPlan {
        pattern: pattern.id,
        index: pattern.index,
        index_name: index.map(|index| index.name.clone()),
        equal: pattern.equal.clone(),
        sort: pattern
            .sort
            .as_ref()
            .map(|condition| SortBound { attribute: condition.attribute.clone(), range: covered(condition) }),
        partitions: pattern.partitions.clone(),
        filter: pattern.filter.clone(),
        order: pattern.order,
        tenant: pattern.tenant.clone(),
        tenant_attribute: design.tenant.as_ref().map(|tenant| tenant.attribute.clone()),
        results: pattern.returns.iter().map(|returned| result(design, pattern, returned, &queried_keys)).collect(),
        others: others(design, pattern),
        sort_key,
        cursor_keys,
        queried_keys,
        counts: pattern.count,
        page_size: pattern.limit.unwrap_or(DEFAULT_PAGE_SIZE),
        page_bytes: (!pattern.count).then_some(limits::PAGE_BYTES),
        parameters: parameters(pattern),
    }
}

fn result(design: &Design, pattern: &Pattern, returned: &Returned, queried_keys: &[String]) -> AccessResult {
    let is_partial = pattern.index.map(|id| &design[id]).is_some_and(|index| index.projection != Projection::All);
    let source = match returned {
        Returned::ThroughUnique { entity, unique } => {
            ItemSource::Lookup { unique: unique.clone(), read: FurtherRead::of_entity(&design[*entity]) }
        }
        Returned::Referenced { entity, from, mapping } => ItemSource::Reference {
            from: *from,
            mapping: mapping.clone(),
            read: FurtherRead::of_entity(&design[*entity]),
            is_partial,
            restricted: restricted_attributes(design, pattern, &Returned::Entity(*from)),
        },
        Returned::Entity(entity) if is_partial && pattern.projected_only => ItemSource::Projected {
            attributes: projected_attributes(design, pattern, &design[*entity]),
            moved: PartitionSearch::of_entity(&design[*entity]),
        },
        Returned::Entity(entity) if is_partial => {
            ItemSource::Table { moved: PartitionSearch::of_entity(&design[*entity]) }
        }
        Returned::Entity(_) => ItemSource::Query,
    };
    let is_queried_key = |name: &str| queried_keys.iter().any(|key| key == name);
    let is_filterable = |name: &str| !is_queried_key(name) && is_held(design, pattern, name);
    let tenant_condition = match (&pattern.tenant, &design.tenant, returned) {
        (TenantMode::Filtered, Some(tenant), Returned::Entity(entity) | Returned::Referenced { from: entity, .. })
            if design[*entity].scope.has_tenant() =>
        {
            TenantCondition::for_entity(&design[*entity], &tenant.attribute, is_filterable)
        }
        // A lookup item has keys of its own and need not hold the tenant, which the item that it leads to shows.
        _ => None,
    };
    let restricted = match returned {
        // The conditions test the attributes of the items that lead to the result.
        Returned::Referenced { .. } => Vec::new(),
        returned => restricted_attributes(design, pattern, returned),
    };
    let conditions = layout_of(design, returned).into_iter().flat_map(|layout| conditions(pattern, layout));
    let entry_conditions = conditions.map(|condition| condition.source().to_owned()).collect();
    AccessResult { entity: returned.entity(), source, tenant_condition, entry_conditions, restricted }
}

/// Whether what is queried holds an attribute of every item that has it: DynamoDB rejects filters on others.
fn is_held(design: &Design, pattern: &Pattern, name: &str) -> bool {
    let Some(index) = pattern.index.map(|id| &design[id]) else { return true };
    match &index.projection {
        Projection::All => true,
        Projection::KeysOnly => design.is_table_key(name),
        Projection::Include(names) => design.is_table_key(name) || names.iter().any(|included| included == name),
    }
}

/// What an index holds of the items of an entity: projected attributes, and values within the keys.
fn projected_attributes(design: &Design, pattern: &Pattern, entity: &Entity) -> Vec<String> {
    let index = pattern.index.map(|id| &design[id]);
    let is_in_row = |name: &str| {
        is_held(design, pattern, name) || index.is_some_and(|index| index.keys().any(|key| key.name == name))
    };
    let base = std::iter::once(&entity.layout.partition).chain(&entity.layout.sort).map(|part| &part.template);
    let others = entity.layout.computed.iter().filter(|computed| is_in_row(&computed.name));
    let templates: Vec<&Template> = base.chain(others.map(|computed| &computed.template)).collect();
    let is_in_template = |name: &str| {
        let mut placeholders = templates.iter().flat_map(|template| template.placeholders());
        placeholders.any(|placeholder| placeholder.attribute == name && placeholder.is_reversible())
    };
    let declared = entity.attributes.iter().map(|attribute| &attribute.name);
    let mut held: Vec<String> = declared.filter(|name| is_in_row(name) || is_in_template(name)).cloned().collect();
    if let (true, Some(Projection::Include(names))) = (entity.open, index.map(|index| &index.projection)) {
        let is_undeclared = |name: &&String| entity.attribute(name).is_none();
        held.extend(names.iter().filter(is_undeclared).cloned());
    }
    held
}

fn parameters(pattern: &Pattern) -> Vec<AccessParameter> {
    let pinned = match &pattern.tenant {
        TenantMode::Pinned { parameter } => Some(parameter),
        TenantMode::Global | TenantMode::Filtered | TenantMode::AcrossTenants => None,
    };
    let list_of_at_most = |name: &str| match &pattern.partitions {
        Some(PartitionSet::Values { parameter, at_most }) if parameter == name => Some(*at_most),
        _ => None,
    };
    let parameters = pattern.parameters.iter().map(|parameter| AccessParameter {
        name: parameter.name.clone(),
        value_type: parameter.value_type.clone(),
        list_of_at_most: list_of_at_most(&parameter.name),
        at_least_characters: parameter.at_least_characters,
        is_tenant: pinned == Some(&parameter.name),
    });
    parameters.collect()
}
