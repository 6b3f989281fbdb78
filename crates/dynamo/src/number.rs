//! DynamoDB's number: a decimal of up to 38 significant digits between 1E-130 and 9.99…E125, positive or negative.
//!
//! A number is kept in its canonical form, without trailing zeros and without a negative zero, so that equality of
//! numbers is equality of fields.

use std::cmp::Ordering;
use std::fmt;

/// The most significant digits a number may have.
pub const MAX_DIGITS: u32 = 38;
/// The range of the exponent in scientific notation, `d.ddd × 10^e`.
const MIN_SCIENTIFIC: i32 = -130;
const MAX_SCIENTIFIC: i32 = 125;

/// `(-1)^negative × coefficient × 10^exponent`; the coefficient has no trailing zero, and zero is `0 × 10^0`.
///
/// Packed, so that a value of an item takes 32 bytes and not 48: the alignment of 128 bits would be paid by every
/// value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(Rust, packed(8))]
pub struct Number {
    negative: bool,
    coefficient: u128,
    exponent: i16,
}

/// Why a text or the result of an addition is not a number DynamoDB can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// The text is not a decimal.
    #[error("the text is not a decimal number")]
    Syntax,
    /// More than 38 significant digits.
    #[error("the number has more than 38 significant digits")]
    Precision,
    /// The magnitude exceeds 9.99…E125.
    #[error("the number's magnitude is larger than 9.99E125")]
    Overflow,
    /// The magnitude is below 1E-130, and not zero.
    #[error("the number's magnitude is smaller than 1E-130")]
    Underflow,
}

impl Number {
    /// The number 0.
    pub const ZERO: Self = Self { negative: false, coefficient: 0, exponent: 0 };

    /// Parses a decimal with an optional sign, fraction and exponent.
    pub fn parse(text: &str) -> Result<Self, NumberError> {
        let bytes = text.as_bytes();
        let (negative, bytes) = match bytes.split_first() {
            Some((b'-', rest)) => (true, rest),
            Some((b'+', rest)) => (false, rest),
            _ => (false, bytes),
        };
        let mut digits = Digits::default();
        let mut rest = bytes;
        while let Some((&byte, after)) = rest.split_first() {
            match byte {
                b'0'..=b'9' => digits.push(byte - b'0'),
                b'.' if !digits.in_fraction => digits.in_fraction = true,
                b'e' | b'E' => break,
                _ => return Err(NumberError::Syntax),
            }
            rest = after;
        }
        if !digits.seen_any {
            return Err(NumberError::Syntax);
        }
        let written_exponent = match rest.split_first() {
            Some((_, exponent)) => parse_exponent(exponent)?,
            None => 0,
        };
        if digits.too_many {
            return Err(NumberError::Precision);
        }
        Self::normalized(negative, digits.coefficient, digits.exponent() + written_exponent)
    }

    fn normalized(negative: bool, mut coefficient: u128, mut exponent: i64) -> Result<Self, NumberError> {
        if coefficient == 0 {
            return Ok(Self::ZERO);
        }
        while coefficient.is_multiple_of(10) {
            coefficient /= 10;
            exponent += 1;
        }
        let digits = count_digits(coefficient);
        if digits > MAX_DIGITS {
            return Err(NumberError::Precision);
        }
        let scientific = exponent + i64::from(digits) - 1;
        if scientific > i64::from(MAX_SCIENTIFIC) {
            return Err(NumberError::Overflow);
        }
        if scientific < i64::from(MIN_SCIENTIFIC) {
            return Err(NumberError::Underflow);
        }
        Ok(Self { negative, coefficient, exponent: i16::try_from(exponent).map_err(|_| NumberError::Underflow)? })
    }

    /// An integer; it has at most 20 digits, so that it is always in range.
    fn from_magnitude(negative: bool, mut magnitude: u64) -> Self {
        let mut exponent = 0;
        while magnitude != 0 && magnitude.is_multiple_of(10) {
            magnitude /= 10;
            exponent += 1;
        }
        Self { negative, coefficient: u128::from(magnitude), exponent }
    }

    /// The exponent of the number written as `d.ddd × 10^e`.
    fn scientific(&self) -> i32 {
        i32::from(self.exponent) + count_digits(self.coefficient).cast_signed() - 1
    }

    /// Whether the number has no fraction.
    pub fn is_whole(&self) -> bool {
        // A normalized coefficient does not end with a zero.
        self.exponent >= 0
    }

    /// Whether the number is 0.
    pub fn is_zero(&self) -> bool {
        self.coefficient == 0
    }

