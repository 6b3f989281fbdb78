use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};

use super::*;

const NOBODY: u32 = 65_534;

fn append(path: &Path, text: &str) -> io::Result<()> {
    update_file(path, |mut content| {
        content.extend_from_slice(text.as_bytes());
        Ok(content)
    })
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

#[test]
fn a_file_is_created_once_and_privately() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret");
    create_file(&path, b"one").unwrap();
    create_file(&path, b"two").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"one");
    assert_eq!(mode(&path), 0o600);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "a draft is left");
    assert!(create_file(&folder.path().join("none/secret"), b"one").is_err());
}

#[test]
fn an_update_keeps_owner_and_mode() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    append(&path, "one").unwrap();
    assert_eq!((fs::read(&path).unwrap(), mode(&path)), (b"one".to_vec(), 0o600));
    fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    // Only root can give a file away.
    let is_given = chown(&path, Some(NOBODY), Some(NOBODY)).is_ok();
    append(&path, " two").unwrap();
    assert_eq!((fs::read(&path).unwrap(), mode(&path)), (b"one two".to_vec(), 0o640));
    let metadata = fs::metadata(&path).unwrap();
    assert!(!is_given || (metadata.uid(), metadata.gid()) == (NOBODY, NOBODY), "{metadata:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "a draft is left");
}

#[test]
fn a_failed_update_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    fs::write(&path, "one").unwrap();
    let refused = update_file(&path, |_| Err(io::Error::other("a mistake")));
    assert_eq!(refused.unwrap_err().to_string(), "a mistake");
    assert_eq!(fs::read(&path).unwrap(), b"one");
}

#[test]
fn symbolic_links_stay() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("real")).unwrap();
    let (real, link) = (folder.path().join("real/keys"), folder.path().join("keys"));
    // It leads to a file that does not exist yet.
    symlink("real/keys", &link).unwrap();
    for _ in 0..2 {
        append(&link, "x").unwrap();
    }
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&real).unwrap(), b"xx");
    symlink("loop", folder.path().join("loop")).unwrap();
    assert!(append(&folder.path().join("loop"), "x").unwrap_err().to_string().ends_with("is a loop of symbolic links"));
}

#[test]
fn concurrent_updates_are_all_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..5 {
                    append(&path, "x").unwrap();
                }
            });
        }
    });
    assert_eq!(fs::read(&path).unwrap().len(), 40);
}
