//! An evaluator of conditions that is easy to verify, which the real one must agree with.

use keyfold_dynamo::expression::{Comparison, Condition, Operand, PathStep};
use keyfold_dynamo::value::AttributeValue::{self, B, Bool, Bs, L, M, N, Ns, Null, S, Ss};
use keyfold_dynamo::{Attributes, Number};

use crate::generated::naive_order;

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
