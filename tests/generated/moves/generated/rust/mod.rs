// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! People and rooms whose keys change, found through lookups and through an index that holds little more than keys; kinds of places.

// An application rarely uses all of a design.
#![allow(dead_code, unused_imports)]

mod entities;
mod inputs;
pub mod keys;
mod patterns;

pub use entities::*;
pub use inputs::*;
pub use patterns::*;

use keyfold_typed as typed;

/// The design `moves` as a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MovesDesign {}

impl typed::Design for MovesDesign {
    const NAME: &'static str = "moves";
}

/// A session of a caller with the design `moves`: the access patterns are methods, the verbs come from `typed::Session`.
pub struct Moves<'r>(typed::Session<'r, MovesDesign>);

impl<'r> Moves<'r> {
    /// Starts a session. The runtime must run this design.
    pub fn new(runtime: &'r typed::Runtime, caller: typed::Caller) -> Self {
        Self(typed::Session::new(runtime, caller))
    }
}

impl<'r> std::ops::Deref for Moves<'r> {
    type Target = typed::Session<'r, MovesDesign>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
