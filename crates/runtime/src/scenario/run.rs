//! Runs scenarios.

use keyfold_design::counted;
use keyfold_design::model::{AttributeType, Entity};
use keyfold_dynamo::operation::{GetItemInput, PutItemInput};
use keyfold_dynamo::{AttributeValue, Attributes, Item};
use keyfold_environment::ManualClock;
use serde_json::{Map, Value};

use super::file::{DataFile, Expected, Named, Scenario, Step, Verdict};
use crate::caller::Caller;
use crate::error::Error;
use crate::json;
use crate::json_operators;
use crate::read::{Page, QueryOptions};
use crate::record::Record;
use crate::runtime::Runtime;
use crate::write::{DeleteOptions, PatchOptions, Write, WriteVerb};

/// The outcome of a step.
#[derive(Debug, Default)]
pub struct Outcome {
    records: Vec<Record>,
    page: Option<Page>,
}

/// An item of the sample data that cannot be created.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("item {position} ({entity}): {error}")]
pub struct DataError {
    /// The position in the list, counted from one.
    pub position: usize,
    /// The name of the entity as the file has it.
    pub entity: String,
    /// Why the item cannot be created.
    pub error: Error,
}

/// Creates items as a superuser, and returns how many.
pub async fn load_data(runtime: &Runtime, data: &DataFile, progress: &dyn Fn(usize)) -> Result<usize, DataError> {
    let superuser = Caller::superuser("sample-data");
    for (position, named) in (1..).zip(&data.items) {
        for (entity, object) in named {
            let created = create_one(runtime, &superuser, entity, object).await;
            created.map_err(|error| DataError { position, entity: entity.clone(), error })?;
        }
        progress(position);
    }
    Ok(data.items.len())
}

async fn create(runtime: &Runtime, caller: &Caller, named: &Named) -> Result<(), Error> {
    for (entity, object) in named {
        create_one(runtime, caller, entity, object).await.map_err(|error| match error {
            Error::Invalid(message) => Error::Invalid(format!("{entity}: {message}")),
            error => error,
        })?;
    }
    Ok(())
}

async fn create_one(
    runtime: &Runtime,
    caller: &Caller,
    entity: &str,
    object: &Map<String, Value>,
) -> Result<(), Error> {
    runtime.create(caller, entity, attributes(runtime, entity, object)?).await.map(drop)
}

/// Runs a scenario on a runtime whose table is empty.
pub async fn run_scenario(
    runtime: &Runtime,
    clock: &ManualClock,
    sample: Option<&DataFile>,
    scenario: &Scenario,
) -> Result<Verdict, Error> {
    let superuser = Caller::superuser("scenario");
    if scenario.sample {
        let sample = sample.ok_or_else(|| Error::Invalid("the design has no sample data".to_owned()))?;
        for named in &sample.items {
            clock.advance(1000);
            create(runtime, &superuser, named).await?;
        }
    }
    for named in &scenario.given {
        clock.advance(1000);
        create(runtime, &superuser, named).await?;
    }
    for object in &scenario.written {
        let item = plain_attributes(object)?;
        let input = PutItemInput { table_name: runtime.table.clone(), item, ..PutItemInput::default() };
        runtime.backend.put_item(input).await?;
    }
    let mut cursor = None;
    for (number, step) in scenario.steps.iter().enumerate() {
        clock.advance(1000);
        let outcome = execute_step(runtime, step, cursor.take()).await;
        if let Ok(Outcome { page: Some(page), .. }) = &outcome {
            cursor.clone_from(&page.cursor);
        }
        if let Some(difference) = difference(runtime, step, outcome).await? {
            return Ok(Verdict::Broken { step: number + 1, difference });
        }
    }
    Ok(Verdict::Held)
}

async fn execute_step(runtime: &Runtime, step: &Step, cursor: Option<String>) -> Result<Outcome, Error> {
    let caller = caller(runtime, step).await?;
    let one = |record: Record| Outcome { records: vec![record], page: None };
    if let Some((entity, object)) = single_entry(&step.create) {
        return Ok(one(runtime.create(&caller, entity, attributes(runtime, entity, object)?).await?));
    }
    if let Some((entity, object)) = single_entry(&step.put) {
        return Ok(one(runtime.put(&caller, entity, attributes(runtime, entity, object)?).await?));
    }
    if let Some((entity, object)) = single_entry(&step.upsert) {
        return Ok(one(runtime.upsert(&caller, entity, attributes(runtime, entity, object)?).await?));
    }
    if let Some((entity, object)) = single_entry(&step.patch) {
        let options = patch_options(runtime.entity(entity)?, step)?;
        return Ok(one(runtime.patch(&caller, entity, attributes(runtime, entity, object)?, options).await?));
    }
    if let Some((entity, object)) = single_entry(&step.delete) {
        let options = DeleteOptions { expected_version: step.expected_version, cascade: step.cascade };
        runtime.delete(&caller, entity, attributes(runtime, entity, object)?, options).await?;
        return Ok(Outcome::default());
    }
    if let Some((entity, object)) = single_entry(&step.get) {
        let record = runtime.get(&caller, entity, attributes(runtime, entity, object)?).await?;
        return Ok(Outcome { records: record.into_iter().collect(), page: None });
    }
    if let Some(writes) = &step.transact {
        let writes: Vec<Write> =
            writes.iter().map(|write| transaction_write(runtime, write)).collect::<Result<_, _>>()?;
        let records = runtime.transact(&caller, writes).await?;
        return Ok(Outcome { records: records.into_iter().flatten().collect(), page: None });
    }
    let Some(pattern) = &step.query else { return Err(Error::Invalid("the step calls nothing".to_owned())) };
    let arguments = match runtime.design.pattern_named(pattern) {
        Some(known) => json::arguments(runtime.design.access_plan(known.id), &step.with)?,
        None => Attributes::new(),
    };
    let options = QueryOptions {
        take: step.take,
        limit: step.limit,
        reverse: step.reverse,
        cursor: cursor.filter(|_| step.next_page),
        read_budget: None,
        tenant: None,
    };
    let page = runtime.query(&caller, pattern, arguments, &options).await?;
    Ok(Outcome { records: page.records.clone(), page: Some(page) })
}

