//! A design that was read and checked, with the files beside it.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use keyfold_design::Design;
use keyfold_design::diagnostic::{Diagnostic, Severity, to_text};
use keyfold_policy::Policies;

use super::files::{DesignFiles, read};

pub(crate) struct Project {
    pub design: Arc<Design>,
    pub files: DesignFiles,
    text: String,
}

impl Project {
    /// Reads and checks a design; one with errors cannot be run.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let files = DesignFiles::locate(path);
        let text = read(files.file())?;
        match keyfold_design::load(&files.name(), &text) {
            Ok((design, _)) => Ok(Self { design: Arc::new(design), files, text }),
            Err(mut found) => {
                found.retain(|diagnostic| diagnostic.severity == Severity::Error);
                report!("{}", to_text(&files.name(), &text, &found, std::io::stderr().is_terminal()).trim_end());
                bail!("`{}` has errors", files.name())
            }
        }
    }

    /// The authorizer: the design's rules and the policy files.
    pub(crate) fn policies(&self) -> anyhow::Result<Policies> {
        let files = self.files.policies()?;
        Policies::compile(&self.design, &self.text, &files).map_err(|found| {
            for (file, source) in &files {
                let of_file = found.iter().filter(|found| found.file == *file && found.diagnostic.is_error());
                let errors: Vec<Diagnostic> = of_file.map(|found| found.diagnostic.clone()).collect();
                report!(
                    "{}",
                    to_text(&self.files.policy_path(file), source, &errors, std::io::stderr().is_terminal()).trim_end()
                );
            }
            anyhow::anyhow!("the policy files of the design have errors")
        })
    }
}
