// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::entities::*;

/// A result of the access pattern "person with visits".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "entity", content = "item")]
pub enum PersonWithVisits {
    Person(Box<Person>),
    Visit(Box<Visit>),
}

impl typed::Returned for PersonWithVisits {
    type Design = super::VisitsDesign;

    fn read(entity: &str, item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        match entity {
            "Person" => typed::boxed(item).map(Self::Person),
            "Visit" => typed::boxed(item).map(Self::Visit),
            other => Err(typed::TypeMismatch::unexpected_entity(other)),
        }
    }
}

impl super::Visits<'_> {
    /// person with visits: `PK = PERSON#<personId> -> Person, Visit`.
    pub async fn person_with_visits(
        &self,
        person_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<PersonWithVisits>, typed::Error> {
        let pattern = "person with visits";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "personId", person_id);
        self.page(pattern, arguments, options).await
    }

    /// number of visits: `PK = PERSON#<personId> and begins_with(SK, VISIT#), count`.
    pub async fn number_of_visits(&self, person_id: &str) -> Result<usize, typed::Error> {
        let pattern = "number of visits";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "personId", person_id);
        self.count(pattern, arguments).await
    }

    /// visits of a day: `GSI1PK = VISITS#<day>#<shard>`.
    pub async fn visits_of_a_day(
        &self,
        day: typed::Date,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Visit>, typed::Error> {
        let pattern = "visits of a day";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "day", &day);
        self.page(pattern, arguments, options).await
    }

    /// last visits of a day: `GSI1PK = VISITS#<day>#<shard>, newest first`.
    pub async fn last_visits_of_a_day(
        &self,
        day: typed::Date,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Visit>, typed::Error> {
        let pattern = "last visits of a day";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "day", &day);
        self.page(pattern, arguments, options).await
    }

    /// visits of a sharded day: `GSI1PK = VISITS#<shardedDay>#<shard>`.
    pub async fn visits_of_a_sharded_day(
        &self,
        sharded_day: typed::Date,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Visit>, typed::Error> {
        let pattern = "visits of a sharded day";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "shardedDay", &sharded_day);
        self.page(pattern, arguments, options).await
    }

    /// visits in a day: `GSI1PK = VISITS#<day>#<shard>, count`.
    pub async fn visits_in_a_day(&self, day: typed::Date) -> Result<usize, typed::Error> {
        let pattern = "visits in a day";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "day", &day);
        self.count(pattern, arguments).await
    }
}
