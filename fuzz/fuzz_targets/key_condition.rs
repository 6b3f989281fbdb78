//! Key conditions: what a key schema makes of a tree holds for the same keys as the tree itself does.

#![no_main]

use keyfold_dynamo::expression::{Context, KeyCondition, PartitionRange, SortCondition};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_fuzz::{NAMES, VALUES, expression_text, reparse};
use libfuzzer_sys::fuzz_target;
use std::cmp::Ordering;

fuzz_target!(|data: &[u8]| {
    let Some(text) = expression_text(data) else { return };
    let mut context = Context::new(Some(&*NAMES), Some(&*VALUES), true).expect("the aliases are valid");
    let Ok(tree) = KeyCondition::parse(&text, &mut context) else { return };
    if let Some(again) = reparse(|printer| tree.print(printer), KeyCondition::parse) {
        assert_eq!(again, tree);
    }
    for sort_type in [None, Some(KeyType::S), Some(KeyType::N), Some(KeyType::B)] {
        for partition_type in [KeyType::S, KeyType::N, KeyType::B] {
            let sort = sort_type.map(|sort_type| ("s", sort_type));
            let on_table = tree.resolve(("a", partition_type), sort);
            let on_index = tree.resolve_in(Some("index"), ("a", partition_type), sort);
            assert_eq!(on_table.is_ok(), on_index.is_ok());
            let Ok(range) = on_table else { continue };
            check(&tree, &range, &VALUES);
            let condition = KeyCondition::from(range.clone());
            if let Some(again) = reparse(|printer| condition.print(printer), KeyCondition::parse) {
                assert_eq!(again.resolve(("a", partition_type), sort), Ok(range));
            }
        }
    }
});

/// Compares the condition with the tree for all pairs of values.
fn check(tree: &KeyCondition, condition: &PartitionRange, values: &Attributes) {
    for partition in values.values() {
        for sort in values.values() {
            let item = Attributes::from([("a".to_owned(), partition.clone()), ("s".to_owned(), sort.clone())]);
            let in_range = condition.sort.as_ref().is_none_or(|(name, test)| {
                assert_eq!(name, "s");
                holds(test, sort)
            });
            let expected = condition.partition == ("a".to_owned(), partition.clone()) && in_range;
            assert_eq!(tree.condition.matches(&item), expected, "{tree:?} {condition:?} {item:?}");
        }
    }
}

fn holds(test: &SortCondition, key: &AttributeValue) -> bool {
    let order = |bound: &AttributeValue| match (key, bound) {
        (AttributeValue::S(key), AttributeValue::S(bound)) => Some(key.cmp(bound)),
        (AttributeValue::N(key), AttributeValue::N(bound)) => Some(key.cmp(bound)),
        (AttributeValue::B(key), AttributeValue::B(bound)) => Some(key.cmp(bound)),
        _ => None,
    };
    match test {
        SortCondition::Equal(bound) => order(bound).is_some_and(Ordering::is_eq),
        SortCondition::Less(bound) => order(bound).is_some_and(Ordering::is_lt),
        SortCondition::LessOrEqual(bound) => order(bound).is_some_and(Ordering::is_le),
        SortCondition::Greater(bound) => order(bound).is_some_and(Ordering::is_gt),
        SortCondition::GreaterOrEqual(bound) => order(bound).is_some_and(Ordering::is_ge),
        SortCondition::Between(low, high) => {
            order(low).is_some_and(Ordering::is_ge) && order(high).is_some_and(Ordering::is_le)
        }
        SortCondition::BeginsWith(prefix) => match (key, prefix) {
            (AttributeValue::S(key), AttributeValue::S(prefix)) => key.starts_with(prefix.as_str()),
            (AttributeValue::B(key), AttributeValue::B(prefix)) => key.starts_with(prefix),
            _ => false,
        },
    }
}
