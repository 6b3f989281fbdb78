//! Files with secrets: refused if other users of the machine can read them.

use std::fs::Metadata;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::plain_file::{self, Pipes};

const ROOT: u32 = 0;

/// Why a secret is not read from a file.
#[derive(Debug, thiserror::Error)]
pub enum SecretFileError {
    #[error("cannot read `{}`", .0.display())]
    Read(PathBuf, #[source] io::Error),
    #[error("every user of this machine has access to `{0}` (mode {mode:03o}); run: chmod 600 '{0}'", .path.display())]
    OpenToEveryone { path: PathBuf, mode: u32 },
    #[error(
        "the group of `{0}` has access to it (mode {mode:03o}), which only a file of root may allow; run: chmod 600 '{0}'",
        .path.display()
    )]
    OpenToGroup { path: PathBuf, mode: u32 },
}

/// Reads a secret from a file that is private to its owner, or from a pipe. A file of root may be open to its group:
/// this is how service managers pass secrets to services.
pub fn read_secret_file(path: &Path) -> Result<Vec<u8>, SecretFileError> {
    read(path, Pipes::Opened)
}

pub(crate) fn read(path: &Path, pipes: Pipes) -> Result<Vec<u8>, SecretFileError> {
    let unreadable = |error| SecretFileError::Read(path.to_owned(), error);
    // The file that is checked is the file that is read.
    let mut file = plain_file::open(path, pipes).map_err(unreadable)?;
    check(path, &file.metadata().map_err(unreadable)?)?;
    let mut secret = Vec::new();
    file.read_to_end(&mut secret).map_err(unreadable)?;
    Ok(secret)
}

fn check(path: &Path, metadata: &Metadata) -> Result<(), SecretFileError> {
    let (path, mode) = (path.to_owned(), metadata.mode() & 0o777);
    match mode {
        // Pipes pass a secret on and keep nothing.
        _ if !metadata.is_file() => Ok(()),
        mode if mode & 0o007 != 0 => Err(SecretFileError::OpenToEveryone { path, mode }),
        mode if mode & 0o070 != 0 && metadata.uid() != ROOT => Err(SecretFileError::OpenToGroup { path, mode }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, chown};

    use super::*;

    #[test]
    fn secrets_are_read_from_private_files_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        std::fs::write(&path, "hidden").unwrap();
        let is_root = std::fs::metadata(&path).unwrap().uid() == ROOT;
        let read_with = |mode: u32| {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            read_secret_file(&path).map_err(|error| error.to_string())
        };
        let shown = path.display();
        for mode in [0o600, 0o400, 0o700] {
            assert_eq!(read_with(mode), Ok(b"hidden".to_vec()), "{mode:o}");
        }
        for mode in [0o604, 0o644, 0o602, 0o601, 0o777] {
            let expected = format!(
                "every user of this machine has access to `{shown}` (mode {mode:03o}); run: chmod 600 '{shown}'"
            );
            assert_eq!(read_with(mode), Err(expected));
        }
        if is_root {
            assert_eq!(read_with(0o640), Ok(b"hidden".to_vec()));
            chown(&path, Some(65534), None).unwrap();
        }
        let expected = format!(
            "the group of `{shown}` has access to it (mode 640), which only a file of root may allow; run: chmod 600 '{shown}'"
        );
        assert_eq!(read_with(0o640), Err(expected));
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = read_secret_file(Path::new("/nowhere/secret")).unwrap_err();
        assert_eq!(error.to_string(), "cannot read `/nowhere/secret`");
    }
}
