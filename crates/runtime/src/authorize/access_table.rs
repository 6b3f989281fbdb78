//! A value for each verb of each entity.

use keyfold_design::Design;
use keyfold_design::model::{Entity, Verb};

use super::Access;

/// A value for each verb of each entity of a design, such as the rules that can apply to it.
#[derive(Debug, Clone)]
pub struct AccessTable<T> {
    /// By entity, then by verb.
    values: Vec<T>,
}

impl<T> AccessTable<T> {
    /// Computes the values.
    pub fn new(design: &Design, value: impl Fn(&Entity, Verb) -> T) -> Self {
        Self { values: verbs_of_entities(design).map(|(entity, verb)| value(entity, verb)).collect() }
    }

    /// Computes the values; `None` if one of them is.
    pub fn try_new(design: &Design, value: impl Fn(&Entity, Verb) -> Option<T>) -> Option<Self> {
        let values = verbs_of_entities(design).map(|(entity, verb)| value(entity, verb)).collect::<Option<_>>()?;
        Some(Self { values })
    }

    /// The value for an access; `None` if its entity is of another design.
    pub fn get(&self, access: &Access<'_>) -> Option<&T> {
        let verb = Verb::ALL.iter().position(|verb| *verb == access.verb)?;
        self.values.get(access.entity.id.index() * Verb::ALL.len() + verb)
    }
}

/// Every verb of every entity, in the order of an [`AccessTable`].
fn verbs_of_entities(design: &Design) -> impl Iterator<Item = (&Entity, Verb)> {
    design.entities.iter().flat_map(|entity| Verb::ALL.map(|verb| (entity, verb)))
}
