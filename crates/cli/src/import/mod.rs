//! `keyfold import cloudformation|table`: drafts a design from an existing table or template.

mod cloudformation;
mod sampling;
mod table;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Subcommand;
use keyfold_design::{Diagnostic, Severity, counted};
use keyfold_import::Draft;

use crate::private_files;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Draft a design from a table in a CloudFormation template, YAML or JSON
    Cloudformation(cloudformation::Arguments),
    /// Draft a design from a live table and a sample of its items
    Table(table::Arguments),
}

impl Command {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Cloudformation(arguments) => cloudformation::run(&arguments),
            Self::Table(arguments) => table::run(&arguments),
        }
    }
}

/// The destination of a draft.
#[derive(clap::Args)]
pub(crate) struct Output {
    /// File to write the draft to [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Output {
    /// Rejects an existing file before anything is read.
    pub(crate) fn refuse_existing(&self) -> anyhow::Result<()> {
        match &self.out {
            Some(path) if path.exists() => bail!("`{}` already exists", path.display()),
            _ => Ok(()),
        }
    }

    /// Writes the draft, and a summary to standard error.
    pub(crate) fn write(&self, draft: &Draft) -> anyhow::Result<()> {
        match &self.out {
            None => write!(std::io::stdout(), "{}", draft.text).or_else(ignore_closed)?,
            Some(path) => create(path, &draft.text)?,
        }
        let target = self.out.as_ref().map_or_else(|| "draft".to_owned(), |path| format!("`{}`", path.display()));
        let warnings = draft.findings.iter().filter(|finding| finding.severity == Severity::Warning).count();
        report!(
            "{target}: {}, {}, {}; review the guesses, then run `keyfold check`",
            counted(draft.design.entities.len(), "entity"),
            counted(draft.design.patterns.len(), "pattern"),
            counted(warnings, "warning"),
        );
        Ok(())
    }
}

fn create(path: &Path, text: &str) -> anyhow::Result<()> {
    let written = private_files::create_publicly(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.with_context(|| format!("cannot write `{}`", path.display()))
}

/// A closed pipe (`| head`) is not an error.
fn ignore_closed(error: std::io::Error) -> std::io::Result<()> {
    if error.kind() == std::io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) }
}

/// The error if even a draft of the bare table has errors: a design cannot express the table.
pub(crate) fn no_draft(what: &str, found: &[Diagnostic]) -> anyhow::Error {
    let messages: Vec<String> = found
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .map(|diagnostic| format!("{}: {}", diagnostic.code.id, diagnostic.message))
        .collect();
    anyhow::anyhow!("{what} cannot be expressed as a design: {}", messages.join("; "))
}
