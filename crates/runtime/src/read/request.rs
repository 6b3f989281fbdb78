//! The request of a key range.

use keyfold_design::model::{FanOut, RenderedSort, Scope, TenantMode};
use keyfold_dynamo::AttributeValue;
use keyfold_dynamo::operation::{PageOptions, QueryInput, ReturnConsumedCapacity};

use super::arguments::{FAN_OUT_VALUE, missing_argument};
use super::filter;
use super::query::Prepared;
use crate::error::Error;
use crate::expression::AliasWriter;
use crate::runtime::Runtime;
use crate::tenancy::Confinement;

impl Runtime {
    /// The request of a key range, from its start.
    pub(crate) fn request(&self, prepared: &Prepared<'_>, range: usize, backwards: bool) -> Result<QueryInput, Error> {
        let pattern = prepared.pattern;
        let arguments = prepared.ranges.get(range).unwrap_or(&prepared.arguments);
        let lookup = |name: &str| arguments.get(name);
        let mut aliases = AliasWriter::default();
        let mut conditions = Vec::new();
        for condition in pattern.partition.iter().chain(&pattern.sort_equal) {
            let value = condition.template.render(lookup)?.ok_or_else(|| missing_argument(pattern))?;
            conditions.push(format!("{} = {}", aliases.name(&condition.attribute), aliases.value(&value)));
        }
        if let Some(FanOut::Range { attribute, .. } | FanOut::Values { attribute, .. }) = &pattern.fan_out
            && let Some(value) = arguments.get(FAN_OUT_VALUE)
        {
            conditions.push(format!("{} = {}", aliases.name(attribute), aliases.value(value)));
        }
        if let Some(sort) = &pattern.sort {
            let rendered = sort.render(lookup)?.ok_or_else(|| missing_argument(pattern))?;
            conditions.push(sort_condition(&sort.attribute, &rendered, &mut aliases));
        }
        let filters = self.filters(prepared, &mut aliases);
        let page = PageOptions {
            index_name: pattern.index.and_then(|id| self.design.index(id)).map(|index| index.name.clone()),
            filter_expression: (!filters.is_empty()).then(|| filters.join(" AND ")),
            aliases: aliases.into_aliases(),
            return_consumed_capacity: ReturnConsumedCapacity::Total,
            ..PageOptions::default()
        };
        Ok(QueryInput {
            table_name: self.table.clone(),
            key_condition_expression: Some(conditions.join(" AND ")),
            forward: !backwards,
            page,
        })
    }

    fn filters(&self, prepared: &Prepared<'_>, aliases: &mut AliasWriter) -> Vec<String> {
        let mut filters = Vec::new();
        if let (TenantMode::Filtered, Confinement::Tenant { attribute, tenant }) =
            (&prepared.pattern.tenant, &prepared.confined)
            // DynamoDB refuses filters on the keys of what is queried.
            && !self.is_key_of(prepared.pattern, attribute)
        {
            // Only what all the pattern's entities have in common can be left to the backend; each is checked here too.
            let scopes: Vec<Scope> =
                prepared.entities.iter().map(|(authorized, _)| authorized.entity().scope).collect();
            let name = aliases.name(attribute);
            if scopes.iter().all(|scope| *scope == Scope::Tenant) {
                let value = aliases.value(&AttributeValue::S(tenant.clone()));
                filters.push(format!("{name} = {value}"));
            } else if scopes.iter().all(|scope| *scope != Scope::Global) {
                let value = aliases.value(&AttributeValue::S(tenant.clone()));
                filters.push(format!("(attribute_not_exists({name}) OR {name} = {value})"));
            }
        }
        if let Some(filter) = &prepared.pattern.filter {
            filters.push(format!("({})", filter::write(filter, &prepared.arguments, aliases)));
        }
        filters
    }
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
