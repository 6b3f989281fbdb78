//! Time and randomness come in from outside, so that stamps, ids and retries are reproducible in tests.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use jiff::fmt::temporal::DateTimePrinter;

pub trait Clock: Send + Sync {
    /// Milliseconds since the epoch.
    fn now_ms(&self) -> u64;
    /// Waits, between two attempts of a request.
    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

pub trait Random: Send + Sync {
    fn fill(&self, bytes: &mut [u8]);
}

/// The machine's clock; waits on tokio's timer.
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> u64 {
        let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(tokio::time::sleep(time))
    }
}

/// The operating system's randomness.
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) {
        // Only ids and waiting times are drawn from here. Without the system's randomness, time keeps them apart.
        if getrandom::fill(bytes).is_err() {
            let now = SystemClock.now_ms().to_be_bytes();
            bytes.iter_mut().zip(now.iter().cycle()).for_each(|(byte, now)| *byte = *now);
        }
    }
}

/// A point in time as designs store it: UTC with milliseconds, so that texts sort as times do.
pub fn timestamp(milliseconds: u64) -> String {
    const PRINTER: DateTimePrinter = DateTimePrinter::new().precision(Some(3));
    let moment = i64::try_from(milliseconds).ok().and_then(|ms| Timestamp::from_millisecond(ms).ok());
    PRINTER.timestamp_to_string(&moment.unwrap_or(Timestamp::MAX))
}

/// The second of a date or datetime as designs store them.
pub fn epoch_second(text: &str) -> Option<i64> {
    match text.parse::<Timestamp>() {
        Ok(moment) => Some(moment.as_second()),
        Err(_) => {
            let date: jiff::civil::Date = text.parse().ok()?;
            Some(date.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_second())
        }
    }
}

/// The date so many days later; `None` where that is no date.
pub fn day_after(date: &str, days: u32) -> Option<String> {
    let date: jiff::civil::Date = date.parse().ok()?;
    Some(date.checked_add(jiff::Span::new().days(i64::from(days))).ok()?.to_string())
}

/// Every day from one date to another, both included; `None` where one is no date.
pub fn days(from: &str, to: &str, at_most: usize) -> Option<Result<Vec<String>, usize>> {
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
