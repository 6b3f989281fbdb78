//! The walks in ARCHITECTURE.md name files and folders that exist.

use crate::tree;

#[test]
fn walks_name_files_that_exist() {
    let text = std::fs::read_to_string(tree::root().join("ARCHITECTURE.md")).unwrap();
    let names = names_in_walks(&text);
    assert!(!names.is_empty(), "ARCHITECTURE.md has tables under `## Walkthroughs`");
    let files = tree::files(&["rs"]);
    let exists = |name: &str| files.iter().any(|file| is_named(&file.path, name));
    let violations: Vec<_> = names.into_iter().filter(|name| !exists(name)).map(|name| format!("`{name}`")).collect();
    tree::report("the walks of ARCHITECTURE.md name files and folders that exist", &violations);
}

/// What the first column of each table names: files, and folders with a slash at their end.
fn names_in_walks(text: &str) -> Vec<&str> {
    let section = text.split("\n## Walkthroughs\n").nth(1).and_then(|rest| rest.split("\n## ").next());
    let cells =
        section.into_iter().flat_map(str::lines).filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let quoted = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    quoted.filter(|name| name.ends_with(".rs") || name.ends_with('/')).collect()
}

/// Whether a name may stand for a file or its folder: it is the end of the path, without `src`.
fn is_named(path: &str, name: &str) -> bool {
    let path = format!("/{}", path.replace("/src/", "/"));
    match name.strip_suffix('/') {
        Some(folder) => path.contains(&format!("/{folder}/")),
        None => path.ends_with(&format!("/{name}")),
    }
}

#[test]
fn names_are_ends_of_paths() {
    let text = "# A\n| `no.rs` |\n\n## Walkthroughs\n\n| Files | What |\n|---|---|\n| `api/a.rs`, *`b/`*, `GET` | `c.rs` |\n\n## B\n| `d.rs` |\n";
    assert_eq!(names_in_walks(text), ["api/a.rs", "b/"]);
    assert!(is_named("crates/api/src/routes/items.rs", "api/routes/items.rs"));
    assert!(is_named("crates/api/src/routes/items.rs", "routes/"));
    assert!(!is_named("crates/api/src/routes/items.rs", "api/items.rs"));
    assert!(!is_named("crates/api/src/routes/items.rs", "tems.rs"));
}
