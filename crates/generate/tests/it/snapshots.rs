//! The generated files of the shipped designs are the snapshots: what is committed is what a design gives. Those that
//! need more, sample data or policies, are compared by `keyfold generate --check`.

use std::path::{Path, PathBuf};

use keyfold_design::Design;
use keyfold_generate::{Input, Target, generate};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn load(folder: &Path) -> Design {
    let text = std::fs::read_to_string(folder.join("design.yaml")).unwrap();
    keyfold_design::load("design.yaml", &text).unwrap().0
}

fn is_current(folder: &Path) {
    let design = load(folder);
    for target in Target::ALL.into_iter().filter(|target| target.is_function_of_design()) {
        let files = generate(target, &Input::new(&design));
        assert!(!files.is_empty());
        for file in files {
            let path = folder.join("generated").join(&file.path);
            let committed =
                std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert_eq!(committed, file.text, "{} is stale: run `keyfold generate all`", path.display());
        }
    }
}

#[test]
fn agencies() {
    is_current(&root().join("designs/agencies"));
}

#[test]
fn platform() {
    is_current(&root().join("designs/platform"));
}

#[test]
fn albums() {
    is_current(&root().join("designs/albums"));
}

#[test]
fn archive() {
    is_current(&root().join("designs/archive"));
}

#[test]
fn catalogue() {
    is_current(&root().join("designs/catalogue"));
}

#[test]
fn every_option() {
    is_current(&root().join("tests/generated/every-option"));
}

#[test]
fn moves() {
    is_current(&root().join("tests/generated/moves"));
}

#[test]
fn readings() {
    is_current(&root().join("tests/generated/readings"));
}

#[test]
fn visits() {
    is_current(&root().join("tests/generated/visits"));
}

#[test]
fn awkward() {
    is_current(&root().join("tests/generated/awkward"));
}
