// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! Names that mean something else in other languages.

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

/// The design `awkward` as a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AwkwardDesign {}

impl typed::Design for AwkwardDesign {
    const NAME: &'static str = "awkward";
}

/// A session of a caller with the design `awkward`: the access patterns are methods, the verbs come from `typed::Session`.
pub struct Awkward<'r>(typed::Session<'r, AwkwardDesign>);

impl<'r> Awkward<'r> {
    /// Starts a session. The runtime must run this design.
    pub fn new(runtime: &'r typed::Runtime, caller: typed::Caller) -> Self {
        Self(typed::Session::new(runtime, caller))
    }
}

impl<'r> std::ops::Deref for Awkward<'r> {
    type Target = typed::Session<'r, AwkwardDesign>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