    /// The value as an integer; `None` if it has a fraction or does not fit.
    pub fn to_i64(&self) -> Option<i64> {
        let exponent = u32::try_from(self.exponent).ok()?;
        let magnitude = self.coefficient.checked_mul(10u128.checked_pow(exponent)?)?;
        let magnitude = i128::try_from(magnitude).ok()?;
        i64::try_from(if self.negative { -magnitude } else { magnitude }).ok()
    }

    /// The value as a non-negative integer; `None` if it has a fraction, is negative or does not fit.
    pub fn to_u64(&self) -> Option<u64> {
        if self.is_whole() { self.truncate_to_u64() } else { None }
    }

    /// The value in floating point; `None` where that would not hold all digits: the shortest text of the
    /// floating-point number is another decimal.
    pub fn to_f64(&self) -> Option<f64> {
        let float: f64 = self.to_string().parse().ok()?;
        (Self::parse(&format!("{float:e}")).as_ref() == Ok(self)).then_some(float)
    }

    /// The value without its fraction; `None` where it is negative or does not fit.
    pub fn truncate_to_u64(&self) -> Option<u64> {
        if self.negative {
            return None;
        }
        let power = 10u128.checked_pow(u32::from(self.exponent.unsigned_abs()));
        let whole = match (self.exponent >= 0, power) {
            (true, power) => self.coefficient.checked_mul(power?)?,
            (false, Some(power)) => self.coefficient / power,
            // A coefficient has at most 38 digits, all of them in the fraction.
            (false, None) => 0,
        };
        u64::try_from(whole).ok()
    }

    /// The sum, exactly; a sum that needs more than 38 digits is an error, as in DynamoDB.
    pub fn checked_add(&self, other: &Self) -> Result<Self, NumberError> {
        if self.is_zero() {
            return Ok(*other);
        }
        if other.is_zero() {
            return Ok(*self);
        }
        let (high, low) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let shift = u32::from(high.exponent.abs_diff(low.exponent));
        // Beyond 38 places the sum has a digit more than 38 places above the lowest one of `low`.
        let scaled = 10u128
            .checked_pow(shift)
            .and_then(|power| high.coefficient.checked_mul(power))
            .ok_or(NumberError::Precision)?;
        let exponent = i64::from(low.exponent);
        if high.negative == low.negative {
            let sum = scaled.checked_add(low.coefficient).ok_or(NumberError::Precision)?;
            Self::normalized(high.negative, sum, exponent)
        } else {
            let negative = if scaled >= low.coefficient { high.negative } else { low.negative };
            Self::normalized(negative, scaled.abs_diff(low.coefficient), exponent)
        }
    }

    /// The difference, exactly.
    pub fn checked_sub(&self, other: &Self) -> Result<Self, NumberError> {
        self.checked_add(&other.negated())
    }

    fn negated(&self) -> Self {
        Self { negative: !self.negative && !self.is_zero(), ..*self }
    }

    /// The size in bytes that AWS counts: one for each two significant digits, and one more.
    pub fn size(&self) -> usize {
        if self.is_zero() {
            return 1;
        }
        // Digits are counted in pairs aligned to the decimal point, as they are stored.
        let digits = count_digits(self.coefficient);
        let aligned = digits + u32::from(self.exponent.rem_euclid(2) == 1);
        let pairs = aligned.div_ceil(2) as usize;
        pairs + 1 + usize::from(self.negative)
    }

    /// Appends bytes whose lexicographic order is the order of the numbers. No encoding is a prefix of another.
    pub fn encode_ordered(&self, out: &mut Vec<u8>) {
        if self.is_zero() {
            out.push(ZERO_MARK);
            return;
        }
        let flip = if self.negative { 0xFF } else { 0x00 };
        out.push(if self.negative { NEGATIVE_MARK } else { POSITIVE_MARK });
        let exponent = u8::try_from(self.scientific() - MIN_SCIENTIFIC).unwrap_or(u8::MAX);
        out.push(exponent ^ flip);
        let mut digits = count_digits(self.coefficient);
        let mut rest = self.coefficient;
        if !digits.is_multiple_of(2) {
            rest *= 10;
            digits += 1;
        }
        // Pairs of digits as 1..=100, so that the terminator 0 sorts before every continuation.
        let mut divisor = 10u128.pow(digits - 2);
        loop {
            let pair = rest / divisor;
            rest %= divisor;
            out.push((u8::try_from(pair).unwrap_or(u8::MAX) + 1) ^ flip);
            if divisor == 1 {
                break;
            }
            divisor /= 100;
        }
        out.push(flip);
    }

