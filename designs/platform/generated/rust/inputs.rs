// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use std::collections::BTreeMap;

use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::enumerations::*;

/// The identity of an Account.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AccountIdentity {
    pub account_id: String,
}

impl AccountIdentity {
    pub fn new(account_id: impl Into<String>) -> Self {
        Self {
            account_id: account_id.into(),
        }
    }
}

impl typed::Identity for AccountIdentity {
    type Entity = super::Account;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "accountId", &self.account_id);
    }
}

impl super::Account {
    /// The identity of the item.
    pub fn identity(&self) -> AccountIdentity {
        AccountIdentity {
            account_id: self.account_id.clone(),
        }
    }
}

/// The attributes of an Account to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewAccount {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<String>,
    pub name: String,
    /// Defaults to `active`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<AccountStatus>,
}

impl NewAccount {
    /// Takes the required attributes and leaves out all others.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            account_id: None,
            status: None,
        }
    }
}

impl typed::New for NewAccount {
    type Entity = super::Account;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "accountId", &self.account_id);
        typed::set(item, "name", &self.name);
        typed::set_if(item, "status", &self.status);
    }
}

/// A patch of an Account: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct AccountPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<AccountStatus>,
}

impl typed::Patch for AccountPatch {
    type Entity = super::Account;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "name", &self.name);
        typed::set_if(item, "status", &self.status);
    }
}

impl typed::Removable for super::Account {}

/// The identity of an Address.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddressIdentity {
    pub account_id: String,
    pub address_id: String,
}

impl AddressIdentity {
    pub fn new(account_id: impl Into<String>, address_id: impl Into<String>) -> Self {
        Self {
            account_id: account_id.into(),
            address_id: address_id.into(),
        }
    }
}

impl typed::Identity for AddressIdentity {
    type Entity = super::Address;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "accountId", &self.account_id);
        typed::set(item, "addressId", &self.address_id);
    }
}

impl super::Address {
    /// The identity of the item.
    pub fn identity(&self) -> AddressIdentity {
        AddressIdentity {
            account_id: self.account_id.clone(),
            address_id: self.address_id.clone(),
        }
    }
}

/// The attributes of an Address to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewAddress {
    /// Defaults to the caller's own tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<String>,
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address_id: Option<String>,
    /// Defaults to `office`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<AddressKind>,
    pub street: String,
    pub postal_code: String,
    pub city: String,
    pub country: String,
}

impl NewAddress {
    /// Takes the required attributes and leaves out all others.
    pub fn new(
        street: impl Into<String>,
        postal_code: impl Into<String>,
        city: impl Into<String>,
        country: impl Into<String>,
    ) -> Self {
        Self {
            street: street.into(),
            postal_code: postal_code.into(),
            city: city.into(),
            country: country.into(),
            account_id: None,
            address_id: None,
            kind: None,
        }
    }
}

impl typed::New for NewAddress {
    type Entity = super::Address;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "accountId", &self.account_id);
        typed::set_if(item, "addressId", &self.address_id);
        typed::set_if(item, "kind", &self.kind);
        typed::set(item, "street", &self.street);
        typed::set(item, "postalCode", &self.postal_code);
        typed::set(item, "city", &self.city);
        typed::set(item, "country", &self.country);
    }
}

/// A patch of an Address: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct AddressPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<AddressKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub street: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postal_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

impl typed::Patch for AddressPatch {
    type Entity = super::Address;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "kind", &self.kind);
        typed::set_if(item, "street", &self.street);
        typed::set_if(item, "postalCode", &self.postal_code);
        typed::set_if(item, "city", &self.city);
        typed::set_if(item, "country", &self.country);
    }
}

impl typed::Removable for super::Address {}

/// The identity of a TechUser.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TechUserIdentity {
    pub account_id: String,
    pub user_id: String,
}

impl TechUserIdentity {
    pub fn new(account_id: impl Into<String>, user_id: impl Into<String>) -> Self {
        Self {
            account_id: account_id.into(),
            user_id: user_id.into(),
        }
    }
}

impl typed::Identity for TechUserIdentity {
    type Entity = super::TechUser;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "accountId", &self.account_id);
        typed::set(item, "userId", &self.user_id);
    }
}

impl super::TechUser {
    /// The identity of the item.
    pub fn identity(&self) -> TechUserIdentity {
        TechUserIdentity {
            account_id: self.account_id.clone(),
            user_id: self.user_id.clone(),
        }
    }
}

