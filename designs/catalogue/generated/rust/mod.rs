// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! A catalogue of sites with tags, ratings and comments, custom groups, user profiles, and a squash section for one of the groups.

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

/// The design `catalogue` as a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CatalogueDesign {}

impl typed::Design for CatalogueDesign {
    const NAME: &'static str = "catalogue";
}

/// A session of a caller with the design `catalogue`: the access patterns are methods, the verbs come from `typed::Session`.
pub struct Catalogue<'r>(typed::Session<'r, CatalogueDesign>);

impl<'r> Catalogue<'r> {
    /// Starts a session. The runtime must run this design.
    pub fn new(runtime: &'r typed::Runtime, caller: typed::Caller) -> Self {
        Self(typed::Session::new(runtime, caller))
    }
}

impl<'r> std::ops::Deref for Catalogue<'r> {
    type Target = typed::Session<'r, CatalogueDesign>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
