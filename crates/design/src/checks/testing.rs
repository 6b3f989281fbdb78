//! For the tests of checks: the real designs, broken by a change of their text.

use crate::diagnostic::Diagnostic;

pub(super) const AGENCIES: &str = include_str!("../../../../designs/agencies/design.yaml");
pub(super) const PLATFORM: &str = include_str!("../../../../designs/platform/design.yaml");
pub(super) const CATALOGUE: &str = include_str!("../../../../designs/catalogue/design.yaml");

/// The text with each piece replaced, once; a piece that is not there is a mistake of the test.
pub(super) fn patched(text: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "the design does not contain `{from}`");
        text.replacen(from, to, 1)
    })
}

pub(super) fn all(text: &str) -> Vec<Diagnostic> {
    match crate::load("design.yaml", text) {
        Ok((_, found)) => found,
        Err(found) => found,
    }
}

/// The one diagnostic of a code that a broken design has.
#[track_caller]
pub(super) fn one(text: &str, code: &str) -> Diagnostic {
    let found = all(text);
    let mut matching: Vec<Diagnostic> = found.iter().filter(|diagnostic| diagnostic.code.id == code).cloned().collect();
    let listed = crate::diagnostic::to_text("design.yaml", text, &found, false);
    assert_eq!(matching.len(), 1, "one {code} is expected in:\n{listed}");
    matching.remove(0)
}

/// Asserts text, help and underlined text of a diagnostic.
#[track_caller]
pub(super) fn assert_says(text: &str, diagnostic: &Diagnostic, message: &str, underlined: &str, help: &str) {
    assert_eq!(diagnostic.message, message);
    assert_eq!(diagnostic.help.as_deref(), Some(help));
    assert_eq!(text.get(diagnostic.span.range()), Some(underlined));
}
