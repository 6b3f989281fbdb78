//! Random conditions that pass the service's checks of texts: what is left to be wrong is known only with an item.

use keyfold_dynamo::AttributeValue;

use crate::model::condition::{Condition, Operand, order};
use crate::model::generate::{ATTRIBUTES, bytes, number, text, usual_value, value};
use crate::model::path::{Path, Step, attribute};
use crate::model::random::Random;
use crate::model::schema::TableSchema;

pub(super) fn condition(random: &mut Random, table: &TableSchema, depth: usize) -> Condition {
    let mut names: Vec<&'static str> = ATTRIBUTES.to_vec();
    names.extend(table.key_parts().map(|(name, _)| name));
    condition_on(random, &names, depth)
}

pub(super) fn condition_on(random: &mut Random, names: &[&'static str], depth: usize) -> Condition {
    if depth > 0 && random.chance(40) {
        let mut inner = || Box::new(condition_on(random, names, depth - 1));
        let (one, two) = (inner(), inner());
        return match random.below(5) {
            0 => Condition::Not(one),
            1 | 2 => Condition::And(one, two),
            _ => Condition::Or(one, two),
        };
    }
    let path = path(random, names);
    match random.below(12) {
        0..4 => comparison(random, names, path),
        4 => {
            let (low, high) = bounds(random);
            Condition::Between(Operand::Path(path), Operand::Value(low), Operand::Value(high))
        }
        5 => {
            let candidates = (0..=random.below(2)).map(|_| Operand::Value(likely_value(random, &path))).collect();
            Condition::In(Operand::Path(path), candidates)
        }
        6 => Condition::Exists(path),
        7 | 8 => Condition::NotExists(path),
        9 => {
            let types = ["S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"];
            Condition::HasType(path, random.pick(&types))
        }
        10 => {
            let prefix = if random.chance(70) { text(random) } else { bytes(random) };
            Condition::BeginsWith(path, prefix)
        }
        _ => {
            let element = if random.chance(70) { text(random) } else { value(random, 1) };
            Condition::Contains(path, Operand::Value(element))
        }
    }
}

fn comparison(random: &mut Random, names: &[&'static str], one: Path) -> Condition {
    let operator = random.pick(&["=", "<>", "<", "<=", ">", ">="]);
    let ordered = !matches!(operator, "=" | "<>");
    match random.below(10) {
        0..6 => {
            let two = if ordered { ordered_value(random) } else { likely_value(random, &one) };
            Condition::Compare(Operand::Path(one), operator, Operand::Value(two))
        }
        6 | 7 => {
            let two = number(random);
            Condition::Compare(Operand::Size(one), operator, Operand::Value(two))
        }
        _ => {
            let two = path(random, names);
            // One path twice is refused before an item is looked at.
            let two = if two == one { Operand::Value(ordered_value(random)) } else { Operand::Path(two) };
            Condition::Compare(Operand::Path(one), operator, two)
        }
    }
}

fn ordered_value(random: &mut Random) -> AttributeValue {
    match random.below(3) {
        0 => text(random),
        1 => bytes(random),
        _ => number(random),
    }
}

fn likely_value(random: &mut Random, path: &Path) -> AttributeValue {
    match path.as_slice() {
        [Step::Field(name)] => usual_value(random, name),
        _ => value(random, 1),
    }
}

fn bounds(random: &mut Random) -> (AttributeValue, AttributeValue) {
    let kind = random.pick(&[number, text, bytes]);
    let (one, two) = (kind(random), kind(random));
    if order(&one, &two) == Some(std::cmp::Ordering::Greater) { (two, one) } else { (one, two) }
}

fn path(random: &mut Random, names: &[&'static str]) -> Path {
    let root = random.pick(names);
    let mut path = attribute(root);
    match root {
        "map" if random.chance(70) => {
            path.push(Step::Field(random.pick(&["x", "y", "deep"])));
            if random.chance(30) {
                path.push(Step::Field("z"));
            }
        }
        "list" if random.chance(70) => {
            path.push(Step::Index(random.below(4)));
            if random.chance(20) {
                path.push(Step::Field("x"));
            }
        }
        "note" if random.chance(15) => path.push(Step::Field("x")),
        _ => {}
    }
    path
}
