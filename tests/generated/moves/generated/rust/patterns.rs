// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::entities::*;

/// A result of the access pattern "everything in a city".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "entity", content = "item")]
pub enum EverythingInACity {
    Person(Box<Person>),
    Room(Box<Room>),
}

impl typed::Returned for EverythingInACity {
    type Design = super::MovesDesign;

    fn read(entity: &str, item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        match entity {
            "Person" => typed::boxed(item).map(Self::Person),
            "Room" => typed::boxed(item).map(Self::Room),
            other => Err(typed::TypeMismatch::unexpected_entity(other)),
        }
    }
}

impl super::Moves<'_> {
    /// people of a team: `GSI1PK = TEAM#<team>, own tenant only -> Person`. Members get only the items of their own tenant.
    pub async fn people_of_a_team(
        &self,
        team: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Person>, typed::Error> {
        let pattern = "people of a team";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "team", team);
        self.page(pattern, arguments, options).await
    }

    /// person by email: `GSI1PK = EMAIL#<email>, own tenant only -> Person`. Members get only the items of their own tenant.
    pub async fn person_by_email(
        &self,
        email: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Person>, typed::Error> {
        let pattern = "person by email";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "email", email);
        self.page(pattern, arguments, options).await
    }

    /// everything in a city: `GSI2PK = CITY#<city>, own tenant only -> Person, Room`. Members get only the items of their own tenant.
    pub async fn everything_in_a_city(
        &self,
        city: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<EverythingInACity>, typed::Error> {
        let pattern = "everything in a city";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "city", city);
        self.page(pattern, arguments, options).await
    }

    /// rooms in a city: `GSI2PK = CITY#<city> and begins_with(GSI2SK, ROOM#), own tenant only -> Room`. Members get only the items of their own tenant.
    pub async fn rooms_in_a_city(
        &self,
        city: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Room>, typed::Error> {
        let pattern = "rooms in a city";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "city", city);
        self.page(pattern, arguments, options).await
    }
}
