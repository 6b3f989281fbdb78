//! Numbers against arbitrary-precision decimals.

use std::str::FromStr;

use bigdecimal::num_bigint::{BigInt, Sign};
use bigdecimal::{BigDecimal, Zero};
use keyfold_dynamo::Number;
use keyfold_dynamo::number::NumberError;
use proptest::prelude::*;

/// The digits of a number and the exponent of the first of them, within DynamoDB's range.
fn digits_and_magnitude() -> impl Strategy<Value = (String, i32)> {
    let digits = prop_oneof!["[1-9]", "[1-9][0-9]{0,3}", "[1-9][0-9]{0,37}", "[1-9][0]{0,30}[0-9]{0,7}"];
    (digits, prop_oneof![-130..=125i32, -3..=40i32])
}

/// The same number in one of the ways to write it.
fn written() -> impl Strategy<Value = String> {
    (digits_and_magnitude(), any::<bool>(), 0..5usize, 0..4usize).prop_map(
        |((digits, magnitude), negative, style, padding)| {
            let zeros = "0".repeat(padding);
            let (first, rest) = digits.split_at(1);
            let last_exponent = magnitude - i32::try_from(rest.len()).unwrap();
            let body = match style {
                0 => format!("{first}.{rest}{zeros}E{magnitude}"),
                1 => format!("{zeros}{digits}e{last_exponent}"),
                2 => format!("0.{zeros}{digits}E+{}", magnitude + 1 + i32::try_from(padding).unwrap())
                    .replace("E+-", "E-"),
                3 => format!("+{digits}.{zeros}E{last_exponent}"),
                _ => BigDecimal::from_str(&format!("{digits}E{last_exponent}")).unwrap().to_plain_string(),
            };
            if negative { format!("-{}", body.trim_start_matches('+')) } else { body }
        },
    )
}

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        9 => written().prop_map(|text| Number::parse(&text).unwrap()),
        1 => Just(Number::ZERO),
        3 => (-1000..1000i64).prop_map(Number::from),
    ]
}

fn exact(number: Number) -> BigDecimal {
    BigDecimal::from_str(&number.to_string()).unwrap()
}

/// What DynamoDB says to a decimal: its canonical text, or why it cannot hold it.
fn expected(value: &BigDecimal) -> Result<String, NumberError> {
    let value = value.normalized();
    if value.is_zero() {
        return Ok("0".to_owned());
    }
    let (coefficient, scale) = value.as_bigint_and_exponent();
    let digits = i64::try_from(coefficient.magnitude().to_string().len()).unwrap();
    let magnitude = digits - 1 - scale;
    match () {
        () if digits > 38 => Err(NumberError::Precision),
        () if magnitude > 125 => Err(NumberError::Overflow),
        () if magnitude < -130 => Err(NumberError::Underflow),
        () => Ok(value.to_plain_string()),
    }
}

/// The bytes of a number: pairs of digits aligned to the decimal point, one for the exponent, one for a minus.
fn expected_size(number: Number) -> usize {
    let text = number.to_string();
    let magnitude = text.trim_start_matches('-');
    let (whole, fraction) = magnitude.split_once('.').unwrap_or((magnitude, ""));
    let whole = format!("{}{whole}", "0".repeat(whole.len() % 2));
    let fraction = format!("{fraction}{}", "0".repeat(fraction.len() % 2));
    let digits = format!("{whole}{fraction}");
    let pairs: Vec<&[u8]> = digits.as_bytes().chunks(2).collect();
    let is_filled = |pair: &&[u8]| *pair != b"00";
    let Some(first) = pairs.iter().position(&is_filled) else { return 1 };
    let last = pairs.iter().rposition(is_filled).unwrap();
    last - first + 2 + usize::from(text.starts_with('-'))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn text_is_read_exactly_and_written_canonically(text in written()) {
        let decimal = BigDecimal::from_str(&text).unwrap();
        prop_assert_eq!(Number::parse(&text).map(|number| number.to_string()), expected(&decimal));
    }

    #[test]
    fn canonical_text_is_read_back(number in number()) {
        prop_assert_eq!(Number::parse(&number.to_string()), Ok(number));
    }

    #[test]
    fn any_digits_are_taken_or_refused_for_a_reason(
        digits in "[0-9]{1,60}", fraction in "[0-9]{0,60}", exponent in -200..200i32, negative: bool,
    ) {
        let text = format!("{}{digits}.{fraction}E{exponent}", if negative { "-" } else { "" });
        let decimal = BigDecimal::from_str(&text.replace(".E", ".0E")).unwrap();
        prop_assert_eq!(Number::parse(&text).map(|number| number.to_string()), expected(&decimal));
    }

    #[test]
    fn arbitrary_text_never_panics(text in "\\PC{0,20}|[-+0-9.eE]{0,12}") {
        if let Ok(number) = Number::parse(&text) {
            prop_assert_eq!(exact(number), BigDecimal::from_str(&text).unwrap());
        }
    }

    #[test]
    fn order_is_that_of_the_values(one in number(), two in number()) {
        prop_assert_eq!(one.cmp(&two), exact(one).cmp(&exact(two)));
        prop_assert_eq!(one == two, exact(one) == exact(two));
    }

    #[test]
    fn sums_and_differences_are_exact(one in number(), two in number()) {
        let text = |result: Result<Number, NumberError>| result.map(|number| number.to_string());
        prop_assert_eq!(text(one.checked_add(&two)), expected(&(exact(one) + exact(two))));
        prop_assert_eq!(text(one.checked_sub(&two)), expected(&(exact(one) - exact(two))));
    }

    #[test]
    fn near_numbers_add_up(one in -1_000_000..1_000_000i64, two in -1_000_000..1_000_000i64, places in 0..6i32) {
        let [one, two] = [one, two].map(|value| Number::parse(&format!("{value}E-{places}")).unwrap());
        let sum = one.checked_add(&two).unwrap();
        prop_assert_eq!(exact(sum), exact(one) + exact(two));
        prop_assert_eq!(sum.checked_sub(&two), Ok(one));
    }

    #[test]
    fn ordered_bytes_keep_the_order_and_the_value(one in number(), two in number()) {
        let bytes = |number: Number| {
            let mut bytes = Vec::new();
            number.encode_ordered(&mut bytes);
            bytes
        };
        let (first, second) = (bytes(one), bytes(two));
        prop_assert_eq!(first.cmp(&second), one.cmp(&two));
        prop_assert_eq!(Number::decode_ordered(&first), Some((one, first.len())));
        // What follows does not disturb, and a part is not taken for the whole.
        let both: Vec<u8> = first.iter().chain(&second).copied().collect();
        prop_assert_eq!(Number::decode_ordered(&both), Some((one, first.len())));
        prop_assert_eq!(Number::decode_ordered(&first[..first.len() - 1]), None);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        if let Some((_, length)) = Number::decode_ordered(&bytes) {
            prop_assert!(length <= bytes.len());
        }
    }

    #[test]
    fn sizes_are_counted_in_pairs_of_digits(number in number()) {
        prop_assert_eq!(number.size(), expected_size(number));
    }

    #[test]
    fn whole_numbers_convert_both_ways(value: i64) {
        let number = Number::from(value);
        prop_assert_eq!(number.to_string(), value.to_string());
        prop_assert_eq!(number.to_i64(), Some(value));
        prop_assert_eq!(exact(number), BigDecimal::from(BigInt::from(value)));
    }

    #[test]
    fn unsigned_numbers_convert(value: u64) {
        let expected = BigDecimal::from_bigint(BigInt::from_biguint(Sign::Plus, value.into()), 0);
        prop_assert_eq!(exact(Number::from(value)), expected);
    }
}

