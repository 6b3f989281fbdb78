//! The sample data of a design, with errors that name the file and the item.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use keyfold_runtime::scenario::{DataError, DataFile, load_data};
use keyfold_runtime::{Runtime, SystemClock};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_saphyr::Spanned;

use super::files::{DesignFiles, parse, read};
use super::in_memory::in_memory;
use super::project::Project;

pub(crate) struct SampleData {
    pub data: DataFile,
    file: PathBuf,
    text: String,
}

impl DesignFiles {
    /// The sample data, if the design has any.
    pub(crate) fn data(&self) -> anyhow::Result<Option<SampleData>> {
        let file = self.data_file();
        if file.exists() { SampleData::read(&file).map(Some) } else { Ok(None) }
    }
}

impl SampleData {
    fn read(file: &Path) -> anyhow::Result<Self> {
        let text = read(file)?;
        Ok(Self { data: parse(file, &text, "sample data")?, file: file.to_owned(), text })
    }

    /// Creates the items on an empty table, and returns how many.
    pub(crate) async fn load(&self, runtime: &Runtime, progress: &dyn Fn(usize)) -> anyhow::Result<usize> {
        match load_data(runtime, &self.data, progress).await {
            Ok(count) => Ok(count),
            Err(error) => bail!("`{}`{}: {error}", self.file.display(), self.line_of(&error)),
        }
    }

    /// Creates the items in memory: a table must not be left with some of them.
    pub(crate) async fn check(&self, project: &Project) -> anyhow::Result<()> {
        let (runtime, _) = in_memory(&project.design, Arc::new(project.policies()?), Arc::new(SystemClock))?;
        runtime.create_table().await?;
        self.load(&runtime, &|_| {}).await?;
        Ok(())
    }

    /// `, line 7`; nothing where the position is unknown.
    fn line_of(&self, error: &DataError) -> String {
        #[derive(Deserialize)]
        struct Positions {
            items: Vec<Spanned<IgnoredAny>>,
        }
        let Ok(positions) = serde_saphyr::from_str::<Positions>(&self.text) else { return String::new() };
        let item = positions.items.get(error.position.saturating_sub(1));
        item.map(|item| format!(", line {}", item.referenced.line())).unwrap_or_default()
    }
}
