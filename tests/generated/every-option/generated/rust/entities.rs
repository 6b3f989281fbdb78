// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

/// A Tenant.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tenant {
    pub tenant_id: String,
    pub name: String,
}

impl typed::Entity for Tenant {
    type Design = super::EveryOptionDesign;
    const NAME: &'static str = "Tenant";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            tenant_id: typed::required(item, "tenantId")?,
            name: typed::required(item, "name")?,
        })
    }
}

/// A Note.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    pub tenant_id: String,
    pub note_id: typed::Ulid,
    pub title: String,
    pub value: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<typed::Number>,
    pub day: typed::Date,
    pub hour: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<u64>,
}

impl typed::Entity for Note {
    type Design = super::EveryOptionDesign;
    const NAME: &'static str = "Note";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            tenant_id: typed::required(item, "tenantId")?,
            note_id: typed::required(item, "noteId")?,
            title: typed::required(item, "title")?,
            value: typed::required(item, "value")?,
            weight: typed::optional(item, "weight")?,
            day: typed::required(item, "day")?,
            hour: typed::required(item, "hour")?,
            expires_at: typed::optional(item, "expiresAt")?,
        })
    }
}

/// A Tick.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tick {
    pub tenant_id: String,
    pub round: i64,
    pub at: typed::Timestamp,
    pub epoch: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heard_at: Option<typed::Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::Timestamp>,
}

impl typed::Entity for Tick {
    type Design = super::EveryOptionDesign;
    const NAME: &'static str = "Tick";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            tenant_id: typed::required(item, "tenantId")?,
            round: typed::required(item, "round")?,
            at: typed::required(item, "at")?,
            epoch: typed::required(item, "epoch")?,
            heard_at: typed::optional(item, "heardAt")?,
            created_at: typed::optional(item, "createdAt")?,
        })
    }
}
