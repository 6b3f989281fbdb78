//! The top-level modules of a crate do not import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};

use crate::lexer::{reads, tokens};
use crate::paths::named_paths;
use crate::test_code::without_tests;
use crate::tree::{self, SourceFile};

#[test]
fn modules_do_not_import_each_other_in_a_circle() {
    let files = tree::files(&["rs"]);
    let mut violations = Vec::new();
    for package in tree::packages() {
        let source = format!("{}/src/", package.folder);
        let of_crate: Vec<_> = files.iter().filter(|file| file.path.starts_with(&source)).collect();
        let Some(imports) = Imports::read(&source, &of_crate) else { continue };
        let found = imports.modules_in_cycles();
        if !found.is_empty() {
            violations.push(format!("{}: {}", package.folder, imports.describe(&found)));
        }
    }
    tree::report("modules do not import each other in a circle", &violations);
}

/// Which top-level module imports which, and one place for each.
#[derive(Debug, Default)]
struct Imports {
    edges: BTreeMap<String, BTreeMap<String, String>>,
}

impl Imports {
    /// Nothing if the folder is not that of a crate.
    fn read(source: &str, files: &[&SourceFile]) -> Option<Self> {
        let is_root = |file: &&&SourceFile| ["lib.rs", "main.rs"].contains(&&file.path[source.len()..]);
        let root = files.iter().find(is_root)?;
        let (modules, exports) = declarations(&root.text);
        let mut imports = Self::default();
        for file in files {
            let module = module_path(&file.path[source.len()..]);
            let Some(from) = module.first().filter(|name| modules.contains(*name)) else { continue };
            if tree::is_test_file(&file.path) {
                continue;
            }
            for path in named_paths(&without_tests(&tokens(&file.text))) {
                let Some(name) = name_in_crate(&module, &path.segments) else { continue };
                let to = if modules.contains(name) { Some(name) } else { exports.get(name).map(String::as_str) };
                if let Some(to) = to.filter(|to| to != from) {
                    let place = format!("{}:{}", file.path, path.line);
                    imports.edges.entry(from.clone()).or_default().entry(to.to_owned()).or_insert(place);
                }
            }
        }
        Some(imports)
    }

    fn reachable(&self, from: &str) -> BTreeSet<&str> {
        let mut reached = BTreeSet::new();
        let mut pending = vec![from];
        while let Some(module) = pending.pop() {
            for to in self.edges.get(module).into_iter().flat_map(BTreeMap::keys) {
                if reached.insert(to.as_str()) {
                    pending.push(to);
                }
            }
        }
        reached
    }

    fn modules_in_cycles(&self) -> BTreeSet<String> {
        self.edges.keys().filter(|module| self.reachable(module).contains(module.as_str())).cloned().collect()
    }

    fn describe(&self, modules: &BTreeSet<String>) -> String {
        let inside = |(from, to, _): &(&String, &String, &String)| modules.contains(*from) && modules.contains(*to);
        let edges =
            self.edges.iter().flat_map(|(from, targets)| targets.iter().map(move |(to, place)| (from, to, place)));
        let circular = edges.filter(inside).filter(|(from, to, _)| self.reachable(to).contains(from.as_str()));
        let lines = circular.map(|(from, to, place)| format!("\n    {from} -> {to} ({place})"));
        lines.collect()
    }
}

/// The modules that the root of a crate declares, and the names it takes from them into its own scope.
fn declarations(root: &str) -> (BTreeSet<String>, BTreeMap<String, String>) {
    let tokens = without_tests(&tokens(root));
    let is_module = |position: &usize| {
        reads(&tokens, *position, &["mod"]) && tokens.get(position + 2).is_some_and(|next| next.text == ";")
    };
    let modules: BTreeSet<_> =
        (0..tokens.len()).filter(is_module).map(|position| tokens[position + 1].text.to_owned()).collect();
    let mut exports = BTreeMap::new();
    for path in named_paths(&tokens) {
        let segments: Vec<_> =
            path.segments.iter().skip_while(|segment| *segment == "crate" || *segment == "self").collect();
        if let (Some(module), Some(alias)) = (segments.first().filter(|first| modules.contains(**first)), path.alias) {
            exports.insert(alias, (*module).clone());
        }
    }
    (modules, exports)
}

/// `read/page.rs` and `read/page/mod.rs` are `read::page`.
fn module_path(file: &str) -> Vec<String> {
    let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').map(str::to_owned).collect()
}

/// The first name after the root of the crate, for a path that starts there.
fn name_in_crate<'p>(module: &[String], path: &'p [String]) -> Option<&'p str> {
    let supers = path.iter().take_while(|segment| *segment == "super").count();
    let is_absolute = path.first().is_some_and(|first| first == "crate");
    match (is_absolute, supers) {
        (true, _) => path.get(1).map(String::as_str),
        (false, 0) => None,
        (false, supers) if supers >= module.len() => path.get(supers).map(String::as_str),
        _ => None,
    }
}

#[test]
fn a_circle_is_found_through_names_that_the_root_exports() {
    let file = |path: &str, text: &str| SourceFile { path: path.to_owned(), text: text.to_owned() };
    let files = [
        file("a/src/lib.rs", "mod one; mod two; mod three; pub use two::{Thing as Other, Rest};"),
        file("a/src/one.rs", "use super::three::X; fn f() -> crate::Other {}"),
        file("a/src/two/mod.rs", "mod inner;"),
        file("a/src/two/inner.rs", "use super::Y; use crate::one::Z;"),
        file("a/src/three.rs", "#[cfg(test)] mod tests { use crate::one::Z; }"),
    ];
    let imports = Imports::read("a/src/", &files.iter().collect::<Vec<_>>()).unwrap();
    let found = imports.modules_in_cycles();
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), ["one", "two"]);
    let described = "\n    one -> two (a/src/one.rs:1)\n    two -> one (a/src/two/inner.rs:1)";
    assert_eq!(imports.describe(&found), described);
}