/// The attributes of a TechUser to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewTechUser {
    /// Defaults to the caller's own tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<String>,
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    pub name: String,
    pub email: String,
}

impl NewTechUser {
    /// Takes the required attributes and leaves out all others.
    pub fn new(name: impl Into<String>, email: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            email: email.into(),
            account_id: None,
            user_id: None,
        }
    }
}

impl typed::New for NewTechUser {
    type Entity = super::TechUser;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "accountId", &self.account_id);
        typed::set_if(item, "userId", &self.user_id);
        typed::set(item, "name", &self.name);
        typed::set(item, "email", &self.email);
    }
}

/// A patch of a TechUser: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct TechUserPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
}

impl typed::Patch for TechUserPatch {
    type Entity = super::TechUser;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "name", &self.name);
        typed::set_if(item, "email", &self.email);
    }
}

impl typed::Removable for super::TechUser {}

/// The identity of an Enterprise.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EnterpriseIdentity {
    pub enterprise_id: String,
}

impl EnterpriseIdentity {
    pub fn new(enterprise_id: impl Into<String>) -> Self {
        Self {
            enterprise_id: enterprise_id.into(),
        }
    }
}

impl typed::Identity for EnterpriseIdentity {
    type Entity = super::Enterprise;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "enterpriseId", &self.enterprise_id);
    }
}

impl super::Enterprise {
    /// The identity of the item.
    pub fn identity(&self) -> EnterpriseIdentity {
        EnterpriseIdentity {
            enterprise_id: self.enterprise_id.clone(),
        }
    }
}

/// The attributes of an Enterprise to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewEnterprise {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enterprise_id: Option<String>,
    pub name: String,
}

impl NewEnterprise {
    /// Takes the required attributes and leaves out all others.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            enterprise_id: None,
        }
    }
}

impl typed::New for NewEnterprise {
    type Entity = super::Enterprise;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "enterpriseId", &self.enterprise_id);
        typed::set(item, "name", &self.name);
    }
}

/// A patch of an Enterprise: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct EnterprisePatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl typed::Patch for EnterprisePatch {
    type Entity = super::Enterprise;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "name", &self.name);
    }
}

impl typed::Removable for super::Enterprise {}

/// The identity of an EnterpriseProduct.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EnterpriseProductIdentity {
    pub enterprise_id: String,
    pub product_id: String,
}

impl EnterpriseProductIdentity {
    pub fn new(enterprise_id: impl Into<String>, product_id: impl Into<String>) -> Self {
        Self {
            enterprise_id: enterprise_id.into(),
            product_id: product_id.into(),
        }
    }
}

impl typed::Identity for EnterpriseProductIdentity {
    type Entity = super::EnterpriseProduct;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "enterpriseId", &self.enterprise_id);
        typed::set(item, "productId", &self.product_id);
    }
}

impl super::EnterpriseProduct {
    /// The identity of the item.
    pub fn identity(&self) -> EnterpriseProductIdentity {
        EnterpriseProductIdentity {
            enterprise_id: self.enterprise_id.clone(),
            product_id: self.product_id.clone(),
        }
    }
}

/// The attributes of an EnterpriseProduct to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewEnterpriseProduct {
    pub enterprise_id: String,
    pub product_id: String,
}

impl NewEnterpriseProduct {
    /// Takes the required attributes and leaves out all others.
    pub fn new(enterprise_id: impl Into<String>, product_id: impl Into<String>) -> Self {
        Self {
            enterprise_id: enterprise_id.into(),
            product_id: product_id.into(),
        }
    }
}

impl typed::New for NewEnterpriseProduct {
    type Entity = super::EnterpriseProduct;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "enterpriseId", &self.enterprise_id);
        typed::set(item, "productId", &self.product_id);
    }
}

impl typed::Removable for super::EnterpriseProduct {}

/// The identity of an EnterpriseService.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EnterpriseServiceIdentity {
    pub enterprise_id: String,
    pub service_id: String,
}

impl EnterpriseServiceIdentity {
    pub fn new(enterprise_id: impl Into<String>, service_id: impl Into<String>) -> Self {
        Self {
            enterprise_id: enterprise_id.into(),
            service_id: service_id.into(),
        }
    }
}

