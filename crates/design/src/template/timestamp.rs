//! Timestamps in the formats in which tables have them.

use keyfold_dynamo::{AttributeValue, Number};

use super::instant::{date_of, day_number, is_date, split_zone, time_of_day};

/// An instant in UTC with milliseconds, `YYYY-MM-DDTHH:MM:SS.mmmZ`.
pub fn is_datetime(text: &str) -> bool {
    TimestampFormat::default().admits_text(text)
}

/// The date, in UTC, of a timestamp in a common spelling: `2026-11-15T01:30:00+02:00` is on the day before. `None` for
/// a text that is no timestamp.
pub fn utc_date(text: &str) -> Option<String> {
    Timestamp::parse(text)?.date()
}

/// How an attribute spells its timestamps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimestampFormat {
    /// A text as in ISO 8601.
    Text(TextFormat),
    /// A number: seconds since 1970.
    EpochSeconds,
    /// A number: milliseconds since 1970.
    EpochMilliseconds,
}

/// A timestamp as text: `2026-11-15T08:00:00.000Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TextFormat {
    /// The digits behind the second.
    pub precision: Precision,
    /// What stands behind the time.
    pub zone: Zone,
    /// Whether `T` and `Z` are in lower case.
    pub is_lower_case: bool,
}

/// The digits behind the second of a timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Precision {
    /// None.
    Seconds,
    /// Three.
    Milliseconds,
    /// Six.
    Microseconds,
}

/// What stands behind the time of a timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Zone {
    /// `Z`.
    Utc,
    /// An offset such as `+00:00` or `-09:30`, which says where the time was read.
    Offset,
    /// Nothing: the time is in UTC.
    Absent,
}

impl Default for TimestampFormat {
    fn default() -> Self {
        Self::Text(TextFormat { precision: Precision::Milliseconds, zone: Zone::Utc, is_lower_case: false })
    }
}

const MICROSECONDS: i64 = 1_000_000;
const DAY: i64 = 86_400 * MICROSECONDS;

/// An instant of the years from 0 to 9999, to the microsecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The instant of a number of microseconds since 1970.
    pub fn from_microseconds(microseconds: i64) -> Option<Self> {
        date_of(microseconds.div_euclid(DAY)).map(|_| Self(microseconds))
    }

    /// Reads a text in any common spelling, such as those of `toISOString()` and `isoformat()`. A time without a zone
    /// is in UTC.
    pub fn parse(text: &str) -> Option<Self> {
        let date = text.get(..10).filter(|date| is_date(date))?;
        if !matches!(text.as_bytes().get(10), Some(b'T' | b't' | b' ')) {
            return None;
        }
        let (time, minutes_ahead) = split_zone(text.get(11..)?)?;
        let moment = i64::from(day_number(date)?) * DAY + time_of_day(time)?;
        Self::from_microseconds(moment - i64::from(minutes_ahead) * 60 * MICROSECONDS)
    }

    /// The day of the instant, in UTC.
    pub fn date(self) -> Option<String> {
        date_of(self.0.div_euclid(DAY))
    }

    /// The second since 1970, rounded down.
    pub fn epoch_second(self) -> i64 {
        self.0.div_euclid(MICROSECONDS)
    }
}

impl TextFormat {
    /// The characters of the fraction of a second, with its dot.
    fn fraction_length(self) -> usize {
        match self.precision {
            Precision::Seconds => 0,
            Precision::Milliseconds => 4,
            Precision::Microseconds => 7,
        }
    }
}

