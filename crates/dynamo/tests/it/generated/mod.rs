//! Generated trees, expressions and items. The tests of `aws` use them as well.

use keyfold_dynamo::expression::{Comparison, Condition, Operand, Path, PathStep};
use keyfold_dynamo::value::AttributeValue::{self, B, Bool, Bs, L, M, N, Ns, Null, S, Ss};
use keyfold_dynamo::value::ValueType;
use keyfold_dynamo::{Attributes, Number};
use proptest::prelude::*;
use proptest::sample::select;

/// Names that stand bare and names that need an alias.
pub(crate) fn name() -> impl Strategy<Value = String> {
    select(vec!["a", "b", "c", "d", "name", "REMOVE", "set", "with space", "a.b", "_u", "1x", "é", "size", "x9_"])
        .prop_map(str::to_owned)
}

fn step() -> impl Strategy<Value = PathStep> {
    prop_oneof![name().prop_map(PathStep::Field), (0..4usize).prop_map(PathStep::Index)]
}

pub(crate) fn path() -> impl Strategy<Value = Path> {
    (name(), proptest::collection::vec(step(), 0..3)).prop_map(|(root, rest)| Path { root, rest })
}

pub(crate) fn decimal() -> impl Strategy<Value = Number> {
    (-20..20i64, 0..3u32).prop_map(|(value, places)| Number::parse(&format!("{value}E-{places}")).unwrap())
}

fn ordered_value() -> impl Strategy<Value = AttributeValue> {
    prop_oneof![
        "[ab]{0,3}".prop_map(S),
        decimal().prop_map(N),
        proptest::collection::vec(select(vec![0u8, 1, 127, 128, 255]), 0..3).prop_map(B),
    ]
}

pub(crate) fn value() -> impl Strategy<Value = AttributeValue> {
    let leaf = prop_oneof![
        4 => ordered_value(),
        1 => any::<bool>().prop_map(Bool),
        1 => Just(Null),
        1 => proptest::collection::btree_set("[ab]{0,2}", 1..3).prop_map(Ss),
        1 => proptest::collection::btree_set(decimal(), 1..3).prop_map(Ns),
        1 => proptest::collection::btree_set(proptest::collection::vec(any::<u8>(), 0..2), 1..3).prop_map(Bs),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(L),
            proptest::collection::btree_map(name(), inner, 0..3).prop_map(M),
        ]
    })
}

pub(crate) fn item() -> impl Strategy<Value = Attributes> {
    proptest::collection::btree_map(name(), value(), 0..8)
}

fn sized_value() -> impl Strategy<Value = AttributeValue> {
    value().prop_filter("numbers, booleans and null have no size", |value| !matches!(value, N(_) | Bool(_) | Null))
}

fn size() -> impl Strategy<Value = Operand> {
    prop_oneof![path().prop_map(Operand::Path), sized_value().prop_map(Operand::Value)]
        .prop_map(|inner| Operand::Size(Box::new(inner)))
}

fn operand_of(value: impl Strategy<Value = AttributeValue>) -> impl Strategy<Value = Operand> {
    prop_oneof![4 => path().prop_map(Operand::Path), 3 => value.prop_map(Operand::Value), 1 => size()]
}

/// Whether the first operand is a path that the others have too, which DynamoDB refuses.
fn repeats_first(operands: &[&Operand]) -> bool {
    matches!(operands, [first @ Operand::Path(_), rest @ ..] if rest.contains(first))
}

fn comparison() -> impl Strategy<Value = Condition> {
    let equality = (operand_of(value()), select(vec![Comparison::Equal, Comparison::NotEqual]), operand_of(value()));
    let order = (
        operand_of(ordered_value()),
        select(vec![Comparison::Less, Comparison::LessOrEqual, Comparison::Greater, Comparison::GreaterOrEqual]),
        operand_of(ordered_value()),
    );
    prop_oneof![equality, order]
        .prop_filter("one path twice", |(left, _, right)| !repeats_first(&[left, right]))
        .prop_map(|(left, operator, right)| Condition::Compare { left, operator, right })
}

fn between() -> impl Strategy<Value = Condition> {
    (operand_of(ordered_value()), operand_of(ordered_value()), operand_of(ordered_value()))
        .prop_map(|(operand, low, high)| match (&low, &high) {
            (Operand::Value(one), Operand::Value(two)) if naive_order(one, two).is_none_or(|order| order.is_gt()) => {
                let high = low.clone();
                Condition::Between { operand, low, high }
            }
            _ => Condition::Between { operand, low, high },
        })
        .prop_filter("one path twice", |condition| match condition {
            Condition::Between { operand, low, high } => !repeats_first(&[operand, low, high]),
            _ => true,
        })
}

