//! Dates and times as designs store them.

use jiff::Timestamp;
use jiff::fmt::temporal::DateTimePrinter;
use keyfold_design::template::{self, TimestampFormat, is_date};
use keyfold_dynamo::AttributeValue;

use crate::error::Error;

/// A point in time as designs store it: UTC with milliseconds, so that texts sort as times do. An error if the clock
/// shows a time after the year 9999.
pub fn timestamp(milliseconds: u64) -> Result<String, Error> {
    const PRINTER: DateTimePrinter = DateTimePrinter::new().precision(Some(3));
    let moment = i64::try_from(milliseconds).ok().and_then(|ms| Timestamp::from_millisecond(ms).ok());
    let moment = moment.ok_or_else(|| Error::Unavailable("the clock shows a time after the year 9999".to_owned()))?;
    Ok(PRINTER.timestamp_to_string(&moment))
}

/// The instant of a number of milliseconds since 1970. An error if the clock shows a time after the year 9999.
pub(crate) fn instant(milliseconds: u64) -> Result<template::Timestamp, Error> {
    let microseconds = i64::try_from(milliseconds).ok().and_then(|ms| ms.checked_mul(1_000));
    let instant = microseconds.and_then(template::Timestamp::from_microseconds);
    instant.ok_or_else(|| Error::Unavailable("the clock shows a time after the year 9999".to_owned()))
}

/// The second of a date, or of a timestamp in any format; numbers are of the attribute's own.
pub(crate) fn epoch_second(value: &AttributeValue, format: Option<TimestampFormat>) -> Option<i64> {
    match (value, format) {
        (AttributeValue::S(text), _) if is_date(text) => {
            template::Timestamp::parse(&format!("{text}T00:00:00Z")).map(template::Timestamp::epoch_second)
        }
        (AttributeValue::S(text), _) => template::Timestamp::parse(text).map(template::Timestamp::epoch_second),
        (AttributeValue::N(number), Some(TimestampFormat::EpochMilliseconds)) => {
            number.to_i64().map(|milliseconds| milliseconds.div_euclid(1_000))
        }
        (AttributeValue::N(number), Some(TimestampFormat::EpochSeconds)) => number.to_i64(),
        _ => None,
    }
}

/// The date a number of days later; `None` if that is not a date.
pub(crate) fn day_after(date: &str, days: u32) -> Option<String> {
    let date: jiff::civil::Date = date.parse().ok()?;
    Some(date.checked_add(jiff::Span::new().days(i64::from(days))).ok()?.to_string())
}

/// Every day from one date to another, both included; `None` if either is not a date.
pub(crate) fn days(from: &str, to: &str, at_most: usize) -> Option<Result<Vec<String>, usize>> {
    let from: jiff::civil::Date = from.parse().ok()?;
    let to: jiff::civil::Date = to.parse().ok()?;
    let count = usize::try_from((to - from).get_days()).map_or(0, |days| days + 1);
    if count > at_most {
        return Some(Err(count));
    }
    let mut days = Vec::with_capacity(count);
    let mut day = from;
    while day <= to {
        days.push(day.to_string());
        match day.tomorrow() {
            Ok(next) => day = next,
            Err(_) => break,
        }
    }
    Some(Ok(days))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_no_design_can_store_is_an_error() {
        assert_eq!(timestamp(0).unwrap(), "1970-01-01T00:00:00.000Z");
        assert!(timestamp(u64::MAX).is_err());
        assert!(timestamp(i64::MAX.unsigned_abs()).is_err());
    }
}
