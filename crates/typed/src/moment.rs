//! Bounds of timestamps.

use keyfold_dynamo::AttributeValue;

use crate::fixed_text::{Date, DateTime};
use crate::timestamp::Timestamp;
use crate::value::ToValue;

/// A bound of timestamps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// One instant.
    DateTime(DateTime),
    /// One instant, in any spelling.
    Timestamp(Timestamp),
    /// A whole day, in UTC.
    Date(Date),
}

impl From<DateTime> for Moment {
    fn from(instant: DateTime) -> Self {
        Self::DateTime(instant)
    }
}

impl From<Timestamp> for Moment {
    fn from(instant: Timestamp) -> Self {
        Self::Timestamp(instant)
    }
}

impl From<Date> for Moment {
    fn from(day: Date) -> Self {
        Self::Date(day)
    }
}

impl ToValue for Moment {
    fn to_value(&self) -> AttributeValue {
        match self {
            Self::DateTime(instant) => instant.to_value(),
            Self::Timestamp(instant) => instant.to_value(),
            Self::Date(day) => day.to_value(),
        }
    }
}
