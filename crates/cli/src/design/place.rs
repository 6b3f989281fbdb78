//! A design on disk: a file, or a folder with sample data and scenarios.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use keyfold_design::Design;
use keyfold_design::diagnostic::{Severity, to_text};
use keyfold_policy::Policies;
use keyfold_runtime::scenario::{DataFile, ScenarioFile};

pub struct Place {
    pub design: Arc<Design>,
    text: String,
    folder: PathBuf,
}

impl Place {
    /// Reads and checks a design; a design with errors is rejected.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let file = if path.is_dir() { path.join("design.yaml") } else { path.to_owned() };
        let folder = file.parent().map(Path::to_owned).unwrap_or_default();
        let text = read(&file)?;
        let name = file.display().to_string();
        match keyfold_design::load(&name, &text) {
            Ok((design, _)) => Ok(Self { design: Arc::new(design), text, folder }),
            Err(mut found) => {
                found.retain(|diagnostic| diagnostic.severity == Severity::Error);
                eprint!("{}", to_text(&name, &text, &found, std::io::stderr().is_terminal()));
                bail!("the design has errors; run `keyfold check {}` for details", path.display())
            }
        }
    }

    /// The design's rules and its `.cedar` files.
    pub fn policies(&self) -> anyhow::Result<Policies> {
        let files = policy_files(&self.folder)?;
        Policies::compile(&self.design, &self.text, &files).map_err(|problems| {
            problems.iter().for_each(|problem| eprintln!("error: {problem}"));
            anyhow::anyhow!("the policy files of the design have errors")
        })
    }

    /// The sample data, if the design has any.
    pub fn data(&self) -> anyhow::Result<Option<DataFile>> {
        let file = self.folder.join("data.yaml");
        if !file.exists() {
            return Ok(None);
        }
        let data = serde_saphyr::from_str(&read(&file)?);
        data.map(Some).with_context(|| format!("`{}` is not a valid sample data file", file.display()))
    }

    /// The scenario files, by name.
    pub fn scenarios(&self) -> anyhow::Result<Vec<(String, ScenarioFile)>> {
        files_in(&self.folder.join("scenarios"), "yaml")?
            .into_iter()
            .map(|file| {
                let scenarios = serde_saphyr::from_str(&read(&file)?);
                let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let scenarios =
                    scenarios.with_context(|| format!("`{}` is not a valid scenario file", file.display()))?;
                Ok((name, scenarios))
            })
            .collect()
    }
}

/// The policy files of a design, by name.
pub fn policy_files(folder: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let paths = files_in(&folder.join("policies"), "cedar")?;
    paths.into_iter().map(|path| Ok((path.display().to_string(), read(&path)?))).collect()
}

/// The files of a folder with an extension, sorted; empty if the folder does not exist.
fn files_in(folder: &Path, extension: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    if folder.exists() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

fn read(file: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("cannot read `{}`", file.display()))
}
