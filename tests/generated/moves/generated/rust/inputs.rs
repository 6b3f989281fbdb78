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

/// The identity of a Desk.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeskIdentity {
    pub org: String,
    pub number: i64,
}

impl DeskIdentity {
    pub fn new(org: impl Into<String>, number: i64) -> Self {
        Self {
            org: org.into(),
            number,
        }
    }
}

impl typed::Identity for DeskIdentity {
    type Entity = super::Desk;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "org", &self.org);
        typed::set(item, "number", &self.number);
    }
}

impl super::Desk {
    /// The identity of the item.
    pub fn identity(&self) -> DeskIdentity {
        DeskIdentity {
            org: self.org.clone(),
            number: self.number,
        }
    }
}

/// The attributes of a Desk to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewDesk {
    /// Defaults to the caller's own tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub org: Option<String>,
    pub number: i64,
    /// Defaults to `#`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locked: Option<bool>,
}

impl NewDesk {
    /// Takes the required attributes and leaves out all others.
    pub fn new(number: i64) -> Self {
        Self {
            number,
            org: None,
            row: None,
            free: None,
            locked: None,
        }
    }
}

impl typed::New for NewDesk {
    type Entity = super::Desk;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "org", &self.org);
        typed::set(item, "number", &self.number);
        typed::set_if(item, "row", &self.row);
        typed::set_if(item, "free", &self.free);
        typed::set_if(item, "locked", &self.locked);
    }
}

/// A patch of a Desk: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct DeskPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free: Option<bool>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub locked: typed::AttributeChange<bool>,
}

impl typed::Patch for DeskPatch {
    type Entity = super::Desk;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "row", &self.row);
        typed::set_if(item, "free", &self.free);
        typed::set_change(item, "locked", &self.locked);
    }
}

impl typed::Removable for super::Desk {}

/// The identity of a Locker.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LockerIdentity {
    pub org: String,
    pub number: i64,
}

impl LockerIdentity {
    pub fn new(org: impl Into<String>, number: i64) -> Self {
        Self {
            org: org.into(),
            number,
        }
    }
}

impl typed::Identity for LockerIdentity {
    type Entity = super::Locker;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "org", &self.org);
        typed::set(item, "number", &self.number);
    }
}

impl super::Locker {
    /// The identity of the item.
    pub fn identity(&self) -> LockerIdentity {
        LockerIdentity {
            org: self.org.clone(),
            number: self.number,
        }
    }
}

/// The attributes of a Locker to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewLocker {
    /// Defaults to the caller's own tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub org: Option<String>,
    pub number: i64,
    /// Defaults to `#`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub free: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl NewLocker {
    /// Takes the required attributes and leaves out all others.
    pub fn new(number: i64) -> Self {
        Self {
            number,
            org: None,
            row: None,
            free: None,
            code: None,
        }
    }
}

impl typed::New for NewLocker {
    type Entity = super::Locker;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "org", &self.org);
        typed::set(item, "number", &self.number);
        typed::set_if(item, "row", &self.row);
        typed::set_if(item, "free", &self.free);
        typed::set_if(item, "code", &self.code);
    }
}

/// A patch of a Locker: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct LockerPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free: Option<bool>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub code: typed::AttributeChange<String>,
}

impl typed::Patch for LockerPatch {
    type Entity = super::Locker;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "row", &self.row);
        typed::set_if(item, "free", &self.free);
        typed::set_change(item, "code", &self.code);
    }
}

impl typed::Removable for super::Locker {}

/// The identity of an Entrance.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EntranceIdentity {
    pub org: String,
}

impl EntranceIdentity {
    pub fn new(org: impl Into<String>) -> Self {
        Self { org: org.into() }
    }
}

impl typed::Identity for EntranceIdentity {
    type Entity = super::Entrance;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "org", &self.org);
    }
}

impl super::Entrance {
    /// The identity of the item.
    pub fn identity(&self) -> EntranceIdentity {
        EntranceIdentity {
            org: self.org.clone(),
        }
    }
}

/// The attributes of an Entrance to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewEntrance {
    /// Defaults to the caller's own tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub org: Option<String>,
    pub name: String,
}

impl NewEntrance {
    /// Takes the required attributes and leaves out all others.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            org: None,
        }
    }
}

impl typed::New for NewEntrance {
    type Entity = super::Entrance;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "org", &self.org);
        typed::set(item, "name", &self.name);
    }
}

/// A patch of an Entrance: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct EntrancePatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl typed::Patch for EntrancePatch {
    type Entity = super::Entrance;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "name", &self.name);
    }
}

impl typed::Removable for super::Entrance {}
