//! Points in time as signatures write them: `20130524T000000Z`.

use std::fmt;
use std::time::Duration;

/// Seconds since the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Timestamp(i64);

const SECONDS_PER_DAY: i64 = 86_400;

impl Timestamp {
    /// Reads `20130524T000000Z`, or the form of a `Date` header: `Fri, 24 May 2013 00:00:00 GMT`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        parse_basic(text).or_else(|| parse_http(text))
    }

    /// A point in time by its second since the epoch; the last one there is for what is later.
    pub(super) fn at_second(second: u64) -> Self {
        Self(i64::try_from(second).unwrap_or(i64::MAX))
    }

    /// The day, as `20130524`.
    pub(super) fn date(self) -> String {
        let (year, month, day) = civil_from_days(self.0.div_euclid(SECONDS_PER_DAY));
        format!("{year:04}{month:02}{day:02}")
    }

    pub(super) fn minus(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub_unsigned(duration.as_secs()))
    }

    pub(super) fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add_unsigned(duration.as_secs()))
    }

    fn from_civil(year: i64, month: i64, day: i64, hour: i64, minute: i64, second: i64) -> Option<Self> {
        let valid = (1..=12).contains(&month)
            && (1..=31).contains(&day)
            && (0..24).contains(&hour)
            && (0..60).contains(&minute)
            && (0..=60).contains(&second);
        let seconds = days_from_civil(year, month, day) * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second;
        valid.then_some(Self(seconds))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let second = self.0.rem_euclid(SECONDS_PER_DAY);
        write!(out, "{}T{:02}{:02}{:02}Z", self.date(), second / 3600, second / 60 % 60, second % 60)
    }
}

fn parse_basic(text: &str) -> Option<Timestamp> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    if date.len() != 8 || time.len() != 6 {
        return None;
    }
    Timestamp::from_civil(
        digits(date.get(..4)?)?,
        digits(date.get(4..6)?)?,
        digits(date.get(6..)?)?,
        digits(time.get(..2)?)?,
        digits(time.get(2..4)?)?,
        digits(time.get(4..)?)?,
    )
}

fn parse_http(text: &str) -> Option<Timestamp> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (_, rest) = text.split_once(", ")?;
    let mut parts = rest.split(' ');
    let day = digits(parts.next()?)?;
    let month = parts.next()?;
    let month = MONTHS.iter().position(|name| *name == month)?;
    let year = digits(parts.next()?)?;
    let mut time = parts.next()?.split(':');
    let (hour, minute, second) = (digits(time.next()?)?, digits(time.next()?)?, digits(time.next()?)?);
    if parts.next() != Some("GMT") {
        return None;
    }
    Timestamp::from_civil(year, i64::try_from(month).ok()? + 1, day, hour, minute, second)
}

fn digits(text: &str) -> Option<i64> {
    let plain = !text.is_empty() && text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

/// Days since the epoch of a day of the Gregorian calendar. Years are counted from March, so that the leap day is the
/// last of its year, and in cycles of 400 years.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let cycle = year.div_euclid(400);
    let year_of_cycle = year.rem_euclid(400);
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let day_of_cycle = year_of_cycle * 365 + year_of_cycle / 4 - year_of_cycle / 100 + day_of_year;
    cycle * 146_097 + day_of_cycle - 719_468
}

/// Year, month and day of a number of days since the epoch.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let cycle = days.div_euclid(146_097);
    let day_of_cycle = days.rem_euclid(146_097);
    let year_of_cycle = (day_of_cycle - day_of_cycle / 1460 + day_of_cycle / 36_524 - day_of_cycle / 146_096) / 365;
    let day_of_year = day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_cycle + cycle * 400 + i64::from(month <= 2), month, day)
}
