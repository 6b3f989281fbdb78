//! Requests of every data operation.

use serde_json::{Map, Value, json};

use super::expression::{self, Placeholders};
use super::rng::Rng;
use super::shape::{Index, Shape};
use super::value;

/// What `PutItem` and `DeleteItem` may return.
const PUT_VALUES: &[&str] = &["NONE", "ALL_OLD"];
/// What `UpdateItem` may return.
const ALL_VALUES: &[&str] = &["NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"];

/// An operation and its request.
pub(crate) fn operation(rng: &mut Rng, shapes: &[&Shape]) -> Option<(&'static str, Value)> {
    let shape = rng.choose(shapes).copied()?;
    let (name, mut request) = match rng.below(20) {
        0..=3 => ("PutItem", put(rng, shape)),
        4..=8 => ("UpdateItem", update(rng, shape)),
        9 | 10 => ("DeleteItem", delete(rng, shape)),
        11 => ("GetItem", get(rng, shape)),
        12..=14 => ("Query", query(rng, shape)),
        15 => ("Scan", scan(rng, shape)),
        16 => ("BatchWriteItem", batch_write(rng, shapes)),
        17 => ("BatchGetItem", batch_get(rng, shapes)),
        18 => ("TransactWriteItems", transact_write(rng, shapes)),
        _ if rng.one_in(2) => ("TransactGetItems", transact_get(rng, shapes)),
        _ => ("TransactWriteItems", transact_write(rng, shapes)),
    };
    if rng.one_in(3) {
        let level = rng.pick(&["TOTAL", "INDEXES", "INDEXES", "NONE"]);
        request.insert("ReturnConsumedCapacity".to_owned(), level.into());
    }
    Some((name, Value::Object(request)))
}

fn request(shape: &Shape) -> Map<String, Value> {
    Map::from_iter([("TableName".to_owned(), shape.table.into())])
}

fn put(rng: &mut Rng, shape: &Shape) -> Map<String, Value> {
    let mut request = request(shape);
    request.insert("Item".to_owned(), value::item(rng, shape));
    let mut placeholders = Placeholders::default();
    conditional(rng, &mut request, &mut placeholders, PUT_VALUES);
    placeholders.attach(rng, &mut request);
    request
}

fn update(rng: &mut Rng, shape: &Shape) -> Map<String, Value> {
    let mut request = request(shape);
    request.insert("Key".to_owned(), value::item_key(rng, shape));
    let mut placeholders = Placeholders::default();
    if !rng.one_in(20) {
        let expression = expression::update(rng, &mut placeholders);
        request.insert("UpdateExpression".to_owned(), expression.into());
    }
    conditional(rng, &mut request, &mut placeholders, ALL_VALUES);
    placeholders.attach(rng, &mut request);
    request
}

fn delete(rng: &mut Rng, shape: &Shape) -> Map<String, Value> {
    let mut request = request(shape);
    request.insert("Key".to_owned(), value::item_key(rng, shape));
    let mut placeholders = Placeholders::default();
    conditional(rng, &mut request, &mut placeholders, PUT_VALUES);
    placeholders.attach(rng, &mut request);
    request
}

/// Perhaps a condition, perhaps return values.
fn conditional(rng: &mut Rng, request: &mut Map<String, Value>, placeholders: &mut Placeholders, values: &[&str]) {
    if rng.one_in(3) {
        let condition = expression::condition(rng, placeholders, 2);
        request.insert("ConditionExpression".to_owned(), condition.into());
        if rng.one_in(2) {
            request.insert("ReturnValuesOnConditionCheckFailure".to_owned(), "ALL_OLD".into());
        }
    }
    if rng.one_in(2) {
        let values = if rng.one_in(40) { ALL_VALUES } else { values };
        request.insert("ReturnValues".to_owned(), rng.pick(values).into());
    }
    if rng.one_in(6) {
        request.insert("ReturnItemCollectionMetrics".to_owned(), "SIZE".into());
    }
}