impl typed::Identity for EnterpriseServiceIdentity {
    type Entity = super::EnterpriseService;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "enterpriseId", &self.enterprise_id);
        typed::set(item, "serviceId", &self.service_id);
    }
}

impl super::EnterpriseService {
    /// The identity of the item.
    pub fn identity(&self) -> EnterpriseServiceIdentity {
        EnterpriseServiceIdentity {
            enterprise_id: self.enterprise_id.clone(),
            service_id: self.service_id.clone(),
        }
    }
}

/// The attributes of an EnterpriseService to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewEnterpriseService {
    pub enterprise_id: String,
    pub service_id: String,
}

impl NewEnterpriseService {
    /// Takes the required attributes and leaves out all others.
    pub fn new(enterprise_id: impl Into<String>, service_id: impl Into<String>) -> Self {
        Self {
            enterprise_id: enterprise_id.into(),
            service_id: service_id.into(),
        }
    }
}

impl typed::New for NewEnterpriseService {
    type Entity = super::EnterpriseService;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "enterpriseId", &self.enterprise_id);
        typed::set(item, "serviceId", &self.service_id);
    }
}

impl typed::Removable for super::EnterpriseService {}

/// The identity of a License.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LicenseIdentity {
    pub account_id: String,
    pub license_id: String,
}

impl LicenseIdentity {
    pub fn new(account_id: impl Into<String>, license_id: impl Into<String>) -> Self {
        Self {
            account_id: account_id.into(),
            license_id: license_id.into(),
        }
    }
}

impl typed::Identity for LicenseIdentity {
    type Entity = super::License;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "accountId", &self.account_id);
        typed::set(item, "licenseId", &self.license_id);
    }
}

impl super::License {
    /// The identity of the item.
    pub fn identity(&self) -> LicenseIdentity {
        LicenseIdentity {
            account_id: self.account_id.clone(),
            license_id: self.license_id.clone(),
        }
    }
}

/// The attributes of a License to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewLicense {
    /// Defaults to the caller's own tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<String>,
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license_id: Option<String>,
    pub enterprise_id: String,
    /// Defaults to `active`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<LicenseStatus>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_date: Option<typed::Date>,
    pub end_date: typed::Date,
    pub seats: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl NewLicense {
    /// Takes the required attributes and leaves out all others.
    pub fn new(enterprise_id: impl Into<String>, end_date: typed::Date, seats: i64) -> Self {
        Self {
            enterprise_id: enterprise_id.into(),
            end_date,
            seats,
            account_id: None,
            license_id: None,
            status: None,
            start_date: None,
            note: None,
        }
    }
}

impl typed::New for NewLicense {
    type Entity = super::License;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "accountId", &self.account_id);
        typed::set_if(item, "licenseId", &self.license_id);
        typed::set(item, "enterpriseId", &self.enterprise_id);
        typed::set_if(item, "status", &self.status);
        typed::set_if(item, "startDate", &self.start_date);
        typed::set(item, "endDate", &self.end_date);
        typed::set(item, "seats", &self.seats);
        typed::set_if(item, "note", &self.note);
    }
}

/// A patch of a License: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct LicensePatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enterprise_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<LicenseStatus>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub start_date: typed::AttributeChange<typed::Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_date: Option<typed::Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seats: Option<i64>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub note: typed::AttributeChange<String>,
}

impl typed::Patch for LicensePatch {
    type Entity = super::License;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "enterpriseId", &self.enterprise_id);
        typed::set_if(item, "status", &self.status);
        typed::set_change(item, "startDate", &self.start_date);
        typed::set_if(item, "endDate", &self.end_date);
        typed::set_if(item, "seats", &self.seats);
        typed::set_change(item, "note", &self.note);
    }
}

/// Operators of a patch of a License.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LicenseOperators(pub typed::Operators);

impl LicenseOperators {
    /// Adds to `seats`.
    pub fn add_seats(&mut self, value: i64) -> &mut Self {
        typed::add(&mut self.0, "seats", &value);
        self
    }

    /// Subtracts from `seats`.
    pub fn subtract_seats(&mut self, value: i64) -> &mut Self {
        typed::subtract(&mut self.0, "seats", &value);
        self
    }
}

impl typed::Removable for super::License {}

/// The identity of a Workstream.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WorkstreamIdentity {
    pub account_id: String,
    pub workstream_id: String,
}

