//! The tests that docs/security.md names exist.

use std::collections::BTreeSet;

use crate::tree;

const PAGE: &str = "docs/security.md";
/// The column of tests in a table of threats.
const TESTS: usize = 3;

#[test]
fn the_tests_of_the_threat_model_exist() {
    let sources = tree::files(&["rs", "py"]);
    let known: BTreeSet<&str> = sources.iter().flat_map(|file| functions(&file.text)).collect();
    let page = std::fs::read_to_string(tree::root().join(PAGE)).unwrap();
    let named = named_tests(&page);
    assert!(named.len() > 50, "only {} tests were found in {PAGE}", named.len());
    let missing: Vec<String> = named.into_iter().filter(|name| !known.contains(name)).map(str::to_owned).collect();
    tree::report(&format!("every threat in {PAGE} has a test"), &missing);
}

/// The functions of a file of Rust or Python.
fn functions(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let (_, rest) = line.split_once("fn ").or_else(|| line.split_once("def "))?;
        rest.split_once('(').map(|(name, _)| name)
    })
}

fn named_tests(page: &str) -> Vec<&str> {
    let rows = page.lines().filter(|line| line.starts_with('|'));
    let columns = rows.filter_map(|row| row.split('|').nth(TESTS));
    columns.flat_map(|column| column.split('`').skip(1).step_by(2)).collect()
}
