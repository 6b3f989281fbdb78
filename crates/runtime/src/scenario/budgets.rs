//! What patterns and verbs cost on the sample data, and whether that is within the design's budgets.

use std::collections::BTreeSet;

use keyfold_design::model::{AttributeType, Budget, BudgetTarget, Capacity, Entity, Pattern, SortOperator, Verb};
use keyfold_dynamo::item::codec;
use keyfold_dynamo::value::item_size;
use keyfold_dynamo::{AttributeValue, Attributes};

use super::file::DataFile;
use crate::caller::Caller;
use crate::error::Error;
use crate::json;
use crate::read::{Page, QueryOptions};
use crate::runtime::Runtime;
use crate::write::{DeleteOptions, Write};

/// A budget and what was measured for it.
#[derive(Debug, Clone, PartialEq)]
pub struct BudgetReport {
    /// The pattern, or the verb and entity: `create License`.
    pub subject: String,
    pub capacity: Capacity,
    pub budget: f64,
    /// The most that any of the calls took; `None` where the sample data has nothing to measure.
    pub measured: Option<f64>,
    /// How many calls were measured.
    pub calls: usize,
}

impl BudgetReport {
    /// Whether it is known that the budget is kept. One that nothing was measured for is not.
    pub fn is_kept(&self) -> bool {
        self.measured.is_some_and(|measured| measured <= self.budget)
    }
}

/// What one read unit pays for, read consistently; half a unit otherwise.
const READ_UNIT_BYTES: f64 = 4096.0;

/// Measures the budgets of a design on a table that holds the sample data. Nothing is written.
pub async fn check_budgets(runtime: &Runtime, data: &DataFile) -> Result<Vec<BudgetReport>, Error> {
    let operator = Caller::operator("budgets");
    let mut reports = Vec::new();
    for budget in &runtime.design.budgets {
        let (subject, costs) = match budget.target {
            BudgetTarget::Pattern(id) => {
                let Some(pattern) = runtime.design.pattern(id) else { continue };
                (pattern.name.clone(), of_pattern(runtime, &operator, pattern, budget, data).await?)
            }
            BudgetTarget::Verb(verb, id) => {
                let Some(entity) = runtime.design.entity(id) else { continue };
                let costs = of_verb(runtime, &operator, verb, entity, budget.capacity, data).await?;
                (format!("{} {}", verb.as_str(), entity.name), costs)
            }
        };
        reports.push(BudgetReport {
            subject,
            capacity: budget.capacity,
            budget: budget.units(),
            measured: costs.iter().copied().reduce(f64::max),
            calls: costs.len(),
        });
    }
    Ok(reports)
}

/// One call for each key range that holds items of the sample data.
async fn of_pattern(
    runtime: &Runtime,
    operator: &Caller,
    pattern: &Pattern,
    budget: &Budget,
    data: &DataFile,
) -> Result<Vec<f64>, Error> {
    let take = budget.results.map(|results| results as usize);
    let mut asked = BTreeSet::new();
    let mut costs = Vec::new();
    for (entity, attributes) in sample(runtime, data)? {
        if !pattern.entities().any(|id| id == entity.id) {
            continue;
        }
        let Some(arguments) = arguments(pattern, entity, &attributes)? else { continue };
        if !asked.insert(codec::encode(&arguments)) {
            continue;
        }
        let options = QueryOptions { take, ..QueryOptions::default() };
        let page = runtime.query(operator, &pattern.name, arguments, &options).await?;
        costs.push(match take {
            Some(take) => page.read_units.max(projected(runtime, &page, take)?),
            None => page.read_units,
        });
    }
    Ok(costs)
}

/// What as many results of the same size would take, where the sample data has fewer than the budget is for.
fn projected(runtime: &Runtime, page: &Page, results: usize) -> Result<f64, Error> {
    if page.records.is_empty() || page.records.len() >= results {
        return Ok(0.0);
    }
    let mut bytes = 0;
    for record in &page.records {
        let Some(entity) = runtime.design.entity(record.entity) else { continue };
        let mut item = entity.layout.compute(|name| record.attributes.get(name))?;
        item.extend(record.attributes.clone());
        bytes += item_size(&item);
    }
    let bytes = bytes as f64 * results as f64 / page.records.len() as f64;
    Ok((bytes / READ_UNIT_BYTES).ceil() / 2.0)
}

