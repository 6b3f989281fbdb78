//! What the engine's tests have in common: values, tables, requests, and a clock that is set by hand.

pub(crate) mod gated_store;
pub(crate) mod requests;
pub(crate) mod tables;
pub(crate) mod tombstone_store;

use std::sync::Arc;

use keyfold_dynamo::{AttributeValue, Attributes, BackendFuture, Number, ServiceError};
use keyfold_engine::store::Durability;
use keyfold_engine::{Engine, Options};
use keyfold_environment::ManualClock;

pub(crate) fn s(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

pub(crate) fn n(text: impl ToString) -> AttributeValue {
    AttributeValue::N(Number::parse(&text.to_string()).unwrap())
}

pub(crate) fn b(bytes: &[u8]) -> AttributeValue {
    AttributeValue::B(bytes.to_vec())
}

pub(crate) fn item<const COUNT: usize>(attributes: [(&str, AttributeValue); COUNT]) -> Attributes {
    attributes.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Waits for an answer on this thread.
pub(crate) fn wait<T>(answer: BackendFuture<'_, T>) -> Result<T, ServiceError> {
    pollster::block_on(answer)
}

/// A number attribute as a whole number.
pub(crate) fn whole(item: &Attributes, name: &str) -> i64 {
    item[name].as_number().unwrap().to_i64().unwrap()
}

/// Commits are quick, and nothing happens in the background unless a test asks for it.
pub(crate) fn options() -> Options {
    Options { durability: Durability::Relaxed, sweep_interval: None, ..Options::default() }
}

pub(crate) fn memory() -> Engine {
    Engine::in_memory(options()).unwrap()
}

pub(crate) fn options_at(clock: &Arc<ManualClock>) -> Options {
    Options { clock: Arc::clone(clock) as _, ..options() }
}

/// Asserts that the engine finds nothing wrong with what it stored.
pub(crate) fn assert_sound(engine: &Engine) {
    assert_eq!(engine.check().unwrap(), Vec::new());
}

/// The text of a validation error.
pub(crate) fn validation_text<T: std::fmt::Debug>(result: Result<T, ServiceError>) -> String {
    match result {
        Err(ServiceError::Validation(text)) => text,
        other => panic!("expected a validation error, found {other:?}"),
    }
}