impl TimestampFormat {
    /// Reads the words behind `in`: `seconds without zone`, `lower-case milliseconds`, `epoch seconds`.
    pub(crate) fn parse(words: &str) -> Option<Self> {
        let mut format = TextFormat { precision: Precision::Milliseconds, zone: Zone::Utc, is_lower_case: false };
        let words: Vec<&str> = words.split_whitespace().collect();
        let rest = match words.as_slice() {
            ["epoch", "seconds"] => return Some(Self::EpochSeconds),
            ["epoch", "milliseconds"] => return Some(Self::EpochMilliseconds),
            ["lower-case", rest @ ..] => {
                format.is_lower_case = true;
                rest
            }
            rest => rest,
        };
        let (precision, zone) = rest.split_first()?;
        format.precision = match *precision {
            "seconds" => Precision::Seconds,
            "milliseconds" => Precision::Milliseconds,
            "microseconds" => Precision::Microseconds,
            _ => return None,
        };
        format.zone = match zone {
            [] => Zone::Utc,
            ["with", "offset"] => Zone::Offset,
            ["without", "zone"] => Zone::Absent,
            _ => return None,
        };
        Some(Self::Text(format))
    }

    /// As the design spells it behind the type: ` in seconds without zone`; empty for the default.
    pub fn spelling(self) -> String {
        let format = match self {
            _ if self == Self::default() => return String::new(),
            Self::EpochSeconds => return " in epoch seconds".to_owned(),
            Self::EpochMilliseconds => return " in epoch milliseconds".to_owned(),
            Self::Text(format) => format,
        };
        let case = if format.is_lower_case { "lower-case " } else { "" };
        let precision = match format.precision {
            Precision::Seconds => "seconds",
            Precision::Milliseconds => "milliseconds",
            Precision::Microseconds => "microseconds",
        };
        let zone = match format.zone {
            Zone::Utc => "",
            Zone::Offset => " with offset",
            Zone::Absent => " without zone",
        };
        format!(" in {case}{precision}{zone}")
    }

    /// Whether values are numbers.
    pub fn is_number(self) -> bool {
        !matches!(self, Self::Text(_))
    }

    /// Whether values sort as the instants do, in keys of their own type. Times of different zones do not.
    pub fn sorts(self) -> bool {
        !matches!(self, Self::Text(TextFormat { zone: Zone::Offset, .. }))
    }

    /// Whether two instants that are a millisecond apart have different values.
    pub fn has_milliseconds(self) -> bool {
        match self {
            Self::Text(format) => format.precision != Precision::Seconds,
            Self::EpochSeconds => false,
            Self::EpochMilliseconds => true,
        }
    }

    /// Whether values begin with their date in UTC.
    pub fn begins_with_date(self) -> bool {
        self.sorts() && !self.is_number()
    }

    /// With an article, as messages name it.
    pub fn rule(self) -> String {
        let example = self.example();
        match self {
            _ if self == Self::default() => format!("a datetime in UTC with milliseconds ({example})"),
            Self::Text(TextFormat { zone: Zone::Offset, .. }) => format!("a datetime with an offset ({example})"),
            Self::Text(TextFormat { zone: Zone::Absent, .. }) => {
                format!("a datetime in UTC without a zone ({example})")
            }
            Self::Text(_) => format!("a datetime in UTC ({example})"),
            Self::EpochSeconds => format!("seconds since 1970 ({example})"),
            Self::EpochMilliseconds => format!("milliseconds since 1970 ({example})"),
        }
    }

    /// The instant of an example.
    pub fn example(self) -> String {
        self.text(Timestamp(1_794_729_600 * MICROSECONDS))
    }

    /// Whether a text is one that a value of this format has.
    pub fn admits_text(self, text: &str) -> bool {
        let Self::Text(format) = self else {
            return text.parse::<i64>().is_ok_and(|number| number.to_string() == text);
        };
        let separator = if format.is_lower_case { b't' } else { b'T' };
        let time_end = "2026-11-15T08:00:00".len() + format.fraction_length();
        let (Some(date), Some(time), Some(zone)) = (text.get(..10), text.get(11..time_end), text.get(time_end..))
        else {
            return false;
        };
        let is_zone = match (format.zone, format.is_lower_case) {
            (Zone::Utc, false) => zone == "Z",
            (Zone::Utc, true) => zone == "z",
            (Zone::Absent, _) => zone.is_empty(),
            (Zone::Offset, _) => {
                let has_form = zone.len() == 6 && zone.starts_with(['+', '-']) && zone.as_bytes().get(3) == Some(&b':');
                has_form && Timestamp::parse(text).is_some()
            }
        };
        is_zone && text.as_bytes().get(10) == Some(&separator) && is_date(date) && time_of_day(time).is_some()
    }

