// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::entities::*;
use super::enumerations::*;

/// A result of the access pattern "sensor with readings".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "entity", content = "item")]
pub enum SensorWithReadings {
    Sensor(Box<Sensor>),
    Reading(Box<Reading>),
}

impl typed::Returned for SensorWithReadings {
    type Design = super::ReadingsDesign;

    fn read(entity: &str, item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        match entity {
            "Sensor" => typed::boxed(item).map(Self::Sensor),
            "Reading" => typed::boxed(item).map(Self::Reading),
            other => Err(typed::TypeMismatch::unexpected_entity(other)),
        }
    }
}

impl super::Readings<'_> {
    /// beats of days: `PK between BEAT#<station>#<from> and BEAT#<station>#<to>, at most 31 days`.
    pub async fn beats_of_days(
        &self,
        station: &str,
        from: typed::Date,
        to: typed::Date,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Beat>, typed::Error> {
        let pattern = "beats of days";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "station", station);
        typed::set(&mut arguments, "from", &from);
        typed::set(&mut arguments, "to", &to);
        self.page(pattern, arguments, options).await
    }

    /// rounds up to: `PK = BEAT#<station>#<from> and SK <= ROUND#<round>`.
    pub async fn rounds_up_to(
        &self,
        station: &str,
        from: typed::Date,
        round: i64,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Beat>, typed::Error> {
        let pattern = "rounds up to";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "station", station);
        typed::set(&mut arguments, "from", &from);
        typed::set(&mut arguments, "round", &round);
        self.page(pattern, arguments, options).await
    }

    /// beats by second: `GSI1PK = STATION#<station> and GSI1SK between <from> and <to>`.
    pub async fn beats_by_second(
        &self,
        station: &str,
        from: impl Into<typed::Moment>,
        to: impl Into<typed::Moment>,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Beat>, typed::Error> {
        let pattern = "beats by second";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "station", station);
        typed::set(&mut arguments, "from", &Into::<typed::Moment>::into(from));
        typed::set(&mut arguments, "to", &Into::<typed::Moment>::into(to));
        self.page(pattern, arguments, options).await
    }

    /// beats heard: `PK = BEAT#<station>#<from> where heardAt between <from> and <until>`.
    pub async fn beats_heard(
        &self,
        station: &str,
        from: typed::Date,
        until: impl Into<typed::Moment>,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Beat>, typed::Error> {
        let pattern = "beats heard";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "station", station);
        typed::set(&mut arguments, "from", &from);
        typed::set(&mut arguments, "until", &Into::<typed::Moment>::into(until));
        self.page(pattern, arguments, options).await
    }

    /// sensor with readings: `PK = SENSOR#<sensorId> -> Sensor, Reading`.
    pub async fn sensor_with_readings(
        &self,
        sensor_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<SensorWithReadings>, typed::Error> {
        let pattern = "sensor with readings";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "sensorId", sensor_id);
        self.page(pattern, arguments, options).await
    }

    /// readings of a sensor: `PK = SENSOR#<sensorId> and begins_with(SK, VALUE#)`.
    pub async fn readings_of_a_sensor(
        &self,
        sensor_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Reading>, typed::Error> {
        let pattern = "readings of a sensor";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "sensorId", sensor_id);
        self.page(pattern, arguments, options).await
    }

    /// readings with a value: `PK = SENSOR#<sensorId> and begins_with(SK, VALUE#<value>#)`.
    pub async fn readings_with_a_value(
        &self,
        sensor_id: &str,
        value: typed::Number,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Reading>, typed::Error> {
        let pattern = "readings with a value";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "sensorId", sensor_id);
        typed::set(&mut arguments, "value", &value);
        self.page(pattern, arguments, options).await
    }

    /// readings by unit: `GSI1PK = UNIT#<unit>#<shard>`.
    pub async fn readings_by_unit(
        &self,
        unit: ReadingUnit,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Reading>, typed::Error> {
        let pattern = "readings by unit";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "unit", &unit);
        self.page(pattern, arguments, options).await
    }

    /// hot readings: `GSI1PK = UNIT#<unit>#<shard> where value > 100`.
    pub async fn hot_readings(
        &self,
        unit: ReadingUnit,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Reading>, typed::Error> {
        let pattern = "hot readings";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "unit", &unit);
        self.page(pattern, arguments, options).await
    }

    /// readings by digest: `digest = <digest>`.
    pub async fn readings_by_digest(
        &self,
        digest: &typed::Binary,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Reading>, typed::Error> {
        let pattern = "readings by digest";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "digest", digest);
        self.page(pattern, arguments, options).await
    }

    /// readings with an exact value: `PK = SENSOR#<sensorId> and begins_with(SK, VALUE#) where value = 21.50000000000000000001`.
    pub async fn readings_with_an_exact_value(
        &self,
        sensor_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Reading>, typed::Error> {
        let pattern = "readings with an exact value";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "sensorId", sensor_id);
        self.page(pattern, arguments, options).await
    }

    /// signed readings: `PK = SENSOR#<sensorId> and begins_with(SK, VALUE#) where digest = signed`.
    pub async fn signed_readings(
        &self,
        sensor_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Reading>, typed::Error> {
        let pattern = "signed readings";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "sensorId", sensor_id);
        self.page(pattern, arguments, options).await
    }

    /// readings without a remark: `PK = SENSOR#<sensorId> and begins_with(SK, VALUE#) where remark = null`.
    pub async fn readings_without_a_remark(
        &self,
        sensor_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Reading>, typed::Error> {
        let pattern = "readings without a remark";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "sensorId", sensor_id);
        self.page(pattern, arguments, options).await
    }

    /// number of readings: `PK = SENSOR#<sensorId> and begins_with(SK, VALUE#), count, limit 2`.
    pub async fn number_of_readings(&self, sensor_id: &str) -> Result<usize, typed::Error> {
        let pattern = "number of readings";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "sensorId", sensor_id);
        self.count(pattern, arguments).await
    }
}
