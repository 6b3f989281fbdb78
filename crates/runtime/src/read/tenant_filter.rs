//! The filter by which the table leaves out other tenants' items.

use keyfold_design::access::{AccessPlan, AccessResult, TenantCondition};
use keyfold_design::model::TenantMode;
use keyfold_dynamo::AttributeValue;
use keyfold_dynamo::expression::Condition;

use crate::tenancy::Confinement;

/// How the table is asked for the items of the caller's tenant.
#[derive(Debug, PartialEq)]
pub(super) enum TenantFilter {
    /// There is nothing to filter, or the table cannot tell the tenant of an item. Each item is checked when it is
    /// read.
    Unfiltered,
    /// The items of the tenant satisfy this condition.
    Matching(Condition),
    /// No key can hold the tenant, so that it has no items.
    NoItems,
}

/// The filter for the results that the caller may list.
pub(super) fn tenant_filter<'p>(
    plan: &AccessPlan,
    confined: &Confinement,
    results: impl IntoIterator<Item = &'p AccessResult>,
) -> TenantFilter {
    let (TenantMode::Filtered, Confinement::Tenant { tenant, .. }) = (&plan.tenant, confined) else {
        return TenantFilter::Unfiltered;
    };
    let tenant = AttributeValue::S(tenant.clone());
    let conditions = AccessPlan::tenant_conditions(results);
    if conditions.is_empty() {
        return TenantFilter::Unfiltered;
    }
    // An entity whose key cannot hold the tenant has no items of it: the others' conditions remain.
    let possible = conditions.into_iter().filter_map(|condition| for_tenant(condition, &tenant));
    Condition::any(possible).map_or(TenantFilter::NoItems, TenantFilter::Matching)
}

/// `None` if no item of the entity can belong to the tenant.
fn for_tenant(condition: &TenantCondition, tenant: &AttributeValue) -> Option<Condition> {
    let Ok(Some(value)) = condition.value(tenant) else { return None };
    let attribute = condition.attribute().to_owned();
    Some(match condition {
        TenantCondition::Key { .. } | TenantCondition::Stored { .. } => Condition::equals(attribute, value),
        TenantCondition::StoredOrAbsent { .. } => Condition::absent_or_equals(attribute, value),
    })
}