    /// Reads back what [`Number::encode_ordered`] wrote, and how many bytes it took.
    pub fn decode_ordered(bytes: &[u8]) -> Option<(Self, usize)> {
        let (&mark, rest) = bytes.split_first()?;
        let negative = match mark {
            ZERO_MARK => return Some((Self::ZERO, 1)),
            NEGATIVE_MARK => true,
            POSITIVE_MARK => false,
            _ => return None,
        };
        let flip = if negative { 0xFF } else { 0x00 };
        let (&exponent, rest) = rest.split_first()?;
        let scientific = i64::from(exponent ^ flip) + i64::from(MIN_SCIENTIFIC);
        let mut coefficient = 0u128;
        for (pairs, &byte) in rest.iter().enumerate() {
            let pair = byte ^ flip;
            if pair == 0 {
                let digits = i64::try_from(pairs * 2).ok()?;
                let number = Self::normalized(negative, coefficient, scientific - digits + 1).ok()?;
                return Some((number, pairs + 3));
            }
            coefficient = coefficient.checked_mul(100)?.checked_add(u128::from(pair - 1))?;
        }
        None
    }
}

const NEGATIVE_MARK: u8 = 0x01;
const ZERO_MARK: u8 = 0x02;
const POSITIVE_MARK: u8 = 0x03;

/// The digits of a number as they are read: `coefficient × 10^(held_zeros - places)`. Trailing zeros are held back,
/// since they are significant only if another digit follows.
#[derive(Default)]
struct Digits {
    coefficient: u128,
    held_zeros: u32,
    places: i64,
    seen_any: bool,
    in_fraction: bool,
    too_many: bool,
}

impl Digits {
    fn push(&mut self, digit: u8) {
        self.seen_any = true;
        self.places += i64::from(self.in_fraction);
        if digit == 0 {
            self.held_zeros = self.held_zeros.saturating_add(u32::from(self.coefficient != 0));
            return;
        }
        let added = self.held_zeros.saturating_add(1);
        let before = if self.coefficient == 0 { 0 } else { count_digits(self.coefficient) };
        if before.saturating_add(added) > MAX_DIGITS {
            self.too_many = true;
            return;
        }
        self.coefficient = self.coefficient * 10u128.pow(added) + u128::from(digit);
        self.held_zeros = 0;
    }

    fn exponent(&self) -> i64 {
        i64::from(self.held_zeros) - self.places
    }
}

fn parse_exponent(bytes: &[u8]) -> Result<i64, NumberError> {
    let (negative, digits) = match bytes.split_first() {
        Some((b'-', rest)) => (true, rest),
        Some((b'+', rest)) => (false, rest),
        _ => (false, bytes),
    };
    if digits.is_empty() {
        return Err(NumberError::Syntax);
    }
    let mut value = 0i64;
    for &byte in digits {
        if !byte.is_ascii_digit() {
            return Err(NumberError::Syntax);
        }
        // Saturates far outside the range of any number, without overflowing.
        value = (value * 10 + i64::from(byte - b'0')).min(1_000_000_000);
    }
    Ok(if negative { -value } else { value })
}

fn count_digits(coefficient: u128) -> u32 {
    coefficient.checked_ilog10().map_or(1, |log| log + 1)
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| match (number.is_zero(), number.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let by_sign = sign(self).cmp(&sign(other));
        if by_sign != Ordering::Equal || self.is_zero() {
            return by_sign;
        }
        let by_magnitude = self.scientific().cmp(&other.scientific()).then_with(|| {
            // Equal leading places: compare the coefficients at the same length.
            let (mine, theirs) = (count_digits(self.coefficient), count_digits(other.coefficient));
            let scale = |value: u128, digits: u32| value * 10u128.pow(mine.max(theirs) - digits);
            scale(self.coefficient, mine).cmp(&scale(other.coefficient, theirs))
        });
        if self.negative { by_magnitude.reverse() } else { by_magnitude }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self::from_magnitude(value < 0, value.unsigned_abs())
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Self {
        Self::from_magnitude(false, value)
    }
}

/// DynamoDB's canonical text: plain notation, no exponent, no superfluous zeros.
impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negative {
            out.write_str("-")?;
        }
        let digits = { self.coefficient }.to_string();
        let zeros = |out: &mut fmt::Formatter<'_>, count: usize| write!(out, "{:0<count$}", "");
        match usize::try_from(self.exponent) {
            Ok(trailing) => {
                out.write_str(&digits)?;
                zeros(out, trailing)
            }
            Err(_) => {
                let places = usize::from(self.exponent.unsigned_abs());
                match digits.len().checked_sub(places) {
                    Some(whole) if whole > 0 => {
                        let (before, after) = digits.split_at(whole);
                        write!(out, "{before}.{after}")
                    }
                    _ => {
                        out.write_str("0.")?;
                        zeros(out, places - digits.len())?;
                        out.write_str(&digits)
                    }
                }
            }
        }
    }
}
