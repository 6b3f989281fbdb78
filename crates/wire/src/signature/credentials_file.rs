//! A file with access keys, one line each, that is read again when it changes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use keyfold_environment::{FileStamp, SecretFileError, read_secret_file};

use super::access_key::{AccessKey, Keys};
use super::secret::Secret;
use crate::access::{Permissions, TablePattern};

/// The shortest time between two looks at the file, which requests trigger.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Why credentials are not accepted.
#[derive(Debug, thiserror::Error)]
pub enum CredentialsError {
    #[error(transparent)]
    File(#[from] SecretFileError),
    #[error("`{}` is not text", .0.display())]
    NotText(PathBuf),
    #[error("`{}` contains no credentials", .0.display())]
    Empty(PathBuf),
    #[error("`{}`, line {line}: {mistake}", path.display())]
    Line { path: PathBuf, line: usize, mistake: Mistake },
}

/// What is wrong with a line.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mistake {
    #[error("expected `ACCESS_KEY_ID SECRET_KEY`")]
    NotAPair,
    #[error("the access key `{0}` is given twice")]
    Repeated(String),
    #[error("expected `ACCESS_KEY_ID SECRET_KEY`, then `read-only` or `tables=NAME,NAME`; found `{0}`")]
    UnknownWord(String),
    #[error("`tables=` needs names of tables, separated by commas; `*` at the end of a name stands for any characters")]
    NotTables,
}

pub(super) struct CredentialsFile {
    path: PathBuf,
    state: Mutex<State>,
}

struct State {
    /// Absent while the file cannot be read: then it is tried again every time.
    stamp: Option<FileStamp>,
    checked: Instant,
}

impl CredentialsFile {
    pub(super) fn open(path: &Path) -> Result<(Self, Keys), CredentialsError> {
        // Before the content: a change in between is seen later.
        let state = State { stamp: FileStamp::read(path).ok(), checked: Instant::now() };
        let file = Self { path: path.to_owned(), state: Mutex::new(state) };
        let keys = file.read()?;
        Ok((file, keys))
    }

    pub(super) fn read(&self) -> Result<Keys, CredentialsError> {
        let bytes = read_secret_file(&self.path)?;
        let text = str::from_utf8(&bytes).map_err(|_| CredentialsError::NotText(self.path.clone()))?;
        let mut keys = HashMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            let fault = |mistake| CredentialsError::Line { path: self.path.clone(), line: number, mistake };
            if let Some((id, key)) = parse_line(line).map_err(fault)?
                && keys.insert(id.to_owned(), Arc::new(key)).is_some()
            {
                return Err(fault(Mistake::Repeated(id.to_owned())));
            }
        }
        if keys.is_empty() { Err(CredentialsError::Empty(self.path.clone())) } else { Ok(keys) }
    }

    /// Gives the keys to `accept` now, whether or not the file has changed. A file with a mistake changes nothing.
    pub(super) fn reload(&self, accept: impl FnOnce(Keys)) -> Result<(), CredentialsError> {
        // Whoever reads later also accepts later.
        let _state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.read().map(accept)
    }

    /// Gives new keys to `accept`, if the file has changed. Without a file that can be read, and that only its owner can read, there are none: removing
    /// it revokes them all. A file with a mistake changes nothing.
    pub(super) fn read_if_changed(&self, accept: impl FnOnce(Keys)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.checked.elapsed() < CHECK_INTERVAL {
            return;
        }
        state.checked = Instant::now();
        // Before the content: a change in between is seen later.
        let stamp = FileStamp::read(&self.path).ok();
        if stamp.is_some() && stamp == state.stamp {
            return;
        }
        let was_readable = state.stamp.is_some();
        state.stamp = stamp;
        match self.read() {
            Ok(keys) => {
                tracing::info!(keys = keys.len(), "the credentials were reloaded");
                accept(keys);
            }
            Err(CredentialsError::File(error)) => {
                state.stamp = None;
                // Once, not every second.
                if was_readable {
                    let error = error_chain(&error);
                    tracing::error!(error, "the credentials cannot be read; no request is accepted");
                }
                accept(Keys::new());
            }
            Err(error) => {
                tracing::error!(%error, "the new credentials are invalid; the previous ones stay in use");
            }
        }
    }
}

fn error_chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}

/// `None` for an empty line and a comment.
fn parse_line(line: &str) -> Result<Option<(&str, AccessKey)>, Mistake> {
    let mut words = line.split_whitespace();
    let Some(id) = words.next().filter(|word| !word.starts_with('#')) else { return Ok(None) };
    let secret = words.next().ok_or(Mistake::NotAPair)?;
    let mut permissions = Permissions::default();
    for word in words {
        match word.split_once('=') {
            None if word == "read-only" => permissions.is_read_only = true,
            Some(("tables", names)) => permissions.tables = Some(parse_tables(names)?),
            _ => return Err(Mistake::UnknownWord(word.to_owned())),
        }
    }
    Ok(Some((id, AccessKey { secret: Secret::new(secret.to_owned()), permissions })))
}

fn parse_tables(names: &str) -> Result<Vec<TablePattern>, Mistake> {
    names.split(',').map(|name| TablePattern::parse(name).ok_or(Mistake::NotTables)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permissions(line: &str) -> Result<Permissions, String> {
        parse_line(line).map(|key| key.unwrap().1.permissions).map_err(|mistake| mistake.to_string())
    }

    #[test]
    fn a_line_names_a_key_and_its_limits() {
        assert!(parse_line("").unwrap().is_none());
        assert!(parse_line("  # KEY SECRET").unwrap().is_none());
        assert_eq!(permissions("KEY SECRET"), Ok(Permissions::default()));
        let tables = ["orders", "audit_*"].map(|name| TablePattern::parse(name).unwrap()).to_vec();
        assert_eq!(
            permissions("KEY SECRET tables=orders,audit_* read-only"),
            Ok(Permissions { is_read_only: true, tables: Some(tables) })
        );
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(permissions("KEY"), Err("expected `ACCESS_KEY_ID SECRET_KEY`".to_owned()));
        let unknown = "expected `ACCESS_KEY_ID SECRET_KEY`, then `read-only` or `tables=NAME,NAME`; found `readonly`";
        assert_eq!(permissions("KEY SECRET readonly"), Err(unknown.to_owned()));
        for tables in ["", "a,", "a*b", "**", "a b"] {
            let line = format!("KEY SECRET tables={tables}");
            assert!(permissions(&line).is_err(), "{line}");
        }
    }
}
