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
    #[error("`{0}` occurs twice")]
    RepeatedWord(String),
}

/// Without a file that can be read, and that only its owner can read, there are no keys: removing it revokes them all.
/// Once it is open, a line with a mistake disables its own key alone: the mistake must not keep a key that another line
/// no longer names.
pub(super) struct CredentialsFile(WatchedFile<SecretFileError>);

impl CredentialsFile {
    pub(super) fn open(path: &Path, clock: Arc<dyn Clock>) -> Result<(Self, Keys), CredentialsError> {
        let (file, content) = WatchedFile::open_secret(path, clock)?;
        let (keys, mistake) = parse(path, &content);
        mistake.map_or(Ok((Self(file), keys)), Err)
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
                tracing::error!(%error, "the credentials have a mistake; only the other lines are in use");
            }
        });
    }

    fn accept_change(
        &self,
        change: FileChange<SecretFileError>,
        accept: impl FnOnce(Keys),
    ) -> Result<(), CredentialsError> {
        match change {
            FileChange::Changed(content) => {
                let (keys, mistake) = parse(self.0.path(), &content);
                accept(keys);
                mistake.map_or(Ok(()), Err)
            }
            FileChange::Unreadable(error) => {
                accept(Keys::new());
                Err(error.into())
            }
        }
    }
}

/// The keys of the lines without a mistake, and the first mistake.
fn parse(path: &Path, content: &[u8]) -> (Keys, Option<CredentialsError>) {
    let Ok(text) = str::from_utf8(content) else {
        return (Keys::new(), Some(CredentialsError::NotText(path.to_owned())));
    };
    let mut first = None;
    let mut lines: HashMap<&str, Option<AccessKey>> = HashMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some(id) = line.split_whitespace().next().filter(|word| !word.starts_with('#')) else { continue };
        let key = if lines.contains_key(id) { Err(Mistake::Repeated(id.to_owned())) } else { parse_key(line) };
        // Of several lines with one key, none is known to be what is meant.
        let key = key.map_err(|mistake| {
            first.get_or_insert(CredentialsError::Line { path: path.to_owned(), line: number, mistake });
        });
        lines.insert(id, key.ok());
    }
    if lines.is_empty() {
        first.get_or_insert(CredentialsError::Empty(path.to_owned()));
    }
    let keys = lines.into_iter().filter_map(|(id, key)| Some((id.to_owned(), Arc::new(key?))));
    (keys.collect(), first)
}

/// What follows the name of a key.
fn parse_key(line: &str) -> Result<AccessKey, Mistake> {
    let mut words = line.split_whitespace().skip(1);
    let secret = words.next().ok_or(Mistake::NotAPair)?;
    let mut permissions = Permissions::default();
    for word in words {
        match word.split_once('=') {
            // Which of two lists is meant is not known.
            Some(("tables", _)) if permissions.tables.is_some() => {
                return Err(Mistake::RepeatedWord("tables=".to_owned()));
            }
            None if word == "read-only" && permissions.is_read_only => {
                return Err(Mistake::RepeatedWord(word.to_owned()));
            }
            None if word == "read-only" => permissions.is_read_only = true,
            Some(("tables", names)) => permissions.tables = Some(parse_tables(names)?),
            _ => return Err(Mistake::UnknownWord(word.to_owned())),
        }
    }
    Ok(AccessKey { secret: Secret::new(secret.to_owned()), permissions })
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

    /// Removing a file or opening it to others revokes its keys; a mistake in a line revokes that of the line.
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
        for (mistake, expected) in [
            (&b"TWO\n"[..], [false, false]),
            (b"", [false, false]),
            (b"ONE SECRET\nTWO \xff\n", [false, false]),
            // A mistake in another line does not keep the key that was removed.
            (b"ONE SECRET\nTHREE\n", [true, false]),
            (b"ONE SECRET\nTWO SECRET readonly\n", [true, false]),
            // Which one is meant is not known, and neither is what comes after it.
            (b"TWO SECRET\nTWO SECRET read-only\nTWO SECRET\nONE SECRET\n", [true, false]),
        ] {
            write(mistake);
            assert_eq!(accepted(), expected, "{mistake:?}");
            assert!(!matches!(keys.reload(), Ok(()) | Err(CredentialsError::File(_))), "{mistake:?}");
            assert_eq!(accepted(), expected, "{mistake:?}");
            write(b"TWO SECRET\n");
            assert_eq!(accepted(), [false, true]);
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
        parse_key(line).map(|key| key.permissions).map_err(|mistake| mistake.to_string())
    }

    #[test]
    fn a_line_names_a_key_and_its_limits() {
        let (keys, mistake) = parse(Path::new("keys"), b"\n  # KEY SECRET\n");
        assert!(keys.is_empty() && matches!(mistake, Some(CredentialsError::Empty(_))));
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
        let twice = "`tables=` occurs twice".to_owned();
        assert_eq!(permissions("KEY SECRET tables=orders read-only tables=audit_*"), Err(twice.clone()));
        assert_eq!(permissions("KEY SECRET tables=orders tables=orders"), Err(twice));
        assert_eq!(permissions("KEY SECRET read-only read-only"), Err("`read-only` occurs twice".to_owned()));
        for tables in ["", "a,", "a*b", "**", "a b"] {
            let line = format!("KEY SECRET tables={tables}");
            assert!(permissions(&line).is_err(), "{line}");
        }
    }
}
