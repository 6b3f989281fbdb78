//! The files and packages of the project.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A file of the project.
pub(crate) struct SourceFile {
    /// Relative to the root.
    pub path: String,
    pub text: String,
}

/// What tools and servers leave in the checkout, as `.gitignore` lists it.
const LEFT_BY_TOOLS: &[&str] = &["target", "data", "platform", "catalogue", "fuzz/target", "fuzz/artifacts"];

/// Every file with one of `extensions`, sorted by path; without what tools leave in the checkout.
pub(crate) fn files(extensions: &[&str]) -> Vec<SourceFile> {
    let mut files = Vec::new();
    collect(&root(), "", extensions, &mut files);
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

/// The files of a folder and of those in it; `prefix` is the path of the folder from the root, with a slash at its end.
fn collect(folder: &Path, prefix: &str, extensions: &[&str], files: &mut Vec<SourceFile>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = format!("{prefix}{name}");
        if entry.file_type().unwrap().is_dir() {
            if !is_left_by_tools(&path, &name) {
                collect(&entry.path(), &format!("{path}/"), extensions, files);
            }
        } else if name.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension)) {
            let text = std::fs::read_to_string(entry.path()).unwrap_or_else(|error| panic!("{path}: {error}"));
            files.push(SourceFile { path, text });
        }
    }
}

/// Only at the root may a folder called `data` or `target` be anything but source.
fn is_left_by_tools(path: &str, name: &str) -> bool {
    name.starts_with('.') || ["node_modules", "__pycache__"].contains(&name) || LEFT_BY_TOOLS.contains(&path)
}

/// Whether `keyfold generate` writes the file.
pub(crate) fn is_generated(path: &str) -> bool {
    path.contains("/generated/")
}

/// Whether a file of Rust holds tests, benchmarks or fuzz targets, and nothing else.
pub(crate) fn is_test_file(path: &str) -> bool {
    let has_folder = |name: &str| path.starts_with(&format!("{name}/")) || path.contains(&format!("/{name}/"));
    has_folder("tests") || has_folder("fuzz") || path.ends_with("/tests.rs")
}

/// A package of ours.
pub(crate) struct Package {
    /// Its folder, relative to the root.
    pub folder: String,
    /// The folders of ours it depends on, without those that only its tests need.
    pub dependencies: Vec<String>,
}

/// The packages of the workspace, and of `fuzz`, which stands outside of it.
pub(crate) fn packages() -> Vec<Package> {
    let mut packages = metadata("Cargo.toml");
    packages.extend(metadata("fuzz/Cargo.toml"));
    packages
}

fn metadata(manifest: &str) -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline", "--manifest-path", manifest])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().iter().map(package).collect()
}

fn package(value: &Value) -> Package {
    let folder = |path: &Value| Path::new(path.as_str().unwrap()).canonicalize().unwrap();
    let relative = |path: PathBuf| path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
    let dependencies = value["dependencies"].as_array().unwrap();
    Package {
        folder: relative(folder(&value["manifest_path"]).parent().unwrap().to_owned()),
        dependencies: dependencies
            .iter()
            .filter(|dependency| dependency["kind"] != "dev" && dependency["path"].is_string())
            .map(|dependency| relative(folder(&dependency["path"])))
            .collect(),
    }
}

/// Fails with every violation on a line of its own.
pub(crate) fn report(rule: &str, violations: &[String]) {
    assert!(violations.is_empty(), "{rule}\n  {}", violations.join("\n  "));
}

#[test]
fn folders_of_source_are_read_whatever_their_name() {
    let is_skipped = |path: &str| is_left_by_tools(path, path.rsplit('/').next().unwrap());
    assert!(["target", "data", "fuzz/target", ".git", "tests/clients/node_modules"].into_iter().all(is_skipped));
    assert!(!["crates/engine/src/data", "crates/generate/src/target", "designs/platform"].into_iter().any(is_skipped));
}
