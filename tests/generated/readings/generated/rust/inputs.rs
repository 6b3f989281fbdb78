// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::enumerations::*;

/// The identity of a Sensor.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SensorIdentity {
    pub sensor_id: String,
}

impl SensorIdentity {
    pub fn new(sensor_id: impl Into<String>) -> Self {
        Self {
            sensor_id: sensor_id.into(),
        }
    }
}

impl typed::Identity for SensorIdentity {
    type Entity = super::Sensor;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "sensorId", &self.sensor_id);
    }
}

impl super::Sensor {
    /// The identity of the item.
    pub fn identity(&self) -> SensorIdentity {
        SensorIdentity {
            sensor_id: self.sensor_id.clone(),
        }
    }
}

/// The attributes of a Sensor to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewSensor {
    pub sensor_id: String,
}

impl NewSensor {
    /// Takes the required attributes and leaves out all others.
    pub fn new(sensor_id: impl Into<String>) -> Self {
        Self {
            sensor_id: sensor_id.into(),
        }
    }
}

impl typed::New for NewSensor {
    type Entity = super::Sensor;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "sensorId", &self.sensor_id);
    }
}

impl typed::Removable for super::Sensor {}

/// The identity of a Reading.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadingIdentity {
    pub sensor_id: String,
    pub value: typed::Number,
    pub reading_id: String,
}

impl ReadingIdentity {
    pub fn new(
        sensor_id: impl Into<String>,
        value: typed::Number,
        reading_id: impl Into<String>,
    ) -> Self {
        Self {
            sensor_id: sensor_id.into(),
            value,
            reading_id: reading_id.into(),
        }
    }
}

impl typed::Identity for ReadingIdentity {
    type Entity = super::Reading;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "sensorId", &self.sensor_id);
        typed::set(item, "value", &self.value);
        typed::set(item, "readingId", &self.reading_id);
    }
}

impl super::Reading {
    /// The identity of the item.
    pub fn identity(&self) -> ReadingIdentity {
        ReadingIdentity {
            sensor_id: self.sensor_id.clone(),
            value: self.value,
            reading_id: self.reading_id.clone(),
        }
    }
}

/// The attributes of a Reading to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewReading {
    pub sensor_id: String,
    pub reading_id: String,
    pub value: typed::Number,
    pub unit: ReadingUnit,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<typed::Binary>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<typed::Any>,
}

impl NewReading {
    /// Takes the required attributes and leaves out all others.
    pub fn new(
        sensor_id: impl Into<String>,
        reading_id: impl Into<String>,
        value: typed::Number,
        unit: ReadingUnit,
    ) -> Self {
        Self {
            sensor_id: sensor_id.into(),
            reading_id: reading_id.into(),
            value,
            unit,
            digest: None,
            remark: None,
        }
    }
}

impl typed::New for NewReading {
    type Entity = super::Reading;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "sensorId", &self.sensor_id);
        typed::set(item, "readingId", &self.reading_id);
        typed::set(item, "value", &self.value);
        typed::set(item, "unit", &self.unit);
        typed::set_if(item, "digest", &self.digest);
        typed::set_if(item, "remark", &self.remark);
    }
}

/// A patch of a Reading: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ReadingPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<ReadingUnit>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub digest: typed::AttributeChange<typed::Binary>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub remark: typed::AttributeChange<typed::Any>,
}

impl typed::Patch for ReadingPatch {
    type Entity = super::Reading;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "unit", &self.unit);
        typed::set_change(item, "digest", &self.digest);
        typed::set_change(item, "remark", &self.remark);
    }
}

impl typed::Removable for super::Reading {}

/// The identity of a Beat.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BeatIdentity {
    pub station: String,
    pub at: typed::Timestamp,
    pub round: i64,
}

impl BeatIdentity {
    pub fn new(station: impl Into<String>, at: typed::Timestamp, round: i64) -> Self {
        Self {
            station: station.into(),
            at,
            round,
        }
    }
}

impl typed::Identity for BeatIdentity {
    type Entity = super::Beat;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "station", &self.station);
        typed::set(item, "at", &self.at);
        typed::set(item, "round", &self.round);
    }
}

impl super::Beat {
    /// The identity of the item.
    pub fn identity(&self) -> BeatIdentity {
        BeatIdentity {
            station: self.station.clone(),
            at: self.at,
            round: self.round,
        }
    }
}

/// The attributes of a Beat to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewBeat {
    pub station: String,
    pub round: i64,
    pub at: typed::Timestamp,
    pub second: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heard_at: Option<typed::Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_at: Option<typed::Timestamp>,
}

impl NewBeat {
    /// Takes the required attributes and leaves out all others.
    pub fn new(station: impl Into<String>, round: i64, at: typed::Timestamp, second: i64) -> Self {
        Self {
            station: station.into(),
            round,
            at,
            second,
            heard_at: None,
            seen_at: None,
        }
    }
}

impl typed::New for NewBeat {
    type Entity = super::Beat;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "station", &self.station);
        typed::set(item, "round", &self.round);
        typed::set(item, "at", &self.at);
        typed::set(item, "second", &self.second);
        typed::set_if(item, "heardAt", &self.heard_at);
        typed::set_if(item, "seenAt", &self.seen_at);
    }
}

/// A patch of a Beat: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct BeatPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second: Option<i64>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub heard_at: typed::AttributeChange<typed::Timestamp>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub seen_at: typed::AttributeChange<typed::Timestamp>,
}

impl typed::Patch for BeatPatch {
    type Entity = super::Beat;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "second", &self.second);
        typed::set_change(item, "heardAt", &self.heard_at);
        typed::set_change(item, "seenAt", &self.seen_at);
    }
}

impl typed::Removable for super::Beat {}
