//! Whether a template can produce a text of a range. The parameters of a bound may have any value, so that `no` is a
//! proof and `yes` is not.

use std::collections::{HashSet, VecDeque};

use super::Template;
use super::automaton::{Automaton, Values};

/// The texts that a bound can have.
pub(crate) struct Texts(Automaton);

/// One end of a range.
pub(crate) struct Bound {
    pub texts: Texts,
    pub is_included: bool,
}

impl Texts {
    /// The texts of a template, with whatever stands for its placeholders.
    pub(crate) fn of_template(template: &Template) -> Self {
        Self(Automaton::new(template, Values::ALL))
    }

    /// One text.
    pub(crate) fn literal(text: &str) -> Self {
        Self(Automaton::literal(text))
    }

    /// The same texts, each followed by a literal.
    pub(crate) fn followed_by(mut self, text: &str) -> Self {
        self.0.append(text);
        self
    }
}

/// Whether the template can produce a text that begins with one of the texts.
pub(crate) fn can_begin_with(template: &Template, prefix: &Texts) -> bool {
    template.alternatives().any(|template| {
        let own = Automaton::new(template, Values::ALL);
        let mut walk = Walk::new((0, 0));
        while let Some((at, of_prefix)) = walk.next() {
            if prefix.0.accepts_at(of_prefix) {
                return true;
            }
            own.jumps(at).for_each(|next| walk.reach((*next, of_prefix)));
            prefix.0.jumps(of_prefix).for_each(|next| walk.reach((at, *next)));
            for (set, next) in own.steps(at) {
                for (wanted, next_of_prefix) in prefix.0.steps(of_prefix) {
                    if set.common(*wanted).is_some() {
                        walk.reach((*next, *next_of_prefix));
                    }
                }
            }
        }
        false
    })
}

/// Whether the template can produce a text between two bounds; `None` is no bound.
pub(crate) fn can_be_within(template: &Template, low: Option<&Bound>, high: Option<&Bound>) -> bool {
    template.alternatives().any(|template| {
        let own = Automaton::new(template, Values::ALL);
        // `None` stands for a text that is on the right side of the bound already, whatever follows.
        let mut walk = Walk::new((0, low.map(|_| 0), high.map(|_| 0)));
        while let Some((at, of_low, of_high)) = walk.next() {
            if own.accepts_at(at) && is_above(low, of_low) && is_below(high, of_high) {
                return true;
            }
            own.jumps(at).for_each(|next| walk.reach((*next, of_low, of_high)));
            jumps(low, of_low).for_each(|next| walk.reach((at, Some(next), of_high)));
            jumps(high, of_high).for_each(|next| walk.reach((at, of_low, Some(next))));
            for (set, next) in own.steps(at) {
                let above = match (low, of_low) {
                    (Some(low), Some(state)) => low.texts.0.after(state, |wanted| wanted.may_be_less(*set), *set, true),
                    _ => vec![None],
                };
                let below = match (high, of_high) {
                    (Some(high), Some(state)) => {
                        high.texts.0.after(state, |wanted| set.may_be_less(wanted), *set, false)
                    }
                    _ => vec![None],
                };
                for of_low in above {
                    below.iter().for_each(|of_high| walk.reach((*next, of_low, *of_high)));
                }
            }
        }
        false
    })
}

fn jumps<'a>(bound: Option<&'a Bound>, state: Option<usize>) -> impl Iterator<Item = usize> + use<'a> {
    bound.zip(state).into_iter().flat_map(|(bound, state)| bound.texts.0.jumps(state).copied())
}

/// Whether a text that ends here is not below the lower bound, of which it is the beginning.
fn is_above(low: Option<&Bound>, state: Option<usize>) -> bool {
    low.zip(state).is_none_or(|(low, state)| low.is_included && low.texts.0.accepts_at(state))
}

/// Whether a text that ends here is not above the upper bound, of which it is the beginning.
fn is_below(high: Option<&Bound>, state: Option<usize>) -> bool {
    high.zip(state).is_none_or(|(high, state)| {
        high.texts.0.steps(state).next().is_some() || high.is_included && high.texts.0.accepts_at(state)
    })
}

/// The states of a search, each visited once.
struct Walk<S> {
    known: HashSet<S>,
    open: VecDeque<S>,
}

impl<S: Copy + Eq + std::hash::Hash> Walk<S> {
    fn new(start: S) -> Self {
        Self { known: HashSet::from([start]), open: VecDeque::from([start]) }
    }

    fn reach(&mut self, state: S) {
        if self.known.insert(state) {
            self.open.push_back(state);
        }
    }

    fn next(&mut self) -> Option<S> {
        self.open.pop_front()
    }
}
