//! A type has at most 45 methods of its own in a crate, however many files they are in: with more, it has more than one
//! responsibility. Types of one name count together.

use std::collections::BTreeMap;

use crate::tree;

const METHODS: usize = 45;

#[test]
fn types_have_few_methods() {
    let files = tree::files(&["rs"]);
    let is_product = |path: &str| !tree::is_test_file(path) && !tree::is_generated(path);
    let mut violations = Vec::new();
    for package in tree::packages() {
        let source = format!("{}/src/", package.folder);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for file in files.iter().filter(|file| file.path.starts_with(&source) && is_product(&file.path)) {
            for name in types_of_methods(&file.text) {
                *counts.entry(name).or_default() += 1;
            }
        }
        let large = counts.into_iter().filter(|(_, count)| *count > METHODS);
        violations.extend(large.map(|(name, count)| format!("{source}: `{name}` has {count} methods")));
    }
    tree::report(&format!("a type has at most {METHODS} methods of its own"), &violations);
}

/// For each method of an `impl` block that implements no trait, the name of the type.
fn types_of_methods(text: &str) -> Vec<&str> {
    let mut methods = Vec::new();
    let mut current = None;
    for line in text.lines() {
        if line.starts_with("impl") {
            current = (!line.contains(" for ")).then(|| name_of_type(line)).flatten();
        } else if line.starts_with('}') {
            current = None;
        }
        let is_method = line.strip_prefix("    ").is_some_and(|content| {
            let restricted = content.strip_prefix("pub(").and_then(|rest| rest.split_once(") "));
            let signature = restricted.map_or(content, |(_, rest)| rest);
            let words = signature.split('(').next().unwrap_or(signature);
            !content.starts_with([' ', '/']) && format!(" {words}").contains(" fn ")
        });
        methods.extend(current.filter(|_| is_method));
    }
    methods
}

/// The name in `impl<'r> path::Name<'r> {`.
fn name_of_type(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("impl")?;
    let mut depth = 0;
    let start = rest.find(|character: char| {
        match character {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        depth == 0 && character.is_alphabetic()
    })?;
    let path = rest[start..].split(['<', ' ']).next()?;
    path.rsplit("::").next()
}

#[test]
fn methods_are_counted_by_type() {
    let text = "impl<'r> Reader<'r> {\n    /// A fn of its own.\n    pub(crate) const fn one(&self) {\n        fn inner() {}\n    }\n\n    \
                async fn two(\n        &self,\n    ) {\n    }\n}\n\nimpl Clone for Reader {\n    fn clone(&self) {}\n}\n\n\
                fn free() {}\n\nimpl crate::Other {\n    pub fn three() {}\n}\n";
    assert_eq!(types_of_methods(text), ["Reader", "Reader", "Other"]);
}
