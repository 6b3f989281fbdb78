//! The modules of a folder do not import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};

use crate::lexer::{reads, tokens};
use crate::paths::{NamedPath, named_paths};
use crate::test_code::without_tests;
use crate::tree::{self, SourceFile};

#[test]
fn modules_do_not_import_each_other_in_a_circle() {
    let files = tree::files(&["rs"]);
    let mut violations = Vec::new();
    for package in tree::packages() {
        let source = format!("{}/src/", package.folder);
        let of_crate: Vec<_> = files.iter().filter(|file| file.path.starts_with(&source)).collect();
        for (folder, imports) in imports_by_folder(&source, &of_crate) {
            let found = imports.modules_in_cycles();
            if !found.is_empty() {
                violations.push(format!("{source}{folder}: {}", imports.describe(&found)));
            }
        }
    }
    tree::report("modules of one folder do not import each other in a circle", &violations);
}

/// A file, as a module, with the paths that it names.
struct Module<'f> {
    file: &'f str,
    path: Vec<String>,
    named: Vec<NamedPath>,
    children: BTreeSet<String>,
}

impl<'f> Module<'f> {
    fn read(source: &str, file: &'f SourceFile) -> Self {
        let tokens = without_tests(&tokens(&file.text));
        let is_child = |position: &usize| {
            reads(&tokens, *position, &["mod"]) && tokens.get(position + 2).is_some_and(|next| next.text == ";")
        };
        Self {
            file: &file.path,
            path: module_path(&file.path[source.len()..]),
            named: named_paths(&tokens),
            children: (0..tokens.len()).filter(is_child).map(|position| tokens[position + 1].text.to_owned()).collect(),
        }
    }

    /// The names that the module takes from its children into its own scope, each with the child.
    fn exports(&self) -> BTreeMap<&str, &str> {
        let mut exports = BTreeMap::new();
        for named in &self.named {
            let segments = within(&self.path, self, &named.segments).unwrap_or(&named.segments);
            let child = segments.first().filter(|first| self.children.contains(*first));
            if let (Some(child), Some(alias)) = (child, &named.alias) {
                exports.insert(alias.as_str(), child.as_str());
            }
        }
        exports
    }
}

/// The imports between the children of each module that has any, by its path.
fn imports_by_folder(source: &str, files: &[&SourceFile]) -> BTreeMap<String, Imports> {
    let is_product = |file: &&&SourceFile| !tree::is_test_file(&file.path);
    let modules: Vec<_> = files.iter().filter(is_product).map(|file| Module::read(source, file)).collect();
    let parents = modules.iter().filter(|module| !module.children.is_empty());
    parents.map(|parent| (parent.path.join("/"), Imports::between_children(parent, &modules))).collect()
}

/// Which module of a folder imports which, and one place for each.
#[derive(Debug, Default)]
struct Imports {
    edges: BTreeMap<String, BTreeMap<String, String>>,
}

impl Imports {
    fn between_children(parent: &Module<'_>, modules: &[Module<'_>]) -> Self {
        let exports = parent.exports();
        let mut imports = Self::default();
        for module in modules {
            let inside = module.path.strip_prefix(parent.path.as_slice()).and_then(<[String]>::first);
            let Some(from) = inside.filter(|name| parent.children.contains(*name)) else { continue };
            for named in &module.named {
                let Some(name) = within(&parent.path, module, &named.segments).and_then(<[String]>::first) else {
                    continue;
                };
                let child = parent.children.get(name).map(String::as_str);
                let to = child.or_else(|| exports.get(name.as_str()).copied());
                if let Some(to) = to.filter(|to| to != from) {
                    let place = format!("{}:{}", module.file, named.line);
                    imports.edges.entry(from.clone()).or_default().entry(to.to_owned()).or_insert(place);
                }
            }
        }
        imports
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

/// `read/page.rs` and `read/page/mod.rs` are `read::page`; the root of a crate has no segments.
fn module_path(file: &str) -> Vec<String> {
    let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
    if ["lib", "main", "mod"].contains(&path) { Vec::new() } else { path.split('/').map(str::to_owned).collect() }
}

/// The part of a path, as `module` writes it, that comes after the path of `parent`; nothing if it is not below.
fn within<'p>(parent: &[String], module: &Module<'_>, path: &'p [String]) -> Option<&'p [String]> {
    let supers = path.iter().take_while(|segment| *segment == "super").count();
    match path.first()?.as_str() {
        "crate" => path[1..].strip_prefix(parent),
        "self" if module.path == parent => Some(&path[1..]),
        "super" => {
            // A path that leaves the parent and enters it again is written with `crate`.
            let ancestor = &module.path[..module.path.len().checked_sub(supers)?];
            let rest = parent.strip_prefix(ancestor)?;
            path[supers..].strip_prefix(rest)
        }
        _ => None,
    }
}

fn circles(files: &[(&str, &str)]) -> Vec<String> {
    let file = |(path, text): &(&str, &str)| SourceFile { path: format!("a/src/{path}"), text: (*text).to_owned() };
    let files: Vec<_> = files.iter().map(file).collect();
    let by_folder = imports_by_folder("a/src/", &files.iter().collect::<Vec<_>>());
    let described = by_folder.into_iter().map(|(folder, imports)| {
        let found = imports.modules_in_cycles();
        if found.is_empty() { String::new() } else { format!("{folder}:{}", imports.describe(&found)) }
    });
    described.filter(|text| !text.is_empty()).collect()
}

#[test]
fn a_circle_is_found_through_names_that_the_root_exports() {
    let found = circles(&[
        ("lib.rs", "mod one; mod two; mod three; pub use two::{Thing as Other, Rest};"),
        ("one.rs", "use super::three::X; fn f() -> crate::Other {}"),
        ("two/mod.rs", "mod inner;"),
        ("two/inner.rs", "use super::Y; use crate::one::Z;"),
        ("three.rs", "#[cfg(test)] mod tests { use crate::one::Z; }"),
    ]);
    assert_eq!(found, [":\n    one -> two (a/src/one.rs:1)\n    two -> one (a/src/two/inner.rs:1)"]);
}

#[test]
fn a_circle_within_a_folder_is_found() {
    let found = circles(&[
        ("lib.rs", "mod read;"),
        ("read/mod.rs", "mod page; mod query; mod rest; use self::query::Query; struct Own;"),
        ("read/page.rs", "use super::Query; use super::Own;"),
        ("read/query/mod.rs", "mod part; use super::rest::R;"),
        ("read/query/part.rs", "use super::super::page::Page;"),
        ("read/rest.rs", "use super::Own;"),
    ]);
    let expected = "read:\n    page -> query (a/src/read/page.rs:1)\n    query -> page (a/src/read/query/part.rs:1)";
    assert_eq!(found, [expected]);
}
