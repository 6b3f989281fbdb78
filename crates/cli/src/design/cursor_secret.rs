//! The secret that encrypts cursors, so that a later command can use the cursor of an earlier one.
//!
//! It is `KEYFOLD_CURSOR_SECRET` if set, so that several machines can share one. Otherwise it is a file: in the data
//! folder of an embedded engine, or in the user's state folder for other backends.

use std::ffi::OsString;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use keyfold_engine::store::CURSOR_SECRET_FILE;
use keyfold_environment::{SystemRandom, create_file, random_bytes};

use crate::backend::BackendPlace;

const VARIABLE: &str = "KEYFOLD_CURSOR_SECRET";
const BYTES: usize = 32;
/// The minimum length of a configured secret; it is hashed, so any greater length is fine.
const FEWEST_CHARACTERS: usize = 16;

pub(crate) fn cursor_secret(place: &BackendPlace) -> anyhow::Result<Vec<u8>> {
    if let Some(secret) = std::env::var_os(VARIABLE) {
        return given_cursor_secret(secret.into_encoded_bytes());
    }
    let folder = match place {
        BackendPlace::Folder(folder) => folder.clone(),
        BackendPlace::Aws | BackendPlace::Endpoint(_) | BackendPlace::Alternator(_) => {
            state_folder(std::env::var_os("XDG_STATE_HOME"), std::env::var_os("HOME"))?
        }
    };
    read_or_create(&folder)
}

/// Validates a configured secret.
pub(crate) fn given_cursor_secret(secret: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    if secret.len() < FEWEST_CHARACTERS {
        bail!("the cursor secret has {} characters; at least {FEWEST_CHARACTERS} are required", secret.len());
    }
    Ok(secret)
}

/// `$XDG_STATE_HOME/keyfold`, by default `~/.local/state/keyfold`.
fn state_folder(state: Option<OsString>, home: Option<OsString>) -> anyhow::Result<PathBuf> {
    let state = state.map(PathBuf::from).filter(|folder| folder.is_absolute());
    let home = home.filter(|home| !home.is_empty()).map(|home| Path::new(&home).join(".local/state"));
    match state.or(home) {
        Some(folder) => Ok(folder.join("keyfold")),
        None => bail!("no home folder found for the cursor secret; set {VARIABLE}"),
    }
}

/// The secret of a folder, created by the first command.
fn read_or_create(folder: &Path) -> anyhow::Result<Vec<u8>> {
    let file = folder.join(CURSOR_SECRET_FILE);
    if let Some(secret) = read(&file)? {
        return Ok(secret);
    }
    let secret: [u8; BYTES] = random_bytes(&SystemRandom)?;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .with_context(|| format!("cannot create `{}`", folder.display()))?;
    create_file(&file, &secret).with_context(|| format!("cannot write `{}`", file.display()))?;
    // If two commands create one at the same time, the first wins.
    read(&file)?.with_context(|| format!("`{}` is not a valid cursor secret", file.display()))
}

fn read(file: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    match std::fs::read(file) {
        Ok(secret) if secret.len() == BYTES => Ok(Some(secret)),
        Ok(_) => bail!("`{}` is not a valid cursor secret; delete it to create a new one", file.display()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read `{}`", file.display())),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_secret_is_made_once_and_kept_private() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state/keyfold");
        let made = read_or_create(&state).unwrap();
        assert_eq!(made.len(), BYTES);
        assert_eq!(read_or_create(&state).unwrap(), made);
        let mode = std::fs::metadata(state.join(CURSOR_SECRET_FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(&state).unwrap().count(), 1);
    }

    #[test]
    fn invalid_secrets_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(CURSOR_SECRET_FILE), "short").unwrap();
        assert!(read_or_create(folder.path()).unwrap_err().to_string().ends_with("delete it to create a new one"));
        assert_eq!(
            given_cursor_secret(b"secret".to_vec()).unwrap_err().to_string(),
            "the cursor secret has 6 characters; at least 16 are required"
        );
    }

    #[test]
    fn the_state_folder_is_the_users() {
        let of = |state: Option<&str>, home: Option<&str>| state_folder(state.map(Into::into), home.map(Into::into));
        assert_eq!(of(Some("/s"), Some("/h")).unwrap(), Path::new("/s/keyfold"));
        assert_eq!(of(None, Some("/h")).unwrap(), Path::new("/h/.local/state/keyfold"));
        assert_eq!(of(Some("relative"), Some("/h")).unwrap(), Path::new("/h/.local/state/keyfold"));
        assert!(of(None, None).unwrap_err().to_string().ends_with("set KEYFOLD_CURSOR_SECRET"));
    }
}
