//! Condition expressions: a tree that is printed is parsed to the same tree, and any tree can be evaluated.

#![no_main]

use keyfold_dynamo::expression::{Condition, ConditionKind, Context};
use keyfold_fuzz::{ITEMS, NAMES, VALUES, expression_text, reparse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some(text) = expression_text(data) else { return };
    let mut context = Context::new(Some(&*NAMES), Some(&*VALUES), true).expect("the aliases are valid");
    let Ok(condition) = Condition::parse(ConditionKind::Condition, &text, &mut context) else { return };
    let parse = |text: &str, context: &mut Context<'_>| Condition::parse(ConditionKind::Condition, text, context);
    if let Some(again) = reparse(|printer| condition.print(printer), parse) {
        assert_eq!(again, condition);
    }
    for item in &*ITEMS {
        condition.matches(item);
    }
});
