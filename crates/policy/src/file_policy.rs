//! A policy of a `.cedar` file.

use std::collections::BTreeSet;

use cedar_policy::pst;
use keyfold_design::model::{EntityId, Verb};

use crate::statement::Statement;

#[derive(Debug, Clone)]
pub(crate) struct FilePolicy {
    pub statement: Statement,
    pub template: pst::Template,
    /// The Cedar text as written.
    pub cedar: String,
    /// The accesses that it may apply to.
    pub applies: BTreeSet<(EntityId, Verb)>,
}
