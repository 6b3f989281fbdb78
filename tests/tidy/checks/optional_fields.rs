//! The documentation of a public `Option` says what its absence means, in the crates that people embed.

use super::documentation::EMBEDDED;
use crate::tree;

/// Words of sentences about absence.
const WORDS: &[&str] = &["none", "if", "unless", "absent", "without"];

#[test]
fn optional_fields_say_what_absence_means() {
    let mut violations = Vec::new();
    for file in tree::files(&["rs"]) {
        if EMBEDDED.iter().any(|name| file.path.starts_with(&format!("crates/{name}/src/"))) {
            let found = unexplained_fields(&file.text);
            violations.extend(found.into_iter().map(|(line, name)| format!("{}:{line}: `{name}`", file.path)));
        }
    }
    tree::report(&format!("the comment of an optional field contains one of {WORDS:?}"), &violations);
}

/// The `Option`s of public structs and of variants of public enums whose comments have none of the words.
fn unexplained_fields(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut is_struct = None;
    let mut has_word = false;
    for (index, line) in text.lines().enumerate() {
        let content = line.trim_start();
        if let Some(comment) = content.strip_prefix("///") {
            let mut words = comment.split(|letter: char| !letter.is_alphanumeric());
            has_word |= words.any(|word| WORDS.contains(&word.to_lowercase().as_str()));
            continue;
        }
        if content.starts_with("#[") {
            continue;
        }
        match line {
            line if line.starts_with("pub struct ") => is_struct = Some(true),
            line if line.starts_with("pub enum ") => is_struct = Some(false),
            line if line.starts_with('}') => is_struct = None,
            _ => {}
        }
        let field = match is_struct {
            Some(true) => content.strip_prefix("pub "),
            Some(false) => Some(content),
            None => None,
        };
        let name = field.and_then(|field| field.split_once(": Option<")).map(|(name, _)| name);
        found.extend(name.filter(|_| !has_word).map(|name| (index + 1, name)));
        has_word = false;
    }
    found
}

#[test]
fn only_optional_fields_without_an_explanation_are_reported() {
    let text = "/// If one.\npub struct One {\n    /// A name.\n    pub name: Option<String>,\n    /// A place; `None` at\n    \
                /// home.\n    #[serde(default)]\n    pub place: Option<String>,\n    pub count: Option<u8>,\n    \
                own: Option<u8>,\n}\n\nfn f(\n    a: Option<u8>,\n) {}\n\npub enum Two {\n    Three {\n        \
                /// Four.\n        four: Option<u8>,\n    },\n}\nstruct Five {\n    pub six: Option<u8>,\n}\n";
    assert_eq!(unexplained_fields(text), [(4, "name"), (9, "count"), (20, "four")]);
}
