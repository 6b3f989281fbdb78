//! The texts of a template as an automaton, for comparing templates with each other.

use super::{Format, Part, Placeholder, Template, ValueKind};

/// A set of characters: the ASCII ones by bit, all others together.
#[derive(Debug, Clone, Copy)]
pub(super) struct CharacterSet {
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

    fn has(self, character: char) -> bool {
        self.ascii & Self::one(character).ascii != 0
    }

    /// Whether a character of this set may be less than one of the other.
    pub(super) fn may_be_less(self, other: Self) -> bool {
        // Characters beyond ASCII are not told apart.
        let least = if self.ascii != 0 { self.ascii.trailing_zeros() } else { 128 };
        let greatest = if other.others { 129 } else { 127_u32.saturating_sub(other.ascii.leading_zeros()) };
        (self.ascii != 0 || self.others) && (other.ascii != 0 || other.others) && least < greatest
    }

    fn without(self, character: char) -> Self {
        let removed = Self::one(character);
        Self { ascii: self.ascii & !removed.ascii, others: self.others }
    }

    /// A character of both, one that reads well where there is a choice.
    pub(super) fn common(self, other: Self) -> Option<char> {
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
pub(super) struct Values {
    /// The last one of a template may contain the delimiter.
    pub with_delimiter: bool,
    /// Numbers keep their bounds.
    pub bounds: bool,
}

impl Values {
    /// All that an item of the entity can have.
    pub(super) const ALL: Self = Self { with_delimiter: true, bounds: true };
}

/// A non-deterministic automaton that accepts the texts of a template.
pub(super) struct Automaton {
    /// Per state: on a character of the set, to a state.
    steps: Vec<Vec<(CharacterSet, usize)>>,
    /// Per state: without a character, to a state.
    jumps: Vec<Vec<usize>>,
    end: usize,
}

impl Automaton {
    pub(super) fn new(template: &Template, values: Values) -> Self {
        let mut automaton = Self { steps: vec![Vec::new()], jumps: vec![Vec::new()], end: 0 };
        for (index, part) in template.parts.iter().enumerate() {
            match part {
                Part::Literal(text) => automaton.end = automaton.text(automaton.end, text),
                Part::Placeholder(placeholder) => automaton.placeholder(template, index, placeholder, values),
            }
        }
        automaton
    }

    /// Lets every text go on with a literal.
    pub(super) fn append(&mut self, text: &str) {
        self.end = self.text(self.end, text);
    }

    /// The automaton of one text.
    pub(super) fn literal(text: &str) -> Self {
        let mut automaton = Self { steps: vec![Vec::new()], jumps: vec![Vec::new()], end: 0 };
        automaton.append(text);
        automaton
    }

    /// Whether a text may end in a state. From every state an end can be reached.
    pub(super) fn accepts_at(&self, state: usize) -> bool {
        state == self.end
    }

    /// The states that are reached from one without a character.
    pub(super) fn jumps(&self, from: usize) -> impl Iterator<Item = &usize> {
        self.jumps.get(from).into_iter().flatten()
    }

    /// The states that are reached from one with a character of a set.
    pub(super) fn steps(&self, from: usize) -> impl Iterator<Item = &(CharacterSet, usize)> {
        self.steps.get(from).into_iter().flatten()
    }

    /// The states of a bound after one more character of a text that began as the bound did, where the text stays on
    /// its side of the bound. `None` stands for a text that is apart from the bound. A text that goes on where the
    /// bound ends is above it.
    pub(super) fn after(
        &self,
        state: usize,
        is_apart: impl Fn(CharacterSet) -> bool,
        characters: CharacterSet,
        above: bool,
    ) -> Vec<Option<usize>> {
        let mut states = Vec::new();
        if above && self.accepts_at(state) || self.steps(state).any(|(wanted, _)| is_apart(*wanted)) {
            states.push(None);
        }
        let equal = self.steps(state).filter(|(wanted, _)| wanted.common(characters).is_some());
        states.extend(equal.map(|(_, next)| Some(*next)));
        states
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
        if let ValueKind::Enumeration(values) = &placeholder.kind {
            let separators = [Some(template.delimiter), template.terminator(index)];
            let is_refused = |text: &String| {
                let is_counted = template.is_last(index) || placeholder.counted_length().is_some();
                !is_counted && separators.into_iter().flatten().any(|separator| text.contains(separator))
            };
            let texts = values.iter().filter_map(|value| formatted(placeholder, value));
            for text in texts.filter(|text| !is_refused(text)) {
                let last = self.text(start, &text);
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

/// The piece that a placeholder makes of a text.
fn formatted(placeholder: &Placeholder, text: &str) -> Option<String> {
    placeholder.formats.iter().try_fold(text.to_owned(), |text, format| format.apply(text))
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
                |character| {
                    !character.is_ascii_uppercase() && (set.has(character) || set.has(character.to_ascii_uppercase()))
                },
                set.others,
            ),
            Format::Upper => CharacterSet::from_predicate(
                |character| {
                    !character.is_ascii_lowercase() && (set.has(character) || set.has(character.to_ascii_lowercase()))
                },
                set.others,
            ),
            Format::First(_) | Format::StartOfDay(_) | Format::EndOfDay(_) => set,
            Format::Url => CharacterSet::from_predicate(
                |character| character.is_ascii_alphanumeric() || "-._~%".contains(character),
                false,
            ),
            Format::Width(_)
            | Format::Descending(_)
            | Format::Year
            | Format::Month
            | Format::Day
            | Format::Shard(_) => CharacterSet::from_predicate(|character| character.is_ascii_digit(), false),
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
