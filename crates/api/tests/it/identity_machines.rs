//! Keys of machines.

use std::path::Path;
use std::sync::Arc;

use crate::identity_support::*;
use keyfold_api::identity::{
    Identity, KEY_HEADER, KeyFileError, MachineKeyFile, NewMachineKey, Rotation, create_machine_key,
};
use keyfold_api::{Authenticator, CredentialKind, Principal, Unauthenticated};
use keyfold_design::Design;
use keyfold_environment::ManualClock;

async fn show_key(identity: &Identity, key: &str) -> Result<Principal, Unauthenticated> {
    identity.authenticate(&request(&[(KEY_HEADER, key)])).await
}

fn new(name: &str) -> NewMachineKey {
    NewMachineKey {
        name: name.to_owned(),
        tenant: Some("northwind".to_owned()),
        roles: vec!["importer".to_owned(), "reader".to_owned()],
        ..NewMachineKey::default()
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
}

#[tokio::test]
async fn a_key_file_that_cannot_be_read_as_a_list_disables_its_keys() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let key = create_machine_key(&file, new("one")).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    let (identity, clock) = open(&file);
    let mistakes = [&b"- name: ["[..], b"# caf\xe9\n", b"name: one\n", b"one", b"[]\n---\n[]\n"];
    for mistake in mistakes.iter().map(|mistake| mistake.to_vec()).chain([format!("{text}  roles: x").into_bytes()]) {
        std::fs::write(&file, &text).unwrap();
        clock.advance(1000);
        assert!(show_key(&identity, &key).await.is_ok());
        assert_eq!(identity.fault(), None);
        // Whoever wrote it may believe that a key is revoked.
        std::fs::write(&file, &mistake).unwrap();
        clock.advance(1000);
        assert!(show_key(&identity, &key).await.unwrap_err().temporary, "{mistake:?}");
        assert_eq!(identity.fault(), Some(format!("the file of machine keys `{}` is invalid", file.display())));
        assert!(Identity::new(None, Some(&file), Arc::clone(&clock) as _).is_err(), "{mistake:?}");
    }
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
    assert!(show_key(&identity, &key).await.unwrap_err().temporary);
    assert_eq!(identity.fault(), Some(format!("the file of machine keys `{}` is invalid", file.display())));
    std::fs::remove_file(&file).unwrap();
    clock.advance(1000);
    assert_eq!(identity.fault(), Some(format!("the file of machine keys `{}` cannot be read", file.display())));
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
    let drafts = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(
        drafts.filter(|name| name.ends_with(".new") && !name.contains(".used")).collect::<Vec<String>>(),
        [""; 0]
    );
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
    assert_eq!(told(), "`F` cannot be read: line 1: the hash of `one` is not a hexadecimal SHA-256");
    std::fs::write(&file, format!("- {{name: one, hash: {}, expires: soon}}\n", "0".repeat(64))).unwrap();
    assert_eq!(
        told(),
        "`F` cannot be read: line 1: the key `one`: `soon` is not a timestamp such as 2027-01-01T00:00:00Z"
    );
    std::fs::write(&file, format!("- {{name: one, hash: {}, role: admin}}\n", "0".repeat(64))).unwrap();
    let role = "the key `one`: unknown member `role`; did you mean `roles`?";
    assert_eq!(told(), format!("`F` cannot be read: line 1: {role}"));
    std::fs::write(&file, "# ours\n- name: one\n  hash: [\n").unwrap();
    assert!(told().starts_with("`F` cannot be read: line 4: invalid YAML: "), "{}", told());
    std::fs::write(&file, "# ours\nname: one\n").unwrap();
    assert_eq!(told(), "`F` cannot be read: line 2: expected a list, with one `- …` per entry");
    std::fs::write(&file, b"# caf\xe9\n").unwrap();
    assert_eq!(told(), "`F` cannot be read: it is not text in UTF-8");
    std::fs::write(&file, "# none yet\n").unwrap();
    assert!(Identity::new(None, Some(&file), clock()).is_ok());
}

fn administration(file: &Path, clock: &Arc<ManualClock>) -> MachineKeyFile {
    MachineKeyFile::new(file, None, Arc::clone(clock) as _)
}

