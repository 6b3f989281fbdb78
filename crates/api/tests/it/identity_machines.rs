//! Keys of machines.

use std::path::Path;
use std::sync::Arc;

use crate::identity_support::*;
use keyfold_api::identity::{Identity, KEY_HEADER, NewMachineKey, create_machine_key};
use keyfold_api::{Authenticator, CredentialKind, Principal, Unauthenticated};
use keyfold_environment::ManualClock;

async fn show_key(identity: &Identity, key: &str) -> Result<Principal, Unauthenticated> {
    identity.authenticate(&request(&[(KEY_HEADER, key)])).await
}

fn new(name: &str) -> NewMachineKey {
    NewMachineKey {
        name: name.to_owned(),
        tenant: Some("northwind".to_owned()),
        roles: vec!["importer".to_owned(), "reader".to_owned()],
        designs: Vec::new(),
        expires: None,
    }
}

fn open(file: &Path) -> (Identity, Arc<ManualClock>) {
    let clock = clock();
    (Identity::new(None, Some(file), Arc::clone(&clock) as _).unwrap(), clock)
}

#[tokio::test]
async fn a_key_is_shown_once_and_stored_as_a_hash() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let key = create_machine_key(&file, new("nightly-import")).unwrap();
    assert_eq!((key.len(), &key[..4]), (47, "kfk_"));
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains(&key[4..]));
    #[cfg(unix)]
    assert_eq!(
        std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&file).unwrap().permissions()) & 0o777,
        0o600
    );

    let (identity, _) = open(&file);
    let principal = show_key(&identity, &key).await.unwrap();
    assert_eq!(principal.kind, CredentialKind::Key);
    assert_eq!(principal.caller.subject.as_deref(), Some("machine:nightly-import"));
    assert_eq!(principal.caller.tenant.as_deref(), Some("northwind"));
    assert_eq!(principal.caller.roles, ["importer", "reader"]);
    assert_eq!(principal.expires_at_ms, None);
}

#[tokio::test]
async fn unknown_machine_keys_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let key = create_machine_key(&file, new("one")).unwrap();
    let hash: String = std::fs::read_to_string(&file).unwrap().split("\"hash\":\"").nth(1).unwrap()[..64].to_owned();
    let (identity, _) = open(&file);
    let other = create_machine_key(&folder.path().join("others.yaml"), new("one")).unwrap();
    for wrong in
        [&other, &key[..46], &format!("{key}A"), &key.to_lowercase(), &key[4..], "kfk_", "", &hash, &"k".repeat(9000)]
    {
        let refused = show_key(&identity, wrong).await.unwrap_err();
        assert_eq!(refused.reason, "the key is unknown or has expired", "{wrong}");
    }
    // A key is no token.
    assert_eq!(reason(&identity, &key).await, "tokens are not accepted");
}

#[tokio::test]
async fn expired_machine_keys_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let expires = Some("2027-01-15T08:00:10Z".to_owned());
    let key = create_machine_key(&file, NewMachineKey { expires, ..new("one") }).unwrap();
    let (identity, clock) = open(&file);
    assert_eq!(show_key(&identity, &key).await.unwrap().expires_at_ms, Some((NOW + 10) * 1000));
    clock.advance(9 * 1000);
    assert!(show_key(&identity, &key).await.is_ok());
    clock.advance(1000);
    assert_eq!(show_key(&identity, &key).await.unwrap_err().reason, "the key is unknown or has expired");
}

#[tokio::test]
async fn the_key_file_is_reloaded_when_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let one = create_machine_key(&file, new("one")).unwrap();
    let (identity, clock) = open(&file);
    let two = create_machine_key(&file, new("two")).unwrap();
    clock.advance(1000);
    assert!(show_key(&identity, &one).await.is_ok());
    assert!(show_key(&identity, &two).await.is_ok());
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.lines().filter(|line| !line.contains("\"one\"")).collect::<Vec<_>>().join("\n"))
        .unwrap();
    clock.advance(1000);
    assert!(show_key(&identity, &one).await.is_err());
    assert!(show_key(&identity, &two).await.is_ok());
    for mistake in [&b"- name: ["[..], b"# caf\xe9\n"] {
        std::fs::write(&file, mistake).unwrap();
        clock.advance(1000);
        assert!(show_key(&identity, &two).await.is_ok(), "{mistake:?}");
    }
    assert_eq!(identity.fault(), None);
}