async fn of_verb(
    runtime: &Runtime,
    operator: &Caller,
    verb: Verb,
    wanted: &Entity,
    capacity: Capacity,
    data: &DataFile,
) -> Result<Vec<f64>, Error> {
    let mut costs = Vec::new();
    for (entity, attributes) in sample(runtime, data)? {
        if entity.id != wanted.id {
            continue;
        }
        let named = entity.name.clone();
        let write = match verb {
            Verb::Create => Write::Create { entity: named, attributes },
            Verb::Update => Write::Put { entity: named, attributes },
            Verb::Delete => Write::Delete { entity: named, identity: attributes, options: DeleteOptions::default() },
            Verb::Get | Verb::List => {
                let size = item_size(&entity.layout.compute(|name| attributes.get(name))?) + item_size(&attributes);
                costs.push((size as f64 / READ_UNIT_BYTES).ceil());
                continue;
            }
        };
        let explained = runtime.explain_writes(operator, vec![write]).await?;
        costs.push(match capacity {
            Capacity::Read => explained.read_units,
            Capacity::Write => explained.write_units,
        });
    }
    Ok(costs)
}

/// The sample data, one entity with its attributes after the other.
fn sample<'d>(runtime: &'d Runtime, data: &DataFile) -> Result<Vec<(&'d Entity, Attributes)>, Error> {
    let mut items = Vec::new();
    for (name, object) in data.items.iter().flatten() {
        let Some(entity) = runtime.design.entity_named(name) else { continue };
        items.push((entity, with_defaults(entity, json::attributes(entity, object)?)));
    }
    Ok(items)
}

fn with_defaults(entity: &Entity, mut attributes: Attributes) -> Attributes {
    for attribute in &entity.attributes {
        if let (Some(default), false) = (&attribute.default, attributes.contains_key(&attribute.name)) {
            attributes.insert(attribute.name.clone(), default.clone());
        }
    }
    attributes
}

/// The arguments with which a pattern finds an item: what the item's own keys say, and bounds that leave nothing out.
/// `None` where the item is not in the range, or the arguments cannot be told.
fn arguments(pattern: &Pattern, entity: &Entity, item: &Attributes) -> Result<Option<Attributes>, Error> {
    let mut arguments = Attributes::new();
    for condition in pattern.partition.iter().chain(&pattern.sort_equal) {
        // Each part of a key by itself: others may be stamps, which the sample data does not have.
        let computed = entity.layout.computed.iter().find(|computed| computed.name == condition.attribute);
        let key = match computed {
            Some(computed) => computed.template.render(|name| item.get(name))?,
            None => item.get(&condition.attribute).cloned(),
        };
        let Some(told) = key.and_then(|key| condition.template.read_value(&key)) else { return Ok(None) };
        arguments.extend(told);
    }
    let bounds = match pattern.sort.as_ref().map(|sort| &sort.operator) {
        Some(SortOperator::Less(high) | SortOperator::LessOrEqual(high)) => vec![(high, true)],
        Some(SortOperator::Greater(low) | SortOperator::GreaterOrEqual(low)) => vec![(low, false)],
        Some(SortOperator::Between(low, high)) => vec![(low, false), (high, true)],
        _ => Vec::new(),
    };
    for (template, highest) in bounds {
        for name in template.attributes() {
            let extreme = pattern.parameter(name).and_then(|parameter| extreme(&parameter.value_type, highest));
            arguments.extend(extreme.map(|value| (name.to_owned(), value)));
        }
    }
    // What else a prefix or a filter asks for is the item's own.
    for parameter in &pattern.parameters {
        if let (false, Some(value)) = (arguments.contains_key(&parameter.name), item.get(&parameter.name)) {
            arguments.insert(parameter.name.clone(), value.clone());
        }
    }
    let complete = pattern.parameters.iter().all(|parameter| arguments.contains_key(&parameter.name));
    Ok(complete.then_some(arguments))
}

/// The least or the greatest value of a type that ranges are made of.
fn extreme(value_type: &AttributeType, highest: bool) -> Option<AttributeValue> {
    let text = match (value_type, highest) {
        (AttributeType::Date, true) => "9999-12-31",
        (AttributeType::Date, false) => "0001-01-01",
        (AttributeType::DateTime | AttributeType::Stamp(_), true) => "9999-12-31T23:59:59.999Z",
        (AttributeType::DateTime | AttributeType::Stamp(_), false) => "0001-01-01T00:00:00.000Z",
        _ => return None,
    };
    Some(AttributeValue::S(text.to_owned()))
}
