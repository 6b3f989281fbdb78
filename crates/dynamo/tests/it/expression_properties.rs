//! Properties of the expression languages: printing and parsing agree, arbitrary text is only ever refused, and
//! evaluation agrees with a naive reading of the documentation.

use std::collections::BTreeSet;

use keyfold_dynamo::Attributes;
use keyfold_dynamo::expression::{
    Aliases, Condition, ConditionKind, Context, KeyCondition, PartitionRange, Path, PathStep, Printer, Projection,
    SortCondition, Update,
};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::value::AttributeValue::{self, L, N, S};
use proptest::prelude::*;

use crate::generated;
use crate::naive_evaluator::naively_matches;
use crate::request::{self, number, text, well_known_names, well_known_values};

fn context(aliases: &Aliases) -> Context<'_> {
    Context::new(aliases.names.as_ref(), aliases.values.as_ref(), true).unwrap()
}

/// Something like an expression: its tokens in any order.
fn token_soup() -> impl Strategy<Value = String> {
    let token = proptest::sample::select(vec![
        "a",
        "b",
        "name",
        "#a",
        "#zz",
        ":a",
        ":n",
        ":l",
        ":zz",
        "(",
        ")",
        ",",
        ".",
        "[",
        "]",
        "0",
        "12",
        "007",
        "=",
        "<>",
        "<",
        "<=",
        ">",
        ">=",
        "AND",
        "or",
        "NOT",
        "BETWEEN",
        "IN",
        "SET",
        "REMOVE",
        "ADD",
        "DELETE",
        "+",
        "-",
        "size",
        "begins_with",
        "contains",
        "attribute_exists",
        "attribute_type",
        "if_not_exists",
        "list_append",
        "!",
        "\"",
        "_",
        "é",
        "😀",
        " ",
        "\t",
    ]);
    let spaced = (token, proptest::sample::select(vec!["", " "])).prop_map(|(token, space)| format!("{token}{space}"));
    proptest::collection::vec(spaced, 0..30).prop_map(|tokens| tokens.concat())
}

/// Paths of which none leads to or into another, and none conflicts: each has a top-level attribute of its own.
fn distinct_paths() -> impl Strategy<Value = Vec<Path>> {
    proptest::collection::vec(generated::path(), 1..6).prop_map(|paths| {
        let mut roots = BTreeSet::new();
        paths.into_iter().filter(|path| roots.insert(path.root.clone())).collect()
    })
}

fn all_exist(paths: &[Path]) -> Condition {
    match paths {
        [path] => Condition::AttributeExists(path.clone()),
        paths => Condition::And(paths.iter().cloned().map(Condition::AttributeExists).collect()),
    }
}

/// A key condition on a text and a number.
fn partition_range() -> impl Strategy<Value = PartitionRange> {
    let value = || generated::decimal().prop_map(N);
    let sort = prop_oneof![
        value().prop_map(SortCondition::Equal),
        value().prop_map(SortCondition::Less),
        value().prop_map(SortCondition::LessOrEqual),
        value().prop_map(SortCondition::Greater),
        value().prop_map(SortCondition::GreaterOrEqual),
        (generated::decimal(), generated::decimal())
            .prop_map(|(one, two)| SortCondition::Between(N(one.min(two)), N(one.max(two)))),
    ];
    (generated::name(), "[ab]{1,3}", proptest::option::of((generated::name(), sort)))
        .prop_filter("two keys of one name", |(partition, _, sort)| {
            sort.as_ref().is_none_or(|(name, _)| name != partition)
        })
        .prop_map(|(name, value, sort)| PartitionRange { partition: (name, S(value)), sort })
}

