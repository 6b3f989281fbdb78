// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::enumerations::*;

/// An Agency.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Agency {
    pub agency_id: String,
    pub name: String,
    pub status: AgencyStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Agency {
    type Design = super::AgenciesDesign;
    const NAME: &'static str = "Agency";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            agency_id: typed::required(item, "agencyId")?,
            name: typed::required(item, "name")?,
            status: typed::or_default(item, "status", AgencyStatus::Active)?,
            created: typed::optional(item, "created")?,
            created_by: typed::optional(item, "createdBy")?,
            modified: typed::optional(item, "modified")?,
            modified_by: typed::optional(item, "modifiedBy")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// A Member.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    pub agency_id: String,
    pub idpid: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<MemberRole>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Member {
    type Design = super::AgenciesDesign;
    const NAME: &'static str = "Member";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            agency_id: typed::required(item, "agencyId")?,
            idpid: typed::required(item, "idpid")?,
            role: typed::optional(item, "role")?,
            created: typed::optional(item, "created")?,
            created_by: typed::optional(item, "createdBy")?,
            modified: typed::optional(item, "modified")?,
            modified_by: typed::optional(item, "modifiedBy")?,
            version: typed::optional(item, "version")?,
        })
    }
}
