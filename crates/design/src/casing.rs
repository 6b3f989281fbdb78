//! Names in the cases of programming languages: the words of a name, and names made of words.

/// The words of a name, in their own letters. Capitals begin a word, and so does the last capital of an acronym that
/// letters follow; everything but letters and digits separates words.
///
/// ```
/// use keyfold_design::casing::words;
///
/// assert_eq!(words("TECH_USER"), ["TECH", "USER"]);
/// assert_eq!(words("licenses by enterprise"), ["licenses", "by", "enterprise"]);
/// assert_eq!(words("userID"), ["user", "ID"]);
/// assert_eq!(words("OIDCSubject"), ["OIDC", "Subject"]);
/// assert_eq!(words("licenseIDs"), ["license", "IDs"]);
/// assert_eq!(words("GSI1PK"), ["GSI1", "PK"]);
/// ```
pub fn words(name: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = None;
    let mut before = ' ';
    for (at, character) in name.char_indices() {
        let continues = character.is_alphanumeric() && !begins_word(before, name.get(at..).unwrap_or_default());
        if !continues {
            words.extend(start.take().and_then(|start| name.get(start..at)));
        }
        if character.is_alphanumeric() {
            start = start.or(Some(at));
        }
        before = character;
    }
    words.extend(start.and_then(|start| name.get(start..)));
    words
}

/// Whether a word begins at the first character of a text, which follows `before`.
fn begins_word(before: char, text: &str) -> bool {
    let mut characters = text.chars();
    if !characters.next().is_some_and(char::is_uppercase) {
        return false;
    }
    let is_lower = |character: Option<char>| character.is_some_and(char::is_lowercase);
    let (next, after) = (characters.next(), characters.next());
    // `IDs` is one word: the plural of an acronym.
    let is_plural = next == Some('s') && !is_lower(after);
    before.is_lowercase() || before.is_numeric() || (is_lower(next) && !is_plural)
}

/// Each word with a capital, joined.
///
/// ```
/// assert_eq!(keyfold_design::casing::pascal(["tech", "user"]), "TechUser");
/// assert_eq!(keyfold_design::casing::pascal(["GSI1", "PK"]), "GSI1PK");
/// ```
pub fn pascal<W: AsRef<str>>(words: impl IntoIterator<Item = W>) -> String {
    words.into_iter().map(|word| capitalized(word.as_ref())).collect()
}

/// Each word but the first with a capital, joined; the first in lower case.
///
/// ```
/// assert_eq!(keyfold_design::casing::camel(["tech", "user"]), "techUser");
/// assert_eq!(keyfold_design::casing::camel(["GSI1", "PK"]), "gsi1PK");
/// ```
pub fn camel<W: AsRef<str>>(words: impl IntoIterator<Item = W>) -> String {
    let mut words = words.into_iter();
    let mut name = words.next().map(|first| first.as_ref().to_lowercase()).unwrap_or_default();
    name.push_str(&pascal(words));
    name
}

/// The text with a capital at its beginning.
pub fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().into_iter().flat_map(char::to_uppercase).chain(characters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_words() {
        for (name, expected) in [
            ("", vec![]),
            ("__", vec![]),
            ("a", vec!["a"]),
            ("app_data", vec!["app", "data"]),
            ("fus-main", vec!["fus", "main"]),
            ("-licenses.write-", vec!["licenses", "write"]),
            ("placeWord", vec!["place", "Word"]),
            ("PlaceWord", vec!["Place", "Word"]),
            ("OIDC_SUB", vec!["OIDC", "SUB"]),
            ("ABTest", vec!["AB", "Test"]),
            ("IDsOfUsers", vec!["IDs", "Of", "Users"]),
            ("2fast", vec!["2fast"]),
            ("2FA", vec!["2", "FA"]),
            ("straßenNr Örtlich", vec!["straßen", "Nr", "Örtlich"]),
        ] {
            assert_eq!(words(name), expected as Vec<&str>, "{name}");
        }
    }
}
