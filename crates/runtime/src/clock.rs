//! Dates and times as designs store them.

use jiff::Timestamp;
use jiff::fmt::temporal::DateTimePrinter;

use crate::error::Error;

/// A point in time as designs store it: UTC with milliseconds, so that texts sort as times do. An error if the clock
/// shows a time after the year 9999.
pub fn timestamp(milliseconds: u64) -> Result<String, Error> {
    const PRINTER: DateTimePrinter = DateTimePrinter::new().precision(Some(3));
    let moment = i64::try_from(milliseconds).ok().and_then(|ms| Timestamp::from_millisecond(ms).ok());
    let moment = moment.ok_or_else(|| Error::Unavailable("the clock shows a time after the year 9999".to_owned()))?;
    Ok(PRINTER.timestamp_to_string(&moment))
}

/// The second of a date or datetime as designs store them.
pub(crate) fn epoch_second(text: &str) -> Option<i64> {
    match text.parse::<Timestamp>() {
        Ok(moment) => Some(moment.as_second()),
        Err(_) => {
            let date: jiff::civil::Date = text.parse().ok()?;
            Some(date.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_second())
        }
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