impl WorkstreamIdentity {
    pub fn new(account_id: impl Into<String>, workstream_id: impl Into<String>) -> Self {
        Self {
            account_id: account_id.into(),
            workstream_id: workstream_id.into(),
        }
    }
}

impl typed::Identity for WorkstreamIdentity {
    type Entity = super::Workstream;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "accountId", &self.account_id);
        typed::set(item, "workstreamId", &self.workstream_id);
    }
}

impl super::Workstream {
    /// The identity of the item.
    pub fn identity(&self) -> WorkstreamIdentity {
        WorkstreamIdentity {
            account_id: self.account_id.clone(),
            workstream_id: self.workstream_id.clone(),
        }
    }
}

/// The attributes of a Workstream to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewWorkstream {
    /// Defaults to the caller's own tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<String>,
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workstream_id: Option<String>,
    pub enterprise_id: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl NewWorkstream {
    /// Takes the required attributes and leaves out all others.
    pub fn new(enterprise_id: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            enterprise_id: enterprise_id.into(),
            name: name.into(),
            account_id: None,
            workstream_id: None,
            description: None,
        }
    }
}

impl typed::New for NewWorkstream {
    type Entity = super::Workstream;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "accountId", &self.account_id);
        typed::set_if(item, "workstreamId", &self.workstream_id);
        typed::set(item, "enterpriseId", &self.enterprise_id);
        typed::set(item, "name", &self.name);
        typed::set_if(item, "description", &self.description);
    }
}

/// A patch of a Workstream: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct WorkstreamPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enterprise_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub description: typed::AttributeChange<String>,
}

impl typed::Patch for WorkstreamPatch {
    type Entity = super::Workstream;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "enterpriseId", &self.enterprise_id);
        typed::set_if(item, "name", &self.name);
        typed::set_change(item, "description", &self.description);
    }
}

impl typed::Removable for super::Workstream {}

/// The identity of a Tool.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolIdentity {
    pub workstream_id: String,
    pub tool_id: String,
}

impl ToolIdentity {
    pub fn new(workstream_id: impl Into<String>, tool_id: impl Into<String>) -> Self {
        Self {
            workstream_id: workstream_id.into(),
            tool_id: tool_id.into(),
        }
    }
}

impl typed::Identity for ToolIdentity {
    type Entity = super::Tool;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "workstreamId", &self.workstream_id);
        typed::set(item, "toolId", &self.tool_id);
    }
}

impl super::Tool {
    /// The identity of the item.
    pub fn identity(&self) -> ToolIdentity {
        ToolIdentity {
            workstream_id: self.workstream_id.clone(),
            tool_id: self.tool_id.clone(),
        }
    }
}

/// The attributes of a Tool to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewTool {
    /// Defaults to the caller's own tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<String>,
    pub workstream_id: String,
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_id: Option<String>,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl NewTool {
    /// Takes the required attributes and leaves out all others.
    pub fn new(workstream_id: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            workstream_id: workstream_id.into(),
            name: name.into(),
            account_id: None,
            tool_id: None,
            url: None,
        }
    }
}

impl typed::New for NewTool {
    type Entity = super::Tool;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "accountId", &self.account_id);
        typed::set(item, "workstreamId", &self.workstream_id);
        typed::set_if(item, "toolId", &self.tool_id);
        typed::set(item, "name", &self.name);
        typed::set_if(item, "url", &self.url);
    }
}

/// A patch of a Tool: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ToolPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub url: typed::AttributeChange<String>,
}

impl typed::Patch for ToolPatch {
    type Entity = super::Tool;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "name", &self.name);
        typed::set_change(item, "url", &self.url);
    }
}

impl typed::Removable for super::Tool {}

/// The identity of a User.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UserIdentity {
    pub user_id: String,
}

impl UserIdentity {
    pub fn new(user_id: impl Into<String>) -> Self {
        Self {
            user_id: user_id.into(),
        }
    }
}

impl typed::Identity for UserIdentity {
    type Entity = super::User;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "userId", &self.user_id);
    }
}

impl super::User {
    /// The identity of the item.
    pub fn identity(&self) -> UserIdentity {
        UserIdentity {
            user_id: self.user_id.clone(),
        }
    }
}

