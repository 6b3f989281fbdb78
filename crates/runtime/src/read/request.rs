//! The request of one partition.

use keyfold_design::access::RenderedSort;
use keyfold_dynamo::expression::{Comparison, Condition, KeyCondition};
use keyfold_dynamo::operation::{PageOptions, QueryInput, ReturnConsumedCapacity};

use super::arguments::missing_argument;
use super::filter;
use super::prepared::PreparedQuery;
use crate::error::Error;

impl PreparedQuery<'_> {
    /// The request of a partition, from its start.
    pub(crate) fn request(&self, table: &str, partition: usize, descending: bool) -> Result<QueryInput, Error> {
        let plan = self.plan;
        let arguments = self.key_arguments(partition);
        let missing = || missing_argument(self.pattern, plan);
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
            filter: filter(self)?,
            return_consumed_capacity: ReturnConsumedCapacity::Total,
            ..PageOptions::default()
        };
        Ok(QueryInput {
            table_name: table.to_owned(),
            key_condition: KeyCondition::all(conditions).ok_or_else(missing)?,
            forward: !descending,
            page,
        })
    }
}

/// The condition that leaves out other tenants' items, and the pattern's own filter.
fn filter(query: &PreparedQuery<'_>) -> Result<Option<Condition>, Error> {
    let own = match &query.plan.filter {
        Some(filter) => {
            let condition = filter::condition(filter, &query.arguments);
            Some(condition.ok_or_else(|| missing_argument(query.pattern, query.plan))?)
        }
        None => None,
    };
    Ok(Condition::all(query.tenant_filter.clone().into_iter().chain(own)))
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
