// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

/// The identity of a Tenant.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TenantIdentity {
    pub tenant_id: String,
}

impl TenantIdentity {
    pub fn new(tenant_id: impl Into<String>) -> Self {
        Self {
            tenant_id: tenant_id.into(),
        }
    }
}

impl typed::Identity for TenantIdentity {
    type Entity = super::Tenant;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "tenantId", &self.tenant_id);
    }
}

impl super::Tenant {
    /// The identity of the item.
    pub fn identity(&self) -> TenantIdentity {
        TenantIdentity {
            tenant_id: self.tenant_id.clone(),
        }
    }
}

/// The attributes of a Tenant to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewTenant {
    pub tenant_id: String,
    pub name: String,
}

impl NewTenant {
    /// Takes the required attributes and leaves out all others.
    pub fn new(tenant_id: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            tenant_id: tenant_id.into(),
            name: name.into(),
        }
    }
}

impl typed::New for NewTenant {
    type Entity = super::Tenant;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "tenantId", &self.tenant_id);
        typed::set(item, "name", &self.name);
    }
}

/// A patch of a Tenant: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct TenantPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl typed::Patch for TenantPatch {
    type Entity = super::Tenant;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "name", &self.name);
    }
}

impl typed::Removable for super::Tenant {}

/// The identity of a Note.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NoteIdentity {
    pub tenant_id: String,
    pub note_id: typed::Ulid,
}

impl NoteIdentity {
    pub fn new(tenant_id: impl Into<String>, note_id: typed::Ulid) -> Self {
        Self {
            tenant_id: tenant_id.into(),
            note_id,
        }
    }
}

impl typed::Identity for NoteIdentity {
    type Entity = super::Note;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "tenantId", &self.tenant_id);
        typed::set(item, "noteId", &self.note_id);
    }
}

impl super::Note {
    /// The identity of the item.
    pub fn identity(&self) -> NoteIdentity {
        NoteIdentity {
            tenant_id: self.tenant_id.clone(),
            note_id: self.note_id,
        }
    }
}

/// The attributes of a Note to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewNote {
    /// Defaults to the caller's own tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<String>,
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note_id: Option<typed::Ulid>,
    pub title: String,
    pub value: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<typed::Number>,
    pub day: typed::Date,
    pub hour: String,
    pub expires_at: u64,
}

impl NewNote {
    /// Takes the required attributes and leaves out all others.
    pub fn new(
        title: impl Into<String>,
        value: i64,
        day: typed::Date,
        hour: impl Into<String>,
        expires_at: u64,
    ) -> Self {
        Self {
            title: title.into(),
            value,
            day,
            hour: hour.into(),
            expires_at,
            tenant_id: None,
            note_id: None,
            weight: None,
        }
    }
}

impl typed::New for NewNote {
    type Entity = super::Note;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "tenantId", &self.tenant_id);
        typed::set_if(item, "noteId", &self.note_id);
        typed::set(item, "title", &self.title);
        typed::set(item, "value", &self.value);
        typed::set_if(item, "weight", &self.weight);
        typed::set(item, "day", &self.day);
        typed::set(item, "hour", &self.hour);
        typed::set(item, "expiresAt", &self.expires_at);
    }
}

/// A patch of a Note: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct NotePatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i64>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub weight: typed::AttributeChange<typed::Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<typed::Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hour: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<u64>,
}

impl typed::Patch for NotePatch {
    type Entity = super::Note;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "title", &self.title);
        typed::set_if(item, "value", &self.value);
        typed::set_change(item, "weight", &self.weight);
        typed::set_if(item, "day", &self.day);
        typed::set_if(item, "hour", &self.hour);
        typed::set_if(item, "expiresAt", &self.expires_at);
    }
}

/// Operators of a patch of a Note.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NoteOperators(pub typed::Operators);

impl NoteOperators {
    /// Adds to `value`.
    pub fn add_value(&mut self, value: i64) -> &mut Self {
        typed::add(&mut self.0, "value", &value);
        self
    }

    /// Subtracts from `value`.
    pub fn subtract_value(&mut self, value: i64) -> &mut Self {
        typed::subtract(&mut self.0, "value", &value);
        self
    }

    /// Adds to `weight`.
    pub fn add_weight(&mut self, value: typed::Number) -> &mut Self {
        typed::add(&mut self.0, "weight", &value);
        self
    }

    /// Subtracts from `weight`.
    pub fn subtract_weight(&mut self, value: typed::Number) -> &mut Self {
        typed::subtract(&mut self.0, "weight", &value);
        self
    }
}

impl typed::Removable for super::Note {}

/// The identity of a Tick.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TickIdentity {
    pub tenant_id: String,
    pub round: i64,
    pub at: typed::Timestamp,
}

impl TickIdentity {
    pub fn new(tenant_id: impl Into<String>, round: i64, at: typed::Timestamp) -> Self {
        Self {
            tenant_id: tenant_id.into(),
            round,
            at,
        }
    }
}

impl typed::Identity for TickIdentity {
    type Entity = super::Tick;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "tenantId", &self.tenant_id);
        typed::set(item, "round", &self.round);
        typed::set(item, "at", &self.at);
    }
}

impl super::Tick {
    /// The identity of the item.
    pub fn identity(&self) -> TickIdentity {
        TickIdentity {
            tenant_id: self.tenant_id.clone(),
            round: self.round,
            at: self.at,
        }
    }
}

/// The attributes of a Tick to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewTick {
    /// Defaults to the caller's own tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<String>,
    pub round: i64,
    pub at: typed::Timestamp,
    pub epoch: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heard_at: Option<typed::Timestamp>,
}

impl NewTick {
    /// Takes the required attributes and leaves out all others.
    pub fn new(round: i64, at: typed::Timestamp, epoch: i64) -> Self {
        Self {
            round,
            at,
            epoch,
            tenant_id: None,
            heard_at: None,
        }
    }
}

impl typed::New for NewTick {
    type Entity = super::Tick;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "tenantId", &self.tenant_id);
        typed::set(item, "round", &self.round);
        typed::set(item, "at", &self.at);
        typed::set(item, "epoch", &self.epoch);
        typed::set_if(item, "heardAt", &self.heard_at);
    }
}

/// A patch of a Tick: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct TickPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epoch: Option<i64>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub heard_at: typed::AttributeChange<typed::Timestamp>,
}

impl typed::Patch for TickPatch {
    type Entity = super::Tick;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "epoch", &self.epoch);
        typed::set_change(item, "heardAt", &self.heard_at);
    }
}

impl typed::Removable for super::Tick {}
