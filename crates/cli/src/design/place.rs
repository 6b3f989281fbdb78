//! Where a design lies: a file, or a folder with its sample data and scenarios.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use keyfold_design::Design;
use keyfold_design::diagnostic::{Severity, to_text};
use keyfold_runtime::scenario::{DataFile, ScenarioFile};

pub struct Place {
    pub design: Arc<Design>,
    folder: PathBuf,
}

impl Place {
    /// Reads and checks a design; one with errors cannot be run.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let file = if path.is_dir() { path.join("design.yaml") } else { path.to_owned() };
        let folder = file.parent().map(Path::to_owned).unwrap_or_default();
        let text = read(&file)?;
        let name = file.display().to_string();
        match keyfold_design::load(&name, &text) {
            Ok((design, _)) => Ok(Self { design: Arc::new(design), folder }),
            Err(mut found) => {
                found.retain(|diagnostic| diagnostic.severity == Severity::Error);
                eprint!("{}", to_text(&name, &text, &found, std::io::stderr().is_terminal()));
                bail!("the design has errors; `keyfold check {}` shows everything", path.display())
            }
        }
    }

    /// The sample data, where the design has some.
    pub fn data(&self) -> anyhow::Result<Option<DataFile>> {
        let file = self.folder.join("data.yaml");
        if !file.exists() {
            return Ok(None);
        }
        let data = serde_saphyr::from_str(&read(&file)?);
        data.map(Some).with_context(|| format!("`{}` is no file of sample data", file.display()))
    }

    /// The files of scenarios, by name.
    pub fn scenarios(&self) -> anyhow::Result<Vec<(String, ScenarioFile)>> {
        let folder = self.folder.join("scenarios");
        if !folder.exists() {
            return Ok(Vec::new());
        }
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "yaml") {
                files.push(path);
            }
        }
        files.sort();
        files
            .into_iter()
            .map(|file| {
                let scenarios = serde_saphyr::from_str(&read(&file)?);
                let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let scenarios = scenarios.with_context(|| format!("`{}` is no file of scenarios", file.display()))?;
                Ok((name, scenarios))
            })
            .collect()
    }
}

fn read(file: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("`{}` cannot be read", file.display()))
}
