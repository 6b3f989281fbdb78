// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::enumerations::*;

/// The identity of an Agency.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AgencyIdentity {
    pub agency_id: String,
}

impl AgencyIdentity {
    pub fn new(agency_id: impl Into<String>) -> Self {
        Self {
            agency_id: agency_id.into(),
        }
    }
}

impl typed::Identity for AgencyIdentity {
    type Entity = super::Agency;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "agencyId", &self.agency_id);
    }
}

impl super::Agency {
    /// The identity of the item.
    pub fn identity(&self) -> AgencyIdentity {
        AgencyIdentity {
            agency_id: self.agency_id.clone(),
        }
    }
}

/// The attributes of an Agency to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewAgency {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agency_id: Option<String>,
    pub name: String,
    /// Defaults to `active`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<AgencyStatus>,
}

impl NewAgency {
    /// Takes the required attributes and leaves out all others.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            agency_id: None,
            status: None,
        }
    }
}

impl typed::New for NewAgency {
    type Entity = super::Agency;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "agencyId", &self.agency_id);
        typed::set(item, "name", &self.name);
        typed::set_if(item, "status", &self.status);
    }
}

/// A patch of an Agency: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct AgencyPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<AgencyStatus>,
}

impl typed::Patch for AgencyPatch {
    type Entity = super::Agency;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "name", &self.name);
        typed::set_if(item, "status", &self.status);
    }
}

impl typed::Removable for super::Agency {}

/// The identity of a Member.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MemberIdentity {
    pub agency_id: String,
    pub idpid: String,
}

impl MemberIdentity {
    pub fn new(agency_id: impl Into<String>, idpid: impl Into<String>) -> Self {
        Self {
            agency_id: agency_id.into(),
            idpid: idpid.into(),
        }
    }
}

impl typed::Identity for MemberIdentity {
    type Entity = super::Member;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "agencyId", &self.agency_id);
        typed::set(item, "idpid", &self.idpid);
    }
}

impl super::Member {
    /// The identity of the item.
    pub fn identity(&self) -> MemberIdentity {
        MemberIdentity {
            agency_id: self.agency_id.clone(),
            idpid: self.idpid.clone(),
        }
    }
}

/// The attributes of a Member to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewMember {
    /// Defaults to the caller's own tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agency_id: Option<String>,
    pub idpid: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<MemberRole>,
}

impl NewMember {
    /// Takes the required attributes and leaves out all others.
    pub fn new(idpid: impl Into<String>) -> Self {
        Self {
            idpid: idpid.into(),
            agency_id: None,
            role: None,
        }
    }
}

impl typed::New for NewMember {
    type Entity = super::Member;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "agencyId", &self.agency_id);
        typed::set(item, "idpid", &self.idpid);
        typed::set_if(item, "role", &self.role);
    }
}

/// A patch of a Member: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct MemberPatch {
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub role: typed::AttributeChange<MemberRole>,
}

impl typed::Patch for MemberPatch {
    type Entity = super::Member;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_change(item, "role", &self.role);
    }
}

impl typed::Removable for super::Member {}
