//! The request of one partition.

use keyfold_design::access::{AccessPlan, RenderedSort, TenantCondition};
use keyfold_design::model::TenantMode;
use keyfold_dynamo::AttributeValue;
use keyfold_dynamo::expression::{Comparison, Condition, KeyCondition};
use keyfold_dynamo::operation::{PageOptions, QueryInput, ReturnConsumedCapacity};

use super::arguments::missing_argument;
use super::filter;
use super::prepared::PreparedQuery;
use crate::error::Error;
use crate::runtime::Runtime;
use crate::tenancy::Confinement;

impl Runtime {
    /// The request of a partition, from its start.
    pub(crate) fn request(
        &self,
        query: &PreparedQuery<'_>,
        partition: usize,
        descending: bool,
    ) -> Result<QueryInput, Error> {
        let plan = query.plan;
        let arguments = query.key_arguments(partition);
        let missing = || missing_argument(query.pattern);
        let mut conditions = Vec::new();
        for condition in &plan.equal {
            let value = condition.value.render(arguments)?.ok_or_else(missing)?;
            conditions.push(Condition::equals(&condition.attribute, value));
        }
        if let Some(sort) = &plan.sort {
            let range = sort.range.render(arguments)?.ok_or_else(missing)?;
            conditions.push(sort_condition(&sort.attribute, range));
        }
        let page = PageOptions {
            index_name: plan.index_name.clone(),
            filter: filter(query),
            return_consumed_capacity: ReturnConsumedCapacity::Total,
            ..PageOptions::default()
        };
        Ok(QueryInput {
            table_name: self.table.clone(),
            key_condition: KeyCondition::all(conditions).ok_or_else(missing)?,
            forward: !descending,
            page,
        })
    }
}

/// The caller's own tenant, and the pattern's own filter.
fn filter(query: &PreparedQuery<'_>) -> Option<Condition> {
    let own_tenant = Condition::any(own_tenant(query));
    let filter = query.plan.filter.as_ref().map(|filter| filter::condition(filter, &query.arguments));
    Condition::all(own_tenant.into_iter().chain(filter))
}

/// What an item of the caller's tenant satisfies, one condition or another. Empty where the backend cannot tell; each item
/// is checked when it is read too.
fn own_tenant(query: &PreparedQuery<'_>) -> Vec<Condition> {
    let (TenantMode::Filtered, Confinement::Tenant { tenant, .. }) = (&query.plan.tenant, &query.confined) else {
        return Vec::new();
    };
    let tenant = AttributeValue::S(tenant.clone());
    let conditions = AccessPlan::tenant_conditions(query.results.iter().map(|(_, result)| *result));
    // A tenant that no key can hold has no items; the check of each item drops whatever is there.
    let rendered = conditions.into_iter().map(|condition| tenant_condition(condition, &tenant)).collect::<Option<_>>();
    rendered.unwrap_or_default()
}

fn tenant_condition(condition: &TenantCondition, tenant: &AttributeValue) -> Option<Condition> {
    let attribute = condition.attribute().to_owned();
    let value = condition.value(tenant).ok()??;
    Some(match condition {
        TenantCondition::Key { .. } | TenantCondition::Stored { .. } => Condition::equals(attribute, value),
        TenantCondition::StoredOrAbsent { .. } => Condition::absent_or_equals(attribute, value),
    })
}

fn sort_condition(attribute: &str, sort: RenderedSort) -> Condition {
    match sort {
        RenderedSort::Equal(value) => Condition::equals(attribute, value),
        RenderedSort::Less(value) => Condition::compare(attribute, Comparison::Less, value),
        RenderedSort::LessOrEqual(value) => Condition::compare(attribute, Comparison::LessOrEqual, value),
        RenderedSort::Greater(value) => Condition::compare(attribute, Comparison::Greater, value),
        RenderedSort::GreaterOrEqual(value) => Condition::compare(attribute, Comparison::GreaterOrEqual, value),
        RenderedSort::BeginsWith(value) => Condition::begins_with(attribute, value),
        RenderedSort::Between(low, high) => Condition::between(attribute, low, high),
    }
}
