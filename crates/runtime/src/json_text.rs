//! The text of JSON documents: nesting, and numbers that a parser would silently round.

use keyfold_design::model::is_exact_in_json;

/// A text that must not be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JsonTextError {
    /// More brackets are open at once than allowed.
    #[error("the JSON is nested more than {0} levels deep")]
    TooDeep(usize),
    /// A double does not keep all digits of the number.
    #[error("`{0}` has more digits than JSON readers keep; write it as a string")]
    Inexact(String),
}

/// Rejects nesting that is too deep, and numbers of which a parser would keep only the first digits. Nothing else is
/// checked: the parser does that.
pub fn check(text: &str, most_levels: usize) -> Result<(), JsonTextError> {
    let mut depth = 0usize;
    let mut bytes = text.bytes().enumerate().peekable();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => {
                while let Some((_, inner)) = bytes.next() {
                    match inner {
                        b'\\' => drop(bytes.next()),
                        b'"' => break,
                        _ => {}
                    }
                }
            }
            b'[' | b'{' => {
                depth += 1;
                if depth > most_levels {
                    return Err(JsonTextError::TooDeep(most_levels));
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'-' | b'0'..=b'9' => {
                let mut end = at + 1;
                while let Some((at, _)) =
                    bytes.next_if(|(_, byte)| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'))
                {
                    end = at + 1;
                }
                if let Some(number) = text.get(at..end).filter(|number| !is_exact_in_json(number)) {
                    return Err(JsonTextError::Inexact(number.to_owned()));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_outside_of_strings_is_counted() {
        assert_eq!(check(r#"{"a":[{"b":"[[[[\"{"}]}"#, 3), Ok(()));
        assert_eq!(check(r#"{"a":[{"b":[]}]}"#, 3), Err(JsonTextError::TooDeep(3)));
    }

    #[test]
    fn numbers_that_a_double_does_not_keep_are_rejected() {
        for kept in
            ["1", "-9223372036854775808", "18446744073709551615", "0.1", "1e10", "-0.0", "\"0.12345678901234567\""]
        {
            assert_eq!(check(&format!(r#"{{"n":[{kept}]}}"#), 9), Ok(()), "{kept}");
        }
        for lost in ["18446744073709551616", "0.12345678901234567", "0.30000000000000003", "1e999"] {
            let told = Err(JsonTextError::Inexact(lost.to_owned()));
            assert_eq!(check(&format!(r#"{{"n":{lost}}}"#), 9), told);
        }
    }
}
