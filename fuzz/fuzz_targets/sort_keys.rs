//! Sort keys: a Query returns the keys that its condition holds for, in their order, as a sorted list does.

#![no_main]

use std::cmp::Ordering;
use std::sync::{Arc, LazyLock};

use keyfold_dynamo::expression::Aliases;
use keyfold_dynamo::operation::{DeleteItemInput, PageOptions, PutItemInput, QueryInput};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{AttributeValue, Attributes, Backend, Item, ServiceError};
use keyfold_engine::Engine;
use keyfold_engine::store::MemoryStore;
use keyfold_fuzz::{create_table, engine_on, number};
use libfuzzer_sys::arbitrary::{self, Unstructured};
use libfuzzer_sys::fuzz_target;
use pollster::block_on;

const TYPES: [KeyType; 3] = [KeyType::S, KeyType::N, KeyType::B];
const CONDITIONS: [&str; 7] =
    ["sk = :a", "sk < :a", "sk <= :a", "sk > :a", "sk >= :a", "sk BETWEEN :a AND :b", "begins_with(sk, :a)"];

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let engine = engine_on(Arc::new(MemoryStore::default()));
    // A table's name has three characters at least.
    TYPES.into_iter().for_each(|key_type| create_table(&engine, &table_of(key_type), key_type));
    engine
});

fn table_of(key_type: KeyType) -> String {
    format!("keys_{}", key_type.as_str())
}

struct Case {
    key_type: KeyType,
    condition: usize,
    bounds: [AttributeValue; 2],
    forward: bool,
    keys: Vec<AttributeValue>,
}

fuzz_target!(|data: &[u8]| {
    let Ok(mut case) = case_of(&mut Unstructured::new(data)) else { return };
    case.keys.sort_by(order);
    case.keys.dedup();
    case.keys.retain(|key| put(case.key_type, key));
    let found = query(&case);
    case.keys.iter().for_each(|key| delete(case.key_type, key));
    match found {
        Ok(found) => {
            let mut expected: Vec<_> = case.keys.iter().filter(|key| holds(&case, key)).cloned().collect();
            if !case.forward {
                expected.reverse();
            }
            assert_eq!(found, expected, "{} {:?}", CONDITIONS[case.condition], case.bounds);
        }
        Err(error) => assert!(matches!(error, ServiceError::Validation(_)), "{error:?}"),
    }
});

fn case_of(bytes: &mut Unstructured<'_>) -> arbitrary::Result<Case> {
    let key_type = *bytes.choose(&TYPES)?;
    let condition = bytes.choose_index(CONDITIONS.len())?;
    let forward = bytes.arbitrary()?;
    let bounds = [key_of(key_type, bytes)?, key_of(key_type, bytes)?];
    let mut keys = Vec::new();
    while !bytes.is_empty() && keys.len() < 8 {
        keys.push(key_of(key_type, bytes)?);
    }
    // So that the bounds themselves are met.
    keys.push(bounds[0].clone());
    Ok(Case { key_type, condition, bounds, forward, keys })
}

fn key_of(key_type: KeyType, bytes: &mut Unstructured<'_>) -> arbitrary::Result<AttributeValue> {
    Ok(match key_type {
        KeyType::S => AttributeValue::S(bytes.arbitrary()?),
        KeyType::B => AttributeValue::B(bytes.arbitrary()?),
        KeyType::N => AttributeValue::N(number(bytes)?),
    })
}

fn item_of(key: &AttributeValue) -> Attributes {
    Attributes::from([("pk".to_owned(), AttributeValue::S("p".to_owned())), ("sk".to_owned(), key.clone())])
}

/// Whether the engine takes the key; it refuses empty and long ones.
fn put(key_type: KeyType, key: &AttributeValue) -> bool {
    let input = PutItemInput { table_name: table_of(key_type), item: item_of(key), ..PutItemInput::default() };
    block_on(ENGINE.put_item(input)).map_err(|error| assert!(matches!(error, ServiceError::Validation(_)))).is_ok()
}

fn delete(key_type: KeyType, key: &AttributeValue) {
    let input = DeleteItemInput { table_name: table_of(key_type), key: item_of(key), ..DeleteItemInput::default() };
    block_on(ENGINE.delete_item(input)).expect("a stored item can be deleted");
}

fn query(case: &Case) -> Result<Vec<AttributeValue>, ServiceError> {
    let condition = CONDITIONS[case.condition];
    let [low, high] = case.bounds.clone();
    let mut values = Attributes::from([(":p".to_owned(), AttributeValue::S("p".to_owned())), (":a".to_owned(), low)]);
    if condition.contains(":b") {
        values.insert(":b".to_owned(), high);
    }
    let aliases = Aliases { names: None, values: Some(values) };
    let input = QueryInput {
        table_name: table_of(case.key_type),
        key_condition: aliases.key_condition(&format!("pk = :p AND {condition}"))?,
        forward: case.forward,
        page: PageOptions::default(),
    };
    let items = block_on(ENGINE.query(input))?.items.unwrap_or_default();
    let sort_key = |item: Item| item.into_attributes().ok()?.remove("sk");
    Ok(items.into_iter().map(|item| sort_key(item).expect("every item has its keys")).collect())
}

fn order(left: &AttributeValue, right: &AttributeValue) -> Ordering {
    match (left, right) {
        (AttributeValue::S(left), AttributeValue::S(right)) => left.cmp(right),
        (AttributeValue::N(left), AttributeValue::N(right)) => left.cmp(right),
        (AttributeValue::B(left), AttributeValue::B(right)) => left.cmp(right),
        _ => unreachable!("the keys of one table have one type"),
    }
}

fn holds(case: &Case, key: &AttributeValue) -> bool {
    let [low, high] = case.bounds.each_ref().map(|bound| order(key, bound));
    match CONDITIONS[case.condition] {
        "sk = :a" => low.is_eq(),
        "sk < :a" => low.is_lt(),
        "sk <= :a" => low.is_le(),
        "sk > :a" => low.is_gt(),
        "sk >= :a" => low.is_ge(),
        "sk BETWEEN :a AND :b" => low.is_ge() && high.is_le(),
        _ => match (key, &case.bounds[0]) {
            (AttributeValue::S(key), AttributeValue::S(prefix)) => key.starts_with(prefix.as_str()),
            (AttributeValue::B(key), AttributeValue::B(prefix)) => key.starts_with(prefix),
            _ => false,
        },
    }
}
