//! Names as people say them.

use keyfold_design::plural_of;

use crate::sample::identifier_words;

/// `NotificationAudit` as `notification audit`.
pub(super) fn phrase(name: &str) -> String {
    let words = identifier_words(name);
    if words.is_empty() { "value".to_owned() } else { words.join(" ") }
}

/// `notification audits`, `categories`, `addresses`.
pub(super) fn plural_phrase(name: &str) -> String {
    let mut words = identifier_words(name);
    // `MembershipByUser` are `memberships by user`.
    let counted = words.iter().position(|word| word == "by").unwrap_or(words.len());
    if let Some(last) = words.iter_mut().take(counted).last() {
        // Settings have no plural of their own.
        if last != "settings" {
            *last = plural_of(last);
        }
    }
    if words.is_empty() { "items".to_owned() } else { words.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_said() {
        assert_eq!(phrase("NotificationAudit"), "notification audit");
        for (name, plural) in [
            ("Category", "categories"),
            ("Address", "addresses"),
            ("TechUser", "tech users"),
            ("MembershipByUser", "memberships by user"),
            ("UserSettings", "user settings"),
        ] {
            assert_eq!(plural_phrase(name), plural);
        }
    }
}
