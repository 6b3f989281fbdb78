//! Budgets: the cost of patterns and verbs on the sample data.

use std::collections::BTreeSet;

use keyfold_design::access::ItemSource;
use keyfold_design::model::{Budget, BudgetTarget, Capacity, Entity, Pattern, Verb};
use keyfold_dynamo::capacity::{Consistency, read_units};
use keyfold_dynamo::item::codec;
use keyfold_dynamo::operation::ScanInput;
use keyfold_dynamo::value::item_size;
use keyfold_dynamo::{Attributes, ServiceError};

use super::arguments::arguments;
use super::file::DataFile;
use crate::caller::Caller;
use crate::error::Error;
use crate::json;
use crate::read::{Page, QueryOptions};
use crate::record::Record;
use crate::runtime::Runtime;
use crate::write::{DeleteOptions, Write};

/// A budget and the measured cost.
#[derive(Debug, Clone, PartialEq)]
pub struct BudgetReport {
    /// The pattern, or the verb and entity: `create License`.
    pub subject: String,
    /// Whether read units or write units are limited.
    pub capacity: Capacity,
    /// The units that one call may cost.
    pub budget: f64,
    /// The cost of the most expensive call; `None` if the sample data has nothing to measure.
    pub measured: Option<f64>,
    /// How many calls were measured.
    pub calls: usize,
}

impl BudgetReport {
    /// Whether the measured cost is within the budget; `false` if nothing was measured.
    pub fn is_kept(&self) -> bool {
        self.measured.is_some_and(|measured| measured <= self.budget)
    }
}

/// Measures the budgets of a design on a table that holds the sample data. Nothing is written, but creates draw numbers
/// of sequences.
pub async fn check_budgets(runtime: &Runtime, data: &DataFile) -> Result<Vec<BudgetReport>, Error> {
    let superuser = Caller::superuser("budgets");
    let stored = if runtime.design.budgets.is_empty() { Vec::new() } else { stored_records(runtime).await? };
    let mut reports = Vec::new();
    for budget in &runtime.design.budgets {
        let (subject, costs) = match budget.target {
            BudgetTarget::Pattern(id) => {
                let pattern = &runtime.design[id];
                (pattern.name.clone(), pattern_costs(runtime, &superuser, pattern, budget, &stored).await?)
            }
            BudgetTarget::Verb(verb, id) => {
                let entity = &runtime.design[id];
                let items =
                    if verb == Verb::Create { new_items(entity, data)? } else { items_of_entity(entity, &stored) };
                let costs = verb_costs(runtime, &superuser, verb, entity, budget.capacity, items).await?;
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

/// Every item of an entity in the table, including derived items.
async fn stored_records(runtime: &Runtime) -> Result<Vec<Record>, Error> {
    let mut records = Vec::new();
    let mut input = ScanInput { table_name: runtime.table.clone(), ..ScanInput::default() };
    loop {
        let output = runtime.backend.scan(input.clone()).await?;
        let items = output.items.ok_or_else(|| Error::Unavailable("a scan returned no items".to_owned()))?;
        for item in items {
            let stored = item.into_attributes().map_err(ServiceError::from)?;
            if let Some(id) = runtime.design.recognize(&stored) {
                records.push(Record::read(&runtime.design[id], stored)?);
            }
        }
        match output.last_evaluated_key {
            Some(key) => input.page.exclusive_start_key = Some(key),
            None => return Ok(records),
        }
    }
}

/// One call for each key range that holds items of the sample data.
async fn pattern_costs(
    runtime: &Runtime,
    superuser: &Caller,
    pattern: &Pattern,
    budget: &Budget,
    stored: &[Record],
) -> Result<Vec<f64>, Error> {
    let take = budget.results.map(|results| results as usize);
    let mut asked = BTreeSet::new();
    let mut costs = Vec::new();
    let plan = runtime.design.access_plan(pattern.id);
    for result in &plan.results {
        let layout = runtime.design.layout_of(result);
        let in_range = match &result.source {
            ItemSource::Reference { from, .. } => *from,
            _ => result.entity,
        };
        for attributes in items_of_entity(&runtime.design[in_range], stored) {
            let Some(arguments) = arguments(plan, layout, &attributes)? else { continue };
            if !asked.insert(codec::encode(&arguments)) {
                continue;
            }
            let options = QueryOptions { take, ..QueryOptions::default() };
            let page = runtime.query(superuser, &pattern.name, arguments, &options).await?;
            costs.push(match take {
                Some(take) => page.read_units.max(projected_cost(runtime, &page, take)?),
                None => page.read_units,
            });
        }
    }
    Ok(costs)
}

/// The cost of as many results of the same size, if the sample data has fewer than the budget is for.
fn projected_cost(runtime: &Runtime, page: &Page, results: usize) -> Result<f64, Error> {
    if page.records.is_empty() || page.records.len() >= results {
        return Ok(0.0);
    }
    let mut bytes = 0;
    for record in &page.records {
        let entity = &runtime.design[record.entity];
        let mut item = entity.layout.compute(|name| record.attributes.get(name))?;
        item.extend(record.attributes.clone());
        bytes += item_size(&item);
    }
    Ok(read_units((bytes * results).div_ceil(page.records.len()), Consistency::Eventual))
}

async fn verb_costs(
    runtime: &Runtime,
    superuser: &Caller,
    verb: Verb,
    entity: &Entity,
    capacity: Capacity,
    items: Vec<Attributes>,
) -> Result<Vec<f64>, Error> {
    let mut costs = Vec::new();
    for mut attributes in items {
        let named = entity.name.clone();
        let write = match verb {
            Verb::Create => Write::Create { entity: named, attributes },
            Verb::Update => {
                attributes.retain(|name, _| is_given(entity, name));
                Write::Put { entity: named, attributes }
            }
            Verb::Delete => Write::Delete { entity: named, identity: attributes, options: DeleteOptions::default() },
            Verb::Get | Verb::List => {
                let size = item_size(&entity.layout.compute(|name| attributes.get(name))?) + item_size(&attributes);
                costs.push(read_units(size, Consistency::Strong));
                continue;
            }
        };
        let (noted, outcome) = runtime.rehearse(superuser, vec![write]).await;
        match outcome {
            // Other items of the sample data refer to the item: the delete is rejected, and costs something all the
            // same.
            Err(Error::Constraint(_)) if verb == Verb::Delete => {}
            outcome => outcome?,
        }
        costs.push(match capacity {
            Capacity::Read => noted.read_units,
            Capacity::Write => noted.write_units,
        });
    }
    Ok(costs)
}

/// Whether callers set the attribute, rather than the runtime.
fn is_given(entity: &Entity, name: &str) -> bool {
    entity.attribute(name).is_none_or(|attribute| entity.is_settable(attribute))
}

fn items_of_entity(entity: &Entity, stored: &[Record]) -> Vec<Attributes> {
    stored.iter().filter(|record| record.entity == entity.id).map(|record| record.attributes.clone()).collect()
}

/// The items of the sample data, to be created once more.
fn new_items(entity: &Entity, data: &DataFile) -> Result<Vec<Attributes>, Error> {
    let named = data.items.iter().flatten().filter(|(name, _)| **name == entity.name);
    named
        .map(|(_, object)| {
            let mut attributes = json::attributes(entity, object.clone())?;
            // An item whose key holds more than its id is found by the id, so the new one gets another id.
            if !entity.is_found_by_key() {
                let generated = entity.attributes.iter().filter(|attribute| attribute.generator.is_some());
                generated.for_each(|attribute| drop(attributes.remove(&attribute.name)));
            }
            Ok(attributes)
        })
        .collect()
}