#[tokio::test]
async fn rotation_and_revocation_hold_on_running_servers() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    std::fs::write(&file, format!("# ours\n- name: old   # until spring\n  hash: {}\n", "0".repeat(64))).unwrap();
    let clock = clock();
    let keys = administration(&file, &clock);
    let scopes = Some(vec!["read".to_owned()]);
    let first = keys.create(NewMachineKey { scopes, ..new("one") }).unwrap();
    let identity = Identity::new(None, Some(&file), Arc::clone(&clock) as _).unwrap();
    let second = keys.rotate("one", &Rotation { overlap_ms: 10_000, ..Rotation::default() }).unwrap();
    clock.advance(1000);
    let (old, new) = (show_key(&identity, &first).await.unwrap(), show_key(&identity, &second).await.unwrap());
    // The same caller, with the same rights and scope.
    assert_eq!((&old.caller, old.expires_at_ms, new.expires_at_ms), (&new.caller, Some((NOW + 10) * 1000), None));
    assert_eq!(new.caller.scope.as_ref().unwrap().texts(), ["read"]);
    clock.advance(9000);
    assert!(show_key(&identity, &first).await.is_err());
    assert!(show_key(&identity, &second).await.is_ok());
    assert_eq!(keys.list().unwrap().len(), 3);
    // Entries that have expired go with the next rotation.
    let third = keys.rotate("one", &Rotation::default()).unwrap();
    let states = || -> Vec<(String, &str)> {
        keys.list().unwrap().into_iter().map(|key| (key.name, key.state.as_str())).collect()
    };
    let named = |name: &str, state| (name.to_owned(), state);
    assert_eq!(states(), [named("old", "active"), named("one", "expired"), named("one", "active")]);
    clock.advance(1000);
    assert!(show_key(&identity, &second).await.is_err());
    assert!(show_key(&identity, &third).await.is_ok());
    assert!(keys.revoke("one").unwrap());
    clock.advance(1000);
    assert!(show_key(&identity, &third).await.is_err());
    assert_eq!(states(), [named("old", "active"), named("one", "revoked"), named("one", "revoked")]);
    assert!(!keys.revoke("one").unwrap());
    // A revoked name is not given to another program: the audit log has it.
    assert_eq!(keys.create(self::new("one")).unwrap_err().to_string(), "a key named `one` already exists");
    let told = |error: KeyFileError| error.to_string();
    let rotated = |name: &str| told(keys.rotate(name, &Rotation::default()).unwrap_err());
    assert_eq!(rotated("one"), "the key `one` is revoked or has expired; create another one");
    assert_eq!(rotated("on"), "no key is named `on`; did you mean `one`?");
    assert_eq!(told(keys.revoke("other").unwrap_err()), "no key is named `other`");
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("# ours\n- name: old   # until spring\n"));
}

#[test]
fn a_rotated_key_lives_as_long_as_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let clock = clock();
    let keys = administration(&file, &clock);
    let expires = Some("2027-01-15T09:00:00Z".to_owned());
    keys.create(NewMachineKey { expires, ..new("one") }).unwrap();
    clock.advance(30 * 60 * 1000);
    keys.rotate("one", &Rotation { overlap_ms: 3_600_000, ..Rotation::default() }).unwrap();
    let expiries: Vec<Option<String>> = keys.list().unwrap().into_iter().map(|key| key.expires).collect();
    // The overlap makes no key live longer.
    assert_eq!(expiries, ["2027-01-15T09:00:00Z", "2027-01-15T09:30:00Z"].map(|time| Some(time.to_owned())));
    let hash = "0".repeat(64);
    std::fs::write(&file, format!("- {{name: old, hash: {hash}, expires: '2027-02-01T00:00:00Z'}}\n")).unwrap();
    let unknown = keys.rotate("old", &Rotation::default()).unwrap_err().to_string();
    assert!(unknown.ends_with("state when the new one expires"), "{unknown}");
    let expires = Some("2027-03-01T00:00:00Z".to_owned());
    keys.rotate("old", &Rotation { expires, ..Rotation::default() }).unwrap();
}

