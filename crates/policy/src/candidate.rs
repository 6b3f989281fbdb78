//! Policies before they are sorted by the verbs and entities they are for.

use std::collections::BTreeSet;

use cedar_policy::pst;
use keyfold_design::constraint::Expression;
use keyfold_design::model::{EntityId, Verb};

use crate::stated::Stated;

/// A policy that decides something.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub stated: Stated,
    pub template: pst::Template,
    /// As it is written.
    pub cedar: String,
    /// The design's condition whose outcome a request tells.
    pub told: Option<Expression>,
    /// What it may apply to.
    pub applies: BTreeSet<(EntityId, Verb)>,
}

impl Candidate {
    pub fn is_of_design(&self) -> bool {
        self.stated.file.is_none()
    }
}
