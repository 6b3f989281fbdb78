//! Whether a part of a key looks like a word somebody chose, or like a value.

use keyfold_design::casing;
use keyfold_design::template::{is_ulid, is_uuid};

/// Longer words are values.
const LONGEST_WORD: usize = 40;

/// A word that a designer may have written into a key: `METADATA`, `TECH_USER`, `placeWord`, `collection_category`.
pub(crate) fn is_identifier(text: &str) -> bool {
    let is_plain = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_' || first == '$')
        && text.chars().all(|character| character.is_ascii_alphanumeric() || "_-.$".contains(character));
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_hexadecimal = text.len() >= 8 && digits > 0 && text.chars().all(|character| character.is_ascii_hexdigit());
    is_plain && text.len() <= LONGEST_WORD && digits <= 2 && !is_hexadecimal && !is_ulid(text) && !is_uuid(text)
}

/// Whether a word is in capitals, as kinds of items mostly are.
pub(crate) fn is_upper(text: &str) -> bool {
    text.chars().any(char::is_alphabetic) && !text.chars().any(char::is_lowercase)
}

/// The words of a name in lower case: `TECH_USER`, `techUser`, `tech-user` are `tech` and `user`.
pub(crate) fn identifier_words(name: &str) -> Vec<String> {
    casing::words(name).into_iter().map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_words() {
        for (name, words) in [
            ("TECH_USER", vec!["tech", "user"]),
            ("techUser", vec!["tech", "user"]),
            ("placeWord", vec!["place", "word"]),
            ("OIDC_SUB", vec!["oidc", "sub"]),
            ("userID", vec!["user", "id"]),
            ("GSI1PK", vec!["gsi1", "pk"]),
            ("", vec![]),
        ] {
            assert_eq!(identifier_words(name), words, "{name}");
        }
    }

    #[test]
    fn ids_are_not_words() {
        for word in ["METADATA", "placeWord", "collection_category", "v0"] {
            assert!(is_identifier(word), "{word}");
        }
        for value in ["", "42", "01K9ZV0000000000000000AAAA", "ada@example.com", "deadbeef01", "2026-01-01", "a b"] {
            assert!(!is_identifier(value), "{value}");
        }
    }
}
