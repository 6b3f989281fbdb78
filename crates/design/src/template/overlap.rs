//! Whether two templates can produce the same text, with an example that both produce.

use std::collections::{HashMap, VecDeque};

use super::automaton::{Automaton, Values};
use super::{Part, Template};

/// How two templates meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Overlap {
    /// No text is produced by both.
    Never,
    /// Both produce this text, from ordinary values.
    Direct(String),
    /// Both produce this text, though only from a value that contains the delimiter.
    ThroughDelimiter(String),
}

/// Compares two templates of the same key attribute.
pub(crate) fn overlap(left: &Template, right: &Template) -> Overlap {
    overlap_with(left, right, true)
}

/// Whether two templates never meet, and would without the bounds of numbers.
pub(crate) fn are_apart_by_bounds(left: &Template, right: &Template) -> bool {
    overlap(left, right) == Overlap::Never && overlap_with(left, right, false) != Overlap::Never
}

/// Whether a text is one of both, whatever the values.
pub(super) fn have_common_text(left: &Template, right: &Template) -> bool {
    let any = Values { with_delimiter: true, bounds: false };
    common_text(&Automaton::new(left, any), &Automaton::new(right, any)).is_some()
}

fn overlap_with(left: &Template, right: &Template, bounds: bool) -> Overlap {
    let mut through_delimiter = None;
    for left in left.alternatives() {
        for right in right.alternatives() {
            match overlap_of_one(left, right, bounds) {
                Overlap::Never => {}
                direct @ Overlap::Direct(_) => return direct,
                found @ Overlap::ThroughDelimiter(_) => through_delimiter = through_delimiter.or(Some(found)),
            }
        }
    }
    through_delimiter.unwrap_or(Overlap::Never)
}

fn overlap_of_one(left: &Template, right: &Template, bounds: bool) -> Overlap {
    if !one_can_meet(left, right) {
        return Overlap::Never;
    }
    let ordinary = Values { with_delimiter: false, bounds };
    if let Some(text) = common_text(&Automaton::new(left, ordinary), &Automaton::new(right, ordinary)) {
        return Overlap::Direct(text);
    }
    let any = Values { with_delimiter: true, bounds };
    match common_text(&Automaton::new(left, any), &Automaton::new(right, any)) {
        Some(text) => Overlap::ThroughDelimiter(text),
        None => Overlap::Never,
    }
}

/// A cheap test that settles most pairs: literal text at the start or at the end that differs.
pub fn can_meet(left: &Template, right: &Template) -> bool {
    left.alternatives().any(|left| right.alternatives().any(|right| one_can_meet(left, right)))
}

fn one_can_meet(left: &Template, right: &Template) -> bool {
    if let (Some(left), Some(right)) = (left.constant(), right.constant()) {
        return left == right;
    }
    let starts = left.literal_prefix().bytes().zip(right.literal_prefix().bytes());
    let ends = literal_suffix(left).bytes().rev().zip(literal_suffix(right).bytes().rev());
    starts.chain(ends).all(|(left, right)| left == right)
}

fn literal_suffix(template: &Template) -> &str {
    match template.parts.last() {
        Some(Part::Literal(text)) => text,
        _ => "",
    }
}

/// A state of each automaton.
type Pair = (usize, usize);
/// From which pair a pair was first reached, and with which character.
type Origin = HashMap<Pair, (Pair, Option<char>)>;

/// A shortest text that both accept.
fn common_text(left: &Automaton, right: &Automaton) -> Option<String> {
    let mut origin = Origin::new();
    let mut queue: VecDeque<Pair> = VecDeque::from([(0, 0)]);
    origin.insert((0, 0), ((0, 0), None));
    while let Some(pair @ (from_left, from_right)) = queue.pop_front() {
        if left.accepts_at(from_left) && right.accepts_at(from_right) {
            return Some(spell(&origin, pair));
        }
        let mut reach = |next: Pair, character: Option<char>| {
            origin.entry(next).or_insert_with(|| {
                queue.push_back(next);
                (pair, character)
            });
        };
        for next in left.jumps(from_left) {
            reach((*next, from_right), None);
        }
        for next in right.jumps(from_right) {
            reach((from_left, *next), None);
        }
        for (left_set, next_left) in left.steps(from_left) {
            for (right_set, next_right) in right.steps(from_right) {
                if let Some(character) = left_set.common(*right_set) {
                    reach((*next_left, *next_right), Some(character));
                }
            }
        }
    }
    None
}

fn spell(origin: &Origin, end: Pair) -> String {
    let mut characters = Vec::new();
    let mut at = end;
    while let Some((before, character)) = origin.get(&at).filter(|_| at != (0, 0)) {
        characters.extend(*character);
        at = *before;
    }
    characters.iter().rev().collect()
}