#[test]
fn limits_are_inclusive() {
    let parsed = |text: &str| Number::parse(text).map(|number| number.to_string());
    let nines = "9".repeat(38);
    let most = format!("{nines}{}", "0".repeat(88));
    assert_eq!(parsed(&format!("{nines}E88")), Ok(most.clone()));
    assert_eq!(parsed(&format!("-{nines}E88")), Ok(format!("-{most}")));
    assert_eq!(parsed("1E126"), Err(NumberError::Overflow));
    assert_eq!(parsed("-1E126"), Err(NumberError::Overflow));
    assert_eq!(parsed("1E-130"), Ok(format!("0.{}1", "0".repeat(129))));
    assert_eq!(parsed("9.99E-131"), Err(NumberError::Underflow));
    assert_eq!(parsed("1E999999999999999999999"), Err(NumberError::Overflow));
    assert_eq!(parsed("1E-999999999999999999999"), Err(NumberError::Underflow));
    assert_eq!(parsed("0E999999999999999999999"), Ok("0".to_owned()));
    assert_eq!(parsed(&"1".repeat(38)), Ok("1".repeat(38)));
    assert_eq!(parsed(&"1".repeat(39)), Err(NumberError::Precision));
    assert_eq!(parsed(&format!("{}000", "1".repeat(38))), Ok(format!("{}000", "1".repeat(38))));
    assert_eq!(parsed(&format!("000{}.000", "1".repeat(38))), Ok("1".repeat(38)));
}

#[test]
fn only_decimal_numbers_are_numbers() {
    for text in [
        "", " ", "-", "+", ".", "e5", "1e", "1e+", "1e1.5", "1.2.3", "--1", "+-1", "1 ", " 1", "0x10", "NaN",
        "Infinity", "1_000", "١",
    ] {
        assert_eq!(Number::parse(text), Err(NumberError::Syntax), "{text:?}");
    }
    for (text, canonical) in [
        ("-0", "0"),
        ("-0.00", "0"),
        ("+1", "1"),
        ("1.", "1"),
        (".5", "0.5"),
        ("-.50", "-0.5"),
        ("1e2", "100"),
        ("007", "7"),
        ("1.50E+1", "15"),
    ] {
        assert_eq!(Number::parse(text).unwrap().to_string(), canonical, "{text:?}");
    }
}

#[test]
fn whole_numbers() {
    for number in [0, 1, 10, 1_000_000, u64::MAX] {
        assert_eq!(Number::from(number).to_string(), number.to_string());
        assert_eq!(Number::from(number), Number::parse(&number.to_string()).unwrap());
        assert!(Number::from(number).is_whole());
    }
    assert!(Number::parse("-12e30").unwrap().is_whole());
    assert!(Number::parse("1.0").unwrap().is_whole());
    assert!(!Number::parse("1.5").unwrap().is_whole());
    assert!(!Number::parse("-1e-130").unwrap().is_whole());
}