    /// Whether a value is in this format.
    pub fn admits(self, value: &AttributeValue) -> bool {
        match value {
            AttributeValue::S(text) => !self.is_number() && self.admits_text(text),
            AttributeValue::N(number) => self.is_number() && number.to_i64().is_some(),
            _ => false,
        }
    }

    /// An instant in this format; anything finer is cut off.
    pub fn text(self, Timestamp(moment): Timestamp) -> String {
        let format = match self {
            Self::EpochSeconds => return moment.div_euclid(MICROSECONDS).to_string(),
            Self::EpochMilliseconds => return moment.div_euclid(1_000).to_string(),
            Self::Text(format) => format,
        };
        let date = date_of(moment.div_euclid(DAY)).unwrap_or_default();
        let rest = moment.rem_euclid(DAY);
        let (second, micros) = (rest / MICROSECONDS, rest % MICROSECONDS);
        let time = format!("{:02}:{:02}:{:02}", second / 3_600, second / 60 % 60, second % 60);
        let fraction = match format.precision {
            Precision::Seconds => String::new(),
            Precision::Milliseconds => format!(".{:03}", micros / 1_000),
            Precision::Microseconds => format!(".{micros:06}"),
        };
        let zone = match format.zone {
            Zone::Utc => "Z",
            Zone::Offset => "+00:00",
            Zone::Absent => "",
        };
        let text = format!("{date}T{time}{fraction}{zone}");
        if format.is_lower_case { text.to_lowercase() } else { text }
    }

    /// An instant as a value of this format.
    pub fn value(self, moment: Timestamp) -> AttributeValue {
        let text = self.text(moment);
        match self {
            Self::Text(_) => AttributeValue::S(text),
            _ => Number::parse(&text).map_or(AttributeValue::S(text), AttributeValue::N),
        }
    }

    /// The value in this format, if it is a timestamp in another one.
    pub(crate) fn normalized(self, value: AttributeValue) -> AttributeValue {
        let moment = match &value {
            _ if self.admits(&value) => None,
            AttributeValue::S(text) if self.is_number() && self.admits_text(text) => {
                return Number::parse(text).map_or(value, AttributeValue::N);
            }
            AttributeValue::S(text) => Timestamp::parse(text),
            _ => None,
        };
        moment.map_or(value, |moment| self.value(moment))
    }

    /// The text of the first moment of a day, or of the end of it, which no moment of the day is above.
    pub(crate) fn edge_of_day(self, date: &str, is_end: bool) -> Option<String> {
        let unit = match self {
            // As in ISO 8601, the hour 24 is the end of the day: no timestamp has it.
            Self::Text(format) => {
                let separator = if format.is_lower_case { 't' } else { 'T' };
                return Some(format!("{date}{separator}{}", if is_end { "24" } else { "00" }));
            }
            Self::EpochSeconds => 86_400,
            Self::EpochMilliseconds => 86_400_000,
        };
        let day = i64::from(day_number(date)?);
        Some(if is_end { (day + 1) * unit - 1 } else { day * unit }.to_string())
    }

    /// A text of which every shorter beginning is the beginning of a timestamp, whatever it is completed with.
    pub(crate) fn text_of_year_2000(self) -> String {
        self.text(Timestamp(946_684_800 * MICROSECONDS))
    }

    /// Whether some value contains a character.
    pub(crate) fn may_contain(self, character: char) -> bool {
        match self {
            _ if character.is_ascii_digit() || character == '-' => true,
            Self::Text(format) => {
                let letters = if format.is_lower_case { ['t', 'z'] } else { ['T', 'Z'] };
                matches!(character, ':' | '.' | '+') || letters.contains(&character)
            }
            Self::EpochSeconds | Self::EpochMilliseconds => false,
        }
    }

    /// With an article and an example: `a datetime (2026-11-15T08:00:00.000Z)`.
    pub(crate) fn describe(self) -> String {
        match self {
            Self::Text(_) => format!("a datetime ({})", self.example()),
            Self::EpochSeconds | Self::EpochMilliseconds => self.rule(),
        }
    }

