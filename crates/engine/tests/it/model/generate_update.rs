//! Random updates whose paths do not overlap and whose operands pass the service's checks of texts.

use keyfold_dynamo::AttributeValue;

use crate::model::generate::{ATTRIBUTES, list, number, number_set, text_set, usual_value, value};
use crate::model::path::{Path, Step, attribute};
use crate::model::random::Random;
use crate::model::update::{Action, Source, Update};

pub(super) fn update(random: &mut Random) -> Update {
    let mut roots: Vec<&'static str> = (0..=random.below(4)).map(|_| random.pick(&ATTRIBUTES)).collect();
    roots.sort_unstable();
    roots.dedup();
    let targets: Vec<Path> = roots.into_iter().flat_map(|root| places(random, root)).collect();
    targets.into_iter().map(|target| action(random, target)).collect()
}

/// One or more places in an attribute, none within another.
pub(super) fn places(random: &mut Random, root: &'static str) -> Vec<Path> {
    let within = |steps: &[Step]| [&attribute(root)[..], steps].concat();
    let mut places = match root {
        "map" if random.chance(70) => vec![
            within(&[Step::Field("x")]),
            within(&[Step::Field("y")]),
            within(&[Step::Field("deep"), Step::Field("z")]),
        ],
        "list" if random.chance(70) => (0..5).map(|index| within(&[Step::Index(index)])).collect(),
        "note" if random.chance(15) => vec![within(&[Step::Field("x")])],
        _ => return vec![attribute(root)],
    };
    while places.len() > 1 && random.chance(65) {
        places.remove(random.below(places.len()));
    }
    places
}

fn action(random: &mut Random, target: Path) -> Action {
    let kind = random.below(100);
    match target.as_slice() {
        [Step::Field("tags")] => match kind {
            0..40 => Action::Add(target, set(random)),
            40..75 => Action::Delete(target, set(random)),
            75..90 => Action::Set(target, Source::Value(set(random))),
            _ => Action::Remove(target),
        },
        [Step::Field("count" | "rank")] => match kind {
            0..35 => Action::Add(target, number(random)),
            35..65 => {
                let one = number_source(random, &target);
                Action::SetSum(target, one, random.pick(&["+", "-"]), Source::Value(number(random)))
            }
            65..80 => Action::Set(target, Source::Value(number(random))),
            80..85 => Action::Set(target, Source::Path(attribute("count"))),
            85..88 => Action::Add(target, set(random)),
            _ => Action::Remove(target),
        },
        [Step::Field("list")] => match kind {
            0..60 => {
                let held = if random.chance(60) {
                    Source::IfNotExists(target.clone(), AttributeValue::L(Vec::new()))
                } else {
                    Source::Path(target.clone())
                };
                let added = Source::Value(list(random));
                if random.chance(50) {
                    Action::SetAppended(target, held, added)
                } else {
                    Action::SetAppended(target, added, held)
                }
            }
            60..85 => Action::Set(target, Source::Value(list(random))),
            _ => Action::Remove(target),
        },
        _ => anywhere(random, target, kind),
    }
}

fn anywhere(random: &mut Random, target: Path, kind: usize) -> Action {
    let usual = match target.as_slice() {
        [Step::Field(name)] => usual_value(random, name),
        _ => value(random, 1),
    };
    match kind {
        0..45 => Action::Set(target, Source::Value(usual)),
        45..55 => Action::Set(target.clone(), Source::IfNotExists(target, usual)),
        55..60 => Action::Set(target, Source::Path(vec![Step::Field("map"), Step::Field("x")])),
        60..65 => Action::Set(target, Source::Path(attribute("note"))),
        65..85 => Action::Remove(target),
        85..92 => Action::Add(target, number(random)),
        92..95 => Action::Add(target, set(random)),
        _ => Action::Delete(target, set(random)),
    }
}

fn number_source(random: &mut Random, target: &Path) -> Source {
    match random.below(4) {
        0 => Source::Value(number(random)),
        1 => Source::Path(attribute(random.pick(&["count", "rank", "note"]))),
        2 => Source::Path(target.clone()),
        _ => Source::IfNotExists(target.clone(), number(random)),
    }
}

fn set(random: &mut Random) -> AttributeValue {
    if random.chance(50) { text_set(random) } else { number_set(random) }
}
