//! Entities and access patterns by name.

use keyfold_design::Design;
use keyfold_design::model::{Entity, Pattern};

use crate::error::Error;
use crate::runtime::Runtime;

impl Runtime {
    /// The entity of a name; the error lists the names of the design.
    pub fn entity(&self, name: &str) -> Result<&Entity, Error> {
        entity_named(self.design(), name)
    }

    /// The access pattern of a name or slug; the error lists the names of the design.
    pub fn pattern(&self, name: &str) -> Result<&Pattern, Error> {
        self.design()
            .pattern_named(name)
            .ok_or_else(|| unknown("pattern", name, self.design().patterns.iter().map(|pattern| pattern.name.as_str())))
    }
}

/// The entity of a name; the error lists the names of the design.
pub(crate) fn entity_named<'d>(design: &'d Design, name: &str) -> Result<&'d Entity, Error> {
    let known = || design.entities.iter().map(|entity| entity.name.as_str());
    design.entity_named(name).ok_or_else(|| unknown("entity", name, known()))
}

fn unknown<'n>(what: &str, name: &str, known: impl Iterator<Item = &'n str>) -> Error {
    let known: Vec<&str> = known.collect();
    Error::Invalid(format!("unknown {what} `{name}`; the design has {}", known.join(", ")))
}
