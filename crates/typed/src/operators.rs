//! Operators of generated patches.

use keyfold_dynamo::AttributeValue;
use keyfold_runtime::{Operator, OperatorAction, Operators};

use crate::value::ToValue;

/// Adds to a number or a set.
pub fn add<T: ToValue + ?Sized>(operators: &mut Operators, name: &str, value: &T) {
    push(operators, name, OperatorAction::Add(value.to_value()));
}

/// Subtracts from a number, or removes members from a set.
pub fn subtract<T: ToValue + ?Sized>(operators: &mut Operators, name: &str, value: &T) {
    push(operators, name, OperatorAction::Subtract(value.to_value()));
}

/// Adds elements at the end of a list.
pub fn append<T: ToValue>(operators: &mut Operators, name: &str, elements: &[T]) {
    push(operators, name, OperatorAction::Append(values(elements)));
}

/// Adds elements at the beginning of a list.
pub fn prepend<T: ToValue>(operators: &mut Operators, name: &str, elements: &[T]) {
    push(operators, name, OperatorAction::Prepend(values(elements)));
}

fn values<T: ToValue>(elements: &[T]) -> Vec<AttributeValue> {
    elements.iter().map(ToValue::to_value).collect()
}

fn push(operators: &mut Operators, name: &str, action: OperatorAction) {
    operators.push(Operator { path: name.to_owned(), action });
}
