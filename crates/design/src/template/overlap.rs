//! Whether two templates can produce the same text, with an example that both produce.

use std::collections::{HashMap, VecDeque};

use super::{Format, Part, Placeholder, Template, ValueKind};

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

/// A set of characters: the ASCII ones by bit, all others together.
#[derive(Debug, Clone, Copy)]
struct CharacterSet {
    ascii: u128,
    others: bool,
}

impl CharacterSet {
    const ALL: Self = Self { ascii: u128::MAX, others: true };

    fn from_predicate(admits: impl Fn(char) -> bool, others: bool) -> Self {
        let ascii = (0u8..128).filter(|code| admits(char::from(*code))).fold(0, |bits, code| bits | (1 << code));
        Self { ascii, others }
    }

    fn one(character: char) -> Self {
        match u8::try_from(character) {
            Ok(code) if code < 128 => Self { ascii: 1 << code, others: false },
            _ => Self { ascii: 0, others: true },
        }
    }

    fn without(self, character: char) -> Self {
        let removed = Self::one(character);
        Self { ascii: self.ascii & !removed.ascii, others: self.others }
    }

    /// A character of both, one that reads well where there is a choice.
    fn common(self, other: Self) -> Option<char> {
        let ascii = self.ascii & other.ascii;
        let readable = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain('!'..='~');
        readable
            .into_iter()
            .find(|character| ascii & (1 << (*character as u32)) != 0)
            .or_else(|| (self.others && other.others).then_some('é'))
            .or_else(|| (ascii != 0).then(|| char::from_u32(ascii.trailing_zeros())).flatten())
    }
}

/// The values that placeholders stand for.
#[derive(Clone, Copy)]
struct Values {
    /// The last one of a template may contain the delimiter.
    with_delimiter: bool,
    /// Numbers keep their bounds.
    bounds: bool,
}

/// A non-deterministic automaton that accepts the texts of a template.
struct Automaton {
    /// Per state: on a character of the set, to a state.
    steps: Vec<Vec<(CharacterSet, usize)>>,
    /// Per state: without a character, to a state.
    jumps: Vec<Vec<usize>>,
    end: usize,
}

impl Automaton {
    fn new(template: &Template, values: Values) -> Self {
        let mut automaton = Self { steps: vec![Vec::new()], jumps: vec![Vec::new()], end: 0 };
        for (index, part) in template.parts.iter().enumerate() {
            match part {
                Part::Literal(text) => automaton.end = automaton.text(automaton.end, text),
                Part::Placeholder(placeholder) => automaton.placeholder(template, index, placeholder, values),
            }
        }
        automaton
    }

    fn state(&mut self) -> usize {
        self.steps.push(Vec::new());
        self.jumps.push(Vec::new());
        self.steps.len() - 1
    }

    fn step(&mut self, from: usize, set: CharacterSet, to: usize) {
        if let Some(steps) = self.steps.get_mut(from) {
            steps.push((set, to));
        }
    }

    fn jump(&mut self, from: usize, to: usize) {
        if let Some(jumps) = self.jumps.get_mut(from) {
            jumps.push(to);
        }
    }

    fn text(&mut self, from: usize, text: &str) -> usize {
        text.chars().fold(from, |state, character| {
            let next = self.state();
            self.step(state, CharacterSet::one(character), next);
            next
        })
    }

