// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! Key builders.

use keyfold_typed as typed;

use super::enumerations::*;

/// PK of Sensor: `SENSOR#<sensorId>`.
pub fn pk_sensor(sensor_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("SENSOR#<sensorId>", '#');
    key.literal("SENSOR#");
    key.part("sensorId", sensor_id, &[]);
    key.text()
}

/// SK of Sensor: `METADATA`.
pub fn sk_sensor() -> &'static str {
    "METADATA"
}

/// PK of Reading: `SENSOR#<sensorId>`.
pub fn pk_reading(sensor_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("SENSOR#<sensorId>", '#');
    key.literal("SENSOR#");
    key.part("sensorId", sensor_id, &[]);
    key.text()
}

/// SK of Reading: `VALUE#<value>#<readingId>`.
pub fn sk_reading(value: typed::Number, reading_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("VALUE#<value>#<readingId>", '#');
    key.literal("VALUE#");
    key.part("value", &value, &[]);
    key.literal("#");
    key.part("readingId", reading_id, &[]);
    key.text()
}

/// Reading in GSI1.
pub fn gsi1_reading(
    unit: ReadingUnit,
    reading_id: &str,
    value: typed::Number,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi1_pk = typed::Key::new("UNIT#<unit>#<readingId:shard(3)>", '#');
    gsi1_pk.literal("UNIT#");
    gsi1_pk.part("unit", &unit, &[]);
    gsi1_pk.literal("#");
    gsi1_pk.part("readingId", reading_id, &[typed::Format::Shard(3)]);
    let mut gsi1_sk = typed::Key::with_type("<value>", typed::KeyType::N);
    gsi1_sk.part("value", &value, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}

/// Reading in GSI2; only items that have all its attributes are in the index.
pub fn gsi2_reading(reading_id: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi2_sk = typed::Key::new("<readingId>", '#');
    gsi2_sk.part("readingId", reading_id, &[]);
    typed::index_key([("GSI2SK", gsi2_sk)])
}

/// PK of Beat: `BEAT#<station>#<at:date>`.
pub fn pk_beat(station: &str, at: &typed::Timestamp) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("BEAT#<station>#<at:date>", '#');
    key.literal("BEAT#");
    key.part("station", station, &[]);
    key.literal("#");
    key.part("at", at, &[typed::Format::Date]);
    key.text()
}

/// SK of Beat: `ROUND#<round:descending(4)>#<at>`.
pub fn sk_beat(round: i64, at: &typed::Timestamp) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("ROUND#<round:descending(4)>#<at>", '#');
    key.literal("ROUND#");
    key.part("round", &round, &[typed::Format::Descending(4)]);
    key.literal("#");
    key.part("at", at, &[]);
    key.text()
}

/// Beat in GSI1.
pub fn gsi1_beat(station: &str, second: i64) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi1_pk = typed::Key::new("STATION#<station>", '#');
    gsi1_pk.literal("STATION#");
    gsi1_pk.part("station", station, &[]);
    let mut gsi1_sk = typed::Key::with_type("<second>", typed::KeyType::N);
    gsi1_sk.part("second", &second, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}
