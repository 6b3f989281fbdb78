// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! Accounts with enterprises, workstreams, licenses and users.

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

/// The design `platform` as a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlatformDesign {}

impl typed::Design for PlatformDesign {
    const NAME: &'static str = "platform";
}

/// A session of a caller with the design `platform`: the access patterns are methods, the verbs come from `typed::Session`.
pub struct Platform<'r>(typed::Session<'r, PlatformDesign>);

impl<'r> Platform<'r> {
    /// Starts a session. The runtime must run this design.
    pub fn new(runtime: &'r typed::Runtime, caller: typed::Caller) -> Self {
        Self(typed::Session::new(runtime, caller))
    }
}

impl<'r> std::ops::Deref for Platform<'r> {
    type Target = typed::Session<'r, PlatformDesign>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
