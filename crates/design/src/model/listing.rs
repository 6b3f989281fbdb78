//! The pattern that lists all items of an entity.

use super::access::{AccessPlan, ItemSource, KeyValue, PartitionSet};
use super::{Design, Entity, IndexKey, KeyPart, SortRange, TenantMode};
use crate::template::{Format, Template};

impl Design {
    /// The plan that lists every item of an entity, within a tenant if its items belong to tenants. `None` if no
    /// pattern does, or several do: which of them is meant is not known then. A pattern across tenants counts only
    /// where none lists the items of a tenant.
    pub fn listing_of(&self, entity: &Entity) -> Option<&AccessPlan> {
        let plans = || self.patterns.iter().map(|pattern| self.access_plan(pattern.id));
        let complete: Vec<&AccessPlan> = plans().filter(|plan| self.lists_all(plan, entity)).collect();
        let crosses_tenants = |plan: &AccessPlan| plan.tenant == TenantMode::AcrossTenants;
        let has_own = complete.iter().any(|plan| !crosses_tenants(plan));
        let mut candidates = complete.into_iter().filter(|plan| !has_own || !crosses_tenants(plan));
        let first = candidates.next()?;
        candidates.next().is_none().then_some(first)
    }

    /// Whether the results of a plan are the items of an entity, all of them.
    fn lists_all(&self, plan: &AccessPlan, entity: &Entity) -> bool {
        let [result] = plan.results.as_slice() else { return false };
        let is_sharded = plan.partitions.as_ref().is_none_or(|set| matches!(set, PartitionSet::Shards { .. }));
        result.entity == entity.id
            // A lookup leads to the items that have the attributes it is for.
            && !matches!(result.source, ItemSource::Lookup { .. } | ItemSource::Reference { .. })
            && !plan.counts
            && plan.filter.is_none()
            && is_sharded
            && plan.parameters.iter().all(|parameter| parameter.is_tenant)
            && self.holds_all(plan, entity)
    }

    /// Whether every item of an entity is in the key range of a plan, for each tenant in its own.
    fn holds_all(&self, plan: &AccessPlan, entity: &Entity) -> bool {
        let layout = &entity.layout;
        let parts: Vec<&KeyPart> = match plan.index {
            None => std::iter::once(&layout.partition).chain(&layout.sort).collect(),
            Some(index) => match layout.index_key(index).filter(|entry| !entry.is_sparse()) {
                Some(entry) => IndexKey::parts(entry).collect(),
                None => return false,
            },
        };
        let template = |name: &str| {
            let part = parts.iter().find(|part| part.key.name == name)?;
            part.template.otherwise.is_none().then_some(&part.template)
        };
        let tenant = plan.tenant_attribute.as_deref().filter(|_| matches!(plan.tenant, TenantMode::Pinned { .. }));
        let has_equal_keys = plan.equal.iter().all(|equality| {
            matches!(equality.value, KeyValue::Template(_))
                && template(&equality.attribute).is_some_and(|own| is_given(own, tenant))
        });
        let is_in_range = plan.sort.as_ref().is_none_or(|sort| {
            let Some(own) = template(&sort.attribute) else { return false };
            match &sort.range {
                SortRange::Equal(KeyValue::Template(bound)) => bound.is_constant() && own.is_constant(),
                SortRange::BeginsWith(KeyValue::Template(bound)) => {
                    bound.constant().is_some_and(|text| own.literal_prefix().starts_with(text))
                }
                _ => false,
            }
        });
        has_equal_keys && is_in_range
    }
}

/// Whether the items of a tenant have one value of a key, apart from its shards. That it meets the condition of the
/// pattern is known: otherwise the pattern would not return the entity.
fn is_given(template: &Template, tenant: Option<&str>) -> bool {
    template.placeholders().all(|placeholder| {
        let is_shard = placeholder.formats.iter().any(|format| matches!(format, Format::Shard(_)));
        is_shard || tenant == Some(placeholder.attribute.as_str())
    })
}
