//! Names for other languages.

use std::collections::BTreeSet;

/// The words of a name: `app_data`, `fus-main`, `licenses by enterprise`, `dynamoTableName`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    let mut before = ' ';
    for character in name.chars() {
        if !character.is_ascii_alphanumeric() {
            open = false;
        } else {
            let hump = character.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit());
            match words.last_mut() {
                Some(word) if open && !hump => word.push(character),
                _ => words.push(character.to_string()),
            }
            open = true;
        }
        before = character;
    }
    words
}

/// A name with its indefinite article: `an Album`, `a User`.
pub(crate) fn with_article(name: &str) -> String {
    let vowel = name.starts_with(['A', 'E', 'I', 'O']);
    format!("{} {name}", if vowel { "an" } else { "a" })
}

/// `AppData`, also for `app_data`; a leading digit gets a `_` before it.
pub(crate) fn pascal(name: &str) -> String {
    let joined: String = words(name).iter().map(|word| capitalised(word)).collect();
    if joined.starts_with(|character: char| character.is_ascii_digit()) { format!("_{joined}") } else { joined }
}

/// `appData`.
pub(crate) fn camel(name: &str) -> String {
    let mut words = words(name).into_iter();
    let first = words.next().unwrap_or_default().to_ascii_lowercase();
    let rest: String = words.map(|word| capitalised(&word)).collect();
    let joined = format!("{first}{rest}");
    if joined.starts_with(|character: char| character.is_ascii_digit()) { format!("_{joined}") } else { joined }
}

/// `app_data`.
pub(crate) fn snake(name: &str) -> String {
    words(name).iter().map(|word| word.to_ascii_lowercase()).collect::<Vec<_>>().join("_")
}

/// `app-data`.
pub(crate) fn kebab(name: &str) -> String {
    words(name).iter().map(|word| word.to_ascii_lowercase()).collect::<Vec<_>>().join("-")
}

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(characters).collect()
}

/// The name, or the name with a suffix that makes it unique. The result counts as used from now on.
pub(crate) fn unused(used: &mut BTreeSet<String>, name: String, ending: &str) -> String {
    let mut chosen = name.clone();
    let mut number = 1;
    while used.contains(&chosen) {
        chosen = if number == 1 { format!("{name}{ending}") } else { format!("{name}{ending}{number}") };
        number += 1;
    }
    used.insert(chosen.clone());
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_languages() {
        assert_eq!(pascal("app_data"), "AppData");
        assert_eq!(pascal("fus-main"), "FusMain");
        assert_eq!(pascal("2fast"), "_2fast");
        assert_eq!(camel("licenses by enterprise"), "licensesByEnterprise");
        assert_eq!(camel("GSI2PK"), "gsi2PK");
        assert_eq!(snake("fus-main"), "fus_main");
        assert_eq!(kebab("members with permission licenses.write"), "members-with-permission-licenses-write");
        assert_eq!(kebab("role SuperAdmin"), "role-super-admin");
    }
}