    fn placeholder(&mut self, template: &Template, index: usize, placeholder: &Placeholder, values: Values) {
        let start = self.end;
        let done = self.state();
        if let Some(fallback) = &placeholder.fallback {
            let last = self.text(start, fallback);
            self.jump(last, done);
        }
        if let Some(sentinel) = &placeholder.sentinel {
            let last = self.text(start, sentinel);
            self.jump(last, done);
        }
        if let (ValueKind::Enumeration(values), true) = (&placeholder.kind, placeholder.formats.is_empty()) {
            let separators = [Some(template.delimiter), template.terminator(index)];
            let is_refused = |value: &String| {
                let is_counted = template.is_last(index) || placeholder.counted_length().is_some();
                !is_counted && separators.into_iter().flatten().any(|separator| value.contains(separator))
            };
            for value in values.iter().filter(|value| !is_refused(value)) {
                let last = self.text(start, value);
                self.jump(last, done);
            }
            self.end = done;
            return;
        }
        if let Some(spellings) = bounded_spellings(placeholder).filter(|_| values.bounds) {
            for spelling in spellings {
                let within = |(from, to): &(char, char)| {
                    CharacterSet::from_predicate(|character| (*from..=*to).contains(&character), false)
                };
                let last = spelling.iter().fold(start, |state, digits| self.follow(state, within(digits)));
                self.jump(last, done);
            }
            self.end = done;
            return;
        }
        let set = piece_set(template, index, placeholder, values.with_delimiter);
        match (placeholder.fixed_length(), placeholder.formats.last()) {
            (Some(length), _) => {
                let last = (0..length).fold(start, |state, _| self.follow(state, set));
                self.jump(last, done);
            }
            (None, Some(Format::First(length))) => {
                (0..*length).fold(start, |state, _| {
                    let next = self.follow(state, set);
                    self.jump(next, done);
                    next
                });
            }
            _ => {
                let repeat = self.follow(start, set);
                self.step(repeat, set, repeat);
                self.jump(repeat, done);
            }
        }
        self.end = done;
    }

    fn follow(&mut self, from: usize, set: CharacterSet) -> usize {
        let next = self.state();
        self.step(from, set, next);
        next
    }
}

/// The texts of an integer with bounds, where its format leaves them as they are.
fn bounded_spellings(placeholder: &Placeholder) -> Option<Vec<Vec<(char, char)>>> {
    let range = placeholder.range?;
    match placeholder.formats.as_slice() {
        [] => Some(range.spellings(None)),
        [Format::Width(width)] => Some(range.spellings(Some(*width))),
        _ => None,
    }
}

/// The characters that a placeholder's piece can have.
fn piece_set(template: &Template, index: usize, placeholder: &Placeholder, with_delimiter: bool) -> CharacterSet {
    let mut set = match placeholder.kind {
        ValueKind::Text => CharacterSet::ALL,
        ref kind => CharacterSet::from_predicate(|character| kind.may_contain(character), false),
    };
    for format in &placeholder.formats {
        set = match format {
            Format::Lower => CharacterSet::from_predicate(
                |character| !character.is_ascii_uppercase() && set.ascii & (1 << (character as u32)) != 0,
                set.others,
            ),
            Format::Upper => CharacterSet::from_predicate(
                |character| !character.is_ascii_lowercase() && set.ascii & (1 << (character as u32)) != 0,
                set.others,
            ),
            Format::First(_) => set,
            Format::Url => CharacterSet::from_predicate(
                |character| character.is_ascii_alphanumeric() || "-._~%".contains(character),
                false,
            ),
            Format::Width(_) | Format::Year | Format::Month | Format::Day | Format::Shard(_) => {
                CharacterSet::from_predicate(|character| character.is_ascii_digit(), false)
            }
            Format::Date => {
                CharacterSet::from_predicate(|character| character.is_ascii_digit() || character == '-', false)
            }
        };
    }
    if placeholder.counted_length().is_some() {
        return set;
    }
    if !template.is_last(index) {
        set = set.without(template.delimiter);
        if let Some(terminator) = template.terminator(index) {
            set = set.without(terminator);
        }
    } else if !with_delimiter {
        set = set.without(template.delimiter);
    }
    set
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
        if from_left == left.end && from_right == right.end {
            return Some(spell(&origin, pair));
        }
        let mut reach = |next: Pair, character: Option<char>| {
            origin.entry(next).or_insert_with(|| {
                queue.push_back(next);
                (pair, character)
            });
        };
        for next in left.jumps.get(from_left).into_iter().flatten() {
            reach((*next, from_right), None);
        }
        for next in right.jumps.get(from_right).into_iter().flatten() {
            reach((from_left, *next), None);
        }
        for (left_set, next_left) in left.steps.get(from_left).into_iter().flatten() {
            for (right_set, next_right) in right.steps.get(from_right).into_iter().flatten() {
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
