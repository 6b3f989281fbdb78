//! The file of erasures: pseudonyms of whoever was erased. It is kept apart from the tables and their backups, so that
//! it outlives the restore of one.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use keyfold_environment::{read_secret_file, update_file};
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
        update_file(&self.erasures, |content| add(content, erasure)).with_context(|| describe(&self.erasures))
    }
}

/// The erasures in a file; none if there is no file yet.
pub(crate) fn read(file: &Path) -> anyhow::Result<Vec<Erasure>> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| describe(file)),
    };
    parse(&text).with_context(|| describe(file))
}

fn parse(text: &str) -> anyhow::Result<Vec<Erasure>> {
    let lines = text.lines().enumerate();
    lines.map(|(position, line)| serde_json::from_str(line).with_context(|| format!("line {}", position + 1))).collect()
}

/// The content of the file with an erasure, unless it has it.
fn add(content: Vec<u8>, erasure: &Erasure) -> anyhow::Result<Vec<u8>> {
    let mut text = String::from_utf8(content)?;
    let is_same = |other: &Erasure| other.design == erasure.design && other.pseudonym == erasure.pseudonym;
    if !parse(&text)?.iter().any(is_same) {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&serde_json::to_string(erasure)?);
        text.push('\n');
    }
    Ok(text.into_bytes())
}

fn describe(file: &Path) -> String {
    format!("the file of erasures `{}`", file.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn erasure(pseudonym: &str) -> Erasure {
        Erasure {
            design: "platform".to_owned(),
            pseudonym: pseudonym.to_owned(),
            at: "2027-01-15T08:00:00Z".to_owned(),
        }
    }

    #[test]
    fn concurrent_runs_record_each_erasure_once() {
        let folder = tempfile::tempdir().unwrap();
        let erasures = folder.path().join("erasures.jsonl");
        let arguments = ErasureArguments { erasures, pseudonym_secret_file: PathBuf::new() };
        std::thread::scope(|scope| {
            for run in 0..8 {
                let arguments = &arguments;
                scope.spawn(move || {
                    arguments.record(&erasure("the same")).unwrap();
                    arguments.record(&erasure(&run.to_string())).unwrap();
                });
            }
        });
        let mut recorded: Vec<String> =
            arguments.read().unwrap().into_iter().map(|erasure| erasure.pseudonym).collect();
        recorded.sort();
        assert_eq!(recorded, ["0", "1", "2", "3", "4", "5", "6", "7", "the same"]);
    }

    #[test]
    fn a_last_line_without_an_end_stays_a_line() {
        let text = add(Vec::new(), &erasure("a")).unwrap();
        let text = add(text.trim_ascii_end().to_vec(), &erasure("b")).unwrap();
        assert_eq!(parse(str::from_utf8(&text).unwrap()).unwrap(), [erasure("a"), erasure("b")]);
        let torn = add(b"{\"design\":".to_vec(), &erasure("a"));
        assert_eq!(torn.unwrap_err().to_string(), "line 1");
    }
}
