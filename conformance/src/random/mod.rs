//! Random sequences of operations on a few tables with few keys and few values, so that operations collide.
//!
//! A sequence is an ordinary scenario made from its seed alone: it can be played again, and shortened.

mod expression;
mod operation;
mod rng;
mod shape;
mod value;

use serde_json::json;

use crate::scenario::{Scenario, Step};
use rng::Rng;
use shape::{SHAPES, Shape};

const OPERATIONS: usize = 80;
/// The whole content of all tables and indexes is compared after this many operations.
const OPERATIONS_BETWEEN_INSPECTIONS: usize = 20;

/// The sequence of a seed.
#[must_use]
pub fn sequence(seed: u64) -> Scenario {
    let mut rng = Rng::new(seed);
    let shapes: Vec<&Shape> = SHAPES.iter().filter(|_| rng.one_in(2)).collect();
    let shapes = if shapes.is_empty() { SHAPES.iter().take(2).collect() } else { shapes };
    let mut steps: Vec<_> = shapes
        .iter()
        .map(|shape| Step::call(format!("create {}", shape.table), "CreateTable", shape.create_request()))
        .collect();
    for number in 1..=OPERATIONS {
        if let Some((name, request)) = operation::operation(&mut rng, &shapes) {
            steps.push(Step::call(format!("{number} {name}"), name, request));
        }
        if number % OPERATIONS_BETWEEN_INSPECTIONS == 0 {
            inspect(number, &shapes, &mut steps);
        }
    }
    Scenario { name: format!("random {seed}"), origin: format!("--random 1 --seed {seed}"), steps }
}

fn inspect(number: usize, shapes: &[&Shape], steps: &mut Vec<Step>) {
    for shape in shapes {
        let table = shape.table;
        steps.push(Step::call(format!("{number} all of {table}"), "Scan", json!({"TableName": table})));
        for index in shape.indexes {
            let request = json!({"TableName": table, "IndexName": index.name});
            steps.push(Step::call(format!("{number} all of {table} {}", index.name), "Scan", request));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_sequence() {
        let printed = |seed| format!("{:?}", sequence(seed).steps);
        assert_eq!(printed(7), printed(7));
        assert_ne!(printed(7), printed(8));
    }

    #[test]
    fn every_operation_occurs() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..20 {
            seen.extend(sequence(seed).steps.iter().map(|step| step.action.operation().to_owned()));
        }
        let seen: Vec<_> = seen.iter().map(String::as_str).collect();
        assert_eq!(
            seen,
            [
                "BatchGetItem",
                "BatchWriteItem",
                "CreateTable",
                "DeleteItem",
                "GetItem",
                "PutItem",
                "Query",
                "Scan",
                "TransactGetItems",
                "TransactWriteItems",
                "UpdateItem",
            ]
        );
    }
}
