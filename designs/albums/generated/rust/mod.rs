// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! Albums in trees, images in albums, people in tenants.

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

/// The design `albums` as a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AlbumsDesign {}

impl typed::Design for AlbumsDesign {
    const NAME: &'static str = "albums";
}

/// A session of a caller with the design `albums`: the access patterns are methods, the verbs come from `typed::Session`.
pub struct Albums<'r>(typed::Session<'r, AlbumsDesign>);

impl<'r> Albums<'r> {
    /// Starts a session. The runtime must run this design.
    pub fn new(runtime: &'r typed::Runtime, caller: typed::Caller) -> Self {
        Self(typed::Session::new(runtime, caller))
    }
}

impl<'r> std::ops::Deref for Albums<'r> {
    type Target = typed::Session<'r, AlbumsDesign>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
