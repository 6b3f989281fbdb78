// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::enumerations::*;

/// A Sensor.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sensor {
    pub sensor_id: String,
}

impl typed::Entity for Sensor {
    type Design = super::ReadingsDesign;
    const NAME: &'static str = "Sensor";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            sensor_id: typed::required(item, "sensorId")?,
        })
    }
}

/// A Reading.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reading {
    pub sensor_id: String,
    pub reading_id: String,
    pub value: typed::Number,
    pub unit: ReadingUnit,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<typed::Binary>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<typed::Any>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_at: Option<typed::DateTime>,
}

impl typed::Entity for Reading {
    type Design = super::ReadingsDesign;
    const NAME: &'static str = "Reading";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            sensor_id: typed::required(item, "sensorId")?,
            reading_id: typed::required(item, "readingId")?,
            value: typed::required(item, "value")?,
            unit: typed::required(item, "unit")?,
            digest: typed::optional(item, "digest")?,
            remark: typed::optional(item, "remark")?,
            measured_at: typed::optional(item, "measuredAt")?,
        })
    }
}

/// A Beat.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Beat {
    pub station: String,
    pub round: i64,
    pub at: typed::Timestamp,
    pub second: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heard_at: Option<typed::Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_at: Option<typed::Timestamp>,
}

impl typed::Entity for Beat {
    type Design = super::ReadingsDesign;
    const NAME: &'static str = "Beat";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            station: typed::required(item, "station")?,
            round: typed::required(item, "round")?,
            at: typed::required(item, "at")?,
            second: typed::required(item, "second")?,
            heard_at: typed::optional(item, "heardAt")?,
            seen_at: typed::optional(item, "seenAt")?,
        })
    }
}