/// The attributes of a User to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewUser {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    /// Defaults to the caller's own tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role_id: Option<String>,
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    /// Defaults to `active`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<UserStatus>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_date: Option<typed::Date>,
}

impl NewUser {
    /// Takes the required attributes and leaves out all others.
    pub fn new(
        email: impl Into<String>,
        first_name: impl Into<String>,
        last_name: impl Into<String>,
    ) -> Self {
        Self {
            email: email.into(),
            first_name: first_name.into(),
            last_name: last_name.into(),
            user_id: None,
            account_id: None,
            role_id: None,
            status: None,
            end_date: None,
        }
    }
}

impl typed::New for NewUser {
    type Entity = super::User;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "userId", &self.user_id);
        typed::set_if(item, "accountId", &self.account_id);
        typed::set_if(item, "roleId", &self.role_id);
        typed::set(item, "email", &self.email);
        typed::set(item, "firstName", &self.first_name);
        typed::set(item, "lastName", &self.last_name);
        typed::set_if(item, "status", &self.status);
        typed::set_if(item, "endDate", &self.end_date);
    }
}

/// A patch of a User: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct UserPatch {
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub role_id: typed::AttributeChange<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<UserStatus>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub end_date: typed::AttributeChange<typed::Date>,
}

impl typed::Patch for UserPatch {
    type Entity = super::User;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_change(item, "roleId", &self.role_id);
        typed::set_if(item, "email", &self.email);
        typed::set_if(item, "firstName", &self.first_name);
        typed::set_if(item, "lastName", &self.last_name);
        typed::set_if(item, "status", &self.status);
        typed::set_change(item, "endDate", &self.end_date);
    }
}

impl typed::Removable for super::User {}

/// The identity of a UserWorkstream.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UserWorkstreamIdentity {
    pub user_id: String,
    pub workstream_id: String,
}

impl UserWorkstreamIdentity {
    pub fn new(user_id: impl Into<String>, workstream_id: impl Into<String>) -> Self {
        Self {
            user_id: user_id.into(),
            workstream_id: workstream_id.into(),
        }
    }
}

impl typed::Identity for UserWorkstreamIdentity {
    type Entity = super::UserWorkstream;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "userId", &self.user_id);
        typed::set(item, "workstreamId", &self.workstream_id);
    }
}

impl super::UserWorkstream {
    /// The identity of the item.
    pub fn identity(&self) -> UserWorkstreamIdentity {
        UserWorkstreamIdentity {
            user_id: self.user_id.clone(),
            workstream_id: self.workstream_id.clone(),
        }
    }
}

/// The attributes of a UserWorkstream to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewUserWorkstream {
    /// Defaults to the caller's own tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<String>,
    pub user_id: String,
    pub workstream_id: String,
}

impl NewUserWorkstream {
    /// Takes the required attributes and leaves out all others.
    pub fn new(user_id: impl Into<String>, workstream_id: impl Into<String>) -> Self {
        Self {
            user_id: user_id.into(),
            workstream_id: workstream_id.into(),
            account_id: None,
        }
    }
}

impl typed::New for NewUserWorkstream {
    type Entity = super::UserWorkstream;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "accountId", &self.account_id);
        typed::set(item, "userId", &self.user_id);
        typed::set(item, "workstreamId", &self.workstream_id);
    }
}

impl typed::Removable for super::UserWorkstream {}

/// The identity of a Role.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RoleIdentity {
    pub role_id: String,
}

impl RoleIdentity {
    pub fn new(role_id: impl Into<String>) -> Self {
        Self {
            role_id: role_id.into(),
        }
    }
}

impl typed::Identity for RoleIdentity {
    type Entity = super::Role;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "roleId", &self.role_id);
    }
}

impl super::Role {
    /// The identity of the item.
    pub fn identity(&self) -> RoleIdentity {
        RoleIdentity {
            role_id: self.role_id.clone(),
        }
    }
}

/// The attributes of a Role to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewRole {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<String>,
    pub name: String,
}

impl NewRole {
    /// Takes the required attributes and leaves out all others.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            role_id: None,
            account_id: None,
        }
    }
}

impl typed::New for NewRole {
    type Entity = super::Role;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "roleId", &self.role_id);
        typed::set_if(item, "accountId", &self.account_id);
        typed::set(item, "name", &self.name);
    }
}

/// A patch of a Role: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct RolePatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl typed::Patch for RolePatch {
    type Entity = super::Role;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "name", &self.name);
    }
}

