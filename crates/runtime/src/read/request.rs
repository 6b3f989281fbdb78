//! The request of a key range.

use keyfold_design::model::{Entity, FanOut, Pattern, RenderedSort, TenantBinding, TenantMode};
use keyfold_dynamo::AttributeValue;
use keyfold_dynamo::operation::{PageOptions, QueryInput, ReturnConsumedCapacity};

use super::arguments::{FAN_OUT_VALUE, missing_argument};
use super::filter;
use super::query::Prepared;
use crate::error::Error;
use crate::expression::{AliasWriter, Condition};
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
        let own: Vec<String> = self.own_tenant(prepared).iter().map(|condition| condition.write(aliases)).collect();
        let mut filters = match own.as_slice() {
            [] => Vec::new(),
            [one] => vec![one.clone()],
            several => vec![format!("({})", several.join(" OR "))],
        };
        if let Some(filter) = &prepared.pattern.filter {
            filters.push(format!("({})", filter::write(filter, &prepared.arguments, aliases)));
        }
        filters
    }

    /// What an item of the caller's tenant satisfies, one condition or another. Empty where the backend cannot tell; each
    /// item is looked at here too.
    fn own_tenant(&self, prepared: &Prepared<'_>) -> Vec<Condition> {
        let (TenantMode::Filtered, Confinement::Tenant { attribute, tenant }) =
            (&prepared.pattern.tenant, &prepared.confined)
        else {
            return Vec::new();
        };
        let tenant = AttributeValue::S(tenant.clone());
        let mut conditions = Vec::new();
        for (authorized, _) in &prepared.entities {
            match self.tenant_condition(prepared.pattern, authorized.entity(), attribute, &tenant) {
                Some(condition) if conditions.contains(&condition) => {}
                Some(condition) => conditions.push(condition),
                None => return Vec::new(),
            }
        }
        conditions
    }

    fn tenant_condition(
        &self,
        pattern: &Pattern,
        entity: &Entity,
        attribute: &str,
        tenant: &AttributeValue,
    ) -> Option<Condition> {
        // DynamoDB refuses filters on the keys of what is queried.
        let can_filter = |name: &str| !self.is_key_of(pattern, name);
        // Where the base key says whose an item is, others may have stored it nowhere else.
        let parts = std::iter::once(&entity.layout.partition).chain(&entity.layout.sort);
        let in_key =
            parts.filter(|part| part.template.attributes() == [attribute]).find(|part| can_filter(&part.key.name));
        if let Some(part) = in_key {
            let value = part.template.render(|name| (name == attribute).then_some(tenant)).ok()??;
            return Some(Condition::Equals(part.key.name.clone(), value));
        }
        match entity.tenant {
            _ if !can_filter(attribute) => None,
            TenantBinding::Stored => Some(Condition::Equals(attribute.to_owned(), tenant.clone())),
            TenantBinding::None => None,
            _ => Some(Condition::AbsentOrEquals(attribute.to_owned(), tenant.clone())),
        }
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