#[tokio::test]
async fn removing_the_key_file_disables_its_keys() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let key = create_machine_key(&file, new("one")).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    let (identity, clock) = open(&file);
    assert!(show_key(&identity, &key).await.is_ok());
    std::fs::remove_file(&file).unwrap();
    clock.advance(1000);
    assert!(show_key(&identity, &key).await.unwrap_err().temporary);
    assert_eq!(identity.fault(), Some(format!("the file of machine keys `{}` cannot be read", file.display())));
    // What was known before does not come back by a file with a mistake.
    std::fs::write(&file, "- name: [").unwrap();
    clock.advance(1000);
    assert!(!show_key(&identity, &key).await.unwrap_err().temporary);
    std::fs::write(&file, text).unwrap();
    clock.advance(1000);
    assert!(show_key(&identity, &key).await.is_ok());
    assert_eq!(identity.fault(), None);
}

#[test]
fn comments_in_the_key_file_are_preserved() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let hash = "0".repeat(64);
    let written = format!("# ours\n- name: old   # until spring\n  hash: {hash}\n  roles: [reader]");
    std::fs::write(&file, &written).unwrap();
    create_machine_key(&file, new("one")).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with(&format!("{written}\n- {{\"name\":\"one\",\"hash\":\"")), "{text}");
    assert!(Identity::new(None, Some(&file), clock()).is_ok());

    let told = |new: NewMachineKey| create_machine_key(&file, new).unwrap_err().to_string();
    assert_eq!(told(new("old")), "a key named `old` already exists");
    assert_eq!(told(new("a b")), "the name `a b` may contain only letters, digits, `-`, `_` and `.`");
    assert_eq!(told(new("")), "the name `` may contain only letters, digits, `-`, `_` and `.`");
    let soon = NewMachineKey { expires: Some("soon".to_owned()), ..new("two") };
    assert_eq!(told(soon), "`soon` is not a timestamp such as 2027-01-01T00:00:00Z");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    std::fs::write(&file, format!("[{{name: old, hash: {hash}}}]\n")).unwrap();
    assert_eq!(told(new("two")), "a key cannot be appended: write the file as a list, one `- …` per key");
}

#[tokio::test]
async fn keys_that_are_created_at_once_are_all_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let keys: Vec<String> = std::thread::scope(|scope| {
        let file = &file;
        let creating =
            (0..8).map(|number| scope.spawn(move || create_machine_key(file, new(&format!("key-{number}")))));
        creating.collect::<Vec<_>>().into_iter().map(|created| created.join().unwrap().unwrap()).collect()
    });
    let (identity, _) = open(&file);
    for key in &keys {
        assert!(show_key(&identity, key).await.is_ok());
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn an_invalid_key_file_fails_at_startup() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let told = || {
        let error = Identity::new(None, Some(&file), clock()).err().unwrap().to_string();
        error.replace(&file.display().to_string(), "F")
    };
    assert_eq!(told(), "`F` cannot be read: No such file or directory (os error 2)");
    std::fs::write(&file, "- {name: one, hash: secret}\n").unwrap();
    assert_eq!(told(), "`F` cannot be read: the hash of `one` is not a hexadecimal SHA-256");
    std::fs::write(&file, format!("- {{name: one, hash: {}, expires: soon}}\n", "0".repeat(64))).unwrap();
    assert_eq!(told(), "`F` cannot be read: `soon` is not a timestamp such as 2027-01-01T00:00:00Z");
    std::fs::write(&file, format!("- {{name: one, hash: {}, role: admin}}\n", "0".repeat(64))).unwrap();
    assert!(told().contains("it is not a list of keys"), "{}", told());
    std::fs::write(&file, b"# caf\xe9\n").unwrap();
    assert_eq!(told(), "`F` cannot be read: it is not text in UTF-8");
    std::fs::write(&file, "# none yet\n").unwrap();
    assert!(Identity::new(None, Some(&file), clock()).is_ok());
}
