// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! Collections of posts and their records, with categories, households and places.

// An application rarely uses all of a design.
#![allow(dead_code, unused_imports)]

mod entities;
mod enumerations;
mod inputs;
pub mod keys;
mod patterns;

pub use entities::*;
pub use enumerations::*;
pub use inputs::*;
pub use patterns::*;

use keyfold_typed as typed;

/// The design `archive` as a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArchiveDesign {}

impl typed::Design for ArchiveDesign {
    const NAME: &'static str = "archive";
}

/// A session of a caller with the design `archive`: the access patterns are methods, the verbs come from `typed::Session`.
pub struct Archive<'r>(typed::Session<'r, ArchiveDesign>);

impl<'r> Archive<'r> {
    /// Starts a session. The runtime must run this design.
    pub fn new(runtime: &'r typed::Runtime, caller: typed::Caller) -> Self {
        Self(typed::Session::new(runtime, caller))
    }
}

impl<'r> std::ops::Deref for Archive<'r> {
    type Target = typed::Session<'r, ArchiveDesign>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
