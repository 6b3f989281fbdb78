// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! Agencies and their members, each agency a tenant of its own.

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

/// The design `agencies` as a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgenciesDesign {}

impl typed::Design for AgenciesDesign {
    const NAME: &'static str = "agencies";
}

/// A session of a caller with the design `agencies`: the access patterns are methods, the verbs come from `typed::Session`.
pub struct Agencies<'r>(typed::Session<'r, AgenciesDesign>);

impl<'r> Agencies<'r> {
    /// Starts a session. The runtime must run this design.
    pub fn new(runtime: &'r typed::Runtime, caller: typed::Caller) -> Self {
        Self(typed::Session::new(runtime, caller))
    }
}

impl<'r> std::ops::Deref for Agencies<'r> {
    type Target = typed::Session<'r, AgenciesDesign>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
