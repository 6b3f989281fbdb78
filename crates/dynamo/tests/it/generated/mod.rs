//! Generated trees, expressions and items, and the naive evaluator they are checked with.

use std::collections::BTreeSet;

use keyfold_dynamo::expression::{Comparison, Condition, Operand, PartitionRange, Path, PathStep, SortCondition};
use keyfold_dynamo::value::AttributeValue::{self, B, Bool, Bs, L, M, N, Ns, Null, S, Ss};
use keyfold_dynamo::value::ValueType;
use keyfold_dynamo::{Attributes, Number};
use proptest::prelude::*;
use proptest::sample::select;

/// Names that stand bare and names that need an alias.
fn name() -> impl Strategy<Value = String> {
    select(vec!["a", "b", "c", "d", "name", "REMOVE", "set", "with space", "a.b", "_u", "1x", "é", "size", "x9_"])
        .prop_map(str::to_owned)
}

fn step() -> impl Strategy<Value = PathStep> {
    prop_oneof![name().prop_map(PathStep::Field), (0..4usize).prop_map(PathStep::Index)]
}

fn path() -> impl Strategy<Value = Path> {
    (name(), proptest::collection::vec(step(), 0..3)).prop_map(|(root, rest)| Path { root, rest })
}

/// Paths of which none leads to or into another, and none conflicts: each has a top-level attribute of its own.
pub(crate) fn distinct_paths() -> impl Strategy<Value = Vec<Path>> {
    proptest::collection::vec(path(), 1..6).prop_map(|paths| {
        let mut roots = BTreeSet::new();
        paths.into_iter().filter(|path| roots.insert(path.root.clone())).collect()
    })
}

pub(crate) fn all_exist(paths: &[Path]) -> Condition {
    match paths {
        [path] => Condition::AttributeExists(path.clone()),
        paths => Condition::And(paths.iter().cloned().map(Condition::AttributeExists).collect()),
    }
}

fn decimal() -> impl Strategy<Value = Number> {
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

/// A key condition on a text and a number.
pub(crate) fn partition_range() -> impl Strategy<Value = PartitionRange> {
    let value = || decimal().prop_map(N);
    let sort = prop_oneof![
        value().prop_map(SortCondition::Equal),
        value().prop_map(SortCondition::Less),
        value().prop_map(SortCondition::LessOrEqual),
        value().prop_map(SortCondition::Greater),
        value().prop_map(SortCondition::GreaterOrEqual),
        (decimal(), decimal()).prop_map(|(one, two)| SortCondition::Between(N(one.min(two)), N(one.max(two)))),
    ];
    (name(), "[ab]{1,3}", proptest::option::of((name(), sort)))
        .prop_filter("two keys of one name", |(partition, _, sort)| {
            sort.as_ref().is_none_or(|(name, _)| name != partition)
        })
        .prop_map(|(name, value, sort)| PartitionRange { partition: (name, S(value)), sort })
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

fn naive_order(one: &AttributeValue, two: &AttributeValue) -> Option<std::cmp::Ordering> {
    match (one, two) {
        (S(one), S(two)) => Some(one.chars().cmp(two.chars())),
        (N(one), N(two)) => Some((one.checked_sub(two).unwrap()).cmp(&Number::ZERO)),
        (B(one), B(two)) => Some(one.iter().map(|&byte| u32::from(byte)).cmp(two.iter().map(|&byte| u32::from(byte)))),
        _ => None,
    }
}

fn naive_operand(operand: &Operand, item: &Attributes) -> Option<AttributeValue> {
    match operand {
        Operand::Value(value) => Some(value.clone()),
        Operand::Path(path) => {
            let mut found = item.get(&path.root)?.clone();
            for step in &path.rest {
                found = match (found, step) {
                    (M(mut map), PathStep::Field(name)) => map.remove(name)?,
                    (L(list), PathStep::Index(index)) => list.into_iter().nth(*index)?,
                    _ => return None,
                };
            }
            Some(found)
        }
        Operand::Size(inner) => {
            let size = match naive_operand(inner, item)? {
                S(text) => text.chars().map(char::len_utf16).sum(),
                B(bytes) => bytes.len(),
                L(list) => list.len(),
                M(map) => map.len(),
                Ss(set) => set.len(),
                Ns(set) => set.len(),
                Bs(set) => set.len(),
                N(_) | Bool(_) | Null => return None,
            };
            Some(N(Number::from(size as u64)))
        }
    }
}

/// The documentation of conditions, read without a thought of speed.
pub(crate) fn naively_matches(condition: &Condition, item: &Attributes) -> bool {
    let find = |operand: &Operand| naive_operand(operand, item);
    match condition {
        Condition::Compare { left, operator: Comparison::Equal, right } => {
            find(left).is_some() && find(left) == find(right)
        }
        Condition::Compare { left, operator: Comparison::NotEqual, right } => {
            let equal = Condition::Compare { left: left.clone(), operator: Comparison::Equal, right: right.clone() };
            !naively_matches(&equal, item)
        }
        Condition::Compare { left, operator, right } => {
            let order = find(left).zip(find(right)).and_then(|(left, right)| naive_order(&left, &right));
            order.is_some_and(|order| match operator {
                Comparison::Less => order.is_lt(),
                Comparison::LessOrEqual => !order.is_gt(),
                Comparison::Greater => order.is_gt(),
                _ => !order.is_lt(),
            })
        }
        Condition::Between { operand, low, high } => {
            let compare = |left: &Operand, right: &Operand| Condition::Compare {
                left: left.clone(),
                operator: Comparison::LessOrEqual,
                right: right.clone(),
            };
            naively_matches(&compare(low, operand), item) && naively_matches(&compare(operand, high), item)
        }
        Condition::In { operand, candidates } => {
            find(operand).is_some_and(|value| candidates.iter().filter_map(find).any(|candidate| candidate == value))
        }
        Condition::AttributeExists(path) => find(&Operand::Path(path.clone())).is_some(),
        Condition::AttributeNotExists(path) => find(&Operand::Path(path.clone())).is_none(),
        Condition::AttributeType { operand, value_type } => {
            find(operand).is_some_and(|value| value.value_type().as_str() == value_type.as_str())
        }
        Condition::BeginsWith { operand, prefix } => match (find(operand), find(prefix)) {
            (Some(S(text)), Some(S(prefix))) => text.strip_prefix(prefix.as_str()).is_some(),
            (Some(B(bytes)), Some(B(prefix))) => bytes.strip_prefix(prefix.as_slice()).is_some(),
            _ => false,
        },
        Condition::Contains { operand, element } => match (find(operand), find(element)) {
            (Some(S(text)), Some(S(part))) => text.find(part.as_str()).is_some(),
            (Some(B(bytes)), Some(B(part))) => (0..=bytes.len()).any(|start| bytes[start..].starts_with(&part)),
            (Some(Ss(set)), Some(S(element))) => set.iter().any(|member| *member == element),
            (Some(Ns(set)), Some(N(element))) => set.iter().any(|member| *member == element),
            (Some(Bs(set)), Some(B(element))) => set.iter().any(|member| *member == element),
            (Some(L(list)), Some(element)) => list.into_iter().any(|member| member == element),
            _ => false,
        },
        Condition::Not(inner) => !naively_matches(inner, item),
        Condition::And(terms) => terms.iter().filter(|term| naively_matches(term, item)).count() == terms.len(),
        Condition::Or(terms) => terms.iter().filter(|term| naively_matches(term, item)).count() > 0,
    }
}
