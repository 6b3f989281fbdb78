//! The verbs that write.

use keyfold_design::model::Verb;

/// The verb of a [`Write`](super::Write).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteVerb {
    /// Creates an item that must not exist.
    Create,
    /// Creates the item or replaces it.
    Put,
    /// Creates the item or changes the given attributes.
    Upsert,
    /// Changes an item that must exist.
    Patch,
    /// Deletes an item that must exist.
    Delete,
}

impl WriteVerb {
    /// Every verb that writes.
    pub const ALL: [Self; 5] = [Self::Create, Self::Put, Self::Upsert, Self::Patch, Self::Delete];

    /// The name in requests, scenarios and the audit log, such as `create`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Put => "put",
            Self::Upsert => "upsert",
            Self::Patch => "patch",
            Self::Delete => "delete",
        }
    }

    /// The verb of a name; `None` if no verb has it.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verb| verb.name() == name)
    }

    /// The verb that a rule has to allow.
    pub const fn required(self) -> Verb {
        match self {
            Self::Create => Verb::Create,
            Self::Put | Self::Upsert | Self::Patch => Verb::Update,
            Self::Delete => Verb::Delete,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_has_a_name_of_its_own() {
        for verb in WriteVerb::ALL {
            assert_eq!(WriteVerb::from_name(verb.name()), Some(verb));
        }
        assert_eq!(WriteVerb::from_name("remove"), None);
        assert_eq!(WriteVerb::from_name(""), None);
    }
}
