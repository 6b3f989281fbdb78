// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::enumerations::*;

/// A Person.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    pub person_id: String,
    pub name: String,
}

impl typed::Entity for Person {
    type Design = super::VisitsDesign;
    const NAME: &'static str = "Person";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            person_id: typed::required(item, "personId")?,
            name: typed::required(item, "name")?,
        })
    }
}

/// A Visit.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Visit {
    pub person_id: String,
    pub visit_id: String,
    pub day: typed::Date,
    pub at: typed::DateTime,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mood: Option<VisitMood>,
    pub r#type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<typed::Number>,
}

impl typed::Entity for Visit {
    type Design = super::VisitsDesign;
    const NAME: &'static str = "Visit";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            person_id: typed::required(item, "personId")?,
            visit_id: typed::required(item, "visitId")?,
            day: typed::required(item, "day")?,
            at: typed::required(item, "at")?,
            mood: typed::optional(item, "mood")?,
            r#type: typed::or_default(item, "type", "walk-in".to_owned())?,
            weight: typed::optional(item, "weight")?,
        })
    }
}