impl typed::Removable for super::Role {}

/// The identity of a Permission.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PermissionIdentity {
    pub role_id: String,
    pub menu_key: String,
}

impl PermissionIdentity {
    pub fn new(role_id: impl Into<String>, menu_key: impl Into<String>) -> Self {
        Self {
            role_id: role_id.into(),
            menu_key: menu_key.into(),
        }
    }
}

impl typed::Identity for PermissionIdentity {
    type Entity = super::Permission;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "roleId", &self.role_id);
        typed::set(item, "menuKey", &self.menu_key);
    }
}

impl super::Permission {
    /// The identity of the item.
    pub fn identity(&self) -> PermissionIdentity {
        PermissionIdentity {
            role_id: self.role_id.clone(),
            menu_key: self.menu_key.clone(),
        }
    }
}

/// The attributes of a Permission to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewPermission {
    pub role_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<String>,
    pub menu_key: String,
    pub actions: Vec<PermissionActions>,
}

impl NewPermission {
    /// Takes the required attributes and leaves out all others.
    pub fn new(
        role_id: impl Into<String>,
        menu_key: impl Into<String>,
        actions: Vec<PermissionActions>,
    ) -> Self {
        Self {
            role_id: role_id.into(),
            menu_key: menu_key.into(),
            actions,
            account_id: None,
        }
    }
}

impl typed::New for NewPermission {
    type Entity = super::Permission;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "roleId", &self.role_id);
        typed::set_if(item, "accountId", &self.account_id);
        typed::set(item, "menuKey", &self.menu_key);
        typed::set(item, "actions", &self.actions);
    }
}

/// A patch of a Permission: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct PermissionPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actions: Option<Vec<PermissionActions>>,
}

impl typed::Patch for PermissionPatch {
    type Entity = super::Permission;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "actions", &self.actions);
    }
}

/// Operators of a patch of a Permission.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PermissionOperators(pub typed::Operators);

impl PermissionOperators {
    /// Adds elements at the end of `actions`.
    pub fn append_actions(&mut self, value: &[PermissionActions]) -> &mut Self {
        typed::append(&mut self.0, "actions", value);
        self
    }

    /// Adds elements at the beginning of `actions`.
    pub fn prepend_actions(&mut self, value: &[PermissionActions]) -> &mut Self {
        typed::prepend(&mut self.0, "actions", value);
        self
    }
}

impl typed::Removable for super::Permission {}

/// The identity of a Group.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GroupIdentity {
    pub group_id: String,
}

impl GroupIdentity {
    pub fn new(group_id: impl Into<String>) -> Self {
        Self {
            group_id: group_id.into(),
        }
    }
}

impl typed::Identity for GroupIdentity {
    type Entity = super::Group;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "groupId", &self.group_id);
    }
}

impl super::Group {
    /// The identity of the item.
    pub fn identity(&self) -> GroupIdentity {
        GroupIdentity {
            group_id: self.group_id.clone(),
        }
    }
}

/// The attributes of a Group to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewGroup {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group_id: Option<String>,
    pub name: String,
}

impl NewGroup {
    /// Takes the required attributes and leaves out all others.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            group_id: None,
        }
    }
}

impl typed::New for NewGroup {
    type Entity = super::Group;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "groupId", &self.group_id);
        typed::set(item, "name", &self.name);
    }
}

/// A patch of a Group: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct GroupPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl typed::Patch for GroupPatch {
    type Entity = super::Group;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "name", &self.name);
    }
}

impl typed::Removable for super::Group {}

/// The identity of a Product.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProductIdentity {
    pub product_id: String,
}

impl ProductIdentity {
    pub fn new(product_id: impl Into<String>) -> Self {
        Self {
            product_id: product_id.into(),
        }
    }
}

impl typed::Identity for ProductIdentity {
    type Entity = super::Product;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "productId", &self.product_id);
    }
}

impl super::Product {
    /// The identity of the item.
    pub fn identity(&self) -> ProductIdentity {
        ProductIdentity {
            product_id: self.product_id.clone(),
        }
    }
}

/// The attributes of a Product to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewProduct {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub product_id: Option<String>,
    pub name: String,
}

impl NewProduct {
    /// Takes the required attributes and leaves out all others.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            product_id: None,
        }
    }
}

