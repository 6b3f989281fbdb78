//! What a placeholder does to a value on its way into a key.

use super::instant::is_date;
use super::kind::ValueKind;
use super::timestamp::TimestampFormat;

/// `<email:lower>`: what happens to a value before it becomes part of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `lower`: in lower case.
    Lower,
    /// `upper`: in upper case.
    Upper,
    /// The first characters (Unicode scalars).
    First(usize),
    /// A whole number with leading zeros.
    Width(usize),
    /// A whole number from 0 on, turned round: what is missing to the greatest number of so many digits, with leading
    /// zeros, so that higher numbers sort first.
    Descending(usize),
    /// Percent-encoding of everything but letters, digits and `-._~`.
    Url,
    /// `date`: the first 10 characters of a datetime.
    Date,
    /// `year`: 4 digits.
    Year,
    /// `month`: 2 digits.
    Month,
    /// `day`: 2 digits.
    Day,
    /// The number of the shard, from a hash of the value.
    Shard(u32),
    /// Of a parameter that is a date where a timestamp is expected: the first moment of its day. Timestamps stay.
    StartOfDay(TimestampFormat),
    /// Of a parameter that is a date where a timestamp is expected: the end of its day, above all timestamps of the day
    /// and below those of the next. Timestamps stay.
    EndOfDay(TimestampFormat),
}

/// Formats as the design spells them, for suggestions.
pub(crate) const FORMAT_NAMES: &[&str] =
    &["lower", "upper", "first", "width", "descending", "url", "date", "year", "month", "day", "shard"];

impl Format {
    /// Whether values of a kind can be formatted so.
    pub fn fits(self, kind: &ValueKind) -> bool {
        match self {
            Self::Lower | Self::Upper if matches!(kind, ValueKind::DateTime(format) if !format.is_number()) => true,
            Self::Lower | Self::Upper | Self::First(_) => {
                matches!(kind, ValueKind::Text | ValueKind::Enumeration(_) | ValueKind::Ulid | ValueKind::Uuid)
            }
            Self::Width(_) | Self::Descending(_) => matches!(kind, ValueKind::Integer),
            Self::Date | Self::Year | Self::Month | Self::Day => match kind {
                ValueKind::DateTime(format) => format.begins_with_date(),
                kind => matches!(kind, ValueKind::Date),
            },
            Self::Url | Self::Shard(_) => !matches!(kind, ValueKind::Binary),
            Self::StartOfDay(_) | Self::EndOfDay(_) => matches!(kind, ValueKind::Moment(_)),
        }
    }

    /// How many characters the formatted text has, where that is always the same, from the length before the format.
    pub(crate) fn fixed_length(self, before: Option<usize>, kind: &ValueKind) -> Option<usize> {
        match self {
            Self::Width(width) | Self::Descending(width) => Some(width),
            Self::Date => Some(10),
            Self::Year => Some(4),
            Self::Month | Self::Day => Some(2),
            Self::Shard(count) => Some(count.saturating_sub(1).to_string().len()),
            Self::StartOfDay(_) | Self::EndOfDay(_) => None,
            Self::First(length) => before.map(|whole| whole.min(length)),
            // Letters of other scripts may become several, and encoded characters are longer.
            Self::Lower | Self::Upper => before.filter(|_| !kind.may_have_other_letters()),
            Self::Url => before.filter(|_| matches!(kind, ValueKind::Date | ValueKind::Ulid | ValueKind::Uuid)),
        }
    }

    /// As the design spells it: `first(3)`.
    pub fn spelling(self) -> String {
        match self {
            Self::Lower => "lower".to_owned(),
            Self::Upper => "upper".to_owned(),
            Self::First(count) => format!("first({count})"),
            Self::Width(width) => format!("width({width})"),
            Self::Descending(width) => format!("descending({width})"),
            Self::Url => "url".to_owned(),
            Self::Date => "date".to_owned(),
            Self::Year => "year".to_owned(),
            Self::Month => "month".to_owned(),
            Self::Day => "day".to_owned(),
            Self::Shard(count) => format!("shard({count})"),
            Self::StartOfDay(_) => "start of day".to_owned(),
            Self::EndOfDay(_) => "end of day".to_owned(),
        }
    }

