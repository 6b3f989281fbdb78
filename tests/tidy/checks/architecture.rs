//! The table of packages in ARCHITECTURE.md says what each may depend on; the manifests agree with it.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::{self, Package};

#[test]
fn packages_depend_on_what_the_table_says() {
    let text = std::fs::read_to_string(tree::root().join("ARCHITECTURE.md")).unwrap();
    let rows = dependency_table(&text);
    let packages = tree::packages();
    let mut violations = Vec::new();
    for package in &packages {
        match rows.iter().find(|(pattern, _)| matches(pattern, &package.folder)) {
            None => violations.push(format!("`{}` has no row", package.folder)),
            Some((_, rule)) => violations.extend(disagreement(package, rule)),
        }
    }
    for pattern in rows.keys() {
        let folder = pattern.trim_end_matches("/*");
        if !tree::root().join(folder).is_dir() {
            violations.push(format!("`{pattern}` has a row, and there is no such folder"));
        }
    }
    tree::report("the dependency table of ARCHITECTURE.md agrees with the manifests", &violations);
}

#[derive(Debug, PartialEq, Eq)]
enum Rule {
    Anything,
    /// The names in backticks. Words beside them, such as "a running server", name what is not a package.
    Exactly(BTreeSet<String>),
}

fn disagreement(package: &Package, rule: &Rule) -> Vec<String> {
    let actual: BTreeSet<_> = package.dependencies.iter().map(|folder| short_name(folder).to_owned()).collect();
    let Rule::Exactly(listed) = rule else { return Vec::new() };
    let folder = &package.folder;
    let unlisted = actual.difference(listed);
    let unused = listed.difference(&actual);
    unlisted
        .map(|name| format!("`{folder}` depends on `{name}`, which its row does not list"))
        .chain(unused.map(|name| format!("`{folder}` does not depend on `{name}`, which its row lists")))
        .collect()
}

/// The rows of the table whose last heading is `May depend on`, by the folders that they are about.
fn dependency_table(text: &str) -> BTreeMap<String, Rule> {
    let mut rows = BTreeMap::new();
    let lines = text.lines().skip_while(|line| !line.trim_end().ends_with("| May depend on |"));
    for line in lines.skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<_> = line.trim_matches('|').split(" | ").collect();
        let (Some(first), Some(last)) = (cells.first(), cells.last()) else { continue };
        for folder in quoted_names(first) {
            rows.insert(folder, rule(last));
        }
    }
    assert!(!rows.is_empty(), "ARCHITECTURE.md has a table that ends with `| May depend on |`");
    rows
}

fn rule(cell: &str) -> Rule {
    match cell.trim() {
        "all" => Rule::Anything,
        cell => Rule::Exactly(quoted_names(cell).into_iter().collect()),
    }
}

fn quoted_names(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn short_name(folder: &str) -> &str {
    folder.rsplit('/').next().unwrap_or(folder)
}

fn matches(pattern: &str, folder: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(prefix) => folder.starts_with(prefix),
        None => pattern == folder,
    }
}

#[test]
fn rows_are_read() {
    let text = "| Crate | What it is | May depend on |\n|---|---|---|\n| `crates/a` | x | `b`, `c` |\n\
                | `d`, `e` | y | no other crate |\n| `f/*` | `z` | `a`, a server |\n| `g` | w | all |\n\nOther text";
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let expected = BTreeMap::from([
        ("crates/a".to_owned(), Rule::Exactly(names(&["b", "c"]))),
        ("d".to_owned(), Rule::Exactly(names(&[]))),
        ("e".to_owned(), Rule::Exactly(names(&[]))),
        ("f/*".to_owned(), Rule::Exactly(names(&["a"]))),
        ("g".to_owned(), Rule::Anything),
    ]);
    assert_eq!(dependency_table(text), expected);
}
