// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! Key builders.

use keyfold_typed as typed;

/// PK of Agency: `AGENCY#<agencyId>`.
pub fn pk_agency(agency_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("AGENCY#<agencyId>", '#');
    key.literal("AGENCY#");
    key.part("agencyId", agency_id, &[]);
    key.text()
}

/// SK of Agency: `AGENCY#<agencyId>`.
pub fn sk_agency(agency_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("AGENCY#<agencyId>", '#');
    key.literal("AGENCY#");
    key.part("agencyId", agency_id, &[]);
    key.text()
}

/// Agency in GSI1.
pub fn gsi1_agency() -> Result<typed::Attributes, typed::TemplateError> {
    let mut r#type = typed::Key::new("Agency", '#');
    r#type.literal("Agency");
    typed::index_key([("type", r#type)])
}

/// PK of Member: `AGENCY#<agencyId>`.
pub fn pk_member(agency_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("AGENCY#<agencyId>", '#');
    key.literal("AGENCY#");
    key.part("agencyId", agency_id, &[]);
    key.text()
}

/// SK of Member: `MEMBER#<idpid>`.
pub fn sk_member(idpid: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("MEMBER#<idpid>", '#');
    key.literal("MEMBER#");
    key.part("idpid", idpid, &[]);
    key.text()
}

/// Member in GSI1.
pub fn gsi1_member() -> Result<typed::Attributes, typed::TemplateError> {
    let mut r#type = typed::Key::new("Member", '#');
    r#type.literal("Member");
    typed::index_key([("type", r#type)])
}
