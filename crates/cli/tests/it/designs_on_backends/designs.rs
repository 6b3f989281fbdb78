//! The shipped designs with their sample data and scenarios.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use keyfold_design::Design;
use keyfold_runtime::scenario::{DataFile, Scenario, ScenarioFile, examples};

pub(super) struct Played {
    pub name: String,
    pub design: Arc<Design>,
    pub data: Option<DataFile>,
    /// The examples of the design, and the scenarios of all files.
    pub scenarios: Vec<Scenario>,
}

pub(super) fn designs() -> Vec<Played> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../designs"));
    let mut folders: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.retain(|folder| folder.join("design.yaml").exists());
    folders.sort();
    assert!(folders.len() >= 5, "{folders:?}");
    folders.iter().map(|folder| read(folder)).collect()
}

fn read(folder: &Path) -> Played {
    let text = |file: &Path| std::fs::read_to_string(file).unwrap();
    let (design, _) = Design::load("design.yaml", &text(&folder.join("design.yaml")))
        .unwrap_or_else(|found| panic!("{}: {found:#?}", folder.display()));
    let data = folder.join("data.yaml");
    let data = data.exists().then(|| serde_saphyr::from_str(&text(&data)).unwrap());
    let mut scenarios = examples(&design).unwrap();
    let mut files: Vec<PathBuf> = match std::fs::read_dir(folder.join("scenarios")) {
        Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
        Err(_) => Vec::new(),
    };
    files.sort();
    for file in files {
        let found: ScenarioFile =
            serde_saphyr::from_str(&text(&file)).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        scenarios.extend(found.scenarios);
    }
    Played { name: design.name.clone(), design: Arc::new(design), data, scenarios }
}