    /// How many characters values have as text, where that is always the same.
    pub fn fixed_length(self) -> Option<usize> {
        let Self::Text(format) = self else { return None };
        let zone = match format.zone {
            Zone::Utc => 1,
            Zone::Offset => 6,
            Zone::Absent => 0,
        };
        Some("2026-11-15T08:00:00".len() + format.fraction_length() + zone)
    }

    /// A regular expression for the values as text, without anchors.
    pub fn pattern(self) -> String {
        let Self::Text(format) = self else { return "-?[0-9]+".to_owned() };
        let (separator, utc) = if format.is_lower_case { ('t', "z") } else { ('T', "Z") };
        let fraction = match format.precision {
            Precision::Seconds => "",
            Precision::Milliseconds => "\\.[0-9]{3}",
            Precision::Microseconds => "\\.[0-9]{6}",
        };
        let zone = match format.zone {
            Zone::Utc => utc,
            Zone::Offset => "[+-][0-9]{2}:[0-9]{2}",
            Zone::Absent => "",
        };
        format!("[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}{separator}[0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}{fraction}{zone}")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn formats() -> Vec<TimestampFormat> {
        let mut formats = vec![TimestampFormat::EpochSeconds, TimestampFormat::EpochMilliseconds];
        for precision in [Precision::Seconds, Precision::Milliseconds, Precision::Microseconds] {
            for zone in [Zone::Utc, Zone::Offset, Zone::Absent] {
                for is_lower_case in [false, true] {
                    formats.push(TimestampFormat::Text(TextFormat { precision, zone, is_lower_case }));
                }
            }
        }
        formats
    }

    fn format(words: &str) -> TimestampFormat {
        TimestampFormat::parse(words).expect("a format")
    }

    #[test]
    fn formats_are_spelt_as_they_are_read() {
        for format in formats() {
            let spelling = format.spelling();
            match spelling.strip_prefix(" in ") {
                Some(words) => assert_eq!(TimestampFormat::parse(words), Some(format)),
                None => assert_eq!((spelling.as_str(), format), ("", TimestampFormat::default())),
            }
        }
        assert_eq!(TimestampFormat::parse("milliseconds"), Some(TimestampFormat::default()));
        for words in
            ["", "minutes", "seconds with zone", "epoch", "epoch microseconds", "seconds lower-case", "lower-case"]
        {
            assert_eq!(TimestampFormat::parse(words), None, "{words}");
        }
    }

    #[test]
    fn common_spellings_are_one_instant() {
        let instant = Timestamp::parse("2026-11-15T08:00:00.123456Z").unwrap();
        for text in [
            "2026-11-15T08:00:00.123456+00:00",
            "2026-11-15T09:00:00.123456+01:00",
            "2026-11-14T22:30:00.123456-0930",
            "2026-11-15t08:00:00.123456z",
            "2026-11-15 08:00:00.123456",
            "2026-11-15T08:00:00.1234569",
            "2026-11-15T10:00:00.123456+02",
            // What a query string makes of `+01:00`.
            "2026-11-15T09:00:00.123456 01:00",
        ] {
            assert_eq!(Timestamp::parse(text), Some(instant), "{text}");
        }
        let texts: Vec<String> =
            ["seconds", "milliseconds with offset", "lower-case microseconds without zone", "epoch milliseconds"]
                .map(|words| format(words).text(instant))
                .into();
        let wanted =
            ["2026-11-15T08:00:00Z", "2026-11-15T08:00:00.123+00:00", "2026-11-15t08:00:00.123456", "1794729600123"];
        assert_eq!(texts, wanted);
        assert_eq!(format("epoch seconds").text(Timestamp::parse("1969-12-31T23:59:59.5Z").unwrap()), "-1");
    }

    #[test]
    fn a_format_admits_no_other() {
        let admitted = |words: &str, text: &str| format(words).admits_text(text);
        assert!(admitted("seconds", "2026-11-15T08:00:00Z"));
        for text in [
            "2026-11-15T08:00:00.000Z",
            "2026-11-15T08:00:00",
            "2026-11-15t08:00:00z",
            "2026-11-15T08:00:00+00:00",
            "2026-11-15",
            "",
        ] {
            assert!(!admitted("seconds", text), "{text}");
        }
        // The offset says where the time was read.
        assert!(admitted("seconds with offset", "2026-11-15T08:00:00+05:30"));
        assert!(!admitted("seconds with offset", "2026-11-15T08:00:00+0530"));
        assert!(!admitted("seconds with offset", "2026-11-15T08:00:00 05:30"));
        assert!(!admitted("seconds with offset", "2026-02-30T08:00:00+05:30"));
        let number = |text: &str| AttributeValue::N(Number::parse(text).unwrap());
        assert!(
            format("epoch seconds").admits(&number("1794729600")) && !format("epoch seconds").admits(&number("1.5"))
        );
        assert!(!format("seconds").admits(&number("1794729600")));
    }

    #[test]
    fn another_spelling_is_brought_into_the_format() {
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let normalized = |words: &str, value: &str| format(words).normalized(text(value));
        assert_eq!(normalized("seconds", "2026-11-15T09:00:00.999+01:00"), text("2026-11-15T08:00:00Z"));
        assert_eq!(normalized("seconds with offset", "2026-11-15T09:00:00+01:00"), text("2026-11-15T09:00:00+01:00"));
        assert_eq!(normalized("milliseconds", "2026-11-15T08:00:00"), text("2026-11-15T08:00:00.000Z"));
        let epoch = AttributeValue::N(Number::from(1_794_729_600_i64));
        assert_eq!(normalized("epoch seconds", "2026-11-15T08:00:00.000Z"), epoch);
        assert_eq!(normalized("epoch seconds", "1794729600"), epoch);
        assert_eq!(normalized("seconds", "soon"), text("soon"));
    }

    fn instants() -> impl Strategy<Value = Timestamp> {
        let day = -719_528 * DAY..2_932_897 * DAY;
        let near = -3 * DAY..3 * DAY;
        prop_oneof![day, near].prop_map(|moment| Timestamp::from_microseconds(moment).expect("a year up to 9999"))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2048))]

        #[test]
        fn instants_are_read_back_and_sort(one in instants(), other in instants()) {
            for format in formats() {
                let value = format.value(one);
                prop_assert!(format.admits(&value), "{value:?}");
                prop_assert_eq!(format.normalized(value.clone()), value.clone());
                if let AttributeValue::S(text) = &value {
                    let read = Timestamp::parse(text).unwrap();
                    prop_assert_eq!(format.text(read), text.clone());
                    prop_assert!(read <= one && one.0 - read.0 < MICROSECONDS);
                    prop_assert_eq!(read.date(), one.date());
                    prop_assert_eq!(format.fixed_length(), Some(text.chars().count()));
                    prop_assert!(text.chars().all(|character| format.may_contain(character)));
                }
                let order = |left: Timestamp, right: Timestamp| match (format.value(left), format.value(right)) {
                    (AttributeValue::N(left), AttributeValue::N(right)) => left.cmp(&right),
                    (left, right) => left.as_str().cmp(&right.as_str()),
                };
                prop_assert!(one > other || order(one, other).is_le());
                prop_assert!(one < other || order(one, other).is_ge());
            }
        }

        #[test]
        fn a_day_has_exactly_its_instants(one in instants(), other in instants()) {
            let day = other.date().unwrap();
            for format in formats().into_iter().filter(|format| format.sorts()) {
                let (start, end) = (format.edge_of_day(&day, false).unwrap(), format.edge_of_day(&day, true).unwrap());
                let text = format.text(one);
                let is_within = match format.is_number() {
                    true => {
                        let number = |text: &str| text.parse::<i64>().unwrap();
                        number(&start) <= number(&text) && number(&text) <= number(&end)
                    }
                    false => start <= text && text <= end,
                };
                prop_assert_eq!(is_within, one.date().unwrap() == day, "{} {} {}", start, text, end);
            }
        }
    }
}
