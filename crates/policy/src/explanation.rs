//! Why something is allowed or denied.

use std::fmt;

use keyfold_runtime::Decision;

use crate::stated::{Effect, Stated};

/// An answer with the rules that gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// [`Decision::ByItem`] where it depends on the item and none was given.
    pub decision: Decision,
    pub reason: Reason,
    /// The rules that decided, in the order in which they are written: those that allow, or those that forbid. Where it
    /// depends on the item, those that may decide.
    pub rules: Vec<Stated>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    Rules,
    /// What no rule allows is denied.
    NoRule,
    /// Callers that no rule is asked about: the command line on its own data.
    Superuser,
    /// A value of the item is none that a policy of a file can read.
    Unreadable {
        attribute: String,
    },
}

impl fmt::Display for Explanation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = || self.rules.iter().map(Stated::to_string).collect::<Vec<_>>().join(", ");
        match (&self.reason, self.decision) {
            (Reason::Superuser, _) => write!(out, "allowed: no rule applies to the command line"),
            (Reason::NoRule, _) => write!(out, "denied: no rule allows it"),
            (Reason::Unreadable { attribute }, _) => {
                write!(out, "denied: `{attribute}` has a value that {} cannot read", rules())
            }
            (Reason::Rules, Decision::Allowed) => write!(out, "allowed by {}", rules()),
            (Reason::Rules, Decision::ByItem) => write!(out, "depends on the item: {}", rules()),
            (Reason::Rules, Decision::Denied) if self.rules.iter().all(|rule| rule.effect == Effect::Forbid) => {
                write!(out, "forbidden by {}", rules())
            }
            (Reason::Rules, Decision::Denied) => write!(out, "denied by {}", rules()),
        }
    }
}
