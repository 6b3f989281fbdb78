//! Dates, and the parts of timestamps.

/// A date of the calendar, `YYYY-MM-DD`.
pub fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes.get(4) != Some(&b'-') || bytes.get(7) != Some(&b'-') {
        return false;
    }
    let (Some(year), Some(month), Some(day)) = (digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)) else {
        return false;
    };
    (1..=12).contains(&month) && day >= 1 && day <= days_of(year, month)
}

fn digits(text: &str, start: usize, end: usize) -> Option<u32> {
    let piece = text.get(start..end)?;
    piece.bytes().all(|byte| byte.is_ascii_digit()).then(|| piece.parse().ok())?
}

fn days_of(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

/// The time of day, and how many minutes its zone is ahead of UTC. A time without a zone is in UTC.
pub(super) fn split_zone(text: &str) -> Option<(&str, i32)> {
    if let Some(time) = text.strip_suffix(['Z', 'z']) {
        return Some((time, 0));
    }
    // In the query string of a URL, `+` stands for a space.
    let Some(at) = text.rfind(['+', '-', ' ']) else { return Some((text, 0)) };
    let (time, zone) = text.split_at_checked(at)?;
    let hours = digits(zone, 1, 3).filter(|hours| *hours < 24)?;
    let minutes = match zone.len() {
        3 => 0,
        5 => digits(zone, 3, 5)?,
        6 if zone.as_bytes().get(3) == Some(&b':') => digits(zone, 4, 6)?,
        _ => return None,
    };
    let ahead = i32::try_from(hours * 60 + minutes).ok().filter(|_| minutes < 60)?;
    Some((time, if zone.starts_with('-') { -ahead } else { ahead }))
}

/// The microsecond of a time of day, `08:00`, `08:00:30` or `08:00:30.123456`; finer digits are cut off.
pub(super) fn time_of_day(time: &str) -> Option<i64> {
    let (hour, minute) = (digits(time, 0, 2)?, digits(time, 3, 5)?);
    let second = match time.len() {
        5 => 0,
        _ => digits(time, 6, 8).filter(|_| time.as_bytes().get(5) == Some(&b':'))?,
    };
    let fraction = match time.get(8..).unwrap_or_default() {
        "" => 0,
        fraction => {
            let digits = fraction.strip_prefix('.').filter(|digits| (1..=9).contains(&digits.len()))?;
            let digits = digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(digits)?;
            let padded = digits.bytes().chain(std::iter::repeat(b'0')).take(6);
            padded.fold(0, |fraction, digit| fraction * 10 + i64::from(digit - b'0'))
        }
    };
    let has_form = time.as_bytes().get(2) == Some(&b':') && hour < 24 && minute < 60 && second < 60;
    has_form.then(|| i64::from(hour * 3_600 + minute * 60 + second) * 1_000_000 + fraction)
}

/// The day 1970-01-01, counted from 0000-03-01.
const FIRST_OF_1970: i32 = 719_468;

/// The number of a date's day since 1970, in the proleptic Gregorian calendar.
pub(super) fn day_number(date: &str) -> Option<i32> {
    let (year, month, day) = (digits(date, 0, 4)?, digits(date, 5, 7)?, digits(date, 8, 10)?);
    let (year, month, day) = (i32::try_from(year).ok()?, i32::try_from(month).ok()?, i32::try_from(day).ok()?);
    // The year begins in March, so that the leap day is its last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some(days + (153 * month + 2) / 5 + day - 1 - FIRST_OF_1970)
}

/// The date of a number of a day; `None` outside of the years from 0 to 9999.
pub(super) fn date_of(number: i64) -> Option<String> {
    let number = number.checked_add(i64::from(FIRST_OF_1970))?;
    let era = number.div_euclid(146_097);
    let day = number.rem_euclid(146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = year + era * 400 + next;
    (0..=9999).contains(&year).then(|| format!("{year:04}-{month:02}-{day:02}"))
}
