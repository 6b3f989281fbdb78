//! DynamoDB's values as the expression language sees them.

use std::collections::HashMap;
use std::sync::Arc;

use cel::Value;
use keyfold_dynamo::{AttributeValue, Number};

use super::CallerView;
use super::exact::ExactNumber;

/// Sets are lists, whole numbers are integers and other numbers are floating point where it holds all their digits.
pub(super) fn of_attribute(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::S(text) => Value::from(text.as_str()),
        AttributeValue::N(number) => of_number(number),
        AttributeValue::B(bytes) => Value::from(bytes.clone()),
        AttributeValue::Bool(flag) => Value::Bool(*flag),
        AttributeValue::Null => Value::Null,
        AttributeValue::M(map) => {
            let entries: HashMap<String, Value> =
                map.iter().map(|(name, value)| (name.clone(), of_attribute(value))).collect();
            Value::from(entries)
        }
        AttributeValue::L(items) => Value::from(items.iter().map(of_attribute).collect::<Vec<_>>()),
        AttributeValue::Ss(set) => Value::from(set.iter().map(|text| Value::from(text.as_str())).collect::<Vec<_>>()),
        AttributeValue::Ns(set) => Value::from(set.iter().map(of_number).collect::<Vec<_>>()),
        AttributeValue::Bs(set) => Value::from(set.iter().map(|bytes| Value::from(bytes.clone())).collect::<Vec<_>>()),
    }
}

fn of_number(number: &Number) -> Value {
    if let Some(whole) = number.to_i64() {
        return Value::Int(whole);
    }
    match number.to_f64() {
        Some(float) => Value::Float(float),
        None => Value::Opaque(Arc::new(ExactNumber(*number))),
    }
}

pub(super) fn of_caller(caller: CallerView<'_>) -> Value {
    let texts = |list: &[String]| Value::from(list.iter().map(|text| Value::from(text.as_str())).collect::<Vec<_>>());
    Value::from(HashMap::from([
        ("subject".to_owned(), caller.subject.map_or(Value::Null, Value::from)),
        ("tenant".to_owned(), caller.tenant.map_or(Value::Null, Value::from)),
        ("roles".to_owned(), texts(caller.roles)),
        ("groups".to_owned(), texts(caller.groups)),
    ]))
}