fn get(rng: &mut Rng, shape: &Shape) -> Map<String, Value> {
    let mut request = request(shape);
    request.insert("Key".to_owned(), value::item_key(rng, shape));
    request.insert("ConsistentRead".to_owned(), rng.one_in(2).into());
    projected(rng, &mut request);
    request
}

fn projected(rng: &mut Rng, request: &mut Map<String, Value>) {
    if rng.one_in(2) {
        let mut placeholders = Placeholders::default();
        let projection = expression::projection(rng, &mut placeholders);
        request.insert("ProjectionExpression".to_owned(), projection.into());
        placeholders.attach(rng, request);
    }
}

fn query(rng: &mut Rng, shape: &Shape) -> Map<String, Value> {
    let mut request = request(shape);
    let index = index_of(rng, shape);
    let (partition, sort) = index.map_or((shape.partition, shape.sort), |index| (index.partition, index.sort));
    let mut placeholders = Placeholders::default();
    let condition = expression::key_condition(rng, &mut placeholders, partition, sort);
    request.insert("KeyConditionExpression".to_owned(), condition.into());
    match index {
        Some(index) => drop(request.insert("IndexName".to_owned(), index.name.into())),
        None if rng.one_in(6) => {
            request.insert("ExclusiveStartKey".to_owned(), value::item_key(rng, shape));
        }
        None => {}
    }
    if rng.one_in(3) {
        request.insert("ScanIndexForward".to_owned(), rng.one_in(2).into());
    }
    reading(rng, &mut request, &mut placeholders);
    placeholders.attach(rng, &mut request);
    request
}

fn scan(rng: &mut Rng, shape: &Shape) -> Map<String, Value> {
    let mut request = request(shape);
    let index = index_of(rng, shape);
    let mut placeholders = Placeholders::default();
    reading(rng, &mut request, &mut placeholders);
    // DynamoDB Local filters a scan by attributes that the index lacks. A written scenario shows that; here it would
    // hide other differences.
    let index = index.filter(|index| index.projects_all() || !request.contains_key("FilterExpression"));
    if let Some(index) = index {
        request.insert("IndexName".to_owned(), index.name.into());
    }
    placeholders.attach(rng, &mut request);
    request
}

fn index_of<'a>(rng: &mut Rng, shape: &'a Shape) -> Option<&'a Index> {
    if rng.one_in(2) { rng.choose(shape.indexes) } else { None }
}

