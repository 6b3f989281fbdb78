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

/// A result of the access pattern "places of an org".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "entity", content = "item")]
pub enum PlacesOfAnOrg {
    Desk(Box<Desk>),
    Locker(Box<Locker>),
    Entrance(Box<Entrance>),
}

impl typed::Returned for PlacesOfAnOrg {
    type Design = super::MovesDesign;

    fn read(entity: &str, item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        match entity {
            "Desk" => typed::boxed(item).map(Self::Desk),
            "Locker" => typed::boxed(item).map(Self::Locker),
            "Entrance" => typed::boxed(item).map(Self::Entrance),
            other => Err(typed::TypeMismatch::unexpected_entity(other)),
        }
    }
}

/// A result of the access pattern "free places".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "entity", content = "item")]
pub enum FreePlaces {
    Desk(Box<Desk>),
    Locker(Box<Locker>),
}

impl typed::Returned for FreePlaces {
    type Design = super::MovesDesign;

    fn read(entity: &str, item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        match entity {
            "Desk" => typed::boxed(item).map(Self::Desk),
            "Locker" => typed::boxed(item).map(Self::Locker),
            other => Err(typed::TypeMismatch::unexpected_entity(other)),
        }
    }
}

/// A result of the access pattern "free places in a row".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "entity", content = "item")]
pub enum FreePlacesInARow {
    Desk(Box<Desk>),
    Locker(Box<Locker>),
}

impl typed::Returned for FreePlacesInARow {
    type Design = super::MovesDesign;

    fn read(entity: &str, item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        match entity {
            "Desk" => typed::boxed(item).map(Self::Desk),
            "Locker" => typed::boxed(item).map(Self::Locker),
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

    /// places of an org: `PK = ORG#<org>#PLACES -> Desk, Locker, Entrance`.
    pub async fn places_of_an_org(
        &self,
        org: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<PlacesOfAnOrg>, typed::Error> {
        let pattern = "places of an org";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "org", org);
        self.page(pattern, arguments, options).await
    }

    /// lockers: `PK = ORG#<org>#PLACES and begins_with(SK, PLACE#) -> Locker`.
    pub async fn lockers(
        &self,
        org: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Locker>, typed::Error> {
        let pattern = "lockers";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "org", org);
        self.page(pattern, arguments, options).await
    }

    /// free places: `GSI1PK = ORG#<org>#FREE -> Desk, Locker`. Finds Desk only when `free && !locked`. Finds Locker only when `free`.
    pub async fn free_places(
        &self,
        org: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<FreePlaces>, typed::Error> {
        let pattern = "free places";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "org", org);
        self.page(pattern, arguments, options).await
    }

    /// free places in a row: `GSI1PK = ORG#<org>#FREE and begins_with(GSI1SK, <row>#) -> Desk, Locker`. Finds Desk only when `free && !locked`. Finds Locker only when `free`.
    pub async fn free_places_in_a_row(
        &self,
        org: &str,
        row: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<FreePlacesInARow>, typed::Error> {
        let pattern = "free places in a row";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "org", org);
        typed::set(&mut arguments, "row", row);
        self.page(pattern, arguments, options).await
    }
}
