//! Names for other languages.

use std::collections::BTreeSet;

use keyfold_design::casing;

/// The words of a name: `app_data`, `fus-main`, `licenses by enterprise`, `dynamoTableName`. Names in other languages
/// are ASCII: other characters separate words.
fn words(name: &str) -> Vec<String> {
    let ascii = name.replace(|character: char| !character.is_ascii(), " ");
    casing::words(&ascii).into_iter().map(str::to_owned).collect()
}

/// `AppData`, also for `app_data`; a leading digit gets a `_` before it.
pub(crate) fn pascal(name: &str) -> String {
    without_leading_digit(casing::pascal(words(name)))
}

/// `appData`; a leading digit gets a `_` before it.
pub(crate) fn camel(name: &str) -> String {
    without_leading_digit(casing::camel(words(name)))
}

fn without_leading_digit(name: String) -> String {
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// `app_data`.
pub(crate) fn snake(name: &str) -> String {
    words(name).join("_").to_ascii_lowercase()
}

/// `app-data`.
pub(crate) fn kebab(name: &str) -> String {
    words(name).join("-").to_ascii_lowercase()
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
        assert_eq!(snake("OIDCSubject"), "oidc_subject");
        assert_eq!(pascal("größe"), "GrE");
    }
}
