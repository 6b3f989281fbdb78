//! A syntactically valid SigV4 header whose signature nobody can check.
//!
//! The endpoints compared here accept any credentials; a real signature would only hide a wrong body behind a 403.

use keyfold_environment::{Clock, SystemClock};

/// The values of `X-Amz-Date` and `Authorization` for a request sent now.
pub(crate) fn unchecked() -> (String, String) {
    let date = amz_date(SystemClock.now_ms() / 1000);
    let day = date.split('T').next().unwrap_or_default();
    let authorization = format!(
        "AWS4-HMAC-SHA256 Credential=conformance/{day}/us-east-1/dynamodb/aws4_request, \
         SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature={}",
        "0123456789abcdef".repeat(4)
    );
    (date, authorization)
}

/// Seconds since 1970 as `YYYYMMDDTHHMMSSZ`.
fn amz_date(seconds: u64) -> String {
    let (mut days, time) = (seconds / 86_400, seconds % 86_400);
    let mut year = 1970;
    while days >= days_of_year(year) {
        days -= days_of_year(year);
        year += 1;
    }
    let february = days_of_year(year) - 337;
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let day = days + 1;
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z")
}

fn days_of_year(year: u64) -> u64 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    if leap { 366 } else { 365 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_calendar() {
        assert_eq!(amz_date(0), "19700101T000000Z");
        assert_eq!(amz_date(951_782_399), "20000228T235959Z");
        assert_eq!(amz_date(951_782_400), "20000229T000000Z");
        assert_eq!(amz_date(1_798_761_599), "20261231T235959Z");
    }
}