/// What queries and scans have in common.
fn reading(rng: &mut Rng, request: &mut Map<String, Value>, placeholders: &mut Placeholders) {
    if rng.one_in(3) {
        request.insert("FilterExpression".to_owned(), expression::condition(rng, placeholders, 2).into());
    }
    if rng.one_in(3) {
        request.insert("Limit".to_owned(), (if rng.one_in(25) { 0 } else { 1 + rng.below(5) }).into());
    }
    if rng.one_in(4) {
        request.insert("ConsistentRead".to_owned(), rng.one_in(2).into());
    }
    match rng.below(6) {
        0 => {
            let projection = expression::projection(rng, placeholders);
            request.insert("ProjectionExpression".to_owned(), projection.into());
        }
        1 => {
            let select = rng.pick(&["COUNT", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"]);
            request.insert("Select".to_owned(), select.into());
        }
        _ => {}
    }
}

/// A batch over several tables is sound: in which order DynamoDB looks at the tables, and so which of several errors it
/// reports, is not promised.
fn batch_write(rng: &mut Rng, shapes: &[&Shape]) -> Map<String, Value> {
    let only = if rng.one_in(2) { rng.choose(shapes).copied() } else { None };
    let mut tables: Map<String, Value> = Map::new();
    let mut keys: Vec<Map<String, Value>> = Vec::new();
    for _ in 0..=rng.below(4) {
        let Some(shape) = only.or_else(|| rng.choose(shapes).copied()) else { continue };
        let mut key = value::sound_key(rng, shape);
        key.insert("table".to_owned(), shape.table.into());
        if keys.contains(&key) && !(only.is_some() && rng.one_in(10)) {
            continue;
        }
        keys.push(key.clone());
        key.remove("table");
        let write = if rng.one_in(3) {
            json!({"DeleteRequest": {"Key": key}})
        } else {
            let item = if only.is_some() { value::item(rng, shape) } else { value::sound_item(rng, shape).into() };
            let members = item.as_object().into_iter().flatten().map(|(name, value)| (name.clone(), value.clone()));
            // The sound key wins over the item's own, so that duplicates stay as rare as decided above.
            json!({"PutRequest": {"Item": members.chain(key).collect::<Map<_, _>>()}})
        };
        if let Some(writes) = tables.entry(shape.table).or_insert_with(|| json!([])).as_array_mut() {
            writes.push(write);
        }
    }
    Map::from_iter([("RequestItems".to_owned(), tables.into())])
}

fn batch_get(rng: &mut Rng, shapes: &[&Shape]) -> Map<String, Value> {
    let mut tables = Map::new();
    let several = rng.one_in(2);
    for _ in 0..=usize::from(several) {
        let Some(shape) = rng.choose(shapes).copied() else { continue };
        let mut keys: Vec<Value> = Vec::new();
        for _ in 0..=rng.below(4) {
            let key = if several { value::sound_key(rng, shape).into() } else { value::item_key(rng, shape) };
            if !keys.contains(&key) || (!several && rng.one_in(20)) {
                keys.push(key);
            }
        }
        let mut wanted = Map::from_iter([("Keys".to_owned(), keys.into())]);
        if !several {
            projected(rng, &mut wanted);
        }
        if rng.one_in(3) {
            wanted.insert("ConsistentRead".to_owned(), true.into());
        }
        tables.insert(shape.table.to_owned(), wanted.into());
    }
    Map::from_iter([("RequestItems".to_owned(), tables.into())])
}

fn transact_write(rng: &mut Rng, shapes: &[&Shape]) -> Map<String, Value> {
    let mut actions = Vec::new();
    for _ in 0..=rng.below(4) {
        let Some(shape) = rng.choose(shapes).copied() else { continue };
        actions.push(transact_action(rng, shape));
    }
    let mut request = Map::from_iter([("TransactItems".to_owned(), actions.into())]);
    if rng.one_in(8) {
        request.insert("ClientRequestToken".to_owned(), rng.pick(&["$token:a", "$token:b"]).into());
    }
    request
}

fn transact_action(rng: &mut Rng, shape: &Shape) -> Value {
    let mut action = request(shape);
    let mut placeholders = Placeholders::default();
    let name = rng.pick(&["Put", "Put", "Update", "Update", "Delete", "ConditionCheck"]);
    match name {
        "Put" => drop(action.insert("Item".to_owned(), value::item(rng, shape))),
        _ => drop(action.insert("Key".to_owned(), value::item_key(rng, shape))),
    }
    if name == "Update" {
        let expression = expression::update(rng, &mut placeholders);
        action.insert("UpdateExpression".to_owned(), expression.into());
    }
    if name == "ConditionCheck" || rng.one_in(3) {
        let condition = if rng.one_in(2) {
            format!("{}(pk)", rng.pick(&["attribute_exists", "attribute_not_exists"]))
        } else {
            expression::condition(rng, &mut placeholders, 1)
        };
        action.insert("ConditionExpression".to_owned(), condition.into());
        if rng.one_in(2) {
            action.insert("ReturnValuesOnConditionCheckFailure".to_owned(), "ALL_OLD".into());
        }
    }
    placeholders.attach(rng, &mut action);
    json!({name: action})
}

fn transact_get(rng: &mut Rng, shapes: &[&Shape]) -> Map<String, Value> {
    let mut actions = Vec::new();
    for _ in 0..=rng.below(3) {
        let Some(shape) = rng.choose(shapes).copied() else { continue };
        let mut wanted = request(shape);
        wanted.insert("Key".to_owned(), value::item_key(rng, shape));
        projected(rng, &mut wanted);
        actions.push(json!({"Get": wanted}));
    }
    Map::from_iter([("TransactItems".to_owned(), actions.into())])
}
