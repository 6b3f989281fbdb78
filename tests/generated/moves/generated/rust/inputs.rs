// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

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
    /// Defaults to the caller's own tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub org: Option<String>,
    pub team: String,
    pub name: String,
    pub email: String,
    pub city: String,
}

impl NewPerson {
    /// Takes the required attributes and leaves out all others.
    pub fn new(
        person_id: impl Into<String>,
        team: impl Into<String>,
        name: impl Into<String>,
        email: impl Into<String>,
        city: impl Into<String>,
    ) -> Self {
        Self {
            person_id: person_id.into(),
            team: team.into(),
            name: name.into(),
            email: email.into(),
            city: city.into(),
            org: None,
        }
    }
}

impl typed::New for NewPerson {
    type Entity = super::Person;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "personId", &self.person_id);
        typed::set_if(item, "org", &self.org);
        typed::set(item, "team", &self.team);
        typed::set(item, "name", &self.name);
        typed::set(item, "email", &self.email);
        typed::set(item, "city", &self.city);
    }
}

/// A patch of a Person: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct PersonPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
}

impl typed::Patch for PersonPatch {
    type Entity = super::Person;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "team", &self.team);
        typed::set_if(item, "name", &self.name);
        typed::set_if(item, "email", &self.email);
        typed::set_if(item, "city", &self.city);
    }
}

impl typed::Removable for super::Person {}

/// The identity of a Room.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RoomIdentity {
    pub org: String,
    pub room_id: String,
}

impl RoomIdentity {
    pub fn new(org: impl Into<String>, room_id: impl Into<String>) -> Self {
        Self {
            org: org.into(),
            room_id: room_id.into(),
        }
    }
}

impl typed::Identity for RoomIdentity {
    type Entity = super::Room;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "org", &self.org);
        typed::set(item, "roomId", &self.room_id);
    }
}

impl super::Room {
    /// The identity of the item.
    pub fn identity(&self) -> RoomIdentity {
        RoomIdentity {
            org: self.org.clone(),
            room_id: self.room_id.clone(),
        }
    }
}

/// The attributes of a Room to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewRoom {
    /// Defaults to the caller's own tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub org: Option<String>,
    pub room_id: String,
    pub city: String,
}

impl NewRoom {
    /// Takes the required attributes and leaves out all others.
    pub fn new(room_id: impl Into<String>, city: impl Into<String>) -> Self {
        Self {
            room_id: room_id.into(),
            city: city.into(),
            org: None,
        }
    }
}

impl typed::New for NewRoom {
    type Entity = super::Room;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "org", &self.org);
        typed::set(item, "roomId", &self.room_id);
        typed::set(item, "city", &self.city);
    }
}

/// A patch of a Room: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct RoomPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
}

impl typed::Patch for RoomPatch {
    type Entity = super::Room;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "city", &self.city);
    }
}

impl typed::Removable for super::Room {}
