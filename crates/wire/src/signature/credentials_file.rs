//! A file with access keys, one line each, that is read again when it changes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use keyfold_environment::{Clock, FileChange, SecretFileError, WatchedFile, error_chain};

use super::access_key::{AccessKey, Keys};
use super::secret::Secret;
use crate::access::{Permissions, TablePattern};

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
    #[error("duplicate access key `{0}`")]
    Repeated(String),
    #[error("expected `ACCESS_KEY_ID SECRET_KEY`, then `read-only` or `tables=NAME,NAME`; found `{0}`")]
    UnknownWord(String),
    #[error("`tables=` needs names of tables, separated by commas; `*` at the end of a name stands for any characters")]
    NotTables,
}

/// Without a file that can be read, and that only its owner can read, there are no keys: removing it revokes them all.
/// A file with a mistake changes nothing.
pub(super) struct CredentialsFile(WatchedFile<SecretFileError>);

impl CredentialsFile {
    pub(super) fn open(path: &Path, clock: Arc<dyn Clock>) -> Result<(Self, Keys), CredentialsError> {
        let (file, content) = WatchedFile::open_secret(path, clock)?;
        let keys = parse(path, &content)?;
        Ok((Self(file), keys))
    }

    /// Gives the keys to `accept` now, whether or not the file has changed.
    pub(super) fn reload(&self, accept: impl FnOnce(Keys)) -> Result<(), CredentialsError> {
        self.0.read_now(|change| self.accept_change(change, accept))
    }

    /// Gives new keys to `accept`, if the file has changed.
    pub(super) fn read_if_changed(&self, accept: impl FnOnce(Keys)) {
        self.0.poll(|change| match self.accept_change(change, accept) {
            Ok(()) => tracing::info!("the credentials were reloaded"),
            Err(CredentialsError::File(error)) => {
                let error = error_chain(&error);
                tracing::error!(error, "the credentials cannot be read; no request is accepted");
            }
            Err(error) => {
                tracing::error!(%error, "the new credentials are invalid; the previous ones stay in use");
            }
        });
    }

    fn accept_change(
        &self,
        change: FileChange<SecretFileError>,
        accept: impl FnOnce(Keys),
    ) -> Result<(), CredentialsError> {
        match change {
            FileChange::Changed(content) => parse(self.0.path(), &content).map(accept),
            FileChange::Unreadable(error) => {
                accept(Keys::new());
                Err(error.into())
            }
        }
    }
}

fn parse(path: &Path, content: &[u8]) -> Result<Keys, CredentialsError> {
    let text = str::from_utf8(content).map_err(|_| CredentialsError::NotText(path.to_owned()))?;
    let mut keys = HashMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let fault = |mistake| CredentialsError::Line { path: path.to_owned(), line: number, mistake };
        if let Some((id, key)) = parse_line(line).map_err(fault)?
            && keys.insert(id.to_owned(), Arc::new(key)).is_some()
        {
            return Err(fault(Mistake::Repeated(id.to_owned())));
        }
    }
    if keys.is_empty() { Err(CredentialsError::Empty(path.to_owned())) } else { Ok(keys) }
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
    use std::os::unix::fs::PermissionsExt as _;

    use keyfold_environment::ManualClock;

    use super::*;
    use crate::signature::AccessKeys;

    fn set_mode(path: &Path, mode: u32) {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Removing a file or opening it to others revokes its keys; a mistake in it changes nothing.
    #[test]
    fn requests_see_changes_of_the_file_within_a_second() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("credentials");
        let write = |content: &[u8]| {
            std::fs::write(&path, content).unwrap();
            set_mode(&path, 0o600);
        };
        write(b"ONE SECRET\n");
        let clock = Arc::new(ManualClock::default());
        let keys = AccessKeys::open(&path, Arc::clone(&clock) as Arc<dyn Clock>).unwrap();
        let accepted = || {
            clock.advance(1_000);
            ["ONE", "TWO"].map(|id| keys.find(id).is_some())
        };
        assert_eq!(accepted(), [true, false]);
        write(b"TWO SECRET\n");
        assert_eq!(accepted(), [false, true]);
        for mistake in [&b"TWO\n"[..], b"", b"TWO \xff\n"] {
            write(mistake);
            assert_eq!(accepted(), [false, true], "{mistake:?}");
            assert!(!matches!(keys.reload(), Ok(()) | Err(CredentialsError::File(_))), "{mistake:?}");
            assert_eq!(accepted(), [false, true], "{mistake:?}");
        }
        write(b"ONE SECRET\nTWO SECRET\n");
        assert_eq!(accepted(), [true, true]);
        set_mode(&path, 0o604);
        assert_eq!(accepted(), [false, false]);
        set_mode(&path, 0o600);
        assert_eq!(accepted(), [true, true]);
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(keys.reload(), Err(CredentialsError::File(_))));
        assert_eq!(["ONE", "TWO"].map(|id| keys.find(id).is_some()), [false, false]);
        // What was known before does not come back by a file with a mistake.
        write(b"ONE\n");
        assert_eq!(accepted(), [false, false]);
        write(b"ONE SECRET\n");
        assert_eq!(accepted(), [true, false]);
    }

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
