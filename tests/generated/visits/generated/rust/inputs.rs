// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::enumerations::*;

/// The identity of a Person.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PersonIdentity {
    pub person_id: String,
}

impl PersonIdentity {
    pub fn new(person_id: impl Into<String>) -> Self {
        Self {
            person_id: person_id.into(),
        }
    }
}

impl typed::Identity for PersonIdentity {
    type Entity = super::Person;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "personId", &self.person_id);
    }
}

impl super::Person {
    /// The identity of the item.
    pub fn identity(&self) -> PersonIdentity {
        PersonIdentity {
            person_id: self.person_id.clone(),
        }
    }
}

/// The attributes of a Person to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewPerson {
    pub person_id: String,
    pub name: String,
}

impl NewPerson {
    /// Takes the required attributes and leaves out all others.
    pub fn new(person_id: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            person_id: person_id.into(),
            name: name.into(),
        }
    }
}

impl typed::New for NewPerson {
    type Entity = super::Person;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "personId", &self.person_id);
        typed::set(item, "name", &self.name);
    }
}

/// A patch of a Person: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct PersonPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl typed::Patch for PersonPatch {
    type Entity = super::Person;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "name", &self.name);
    }
}

impl typed::Removable for super::Person {}

/// The identity of a Visit.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VisitIdentity {
    pub person_id: String,
    pub visit_id: String,
}

impl VisitIdentity {
    pub fn new(person_id: impl Into<String>, visit_id: impl Into<String>) -> Self {
        Self {
            person_id: person_id.into(),
            visit_id: visit_id.into(),
        }
    }
}

impl typed::Identity for VisitIdentity {
    type Entity = super::Visit;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "personId", &self.person_id);
        typed::set(item, "visitId", &self.visit_id);
    }
}

impl super::Visit {
    /// The identity of the item.
    pub fn identity(&self) -> VisitIdentity {
        VisitIdentity {
            person_id: self.person_id.clone(),
            visit_id: self.visit_id.clone(),
        }
    }
}

/// The attributes of a Visit to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewVisit {
    pub person_id: String,
    pub visit_id: String,
    pub day: typed::Date,
    pub at: typed::DateTime,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mood: Option<VisitMood>,
    /// Defaults to `walk-in`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<typed::Number>,
}

impl NewVisit {
    /// Takes the required attributes and leaves out all others.
    pub fn new(
        person_id: impl Into<String>,
        visit_id: impl Into<String>,
        day: typed::Date,
        at: typed::DateTime,
    ) -> Self {
        Self {
            person_id: person_id.into(),
            visit_id: visit_id.into(),
            day,
            at,
            mood: None,
            r#type: None,
            weight: None,
        }
    }
}

impl typed::New for NewVisit {
    type Entity = super::Visit;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "personId", &self.person_id);
        typed::set(item, "visitId", &self.visit_id);
        typed::set(item, "day", &self.day);
        typed::set(item, "at", &self.at);
        typed::set_if(item, "mood", &self.mood);
        typed::set_if(item, "type", &self.r#type);
        typed::set_if(item, "weight", &self.weight);
    }
}

/// A patch of a Visit: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct VisitPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<typed::Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<typed::DateTime>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub mood: typed::AttributeChange<VisitMood>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub weight: typed::AttributeChange<typed::Number>,
}

impl typed::Patch for VisitPatch {
    type Entity = super::Visit;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "day", &self.day);
        typed::set_if(item, "at", &self.at);
        typed::set_change(item, "mood", &self.mood);
        typed::set_if(item, "type", &self.r#type);
        typed::set_change(item, "weight", &self.weight);
    }
}

/// Operators of a patch of a Visit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VisitOperators(pub typed::Operators);

impl VisitOperators {
    /// Adds to `weight`.
    pub fn add_weight(&mut self, value: typed::Number) -> &mut Self {
        typed::add(&mut self.0, "weight", &value);
        self
    }

    /// Subtracts from `weight`.
    pub fn subtract_weight(&mut self, value: typed::Number) -> &mut Self {
        typed::subtract(&mut self.0, "weight", &value);
        self
    }
}

impl typed::Removable for super::Visit {}
