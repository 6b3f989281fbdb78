//! The maps in ARCHITECTURE.md name every file and folder of their crate, and nothing that does not exist. Every
//! package that is not small has one.

use std::collections::BTreeSet;

use crate::tree;

/// Files of Rust that a newcomer can take in without a map.
const LARGEST_WITHOUT_MAP: usize = 10;

#[test]
fn maps_name_every_file_and_folder() {
    let text = std::fs::read_to_string(tree::root().join("ARCHITECTURE.md")).unwrap();
    let maps = maps(&text);
    assert!(!maps.is_empty(), "ARCHITECTURE.md has maps under headings such as ### `engine`");
    let mut violations = Vec::new();
    let mut mapped = BTreeSet::new();
    for (title, names) in maps {
        let folder = ["crates/", ""].map(|prefix| format!("{prefix}{title}"));
        let folder = folder.into_iter().find(|folder| tree::root().join(folder).join("Cargo.toml").is_file());
        let Some(folder) = folder else {
            violations.push(format!("there is no package `{title}`"));
            continue;
        };
        mapped.insert(folder.clone());
        let source = tree::root().join(&folder).join("src");
        // The map of a package whose source is not in `src` alone is one of the whole package.
        let is_of_source = names.iter().any(|name| source.join(name).exists());
        let root = if is_of_source { source } else { tree::root().join(&folder) };
        let nonexistent = names.iter().filter(|name| !root.join(name).exists());
        violations.extend(nonexistent.map(|name| format!("the map of `{title}` names `{name}`, which does not exist")));
        let named: BTreeSet<_> = names.iter().map(|name| module(name)).collect();
        let unnamed = children(&root).into_iter().filter(|child| !named.contains(module(child)));
        violations.extend(unnamed.map(|child| format!("the map of `{title}` lacks `{child}`")));
    }
    let files = tree::files(&["rs"]);
    for package in tree::packages().into_iter().filter(|package| !mapped.contains(&package.folder)) {
        let folder = format!("{}/", package.folder);
        let count = files.iter().filter(|file| file.path.starts_with(&folder)).count();
        if count > LARGEST_WITHOUT_MAP {
            violations.push(format!("`{}` has {count} files and no map", package.folder));
        }
    }
    tree::report("the maps of ARCHITECTURE.md name every file and folder directly below `src`", &violations);
}

/// The titles of maps, each with the names in the first column of its table.
fn maps(text: &str) -> Vec<(String, Vec<String>)> {
    let mut maps = Vec::new();
    for section in text.split("\n### `").skip(1) {
        let Some((title, body)) = section.split_once('`') else { continue };
        let body = body.split("\n#").next().unwrap_or(body);
        let cells = body.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
        let names = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect();
        maps.push((title.to_owned(), names));
    }
    maps
}

/// Files of Rust and folders; a crate's root is not in its map.
fn children(folder: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<_> = entries
        .filter(|entry| entry.file_type().unwrap().is_dir() || entry.path().extension().is_some_and(|end| end == "rs"))
        .map(|entry| entry.file_name().into_string().unwrap())
        .filter(|name| !["lib.rs", "main.rs", "target", "artifacts"].contains(&&**name))
        .collect();
    names.sort();
    names
}

/// `read/`, `read.rs` and `read/page.rs` are all of the module `read`.
fn module(name: &str) -> &str {
    name.split('/').next().unwrap_or(name).trim_end_matches(".rs")
}

#[test]
fn names_are_read_from_the_first_column() {
    let text = "# A\n\n### `engine`\n\n| Folder | What |\n|---|---|\n| `store/`, `read.rs` | rows of `x` |\n\n## B\n\n| `y` | |\n";
    assert_eq!(maps(text), [("engine".to_owned(), vec!["store/".to_owned(), "read.rs".to_owned()])]);
    assert_eq!(["read/", "read.rs", "read/page.rs"].map(module), ["read"; 3]);
}
