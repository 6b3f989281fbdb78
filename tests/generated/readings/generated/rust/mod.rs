// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! Measured values in keys, as text, numbers and binary.

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

/// The design `readings` as a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadingsDesign {}

impl typed::Design for ReadingsDesign {
    const NAME: &'static str = "readings";
}

/// A session of a caller with the design `readings`: the access patterns are methods, the verbs come from `typed::Session`.
pub struct Readings<'r>(typed::Session<'r, ReadingsDesign>);

impl<'r> Readings<'r> {
    /// Starts a session. The runtime must run this design.
    pub fn new(runtime: &'r typed::Runtime, caller: typed::Caller) -> Self {
        Self(typed::Session::new(runtime, caller))
    }
}

impl<'r> std::ops::Deref for Readings<'r> {
    type Target = typed::Session<'r, ReadingsDesign>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
