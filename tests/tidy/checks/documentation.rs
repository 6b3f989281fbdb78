//! The crates that people embed are documented, with examples that are compiled.

use crate::tree::{self, SourceFile};

/// The crates that people embed.
pub(super) const EMBEDDED: &[&str] = &["dynamo", "engine", "design", "runtime", "typed"];

/// A package of tests whose documentation holds examples of generated modules.
const GENERATED: &str = "tests/generated-rust/src/lib.rs";

#[test]
fn embedded_crates_warn_of_missing_documentation() {
    let violations: Vec<_> = crate_roots()
        .into_iter()
        .filter(|root| !root.text.contains("#![warn(missing_docs)]"))
        .map(|root| format!("{} has no `#![warn(missing_docs)]`", root.path))
        .collect();
    tree::report("crates that people embed document everything public", &violations);
}

#[test]
fn embedded_crates_start_with_an_example() {
    let violations: Vec<_> = crate_roots()
        .into_iter()
        .filter(|root| examples(&crate_docs(&root.text)).is_empty())
        .map(|root| format!("{} has no compiled example in its documentation", root.path))
        .collect();
    tree::report("the documentation of a crate that people embed has an example", &violations);
}

#[test]
fn snippets_of_the_documents_are_compiled() {
    let compiled: Vec<_> = compiled_examples().iter().map(|text| trimmed_lines(text)).collect();
    let mut violations = Vec::new();
    let mut found = 0;
    for document in tree::files(&["md"]) {
        for snippet in blocks(&document.text, |language| language == "rust") {
            found += 1;
            let lines = trimmed_lines(&snippet);
            if !compiled.iter().any(|example| contains(example, &lines)) {
                let first = lines.first().map_or("", |line| line);
                violations.push(format!("{}: the snippet that starts with `{first}`", document.path));
            }
        }
    }
    assert!(found > 0, "README.md has a snippet");
    tree::report("a snippet of Rust is a part of an example that is compiled, line by line", &violations);
}

fn root_path(crate_name: &str) -> String {
    format!("crates/{crate_name}/src/lib.rs")
}

fn crate_roots() -> Vec<SourceFile> {
    let is_root = |path: &str| EMBEDDED.iter().any(|name| path == root_path(name));
    let mut files = tree::files(&["rs"]);
    files.retain(|file| is_root(&file.path));
    assert_eq!(files.len(), EMBEDDED.len(), "each of {EMBEDDED:?} has a root");
    files
}

/// What is compiled with the tests and written to be read: examples of crate documentation, and the example
/// applications.
fn compiled_examples() -> Vec<String> {
    let generated = tree::files(&["rs"]).into_iter().filter(|file| file.path == GENERATED);
    let documented = crate_roots().into_iter().chain(generated).flat_map(|root| examples(&crate_docs(&root.text)));
    let applications = tree::files(&["rs"]).into_iter().filter(|file| file.path.starts_with("examples/"));
    documented.chain(applications.map(|file| file.text)).collect()
}

/// The text of the `//!` lines at the start of a file.
fn crate_docs(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n").collect()
}

/// The code blocks that rustdoc compiles.
fn examples(docs: &str) -> Vec<String> {
    let is_compiled = |language: &str| language.split(',').all(|word| ["", "rust", "no_run"].contains(&word));
    // Lines that rustdoc hides are compiled all the same.
    let shown =
        |block: String| block.lines().map(|line| line.strip_prefix("# ").unwrap_or(line).to_owned() + "\n").collect();
    blocks(docs, is_compiled).into_iter().map(shown).collect()
}

fn blocks(text: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<(bool, String)> = None;
    for line in text.lines() {
        match (&mut open, line.trim_start().strip_prefix("```")) {
            (None, Some(language)) => open = Some((is_wanted(language.trim()), String::new())),
            (None, None) => {}
            (Some((_, block)), None) => *block += &format!("{line}\n"),
            (Some(_), Some(_)) => blocks.extend(open.take().filter(|(wanted, _)| *wanted).map(|(_, block)| block)),
        }
    }
    blocks
}

fn trimmed_lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

fn contains(example: &[String], lines: &[String]) -> bool {
    !lines.is_empty() && example.windows(lines.len()).any(|window| window == lines)
}

#[test]
fn blocks_are_found_by_their_language() {
    let text = "```\none\n```\n```text\ntwo\n```\n```no_run\n# three\nfour\n```\n";
    assert_eq!(examples(text), ["one\n", "three\nfour\n"]);
    assert_eq!(blocks(text, |language| language == "text"), ["two\n"]);
}
