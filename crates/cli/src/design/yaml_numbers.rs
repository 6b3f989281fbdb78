//! Numbers of a YAML file that its parser would silently round.

use keyfold_design::model::is_exact_in_json;
use keyfold_dynamo::Number;
use keyfold_dynamo::number::NumberError;
use saphyr_parser::{Event, Parser, ScalarStyle};

/// The first number that a double does not keep, with its line. Texts that YAML does not read as a decimal are skipped,
/// and so is the rest of a file with a syntax error, which parsing it reports.
pub(super) fn first_inexact(text: &str) -> Option<(usize, String)> {
    let mut parser = Parser::new_from_str(text);
    while let Some(Ok((event, span))) = parser.next_event() {
        let Event::Scalar(scalar, ScalarStyle::Plain, _, None) = event else { continue };
        let is_number = !matches!(Number::parse(&scalar), Err(NumberError::Syntax));
        if is_number && !is_exact_in_json(&scalar) {
            return Some((span.start.line(), scalar.into_owned()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_scalars_that_lose_digits_are_reported() {
        let exact =
            "a: 9135.141165457897\nb: '12345678901234567890.5'\nc: 18446744073709551615\nd: 2026-01-31\ne: 1e-130";
        assert_eq!(first_inexact(exact), None);
        for lost in ["12345678901234567890.5", "0.1234567890123456789", "-18446744073709551616", "1e999"] {
            assert_eq!(first_inexact(&format!("items:\n- Daily: {{total: {lost}}}\n")), Some((2, lost.to_owned())));
        }
    }
}
