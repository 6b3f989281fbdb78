// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! Agencies and their members, each agency a tenant of its own.

// An application uses what it needs of a design.
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

/// A caller at work on the design `agencies`: its access patterns here, its verbs by dereference.
pub struct Agencies<'r>(typed::Session<'r, AgenciesDesign>);

impl<'r> Agencies<'r> {
    /// The runtime has to run this design.
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
