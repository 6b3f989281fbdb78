// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! A table that states every option, for the tools that generated files are handed to.

// An application rarely uses all of a design.
#![allow(dead_code, unused_imports)]

mod entities;
mod inputs;
pub mod keys;
mod patterns;

pub use entities::*;
pub use inputs::*;

use keyfold_typed as typed;

/// The design `every-option` as a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EveryOptionDesign {}

impl typed::Design for EveryOptionDesign {
    const NAME: &'static str = "every-option";
}

/// A session of a caller with the design `every-option`: the access patterns are methods, the verbs come from `typed::Session`.
pub struct EveryOption<'r>(typed::Session<'r, EveryOptionDesign>);

impl<'r> EveryOption<'r> {
    /// Starts a session. The runtime must run this design.
    pub fn new(runtime: &'r typed::Runtime, caller: typed::Caller) -> Self {
        Self(typed::Session::new(runtime, caller))
    }
}

impl<'r> std::ops::Deref for EveryOption<'r> {
    type Target = typed::Session<'r, EveryOptionDesign>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
