//! Explanations: why an access is allowed or denied.

use std::fmt;

use keyfold_runtime::Decision;

use crate::statement::{Effect, Statement};

/// A decision with the rules and policies that made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionExplanation {
    /// [`Decision::ByItem`] where it depends on the item and none was given.
    pub decision: Decision,
    pub reason: Reason,
    /// The rules and policies that decided, in the order in which they are written: those that allow, or those that
    /// forbid. Where the decision depends on the item, those that may allow it.
    pub rules: Vec<Statement>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    Rules,
    /// No rule allows it.
    NoRule,
    /// The scope of the credential does not include it.
    Scope,
    /// No rule applies to the command line on its own data.
    Superuser,
    /// The item has a value that Cedar cannot represent, in an attribute that a policy file reads.
    Unreadable {
        attribute: String,
    },
}

impl DecisionExplanation {
    /// The explanation for callers who may not know the rules.
    pub fn without_rules(&self) -> &'static str {
        match (&self.reason, self.decision) {
            (Reason::Scope, _) => "denied: the scope of the credential does not include it",
            (_, Decision::Allowed) => "allowed by the rules",
            (_, Decision::ByItem) => "depends on the item",
            (_, Decision::Denied) => "denied by the rules",
        }
    }
}

impl fmt::Display for DecisionExplanation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = || self.rules.iter().map(Statement::to_string).collect::<Vec<_>>().join(", ");
        match (&self.reason, self.decision) {
            (Reason::Superuser, _) => write!(out, "allowed: no rule applies to the command line"),
            (Reason::Scope, _) => write!(out, "denied: the scope of the credential does not include it"),
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
