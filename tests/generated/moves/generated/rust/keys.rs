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

/// PK of Desk: `ORG#<org>#PLACES`.
pub fn pk_desk(org: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("ORG#<org>#PLACES", '#');
    key.literal("ORG#");
    key.part("org", org, &[]);
    key.literal("#PLACES");
    key.text()
}

/// SK of Desk: `PLACE#<number>`.
pub fn sk_desk(number: i64) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("PLACE#<number>", '#');
    key.literal("PLACE#");
    key.part("number", &number, &[]);
    let mut rival = typed::Key::new("PLACE#0", '#');
    rival.literal("PLACE#0");
    key.rival(rival);
    key.text()
}

/// Desk in GSI1; only while `free && !locked`, which `holds` tells.
pub fn gsi1_desk(
    org: &str,
    row: &str,
    number: i64,
    holds: bool,
) -> Result<typed::Attributes, typed::TemplateError> {
    if !holds {
        return Ok(typed::Attributes::new());
    }
    let mut gsi1_pk = typed::Key::new("ORG#<org>#FREE", '#');
    gsi1_pk.literal("ORG#");
    gsi1_pk.part("org", org, &[]);
    gsi1_pk.literal("#FREE");
    let mut gsi1_sk = typed::Key::new("<row>#<number>", '#');
    gsi1_sk.part("row", row, &[]);
    gsi1_sk.sentinel("#");
    gsi1_sk.literal("#");
    gsi1_sk.part("number", &number, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}

/// PK of Locker: `ORG#<org>#PLACES`.
pub fn pk_locker(org: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("ORG#<org>#PLACES", '#');
    key.literal("ORG#");
    key.part("org", org, &[]);
    key.literal("#PLACES");
    key.text()
}

/// SK of Locker: `PLACE#<number>`.
pub fn sk_locker(number: i64) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("PLACE#<number>", '#');
    key.literal("PLACE#");
    key.part("number", &number, &[]);
    let mut rival = typed::Key::new("PLACE#0", '#');
    rival.literal("PLACE#0");
    key.rival(rival);
    key.text()
}

/// Locker in GSI1; only while `free`, which `holds` tells.
pub fn gsi1_locker(
    org: &str,
    row: &str,
    number: i64,
    holds: bool,
) -> Result<typed::Attributes, typed::TemplateError> {
    if !holds {
        return Ok(typed::Attributes::new());
    }
    let mut gsi1_pk = typed::Key::new("ORG#<org>#FREE", '#');
    gsi1_pk.literal("ORG#");
    gsi1_pk.part("org", org, &[]);
    gsi1_pk.literal("#FREE");
    let mut gsi1_sk = typed::Key::new("<row>#<number>", '#');
    gsi1_sk.part("row", row, &[]);
    gsi1_sk.sentinel("#");
    gsi1_sk.literal("#");
    gsi1_sk.part("number", &number, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}

/// The key of the lookup of Locker by code, which exists only while `free`.
pub fn lookup_locker_by_code(code: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut pk = typed::Key::new("UNIQUE#Locker#code#<code:url>", '#');
    pk.literal("UNIQUE#Locker#code#");
    pk.part("code", code, &[typed::Format::Url]);
    let mut sk = typed::Key::new("UNIQUE", '#');
    sk.literal("UNIQUE");
    typed::index_key([("PK", pk), ("SK", sk)])
}

/// PK of Entrance: `ORG#<org>#PLACES`.
pub fn pk_entrance(org: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("ORG#<org>#PLACES", '#');
    key.literal("ORG#");
    key.part("org", org, &[]);
    key.literal("#PLACES");
    key.text()
}

/// SK of Entrance: `PLACE#0`.
pub fn sk_entrance() -> &'static str {
    "PLACE#0"
}
