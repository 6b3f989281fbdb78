// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

/// A Person.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    pub person_id: String,
    pub org: String,
    pub team: String,
    pub name: String,
    pub email: String,
    pub city: String,
}

impl typed::Entity for Person {
    type Design = super::MovesDesign;
    const NAME: &'static str = "Person";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            person_id: typed::required(item, "personId")?,
            org: typed::required(item, "org")?,
            team: typed::required(item, "team")?,
            name: typed::required(item, "name")?,
            email: typed::required(item, "email")?,
            city: typed::required(item, "city")?,
        })
    }
}

/// A Room.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Room {
    pub org: String,
    pub room_id: String,
    pub city: String,
}

impl typed::Entity for Room {
    type Design = super::MovesDesign;
    const NAME: &'static str = "Room";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            org: typed::required(item, "org")?,
            room_id: typed::required(item, "roomId")?,
            city: typed::required(item, "city")?,
        })
    }
}

/// A Desk.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Desk {
    pub org: String,
    pub number: i64,
    pub row: String,
    pub free: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locked: Option<bool>,
}

impl typed::Entity for Desk {
    type Design = super::MovesDesign;
    const NAME: &'static str = "Desk";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            org: typed::required(item, "org")?,
            number: typed::required(item, "number")?,
            row: typed::or_default(item, "row", "#".to_owned())?,
            free: typed::or_default(item, "free", true)?,
            locked: typed::optional(item, "locked")?,
        })
    }
}

/// A Locker.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Locker {
    pub org: String,
    pub number: i64,
    pub row: String,
    pub free: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl typed::Entity for Locker {
    type Design = super::MovesDesign;
    const NAME: &'static str = "Locker";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            org: typed::required(item, "org")?,
            number: typed::required(item, "number")?,
            row: typed::or_default(item, "row", "#".to_owned())?,
            free: typed::or_default(item, "free", true)?,
            code: typed::optional(item, "code")?,
        })
    }
}

/// An Entrance.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entrance {
    pub org: String,
    pub name: String,
}

impl typed::Entity for Entrance {
    type Design = super::MovesDesign;
    const NAME: &'static str = "Entrance";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            org: typed::required(item, "org")?,
            name: typed::required(item, "name")?,
        })
    }
}