async fn caller(runtime: &Runtime, step: &Step) -> Result<Caller, Error> {
    let Some(text) = step.caller.clone() else { return Ok(Caller::superuser("scenario")) };
    let is_looked_up = text.is_looked_up();
    let caller = text.into_caller();
    if is_looked_up { runtime.resolve_caller(caller).await } else { Ok(caller) }
}

/// The operators and conditions of a step.
fn patch_options(entity: &Entity, step: &Step) -> Result<PatchOptions, Error> {
    let Step { set, remove, add, subtract, append, prepend, condition, with, .. } = step;
    let mut members = Map::new();
    for (name, values) in [("set", set), ("add", add), ("subtract", subtract), ("append", append), ("prepend", prepend)]
    {
        members.insert(name.to_owned(), Value::Object(values.clone()));
    }
    members.insert("remove".to_owned(), remove.as_slice().into());
    if let Some(condition) = condition {
        members.insert(json_operators::IF.to_owned(), condition.as_str().into());
        members.insert(json_operators::WITH.to_owned(), Value::Object(with.clone()));
    }
    let options = json_operators::take(entity, &mut members)?;
    Ok(PatchOptions { expected_version: step.expected_version, ..options })
}

fn transaction_write(runtime: &Runtime, write: &Map<String, Value>) -> Result<Write, Error> {
    let wrong = || Error::Invalid("a write of a transaction is one verb with one entity".to_owned());
    let mut members = write.clone();
    let verb = members.keys().find_map(|name| WriteVerb::from_name(name)).ok_or_else(wrong)?;
    let Some(Value::Object(named)) = members.remove(verb.name()) else { return Err(wrong()) };
    let (entity, object) = named.iter().next().ok_or_else(wrong)?;
    let Value::Object(object) = object else { return Err(wrong()) };
    let attributes = attributes(runtime, entity, object)?;
    let options = match verb {
        WriteVerb::Patch => json_operators::take(runtime.entity(entity)?, &mut members)?,
        _ => PatchOptions::default(),
    };
    if !members.is_empty() {
        return Err(wrong());
    }
    let entity = entity.clone();
    Ok(match verb {
        WriteVerb::Create => Write::Create { entity, attributes },
        WriteVerb::Put => Write::Put { entity, attributes },
        WriteVerb::Upsert => Write::Upsert { entity, attributes },
        WriteVerb::Patch => Write::Patch { entity, attributes, options },
        WriteVerb::Delete => Write::Delete { entity, identity: attributes, options: DeleteOptions::default() },
    })
}

fn single_entry(named: &Option<Named>) -> Option<(&String, &Map<String, Value>)> {
    named.as_ref()?.iter().next()
}

fn attributes(runtime: &Runtime, entity: &str, object: &Map<String, Value>) -> Result<Attributes, Error> {
    json::attributes(runtime.entity(entity)?, object.clone())
}

/// Items as other programs write them: plain JSON, without the design's types. A set is written as DynamoDB writes it:
/// `{NS: [1, 2]}`.
fn plain_attributes(object: &Map<String, Value>) -> Result<Attributes, Error> {
    object.iter().map(|(name, value)| Ok((name.clone(), plain_value(name, value)?))).collect()
}

fn plain_value(name: &str, value: &Value) -> Result<AttributeValue, Error> {
    let only = value.as_object().filter(|members| members.len() == 1).and_then(|members| members.iter().next());
    match only {
        Some((tag, members)) if tag == "NS" => json::value_of(name, &AttributeType::NumberSet, members),
        Some((tag, members)) if tag == "SS" => json::value_of(name, &AttributeType::StringSet, members),
        _ => json::value_of(name, &AttributeType::Any, value),
    }
}

