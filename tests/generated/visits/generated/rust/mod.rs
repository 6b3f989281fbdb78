// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! Visits of so many people that a day is spread over shards, in a table that is encrypted with its owner's key.

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

/// The design `visits` as a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VisitsDesign {}

impl typed::Design for VisitsDesign {
    const NAME: &'static str = "visits";
}

/// A session of a caller with the design `visits`: the access patterns are methods, the verbs come from `typed::Session`.
pub struct Visits<'r>(typed::Session<'r, VisitsDesign>);

impl<'r> Visits<'r> {
    /// Starts a session. The runtime must run this design.
    pub fn new(runtime: &'r typed::Runtime, caller: typed::Caller) -> Self {
        Self(typed::Session::new(runtime, caller))
    }
}

impl<'r> std::ops::Deref for Visits<'r> {
    type Target = typed::Session<'r, VisitsDesign>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
