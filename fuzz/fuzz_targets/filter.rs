//! Filter expressions: they are accepted and refused as condition expressions are, with the same trees and texts.

#![no_main]

use keyfold_dynamo::expression::{Condition, ConditionKind, Context};
use keyfold_fuzz::{ITEMS, NAMES, VALUES, expression_text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some(text) = expression_text(data) else { return };
    let parse = |kind| {
        let mut context = Context::new(Some(&*NAMES), Some(&*VALUES), true).expect("the aliases are valid");
        Condition::parse(kind, &text, &mut context)
    };
    match (parse(ConditionKind::Filter), parse(ConditionKind::Condition)) {
        (Ok(filter), Ok(condition)) => {
            assert_eq!(filter, condition);
            for item in &*ITEMS {
                filter.matches(item);
            }
        }
        (Err(filter), Err(condition)) => {
            let (filter, condition) = (filter.to_string(), condition.to_string());
            assert_eq!(filter.replacen("FilterExpression", "ConditionExpression", 1), condition);
        }
        (filter, condition) => panic!("{filter:?}, but {condition:?}"),
    }
});