fn parse_all(expression: &str) {
    let (names, values) = (well_known_names(), well_known_values());
    let mut context = Context::new(Some(&names), Some(&values), true).unwrap();
    let item = request::attributes([("a", number("1")), ("b", text("x"))]);
    if let Ok(condition) = Condition::parse(ConditionKind::Filter, expression, &mut context) {
        condition.matches(&item);
    }
    if let Ok(tree) = KeyCondition::parse(expression, &mut context) {
        let _ = tree.resolve(("a", KeyType::S), Some(("b", KeyType::N)));
    }
    if let Ok(projection) = Projection::parse(expression, &mut context) {
        projection.apply(&item);
    }
    if let Ok(update) = Update::parse(expression, &mut context) {
        let _ = update.apply(&item);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn arbitrary_text_is_only_refused(expression in "\\PC{0,60}") {
        parse_all(&expression);
    }

    #[test]
    fn arbitrary_tokens_are_only_refused(expression in token_soup()) {
        parse_all(&expression);
        parse_all(&format!("SET {expression}"));
        parse_all(&format!("a = :a AND {expression}"));
    }

    #[test]
    fn a_printed_condition_is_parsed_to_the_same_tree(condition in generated::condition()) {
        let mut printer = Printer::new();
        let expression = condition.print(&mut printer);
        let aliases = printer.into_aliases();
        let mut context = context(&aliases);
        prop_assert_eq!(Condition::parse(ConditionKind::Condition, &expression, &mut context), Ok(condition.clone()));
        prop_assert_eq!(context.finish(), Ok(()));
        prop_assert_eq!(condition.to_string(), expression);
        prop_assert_eq!(condition.check(ConditionKind::Condition), Ok(()));
    }

    #[test]
    fn a_printed_update_is_parsed_to_the_same_tree(expression in generated::update_expression()) {
        let (names, values) = (well_known_names(), well_known_values());
        let mut original = Context::new(Some(&names), Some(&values), true).unwrap();
        let update = Update::parse(&expression, &mut original).unwrap();
        let mut printer = Printer::new();
        let printed = update.print(&mut printer);
        let aliases = printer.into_aliases();
        let mut context = context(&aliases);
        prop_assert_eq!(Update::parse(&printed, &mut context), Ok(update.clone()));
        let Update { set, remove, add, delete, .. } = update.clone();
        prop_assert_eq!(Update::new(set, remove, add, delete), Ok(update));
        prop_assert_eq!(context.finish(), Ok(()));
    }

    #[test]
    fn a_printed_projection_is_parsed_to_the_same_paths(paths in distinct_paths()) {
        let mut printer = Printer::new();
        let condition = all_exist(&paths);
        let text = condition.print(&mut printer);
        let aliases = printer.into_aliases();
        let expression = text.replace("attribute_exists(", "").replace(')', "").replace(" AND ", ", ");
        let mut first = context(&aliases);
        let projection = Projection::parse(&expression, &mut first).unwrap();
        prop_assert_eq!(first.finish(), Ok(()));
        prop_assert_eq!(projection.paths(), paths.as_slice());
        let mut printer = Printer::new();
        let printed = projection.print(&mut printer);
        let aliases = printer.into_aliases();
        let mut second = context(&aliases);
        prop_assert_eq!(Projection::parse(&printed, &mut second), Ok(projection));
    }

    #[test]
    fn a_printed_key_condition_resolves_to_itself(range in partition_range()) {
        let mut printer = Printer::new();
        let expression = KeyCondition::from(range.clone()).print(&mut printer);
        let aliases = printer.into_aliases();
        let mut context = context(&aliases);
        let tree = KeyCondition::parse(&expression, &mut context).unwrap();
        prop_assert_eq!(context.finish(), Ok(()));
        prop_assert_eq!(&tree, &KeyCondition::from(range.clone()));
        prop_assert_eq!(tree.check(), Ok(()));
        let sort = range.sort.as_ref().map(|(name, _)| (name.as_str(), KeyType::N));
        let resolved: PartitionRange = tree.resolve((&range.partition.0, KeyType::S), sort).unwrap();
        prop_assert_eq!(resolved, range);
    }

    #[test]
    fn evaluation_agrees_with_the_naive_one(condition in generated::condition(), item in generated::item()) {
        prop_assert_eq!(condition.matches(&item), naively_matches(&condition, &item), "{}", condition);
    }

    #[test]
    fn a_projection_of_maps_finds_what_the_item_has(paths in distinct_paths(), item in generated::item()) {
        let fields: Vec<Path> = paths
            .into_iter()
            .filter(|path| path.rest.iter().all(|step| matches!(step, PathStep::Field(_))))
            .collect();
        prop_assume!(!fields.is_empty());
        let mut printer = Printer::new();
        let text = all_exist(&fields).print(&mut printer);
        let aliases = printer.into_aliases();
        let expression = text.replace("attribute_exists(", "").replace(')', "").replace(" AND ", ", ");
        let projected = Projection::parse(&expression, &mut context(&aliases)).unwrap().apply(&item);
        for path in &fields {
            prop_assert_eq!(path.find(&projected), path.find(&item));
        }
        for name in projected.keys() {
            prop_assert!(fields.iter().any(|path| path.root == *name));
        }
    }

    #[test]
    fn removed_indexes_are_those_of_the_old_list(
        length in 0..8usize, removed in proptest::collection::btree_set(0..10usize, 1..6), shuffled: bool,
    ) {
        let old: Vec<AttributeValue> = (0..length).map(|index| number(&index.to_string())).collect();
        let mut paths: Vec<String> = removed.iter().map(|index| format!("l[{index}]")).collect();
        if shuffled {
            paths.reverse();
        }
        let expected: Vec<AttributeValue> =
            old.iter().enumerate().filter(|(index, _)| !removed.contains(index)).map(|(_, value)| value.clone()).collect();
        let update = request::update(&format!("REMOVE {}", paths.join(", "))).unwrap();
        let updated = update.apply(&Attributes::from([("l".to_owned(), L(old))])).unwrap().item;
        prop_assert_eq!(&updated["l"], &L(expected));
    }

    #[test]
    fn written_indexes_replace_or_append_in_order(
        length in 0..6usize, written in proptest::collection::btree_set(0..12usize, 1..6),
        removed in proptest::collection::btree_set(0..12usize, 0..4), backwards: bool,
    ) {
        let removed: Vec<usize> = removed.into_iter().filter(|index| !written.contains(index)).collect();
        let old: Vec<AttributeValue> = (0..length).map(|index| number(&index.to_string())).collect();
        let mut expected: Vec<Option<AttributeValue>> = old.iter().cloned().map(Some).collect();
        for &index in &written {
            match expected.get_mut(index) {
                Some(place) if index < length => *place = Some(text("s")),
                _ => expected.push(Some(text("s"))),
            }
        }
        for &index in removed.iter().filter(|&&index| index < length) {
            expected[index] = None;
        }
        let mut actions: Vec<String> = written.iter().map(|index| format!("l[{index}] = :a")).collect();
        if backwards {
            actions.reverse();
        }
        let mut expression = format!("SET {}", actions.join(", "));
        if !removed.is_empty() {
            let paths: Vec<String> = removed.iter().map(|index| format!("l[{index}]")).collect();
            expression = format!("REMOVE {} {expression}", paths.join(", "));
        }
        let update = request::update(&expression).unwrap();
        let updated = update.apply(&Attributes::from([("l".to_owned(), L(old))])).unwrap().item;
        prop_assert_eq!(&updated["l"], &L(expected.into_iter().flatten().collect()));
    }

    #[test]
    fn an_update_touches_only_its_roots(expression in generated::update_expression(), item in generated::item()) {
        let update = request::update(&expression).unwrap();
        if let Ok(updated) = update.apply(&item) {
            let is_root = |name: &String| update.roots().any(|root| root == name);
            let rest = |attributes: &Attributes| -> Attributes {
                attributes.iter().filter(|(name, _)| !is_root(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
            };
            prop_assert_eq!(rest(&updated.item), rest(&item));
        }
    }
}
