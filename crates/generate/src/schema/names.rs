//! The names of schemas: `License`, `NewLicense`, `LicenseReplacement`, `LicensePatch`,
//! `LicenseUpdate`.

use std::collections::BTreeSet;

use keyfold_design::Design;

use crate::naming::unused;

/// The names of all schemas of a design; each is used once.
#[derive(Debug)]
pub(crate) struct SchemaNames {
    entities: Vec<EntityNames>,
    used: BTreeSet<String>,
}

/// The names of an entity's schemas.
#[derive(Debug)]
pub(crate) struct EntityNames {
    /// An item as it is read: the name of the entity.
    pub item: String,
    pub new: String,
    pub replacement: String,
    pub patch: String,
    pub update: String,
}

impl SchemaNames {
    pub(crate) fn new(design: &Design) -> Self {
        let mut used: BTreeSet<String> = design.entities.iter().map(|entity| entity.name.clone()).collect();
        let entities = design
            .entities
            .iter()
            .map(|entity| EntityNames {
                item: entity.name.clone(),
                new: unused(&mut used, format!("New{}", entity.name), "Input"),
                replacement: unused(&mut used, format!("{}Replacement", entity.name), "Input"),
                patch: unused(&mut used, format!("{}Patch", entity.name), "Input"),
                update: unused(&mut used, format!("{}Update", entity.name), "Input"),
            })
            .collect();
        Self { entities, used }
    }

    /// In the order of the design's entities.
    pub(crate) fn entities(&self) -> &[EntityNames] {
        &self.entities
    }

    /// A name for a schema that belongs to no entity.
    pub(crate) fn other(&mut self, name: &str) -> String {
        unused(&mut self.used, name.to_owned(), "Schema")
    }
}
