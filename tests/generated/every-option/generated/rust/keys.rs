// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! Key builders.

use keyfold_typed as typed;

/// PK of Tenant: `TENANT#<tenantId>`.
pub fn pk_tenant(tenant_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("TENANT#<tenantId>", '#');
    key.literal("TENANT#");
    key.part("tenantId", tenant_id, &[]);
    key.text()
}

/// SK of Tenant: `METADATA`.
pub fn sk_tenant() -> &'static str {
    "METADATA"
}

/// PK of Note: `TENANT#<tenantId>`.
pub fn pk_note(tenant_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("TENANT#<tenantId>", '#');
    key.literal("TENANT#");
    key.part("tenantId", tenant_id, &[]);
    key.text()
}

/// SK of Note: `NOTE#<noteId>`.
pub fn sk_note(note_id: typed::Ulid) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("NOTE#<noteId>", '#');
    key.literal("NOTE#");
    key.part("noteId", &note_id, &[]);
    key.text()
}

/// PK of Tick: `TENANT#<tenantId>`.
pub fn pk_tick(tenant_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("TENANT#<tenantId>", '#');
    key.literal("TENANT#");
    key.part("tenantId", tenant_id, &[]);
    key.text()
}

/// SK of Tick: `TICK#<round:descending(6)>#<at>`.
pub fn sk_tick(round: i64, at: &typed::Timestamp) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("TICK#<round:descending(6)>#<at>", '#');
    key.literal("TICK#");
    key.part("round", &round, &[typed::Format::Descending(6)]);
    key.literal("#");
    key.part("at", at, &[]);
    key.text()
}
