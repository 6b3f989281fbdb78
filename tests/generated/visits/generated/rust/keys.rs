// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! Key builders.

use keyfold_typed as typed;

/// PK of Person: `PERSON#<personId>`.
pub fn pk_person(person_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("PERSON#<personId>", '#');
    key.literal("PERSON#");
    key.part("personId", person_id, &[]);
    key.text()
}

/// SK of Person: `METADATA`.
pub fn sk_person() -> &'static str {
    "METADATA"
}

/// PK of Visit: `PERSON#<personId>`.
pub fn pk_visit(person_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("PERSON#<personId>", '#');
    key.literal("PERSON#");
    key.part("personId", person_id, &[]);
    key.text()
}

/// SK of Visit: `VISIT#<visitId>`.
pub fn sk_visit(visit_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("VISIT#<visitId>", '#');
    key.literal("VISIT#");
    key.part("visitId", visit_id, &[]);
    key.text()
}

/// Visit in GSI1.
pub fn gsi1_visit(
    day: typed::Date,
    visit_id: &str,
    at: typed::DateTime,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi1_pk = typed::Key::new("VISITS#<day>#<visitId:shard(4)>", '#');
    gsi1_pk.literal("VISITS#");
    gsi1_pk.part("day", &day, &[]);
    gsi1_pk.literal("#");
    gsi1_pk.part("visitId", visit_id, &[typed::Format::Shard(4)]);
    let mut gsi1_sk = typed::Key::new("<at>#<visitId>", '#');
    gsi1_sk.part("at", &at, &[]);
    gsi1_sk.literal("#");
    gsi1_sk.part("visitId", visit_id, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}
