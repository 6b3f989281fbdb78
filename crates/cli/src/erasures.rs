//! The file of erasures: pseudonyms of whoever was erased. It is kept apart from the tables and their backups, so that it
//! outlives the restore of one.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use keyfold_environment::read_secret_file;
use serde::{Deserialize, Serialize};

/// A shorter secret could be guessed, and with it whose a pseudonym is.
const SHORTEST_SECRET: usize = 32;

/// Where erasures are recorded.
#[derive(Args)]
pub(crate) struct ErasureArguments {
    /// File with the pseudonyms of erased subjects; keep it apart from the data and their backups
    #[arg(long, value_name = "FILE")]
    erasures: PathBuf,
    /// File with the secret that pseudonyms are made with, at least 32 bytes; losing it makes the erasures useless
    #[arg(long, value_name = "FILE")]
    pseudonym_secret_file: PathBuf,
}

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Erasure {
    pub design: String,
    pub pseudonym: String,
    /// The time of the first erasure.
    pub at: String,
}

impl ErasureArguments {
    pub(crate) fn secret(&self) -> anyhow::Result<Vec<u8>> {
        let secret = read_secret_file(&self.pseudonym_secret_file)?;
        if secret.len() < SHORTEST_SECRET {
            bail!("the secret in `{}` has fewer than {SHORTEST_SECRET} bytes", self.pseudonym_secret_file.display());
        }
        Ok(secret)
    }

    /// What was recorded.
    pub(crate) fn read(&self) -> anyhow::Result<Vec<Erasure>> {
        read(&self.erasures)
    }

    pub(crate) fn file(&self) -> &Path {
        &self.erasures
    }

    /// Records an erasure, unless it is recorded. It is on disk afterwards.
    pub(crate) fn record(&self, erasure: &Erasure) -> anyhow::Result<()> {
        let is_same = |other: &Erasure| other.design == erasure.design && other.pseudonym == erasure.pseudonym;
        if self.read()?.iter().any(is_same) {
            return Ok(());
        }
        let line = serde_json::to_string(erasure)?;
        let file = OpenOptions::new().create(true).append(true).mode(0o600).open(&self.erasures);
        let mut file = file.with_context(|| describe(&self.erasures))?;
        writeln!(file, "{line}").and_then(|()| file.sync_all()).with_context(|| describe(&self.erasures))
    }
}

/// The erasures in a file; none if there is no file yet.
pub(crate) fn read(file: &Path) -> anyhow::Result<Vec<Erasure>> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| describe(file)),
    };
    let lines = text.lines().enumerate();
    lines
        .map(|(position, line)| {
            serde_json::from_str(line).with_context(|| format!("{}, line {}", describe(file), position + 1))
        })
        .collect()
}

fn describe(file: &Path) -> String {
    format!("the file of erasures `{}`", file.display())
}
