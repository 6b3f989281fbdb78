//! Dates and datetimes in the one spelling that sorts.

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

/// An instant in UTC with milliseconds, `YYYY-MM-DDTHH:MM:SS.mmmZ`.
pub fn is_datetime(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 24
        && text.get(..10).is_some_and(is_date)
        && bytes.get(10) == Some(&b'T')
        && bytes.get(13) == Some(&b':')
        && bytes.get(16) == Some(&b':')
        && bytes.get(19) == Some(&b'.')
        && bytes.get(23) == Some(&b'Z')
        && digits(text, 11, 13).is_some_and(|hour| hour < 24)
        && digits(text, 14, 16).is_some_and(|minute| minute < 60)
        && digits(text, 17, 19).is_some_and(|second| second < 60)
        && digits(text, 20, 23).is_some()
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