#[tokio::test]
async fn the_last_use_of_a_key_survives_and_is_written_once_a_minute() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let clock = clock();
    let keys = administration(&file, &clock);
    let key = keys.create(new("one")).unwrap();
    keys.create(new("two")).unwrap();
    let used = || -> Vec<Option<String>> { keys.list().unwrap().into_iter().map(|key| key.last_used).collect() };
    assert_eq!(used(), [None, None]);
    let identities = [(); 2].map(|()| Identity::new(None, Some(&file), Arc::clone(&clock) as _).unwrap());
    let expect = async |at: &str| {
        let expected = [Some(at.to_owned()), None];
        for _ in 0..500 {
            if used() == expected {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        assert_eq!(used(), expected);
    };
    show_key(&identities[0], &key).await.unwrap();
    expect("2027-01-15T08:00:00Z").await;
    let stamp = || std::fs::metadata(folder.path().join("keys.yaml.used")).unwrap().modified().unwrap();
    let written = stamp();
    clock.advance(59_000);
    for _ in 0..100 {
        show_key(&identities[0], &key).await.unwrap();
    }
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    assert_eq!(stamp(), written);
    // Another server of the same file notes its own uses; the later one stays.
    show_key(&identities[1], &key).await.unwrap();
    expect("2027-01-15T08:00:59Z").await;
    clock.advance(1000);
    show_key(&identities[0], &key).await.unwrap();
    expect("2027-01-15T08:01:00Z").await;
    let restarted = Identity::new(None, Some(&file), Arc::clone(&clock) as _).unwrap();
    drop((identities, restarted));
    assert_eq!(used(), [Some("2027-01-15T08:01:00Z".to_owned()), None]);
    // A key that is refused was not used.
    let _ = show_key(&Identity::new(None, Some(&file), Arc::clone(&clock) as _).unwrap(), "kfk_other").await;
    assert_eq!(used(), [Some("2027-01-15T08:01:00Z".to_owned()), None]);
}

#[test]
fn an_unknown_scope_fails_at_startup() {
    let design = Arc::new(Design::load("design.yaml", DESK).unwrap().0);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let told = |scope: &str, designs: &str| {
        let line = format!("- {{name: one, hash: {}, scopes: ['{scope}'], designs: {designs}}}\n", "0".repeat(64));
        std::fs::write(&file, line).unwrap();
        let opened = Identity::new(None, Some(&file), clock()).and_then(|identity| {
            identity.for_designs(&["desk".to_owned()])?.checking_scopes(std::slice::from_ref(&design))
        });
        opened.err().map(|error| error.to_string().replace(&file.display().to_string(), "F"))
    };
    assert_eq!(told("License:read", "[]"), None);
    assert_eq!(
        told("Licence:read", "[desk]").as_deref(),
        Some(
            "`F` cannot be read: line 1: the key `one`: unknown entity `Licence` in the scope `Licence:read`; did you mean `License`?"
        )
    );
    assert_eq!(
        told("License:patch", "[]").as_deref(),
        Some(
            "`F` cannot be read: line 1: the key `one`: unknown word `patch` in the scope `License:patch`; did you mean `update`?"
        )
    );
    // Another server may know the design.
    assert_eq!(told("Invoice:read", "[desk, shop]"), None);
}

const DESK: &str = "
design: desk
table: desk
entities:
  License: {PK: LICENSE#<id>, SK: LICENSE, attributes: {id: string}}
";

/// Entries with mistakes that a server finds.
const MISTAKES: [&str; 12] = [
    "hash: HASH, rolles: [admin]",
    "hash: HASH, roles: admin",
    "roles: [admin]",
    "hash: HASH, hash: HASH",
    "hash: HASH, revoked: ",
    "hash: HASH, revoked: ~",
    "hash: HASH, scopes: null",
    "hash: HASH, expires: ~",
    "hash: abc",
    "hash: HASH, expires: tomorrow",
    "hash: HASH, scopes: ['License:raed']",
    "hash: HASH, scopes: ['Site:read']",
];

/// The entry of a key with a mistake.
fn mistyped(mistake: &str) -> String {
    format!("- {{name: other, designs: [desk], {}}}\n", mistake.replace("HASH", &"0".repeat(64)))
}

#[tokio::test]
async fn a_mistyped_entry_disables_no_other_key_and_hides_no_revocation() {
    let design = Arc::new(Design::load("design.yaml", DESK).unwrap().0);
    for mistake in MISTAKES {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keys.yaml");
        let clock = clock();
        let keys = administration(&file, &clock);
        let [leaked, other, third] = ["leaked", "other", "third"].map(|name| keys.create(new(name)).unwrap());
        let identity = Identity::new(None, Some(&file), Arc::clone(&clock) as _)
            .and_then(|identity| {
                identity.for_designs(&["desk".to_owned()])?.checking_scopes(std::slice::from_ref(&design))
            })
            .unwrap();
        for key in [&leaked, &other, &third] {
            assert!(show_key(&identity, key).await.is_ok());
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let own = text.lines().find(|line| line.contains("\"other\"")).unwrap();
        std::fs::write(&file, text.replace(&format!("{own}\n"), &mistyped(mistake))).unwrap();
        clock.advance(1000);
        assert!(show_key(&identity, &other).await.is_err(), "{mistake}");
        assert!(show_key(&identity, &leaked).await.is_ok(), "{mistake}");
        assert!(keys.revoke("leaked").unwrap());
        clock.advance(1000);
        assert!(show_key(&identity, &leaked).await.is_err(), "{mistake}");
        assert!(show_key(&identity, &third).await.is_ok(), "{mistake}");
        assert_eq!(identity.fault(), None);
        // The key with the mistake can be revoked as well.
        assert!(keys.revoke("other").unwrap(), "{mistake}");
    }
}

#[test]
fn a_file_that_no_server_would_accept_is_not_written() {
    for mistake in &MISTAKES[..11] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keys.yaml");
        let keys = administration(&file, &clock());
        keys.create(new("one")).unwrap();
        let text = std::fs::read_to_string(&file).unwrap() + &mistyped(mistake);
        std::fs::write(&file, &text).unwrap();
        for error in [keys.create(new("two")).unwrap_err().to_string(), keys.check().unwrap_err().to_string()] {
            assert!(
                error.starts_with("no server could start with the file: line 3: the ") && error.contains("`other`"),
                "{error}"
            );
        }
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    }
}

#[tokio::test]
async fn keys_are_listed_rotated_and_revoked_beside_an_entry_with_a_mistake() {
    for mistake in &MISTAKES[..11] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keys.yaml");
        let clock = clock();
        let keys = administration(&file, &clock);
        let first = keys.create(new("one")).unwrap();
        let (identity, own) = (Identity::new(None, Some(&file), Arc::clone(&clock) as _).unwrap(), mistyped(mistake));
        std::fs::write(&file, std::fs::read_to_string(&file).unwrap() + &own).unwrap();
        let states = || -> Vec<(String, &str, bool)> {
            let summaries = keys.list().unwrap().into_iter();
            summaries.map(|key| (key.name, key.state.as_str(), key.mistake.is_some())).collect()
        };
        let other = || ("other".to_owned(), "invalid", true);
        assert_eq!(states(), [("one".to_owned(), "active", false), other()], "{mistake}");
        let second = keys.rotate("one", &Rotation::default()).unwrap();
        clock.advance(1000);
        assert!(show_key(&identity, &first).await.is_err(), "{mistake}");
        assert!(show_key(&identity, &second).await.is_ok(), "{mistake}");
        let told = keys.rotate("other", &Rotation::default()).unwrap_err().to_string();
        assert!(told.starts_with("line 3: the ") && told.contains("`other`"), "{told}");
        assert!(keys.revoke("one").unwrap(), "{mistake}");
        clock.advance(1000);
        assert!(show_key(&identity, &second).await.is_err(), "{mistake}");
        assert!(std::fs::read_to_string(&file).unwrap().contains(&own), "{mistake}");
    }
}

#[tokio::test]
async fn of_two_keys_with_the_same_hash_the_second_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let key = create_machine_key(&file, new("one")).unwrap();
    let (identity, clock) = open(&file);
    let text = std::fs::read_to_string(&file).unwrap();
    let hash = &text.split("\"hash\":\"").nth(1).unwrap()[..64];
    let other = format!("- {{name: two, hash: {}, roles: [admin]}}\n", hash.to_uppercase());
    std::fs::write(&file, format!("{text}{other}")).unwrap();
    clock.advance(1000);
    let shown = show_key(&identity, &key).await.unwrap();
    assert_eq!(shown.caller.subject.as_deref(), Some("machine:one"));
    let told = Identity::new(None, Some(&file), Arc::clone(&clock) as _).err().unwrap().to_string();
    assert!(told.ends_with("line 3: the key `two` has the hash of `one`"), "{told}");
    // A revoked key does not come back under another name.
    assert!(administration(&file, &clock).revoke("one").unwrap());
    clock.advance(1000);
    assert!(show_key(&identity, &key).await.is_err());
}

#[tokio::test]
async fn a_key_that_one_of_its_entries_revokes_is_accepted_by_none() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.yaml");
    let key = create_machine_key(&file, new("one")).unwrap();
    let own = std::fs::read_to_string(&file).unwrap();
    let hash = own.split("\"hash\":\"").nth(1).unwrap()[..64].to_owned();
    let (identity, clock) = open(&file);
    for second in ["revoked: 2027-01-01T00:00:00Z", "revoked: ", "revokd: 2027-01-01T00:00:00Z"] {
        let second = format!("- {{name: two, hash: {hash}, {second}}}\n");
        for text in [format!("{own}{second}"), format!("{second}{own}")] {
            std::fs::write(&file, &text).unwrap();
            clock.advance(1000);
            assert!(show_key(&identity, &key).await.is_err(), "{text}");
            std::fs::write(&file, &own).unwrap();
            clock.advance(1000);
            assert!(show_key(&identity, &key).await.is_ok());
        }
    }
}
