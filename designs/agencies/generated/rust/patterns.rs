// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::entities::*;

/// A result of the access pattern "agency with members".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "entity", content = "item")]
pub enum AgencyWithMembers {
    Agency(Box<Agency>),
    Member(Box<Member>),
}

impl typed::Returned for AgencyWithMembers {
    type Design = super::AgenciesDesign;

    fn read(entity: &str, item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        match entity {
            "Agency" => typed::boxed(item).map(Self::Agency),
            "Member" => typed::boxed(item).map(Self::Member),
            other => Err(typed::TypeMismatch::unexpected_entity(other)),
        }
    }
}

impl super::Agencies<'_> {
    /// agency with members: `PK = AGENCY#<agencyId> -> Agency, Member`.
    pub async fn agency_with_members(
        &self,
        agency_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<AgencyWithMembers>, typed::Error> {
        let pattern = "agency with members";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "agencyId", agency_id);
        self.page(pattern, arguments, options).await
    }

    /// members by agency: `PK = AGENCY#<agencyId> and begins_with(SK, MEMBER#)`.
    pub async fn members_by_agency(
        &self,
        agency_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Member>, typed::Error> {
        let pattern = "members by agency";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "agencyId", agency_id);
        self.page(pattern, arguments, options).await
    }

    /// all agencies: `type = Agency, across tenants`. Crosses tenants: for operators.
    pub async fn all_agencies(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Agency>, typed::Error> {
        let pattern = "all agencies";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// all members: `type = Member, across tenants`. Crosses tenants: for operators.
    pub async fn all_members(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Member>, typed::Error> {
        let pattern = "all members";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// members by idpid: `idpid = <idpid>, own tenant only -> Member`. Members get only the items of their own tenant.
    pub async fn members_by_idpid(
        &self,
        idpid: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Member>, typed::Error> {
        let pattern = "members by idpid";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "idpid", idpid);
        self.page(pattern, arguments, options).await
    }
}