fn function() -> impl Strategy<Value = Condition> {
    let types = select(vec![
        ValueType::S,
        ValueType::N,
        ValueType::B,
        ValueType::Bool,
        ValueType::Null,
        ValueType::M,
        ValueType::L,
        ValueType::Ss,
        ValueType::Ns,
        ValueType::Bs,
    ]);
    let stringlike = || {
        let value = ordered_value().prop_filter("numbers have no beginning", |value| !matches!(value, N(_)));
        prop_oneof![path().prop_map(Operand::Path), value.prop_map(Operand::Value)]
    };
    let candidates = proptest::collection::vec(operand_of(value()), 1..4);
    prop_oneof![
        path().prop_map(Condition::AttributeExists),
        path().prop_map(Condition::AttributeNotExists),
        (operand_of(value()), types).prop_map(|(operand, value_type)| Condition::AttributeType { operand, value_type }),
        (stringlike(), stringlike())
            .prop_filter("one path twice", |(operand, prefix)| !repeats_first(&[operand, prefix]))
            .prop_map(|(operand, prefix)| Condition::BeginsWith { operand, prefix }),
        (operand_of(value()), operand_of(value()))
            .prop_filter("one path twice", |(operand, element)| !repeats_first(&[operand, element]))
            .prop_map(|(operand, element)| Condition::Contains { operand, element }),
        (operand_of(value()), candidates)
            .prop_filter("one path twice", |(operand, candidates)| {
                !repeats_first(&std::iter::once(operand).chain(candidates).collect::<Vec<_>>())
            })
            .prop_map(|(operand, candidates)| Condition::In { operand, candidates }),
    ]
}

/// A condition that DynamoDB accepts.
pub(crate) fn condition() -> impl Strategy<Value = Condition> {
    let leaf = prop_oneof![comparison(), between(), function()];
    leaf.prop_recursive(4, 12, 3, |inner| {
        let terms = || proptest::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            inner.clone().prop_map(|inner| Condition::Not(Box::new(inner))),
            terms().prop_map(Condition::And),
            terms().prop_map(Condition::Or),
        ]
    })
}

/// A valid update, as text with the well-known aliases. Every action has a top-level attribute of its own.
pub(crate) fn update_expression() -> impl Strategy<Value = String> {
    let source = || select(vec!["a", "b.c", "c[1]", "#n", "d", ":a", ":n", ":l", ":ss", ":map"]);
    let operand = prop_oneof![
        source().prop_map(str::to_owned),
        (select(vec!["p", "q.r"]), source())
            .prop_map(|(path, otherwise)| format!("if_not_exists({path}, {otherwise})")),
        (select(vec!["a", "c[0]", ":l"]), select(vec!["b", "if_not_exists(p, :l)"]))
            .prop_map(|(first, second)| format!("list_append({first}, {second})")),
        (select(vec!["a", ":n", "if_not_exists(d, :m)"]), select(vec!["+", "-"]), select(vec!["b.c", ":m"]))
            .prop_map(|(left, operator, right)| format!("({left} {operator} {right})")),
    ];
    let suffix = || select(vec!["", "", ".x", "[1]", "[7]", ".#n", "[0].y"]);
    let actions = proptest::collection::vec((operand, suffix()), 0..3);
    let removals = proptest::collection::vec(suffix(), 0..3);
    let additions = proptest::collection::vec((suffix(), select(vec![":n", ":ss", ":ns", ":bs"])), 0..2);
    let deletions = proptest::collection::vec((suffix(), select(vec![":ss", ":ns", ":bs"])), 0..2);
    (actions, removals, additions, deletions)
        .prop_filter("no action", |(set, remove, add, delete)| {
            !(set.is_empty() && remove.is_empty() && add.is_empty() && delete.is_empty())
        })
        .prop_map(|(set, remove, add, delete)| {
            let mut roots = ["a", "b", "c", "d", "#n", "x9_", "e", "f", "g"].into_iter();
            let mut root = move || roots.next().unwrap();
            let set: Vec<String> =
                set.iter().map(|(operand, suffix)| format!("{}{suffix} = {operand}", root())).collect();
            let remove: Vec<String> = remove.iter().map(|suffix| format!("{}{suffix}", root())).collect();
            let mut pairs = |pairs: &[(&str, &str)]| -> Vec<String> {
                pairs.iter().map(|(suffix, value)| format!("{}{suffix} {value}", root())).collect()
            };
            let sections = [("SET", set), ("REMOVE", remove), ("ADD", pairs(&add)), ("DELETE", pairs(&delete))];
            let written = sections.iter().filter(|(_, actions)| !actions.is_empty());
            written.map(|(keyword, actions)| format!("{keyword} {}", actions.join(", "))).collect::<Vec<_>>().join(" ")
        })
}

/// The order of two values, found without a thought of speed.
pub(crate) fn naive_order(one: &AttributeValue, two: &AttributeValue) -> Option<std::cmp::Ordering> {
    match (one, two) {
        (S(one), S(two)) => Some(one.chars().cmp(two.chars())),
        (N(one), N(two)) => Some((one.checked_sub(two).unwrap()).cmp(&Number::ZERO)),
        (B(one), B(two)) => Some(one.iter().map(|&byte| u32::from(byte)).cmp(two.iter().map(|&byte| u32::from(byte)))),
        _ => None,
    }
}
