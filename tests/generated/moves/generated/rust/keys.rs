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

/// SK of Person: `PERSON#<team>#<name>`.
pub fn sk_person(team: &str, name: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("PERSON#<team>#<name>", '#');
    key.literal("PERSON#");
    key.part("team", team, &[]);
    key.literal("#");
    key.part("name", name, &[]);
    key.text()
}

/// Person in GSI1.
pub fn gsi1_person(
    team: &str,
    name: &str,
    person_id: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi1_pk = typed::Key::new("TEAM#<team>", '#');
    gsi1_pk.literal("TEAM#");
    gsi1_pk.part("team", team, &[]);
    let mut gsi1_sk = typed::Key::new("<name>#<personId>", '#');
    gsi1_sk.part("name", name, &[]);
    gsi1_sk.literal("#");
    gsi1_sk.part("personId", person_id, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}

/// Person in GSI2.
pub fn gsi2_person(city: &str, person_id: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi2_pk = typed::Key::new("CITY#<city>", '#');
    gsi2_pk.literal("CITY#");
    gsi2_pk.part("city", city, &[]);
    let mut gsi2_sk = typed::Key::new("PERSON#<personId>", '#');
    gsi2_sk.literal("PERSON#");
    gsi2_sk.part("personId", person_id, &[]);
    typed::index_key([("GSI2PK", gsi2_pk), ("GSI2SK", gsi2_sk)])
}

/// The key of the lookup of Person by email.
pub fn lookup_person_by_email(email: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut pk = typed::Key::new("EMAIL#<email:lower>", '#');
    pk.literal("EMAIL#");
    pk.part("email", email, &[typed::Format::Lower]);
    let mut sk = typed::Key::new("LOOKUP", '#');
    sk.literal("LOOKUP");
    typed::index_key([("PK", pk), ("SK", sk)])
}

/// The index key of the lookup of Person by email.
pub fn person_by_email(
    email: &str,
    person_id: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi1_pk = typed::Key::new("EMAIL#<email:lower>", '#');
    gsi1_pk.literal("EMAIL#");
    gsi1_pk.part("email", email, &[typed::Format::Lower]);
    let mut gsi1_sk = typed::Key::new("PERSON#<personId>", '#');
    gsi1_sk.literal("PERSON#");
    gsi1_sk.part("personId", person_id, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}

/// PK of Room: `ORG#<org>#ROOMS`.
pub fn pk_room(org: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("ORG#<org>#ROOMS", '#');
    key.literal("ORG#");
    key.part("org", org, &[]);
    key.literal("#ROOMS");
    key.text()
}

/// SK of Room: `ROOM#<roomId>`.
pub fn sk_room(room_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("ROOM#<roomId>", '#');
    key.literal("ROOM#");
    key.part("roomId", room_id, &[]);
    key.text()
}

/// Room in GSI2.
pub fn gsi2_room(city: &str, room_id: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi2_pk = typed::Key::new("CITY#<city>", '#');
    gsi2_pk.literal("CITY#");
    gsi2_pk.part("city", city, &[]);
    let mut gsi2_sk = typed::Key::new("ROOM#<roomId>", '#');
    gsi2_sk.literal("ROOM#");
    gsi2_sk.part("roomId", room_id, &[]);
    typed::index_key([("GSI2PK", gsi2_pk), ("GSI2SK", gsi2_sk)])
}
