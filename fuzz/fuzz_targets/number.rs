//! Numbers: the input is two texts with a space between them, and as a whole also bytes to decode.

#![no_main]

use keyfold_dynamo::Number;
use keyfold_dynamo::number::NumberError;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some((number, length)) = Number::decode_ordered(data) {
        assert!(length <= data.len());
        check_one(&number);
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (left, right) = text.split_once(' ').unwrap_or((text, "1"));
    assert_eq!(Number::parse(left).map(|number| number.to_string()), canonical(left), "{left:?}");
    if let (Ok(left), Ok(right)) = (Number::parse(left), Number::parse(right)) {
        check_one(&left);
        check_two(&left, &right);
    }
});

fn encoded(number: &Number) -> Vec<u8> {
    let mut bytes = Vec::new();
    number.encode_ordered(&mut bytes);
    bytes
}

fn check_one(number: &Number) {
    let text = number.to_string();
    assert_eq!(Number::parse(&text), Ok(*number), "{text}");
    let mut bytes = encoded(number);
    let length = bytes.len();
    bytes.extend_from_slice(b"\x00\xFFbehind");
    assert_eq!(Number::decode_ordered(&bytes), Some((*number, length)), "{text}");
    // 38 digits may take 20 pairs, and the exponent and a sign a byte each.
    assert!((1..=22).contains(&number.size()), "{text}");
    if let Some(whole) = number.to_i64() {
        assert_eq!(text, whole.to_string());
        assert_eq!(Number::from(whole), *number);
    }
}

fn check_two(left: &Number, right: &Number) {
    assert_eq!(encoded(left).cmp(&encoded(right)), left.cmp(right), "{left} {right}");
    assert_eq!(left.cmp(right).reverse(), right.cmp(left));
    let sum = left.checked_add(right);
    assert_eq!(sum, right.checked_add(left));
    if let Ok(sum) = sum {
        assert_eq!(sum.checked_sub(right), Ok(*left), "{left} {right}");
        assert_eq!(sum.cmp(left), right.cmp(&Number::ZERO), "{left} {right}");
    }
    assert_eq!(left.checked_sub(left), Ok(Number::ZERO));
}

/// The canonical text by way of the digits as texts, however many they are.
fn canonical(text: &str) -> Result<String, NumberError> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent_of(exponent)?),
        None => (text, 0),
    };
    let negative = mantissa.starts_with('-');
    let mantissa = mantissa.strip_prefix(['-', '+']).unwrap_or(mantissa);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberError::Syntax);
    }
    // The value is 0.DIGITS × 10^point.
    let significant = digits.trim_start_matches('0');
    let leading_zeros = digits.len() - significant.len();
    let point = whole.len() as i64 - leading_zeros as i64 + exponent;
    let significant = significant.trim_end_matches('0');
    if significant.len() > 38 {
        return Err(NumberError::Precision);
    }
    if significant.is_empty() {
        return Ok("0".to_owned());
    }
    if point > 126 {
        return Err(NumberError::Overflow);
    }
    if point < -129 {
        return Err(NumberError::Underflow);
    }
    let sign = if negative { "-" } else { "" };
    let length = significant.len() as i64;
    Ok(match point {
        ..=0 => format!("{sign}0.{}{significant}", "0".repeat(-point as usize)),
        _ if point < length => {
            let (whole, fraction) = significant.split_at(point as usize);
            format!("{sign}{whole}.{fraction}")
        }
        _ => format!("{sign}{significant}{}", "0".repeat((point - length) as usize)),
    })
}

fn exponent_of(text: &str) -> Result<i64, NumberError> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberError::Syntax);
    }
    let magnitude = digits
        .trim_start_matches('0')
        .chars()
        .take(10)
        .fold(0, |value, digit| value * 10 + i64::from(digit.to_digit(10).unwrap_or(0)));
    Ok(if text.starts_with('-') { -magnitude } else { magnitude })
}
