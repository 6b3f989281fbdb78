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

/// Every file with one of `extensions`, sorted by path; without what tools leave in the checkout.
pub(crate) fn files(extensions: &[&str]) -> Vec<SourceFile> {
    let root = root();
    let mut found = Vec::new();
    collect(&root, extensions, &mut found);
    found.sort();
    found
        .into_iter()
        .map(|path| SourceFile {
            text: std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
            path: path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned(),
        })
        .collect()
}

fn collect(folder: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = entry.path();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            let is_tools = name.starts_with('.') || ["target", "data", "node_modules", "__pycache__"].contains(&&*name);
            if !is_tools {
                collect(&path, extensions, found);
            }
        } else if path.extension().is_some_and(|extension| extensions.contains(&extension.to_str().unwrap())) {
            found.push(path);
        }
    }
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
