//! The files of a design: `design.yaml`, and beside it its sample data, scenarios and policies.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use keyfold_runtime::scenario::ScenarioFile;
use serde::de::DeserializeOwned;

use super::yaml_numbers;

const DESIGN: &str = "design.yaml";
const DATA: &str = "data.yaml";
const SCENARIOS: &str = "scenarios";
const POLICIES: &str = "policies";
const GENERATED: &str = "generated";

/// The location of a design's files, which are read on demand.
pub(crate) struct DesignFiles {
    file: PathBuf,
}

impl DesignFiles {
    /// The design of a path: the file itself, or the `design.yaml` of a folder.
    pub(crate) fn locate(path: &Path) -> Self {
        if path.is_dir() { Self::in_folder(path) } else { Self { file: path.to_owned() } }
    }

    /// The design of a folder, which need not exist yet.
    pub(crate) fn in_folder(folder: &Path) -> Self {
        Self { file: folder.join(DESIGN) }
    }

    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// The path of the design file, for diagnostics.
    pub(crate) fn name(&self) -> String {
        self.file.display().to_string()
    }

    /// The folder of generated files, where the command line names no other.
    pub(crate) fn generated(&self) -> PathBuf {
        self.folder().join(GENERATED)
    }

    /// Names and texts of the policy files, in order. The names are relative to the folder of the design: servers tell
    /// them to operators, who need not know where the design is on the machine.
    pub(crate) fn policies(&self) -> anyhow::Result<Vec<(String, String)>> {
        let is_policy = |path: &PathBuf| path.extension().is_some_and(|found| found == "cedar");
        if let Some(stray) = entries(self.folder_path())?.into_iter().find(is_policy) {
            bail!("`{}` has no effect here: move it to the folder `{POLICIES}`", stray.display());
        }
        let paths = files_in(&self.folder().join(POLICIES), "cedar")?;
        let name = |path: &Path| path.strip_prefix(self.folder()).unwrap_or(path).display().to_string();
        paths.into_iter().map(|path| Ok((name(&path), read(&path)?))).collect()
    }

    /// The path of a policy file, for diagnostics.
    pub(crate) fn policy_path(&self, name: &str) -> String {
        self.folder().join(name).display().to_string()
    }

    /// The file of sample data, which need not exist.
    pub(super) fn data_file(&self) -> PathBuf {
        self.folder().join(DATA)
    }

    /// The files of scenarios with their names, in order.
    pub(crate) fn scenarios(&self) -> anyhow::Result<Vec<(String, ScenarioFile)>> {
        files_in(&self.folder().join(SCENARIOS), "yaml")?
            .into_iter()
            .map(|file| {
                let name = file.file_stem().with_context(|| format!("`{}` has no name", file.display()))?;
                Ok((name.to_string_lossy().into_owned(), parse(&file, &read(&file)?, "scenario")?))
            })
            .collect()
    }

    fn folder_path(&self) -> &Path {
        let folder = self.folder();
        if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
    }

    fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new(""))
    }
}

/// The files of a folder, which all have one extension, in order; none if the folder does not exist. Hidden files and
/// documents may be among them. Any other would be thought to have an effect.
fn files_in(folder: &Path, extension: &str) -> anyhow::Result<Vec<PathBuf>> {
    let is_ignored = |path: &PathBuf| {
        let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        is_hidden || path.is_dir() || path.extension().is_some_and(|found| found == "md")
    };
    let (files, others): (Vec<_>, Vec<_>) =
        entries(folder)?.into_iter().partition(|path| path.extension().is_some_and(|found| found == extension));
    match others.into_iter().find(|path| !is_ignored(path)) {
        Some(other) => bail!("`{}` is not read: the files in this folder end in .{extension}", other.display()),
        None => Ok(files),
    }
}

/// What is in a folder, in order; nothing if it does not exist.
fn entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut entries = Vec::new();
    if folder.exists() {
        for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read `{}`", folder.display()))? {
            entries.push(entry?.path());
        }
    }
    entries.sort();
    Ok(entries)
}

/// Parses a YAML file of a kind.
pub(super) fn parse<T: DeserializeOwned>(file: &Path, text: &str, kind: &str) -> anyhow::Result<T> {
    if let Some((line, number)) = yaml_numbers::first_inexact(text) {
        bail!(
            "`{}`, line {line}: `{number}` has more digits than a YAML reader keeps; write '{number}'",
            file.display()
        );
    }
    serde_saphyr::from_str(text).map_err(|error| {
        // Only the message: the snippet would name `<input>` instead of the file, and the cause repeats the message.
        anyhow!("`{}` is not a valid {kind} file: {}", file.display(), error.without_snippet())
    })
}

pub(super) fn read(file: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("cannot read `{}`", file.display()))
}
