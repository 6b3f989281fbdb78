//! The request of one partition.

use keyfold_design::access::{AccessPlan, RenderedSort, TenantCondition};
use keyfold_design::model::TenantMode;
use keyfold_dynamo::AttributeValue;
use keyfold_dynamo::operation::{PageOptions, QueryInput, ReturnConsumedCapacity};

use super::arguments::missing_argument;
use super::filter;
use super::prepared::PreparedQuery;
use crate::error::Error;
use crate::expression::{AliasWriter, Condition};
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
        let mut aliases = AliasWriter::default();
        let mut conditions = Vec::new();
        for condition in &plan.equal {
            let value = condition.value.render(arguments)?.ok_or_else(missing)?;
            conditions.push(format!("{} = {}", aliases.name(&condition.attribute), aliases.value(&value)));
        }
        if let Some(sort) = &plan.sort {
            let range = sort.range.render(arguments)?.ok_or_else(missing)?;
            conditions.push(sort_condition(&sort.attribute, &range, &mut aliases));
        }
        let filters = filters(query, &mut aliases);
        let page = PageOptions {
            index_name: plan.index_name.clone(),
            filter_expression: (!filters.is_empty()).then(|| filters.join(" AND ")),
            aliases: aliases.into_aliases(),
            return_consumed_capacity: ReturnConsumedCapacity::Total,
            ..PageOptions::default()
        };
        Ok(QueryInput {
            table_name: self.table.clone(),
            key_condition_expression: Some(conditions.join(" AND ")),
            forward: !descending,
            page,
        })
    }
}

fn filters(query: &PreparedQuery<'_>, aliases: &mut AliasWriter) -> Vec<String> {
    let own: Vec<String> = own_tenant(query).iter().map(|condition| condition.write(aliases)).collect();
    let mut filters = match own.as_slice() {
        [] => Vec::new(),
        [one] => vec![one.clone()],
        several => vec![format!("({})", several.join(" OR "))],
    };
    if let Some(filter) = &query.plan.filter {
        filters.push(format!("({})", filter::write(filter, &query.arguments, aliases)));
    }
    filters
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
        TenantCondition::Key { .. } | TenantCondition::Stored { .. } => Condition::Equals(attribute, value),
        TenantCondition::StoredOrAbsent { .. } => Condition::AbsentOrEquals(attribute, value),
    })
}

fn sort_condition(attribute: &str, sort: &RenderedSort, aliases: &mut AliasWriter) -> String {
    let name = aliases.name(attribute);
    match sort {
        RenderedSort::Equal(value) => format!("{name} = {}", aliases.value(value)),
        RenderedSort::Less(value) => format!("{name} < {}", aliases.value(value)),
        RenderedSort::LessOrEqual(value) => format!("{name} <= {}", aliases.value(value)),
        RenderedSort::Greater(value) => format!("{name} > {}", aliases.value(value)),
        RenderedSort::GreaterOrEqual(value) => format!("{name} >= {}", aliases.value(value)),
        RenderedSort::BeginsWith(value) => format!("begins_with({name}, {})", aliases.value(value)),
        RenderedSort::Between(low, high) => {
            format!("{name} BETWEEN {} AND {}", aliases.value(low), aliases.value(high))
        }
    }
}