/// How the outcome differs from the expected one.
async fn difference(runtime: &Runtime, step: &Step, outcome: Result<Outcome, Error>) -> Result<Option<String>, Error> {
    let expected = &step.then;
    let outcome = match (outcome, &expected.fails) {
        (Err(error), Some(name)) => {
            let named = matches!(&error,
                Error::Constraint(violation) | Error::ImpossibleIdentity(violation) if violation.name == *name);
            if error.kind() != name && !named {
                return Ok(Some(format!("expected it to fail with `{name}`, and it failed with: {error}")));
            }
            Outcome::default()
        }
        (Err(error), None) => return Ok(Some(format!("it failed: {error}"))),
        (Ok(_), Some(name)) => return Ok(Some(format!("expected it to fail with `{name}`, and it did not"))),
        (Ok(outcome), None) => outcome,
    };
    if let Some(difference) = difference_in_response(runtime, expected, &outcome)? {
        return Ok(Some(difference));
    }
    difference_in_table(runtime, expected).await
}

fn difference_in_response(runtime: &Runtime, expected: &Expected, outcome: &Outcome) -> Result<Option<String>, Error> {
    let found = outcome.records.iter().map(|record| describe_record(runtime, record)).collect::<Vec<_>>().join("\n  ");
    if expected.nothing && !outcome.records.is_empty() {
        return Ok(Some(format!("expected nothing but got\n  {found}")));
    }
    if let Some(count) = expected.count
        && outcome.page.as_ref().map_or(outcome.records.len(), |page| page.count) != count
    {
        return Ok(Some(format!("expected {} but got\n  {found}", counted(count, "result"))));
    }
    if let Some(returns) = &expected.returns {
        if returns.len() != outcome.records.len() {
            return Ok(Some(format!(
                "expected {} but got {}:\n  {found}",
                counted(returns.len(), "item"),
                outcome.records.len()
            )));
        }
        for (named, record) in returns.iter().zip(&outcome.records) {
            for (entity, object) in named {
                let same_entity = runtime.entity(entity)?.id == record.entity;
                let wanted = attributes(runtime, entity, object)?;
                let same = wanted.iter().all(|(name, value)| match value {
                    AttributeValue::Null => !record.attributes.contains_key(name),
                    value => record.attributes.get(name) == Some(value),
                });
                if !same_entity || !same {
                    let wanted = Value::Object(object.clone());
                    return Ok(Some(format!(
                        "expected {entity} {wanted} but got {}",
                        describe_record(runtime, record)
                    )));
                }
            }
        }
    }
    if let Some(page) = &outcome.page {
        if expected.more.is_some_and(|more| more != page.cursor.is_some()) {
            return Ok(Some(format!("expected more: {:?} but the page says {:?}", expected.more, page.stop_reason)));
        }
        if let Some(difference) = difference_in_problems(expected, page)? {
            return Ok(Some(difference));
        }
        if let Some(units) = expected.read_units.filter(|units| (units - page.read_units).abs() > 1e-9) {
            return Ok(Some(format!("expected {} but it took {}", counted(units, "read unit"), page.read_units)));
        }
    }
    Ok(None)
}

fn difference_in_problems(expected: &Expected, page: &Page) -> Result<Option<String>, Error> {
    let Some(keys) = &expected.problems else { return Ok(None) };
    let wanted: Vec<Attributes> = keys.iter().map(plain_attributes).collect::<Result<_, _>>()?;
    if wanted.iter().eq(page.problems.iter().map(|problem| &problem.key)) {
        return Ok(None);
    }
    let lines = page
        .problems
        .iter()
        .map(|problem| format!("\n  {}: {}", Value::Object(json::object(&problem.key)), problem.cause));
    let found: String = lines.collect();
    let found = if found.is_empty() { " none".to_owned() } else { found };
    Ok(Some(format!("expected problems with {} but got{found}", counted(wanted.len(), "item"))))
}

fn describe_record(runtime: &Runtime, record: &Record) -> String {
    let name = &runtime.design[record.entity].name;
    format!("{name} {}", Value::Object(json::object(&record.attributes)))
}

async fn difference_in_table(runtime: &Runtime, expected: &Expected) -> Result<Option<String>, Error> {
    for (object, there) in
        expected.stored.iter().map(|object| (object, true)).chain(expected.absent.iter().map(|object| (object, false)))
    {
        let wanted = plain_attributes(object)?;
        let key: Attributes = wanted
            .iter()
            .filter(|(name, _)| runtime.design.is_table_key(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let input =
            GetItemInput { table_name: runtime.table.clone(), key, consistent_read: true, ..GetItemInput::default() };
        let found = runtime.backend.get_item(input).await?.item.map(Item::into_attributes).transpose();
        let found = found.map_err(keyfold_dynamo::ServiceError::from)?;
        match (found, there) {
            (None, false) => {}
            (Some(found), true) if found == wanted => {}
            (found, _) => {
                let found = found.map_or(Value::Null, |found| Value::Object(json::object(&found)));
                let wanted = if there { Value::Object(object.clone()) } else { Value::Null };
                return Ok(Some(format!("expected to be stored\n  {wanted}\nand stored is\n  {found}")));
            }
        }
    }
    Ok(None)
}