impl typed::New for NewProduct {
    type Entity = super::Product;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "productId", &self.product_id);
        typed::set(item, "name", &self.name);
    }
}

/// A patch of a Product: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ProductPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl typed::Patch for ProductPatch {
    type Entity = super::Product;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "name", &self.name);
    }
}

impl typed::Removable for super::Product {}

/// The identity of a Service.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ServiceIdentity {
    pub service_id: String,
}

impl ServiceIdentity {
    pub fn new(service_id: impl Into<String>) -> Self {
        Self {
            service_id: service_id.into(),
        }
    }
}

impl typed::Identity for ServiceIdentity {
    type Entity = super::Service;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "serviceId", &self.service_id);
    }
}

impl super::Service {
    /// The identity of the item.
    pub fn identity(&self) -> ServiceIdentity {
        ServiceIdentity {
            service_id: self.service_id.clone(),
        }
    }
}

/// The attributes of a Service to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewService {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_id: Option<String>,
    pub name: String,
}

impl NewService {
    /// Takes the required attributes and leaves out all others.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            service_id: None,
        }
    }
}

impl typed::New for NewService {
    type Entity = super::Service;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "serviceId", &self.service_id);
        typed::set(item, "name", &self.name);
    }
}

/// A patch of a Service: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ServicePatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl typed::Patch for ServicePatch {
    type Entity = super::Service;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "name", &self.name);
    }
}

impl typed::Removable for super::Service {}

/// The identity of a NotificationAudit.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NotificationAuditIdentity {
    pub id: String,
}

impl NotificationAuditIdentity {
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into() }
    }
}

impl typed::Identity for NotificationAuditIdentity {
    type Entity = super::NotificationAudit;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "id", &self.id);
    }
}

impl super::NotificationAudit {
    /// The identity of the item.
    pub fn identity(&self) -> NotificationAuditIdentity {
        NotificationAuditIdentity {
            id: self.id.clone(),
        }
    }
}

/// The attributes of a NotificationAudit to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewNotificationAudit {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub notification_type: String,
    pub recipient_email: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient_first_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient_last_name: Option<String>,
    /// Defaults to the caller's own tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<String>,
    pub account_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    pub delivery_status: NotificationAuditDeliveryStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ses_message_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip_reason: Option<String>,
    pub sender_email: String,
    pub subject: String,
    pub sent_at: typed::DateTime,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<BTreeMap<String, typed::Any>>,
}

impl NewNotificationAudit {
    /// Takes the required attributes and leaves out all others.
    pub fn new(
        notification_type: impl Into<String>,
        recipient_email: impl Into<String>,
        account_name: impl Into<String>,
        delivery_status: NotificationAuditDeliveryStatus,
        sender_email: impl Into<String>,
        subject: impl Into<String>,
        sent_at: typed::DateTime,
    ) -> Self {
        Self {
            notification_type: notification_type.into(),
            recipient_email: recipient_email.into(),
            account_name: account_name.into(),
            delivery_status,
            sender_email: sender_email.into(),
            subject: subject.into(),
            sent_at,
            id: None,
            recipient_first_name: None,
            recipient_last_name: None,
            account_id: None,
            user_id: None,
            ses_message_id: None,
            error_message: None,
            skip_reason: None,
            metadata: None,
        }
    }
}

impl typed::New for NewNotificationAudit {
    type Entity = super::NotificationAudit;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "id", &self.id);
        typed::set(item, "notificationType", &self.notification_type);
        typed::set(item, "recipientEmail", &self.recipient_email);
        typed::set_if(item, "recipientFirstName", &self.recipient_first_name);
        typed::set_if(item, "recipientLastName", &self.recipient_last_name);
        typed::set_if(item, "accountId", &self.account_id);
        typed::set(item, "accountName", &self.account_name);
        typed::set_if(item, "userId", &self.user_id);
        typed::set(item, "deliveryStatus", &self.delivery_status);
        typed::set_if(item, "sesMessageId", &self.ses_message_id);
        typed::set_if(item, "errorMessage", &self.error_message);
        typed::set_if(item, "skipReason", &self.skip_reason);
        typed::set(item, "senderEmail", &self.sender_email);
        typed::set(item, "subject", &self.subject);
        typed::set(item, "sentAt", &self.sent_at);
        typed::set_if(item, "metadata", &self.metadata);
    }
}
