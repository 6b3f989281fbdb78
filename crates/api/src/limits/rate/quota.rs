//! A rate as people write it: `6000/m`.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

/// A number of requests in a second, a minute or an hour. All of them may come at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    pub requests: NonZeroU32,
    pub window: Window,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    Second,
    Minute,
    Hour,
}

/// A text that is not a rate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a rate; write it as 50/s, 3000/m or 100000/h")]
pub struct BadRate(String);

impl Window {
    pub fn duration(self) -> Duration {
        Duration::from_secs(match self {
            Self::Second => 1,
            Self::Minute => 60,
            Self::Hour => 3600,
        })
    }
}

impl Rate {
    /// The time after which one more request is admitted.
    pub fn interval(self) -> Duration {
        // u32::MAX requests in a second would be less than a nanosecond each, which rounds to zero.
        (self.window.duration() / self.requests.get()).max(Duration::from_nanos(1))
    }
}

impl FromStr for Rate {
    type Err = BadRate;

    fn from_str(text: &str) -> Result<Self, BadRate> {
        let refusal = || BadRate(text.to_owned());
        let (requests, window) = text.split_once('/').ok_or_else(refusal)?;
        let window = match window {
            "s" => Window::Second,
            "m" => Window::Minute,
            "h" => Window::Hour,
            _ => return Err(refusal()),
        };
        Ok(Self { requests: requests.parse().map_err(|_| refusal())?, window })
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let window = match self.window {
            Window::Second => "s",
            Window::Minute => "m",
            Window::Hour => "h",
        };
        write!(out, "{}/{window}", self.requests)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_as_they_are_written() {
        for text in ["1/s", "6000/m", "100000/h"] {
            assert_eq!(text.parse::<Rate>().unwrap().to_string(), text);
        }
        assert_eq!("600/m".parse::<Rate>().unwrap().interval(), Duration::from_millis(100));
        for text in ["", "0/s", "5", "5/d", "-1/s", "5/", "/s", "1.5/s", "5 / s"] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }
}
