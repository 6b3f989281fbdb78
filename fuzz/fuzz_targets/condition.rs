//! Condition expressions: a tree that is printed is parsed to the same tree, and any tree can be evaluated.

#![no_main]

use keyfold_dynamo::expression::{Condition, ConditionKind, Context};
use keyfold_fuzz::{names, reparse, sample_items, values};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (names, values) = (names(), values());
    let mut context = Context::new(Some(&names), Some(&values), true).expect("the aliases are valid");
    let Ok(condition) = Condition::parse(ConditionKind::Condition, text, &mut context) else { return };
    let parse = |text: &str, context: &mut Context<'_>| Condition::parse(ConditionKind::Condition, text, context);
    if let Some(again) = reparse(|printer| condition.print(printer), parse) {
        assert_eq!(again, condition);
    }
    for item in sample_items() {
        condition.matches(&item);
    }
});