    /// The part of a date or timestamp that the format cuts out.
    pub(crate) fn is_date_part(self) -> bool {
        matches!(self, Self::Date | Self::Year | Self::Month | Self::Day)
    }

    /// Applies the format; `None` where the value does not fit (a number wider than its width, a malformed date).
    pub fn apply(self, text: String) -> Option<String> {
        Some(match self {
            Self::Lower => text.to_lowercase(),
            Self::Upper => text.to_uppercase(),
            Self::First(count) => text.chars().take(count).collect(),
            Self::Width(width) => padded(&text, width)?,
            Self::Descending(width) => complement(&padded(&text, width)?),
            Self::Url => percent_encode(&text),
            Self::Date => text.get(..10)?.to_owned(),
            Self::Year => text.get(..4)?.to_owned(),
            Self::Month => text.get(5..7)?.to_owned(),
            Self::Day => text.get(8..10)?.to_owned(),
            Self::Shard(count) => shard_text(shard_of(&text, count), count),
            Self::StartOfDay(format) if is_date(&text) => format.edge_of_day(&text, false)?,
            Self::EndOfDay(format) if is_date(&text) => format.edge_of_day(&text, true)?,
            Self::StartOfDay(_) | Self::EndOfDay(_) => text,
        })
    }

    /// The text before the format, for formats that lose nothing.
    pub(crate) fn undo(self, text: &str) -> Option<String> {
        match self {
            Self::Url => percent_decode(text),
            Self::Width(width) => unpadded(text, width),
            Self::Descending(width) => unpadded(&complement(text), width),
            Self::StartOfDay(_) | Self::EndOfDay(_) => Some(text.to_owned()),
            _ => None,
        }
    }
}

/// A whole number with leading zeros; `None` for one that has a sign or more digits.
fn padded(text: &str, width: usize) -> Option<String> {
    let fits = text.len() <= width && text.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| format!("{text:0>width$}"))
}

/// The number without leading zeros; `None` for a text of another width.
fn unpadded(text: &str, width: usize) -> Option<String> {
    if text.len() != width || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = text.trim_start_matches('0');
    Some(if digits.is_empty() { "0".to_owned() } else { digits.to_owned() })
}

/// What is missing of each digit to 9; other characters stay.
fn complement(digits: &str) -> String {
    let turned = digits.chars().map(|digit| digit.to_digit(10).and_then(|digit| char::from_digit(9 - digit, 10)));
    turned.zip(digits.chars()).map(|(turned, own)| turned.unwrap_or(own)).collect()
}

/// The number of a shard, as wide as the highest one, so that `1` is not a prefix of `10`.
pub(crate) fn shard_text(shard: u32, count: u32) -> String {
    let width = count.saturating_sub(1).to_string().len();
    format!("{shard:0width$}")
}

/// The shard of a value: FNV-1a, which is stable for all time and the same in every language.
pub(crate) fn shard_of(text: &str, count: u32) -> u32 {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    // Folding mixes the high half in; the low bits alone are FNV's weakest.
    // A remainder is less than the count, so that it fits.
    ((hash ^ (hash >> 32)) % u64::from(count.max(1))) as u32
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

fn percent_encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if is_unreserved(byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

/// The inverse; `None` for a text the encoder would not have produced.
fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'%' {
            let digits = std::str::from_utf8(after.get(..2)?).ok()?;
            let decoded = u8::from_str_radix(digits, 16).ok()?;
            if is_unreserved(decoded) || digits.bytes().any(|digit| digit.is_ascii_lowercase() || digit == b'+') {
                return None;
            }
            bytes.push(decoded);
            rest = after.get(2..)?;
        } else {
            if !is_unreserved(byte) {
                return None;
            }
            bytes.push(byte);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}
