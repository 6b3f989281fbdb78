//! A new store in an empty folder, and a folder whose files were removed, which is not one.

use super::image::Image;
use super::scene::{self, JOURNAL, refusal, scene};
use super::{MANIFEST, RESTORE};
use keyfold_engine::store::{Change, Durability, FjallStore, Store};
use keyfold_engine::{DataFolder, Engine};
use xxhash_rust::xxh3::xxh3_64;

/// The manifest as it is before anything else is created.
fn creating(manifest: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(manifest).unwrap();
    let mut manifest: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    manifest["state"] = "creating".into();
    manifest["versions"] = serde_json::json!({});
    let json = manifest.to_string();
    format!("{json}\n{:016x}\n", xxh3_64(json.as_bytes())).into_bytes()
}

/// A store without commits, and the same as it was during its creation.
fn created() -> (Image, Image) {
    let folder = tempfile::tempdir().unwrap();
    drop(scene::open(folder.path()).unwrap());
    let whole = Image::of(folder.path());
    let manifest = creating(whole.bytes(MANIFEST));
    let length = manifest.len();
    (whole.clone(), whole.change(MANIFEST, |bytes| *bytes = manifest).truncate(MANIFEST, length))
}

fn put(store: &FjallStore) {
    store.commit(vec![Change::Put(b"key".to_vec(), b"value".to_vec())], Durability::Durable).unwrap();
}

#[test]
fn a_creation_that_was_cut_off_is_repeated() {
    let (whole, unfinished) = created();
    // The state is another once the creation is finished.
    for file in ["keyspaces/1/current", "version"] {
        let (text, _folder) = refusal(&whole.clone().remove(file));
        assert_eq!(text, format!("`{file}` is missing: it is part of every data folder; {RESTORE}"));
    }
    let stages = [
        unfinished.clone(),
        unfinished.clone().remove("version").remove_below("keyspaces"),
        unfinished.clone().remove("version").remove_below("keyspaces").remove(JOURNAL),
        unfinished.clone().remove("version").remove_below("keyspaces").remove(JOURNAL).remove("lock"),
        unfinished.clone().change("version", Vec::clear).truncate("version", 0).remove_below("keyspaces"),
        unfinished.clone().remove_below("keyspaces/1").remove_below("keyspaces/0"),
        unfinished.clone().remove("keyspaces/1/current"),
    ];
    for (number, image) in stages.into_iter().enumerate() {
        let folder = image.write();
        assert!(Engine::exists_in(folder.path()), "{number}");
        let report = DataFolder::open(folder.path()).unwrap().check(&mut |_| {}).unwrap();
        assert_eq!(report.findings, [], "{number}");
        if number > 0 {
            assert!(report.notes[0].starts_with("the creation of the store was not finished"), "{:?}", report.notes);
        }
        let store = scene::open(folder.path()).unwrap_or_else(|error| panic!("{number}: {error:?}"));
        put(&store);
        drop(store);
        let store = scene::open(folder.path()).unwrap();
        assert_eq!(store.get(b"key").unwrap().as_deref(), Some(b"value".as_slice()));
    }
}

#[test]
fn a_creation_that_was_not_finished_has_no_data() {
    let manifest = creating(scene().image.bytes(MANIFEST));
    let (text, _folder) = refusal(&scene().image.clone().add(MANIFEST, manifest));
    assert!(text.starts_with(&format!("`{MANIFEST}` is damaged: it says that the creation of the store")), "{text}");
}

#[test]
fn what_is_left_of_a_store_is_not_a_new_folder() {
    let (whole, _) = created();
    let remains: [&[&str]; 6] = [
        &["lock"],
        &["cursor-secret"],
        &["lock", "cursor-secret"],
        &["version"],
        &["version", "lock", "cursor-secret"],
        &["lock", JOURNAL],
    ];
    for kept in remains {
        let mut image = whole.clone().add("cursor-secret", b"secret".to_vec());
        for path in whole.paths().chain([std::path::Path::new("cursor-secret")]) {
            if kept.iter().all(|kept| !path.ends_with(kept)) {
                image = image.remove(path);
            }
        }
        let (text, folder) = refusal(&image);
        assert!(text.contains(" is missing: "), "{kept:?}: {text}");
        assert!(Engine::exists_in(folder.path()), "{kept:?}");
        let report = DataFolder::open(folder.path()).unwrap().check(&mut |_| {}).unwrap();
        assert!(!report.findings.is_empty(), "{kept:?}: a check calls it sound");
        assert!(Image::of(folder.path()) == image, "{kept:?}: a check changed it");
    }
}

#[test]
fn a_folder_with_hidden_files_and_those_of_the_system_is_empty() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("lost+found")).unwrap();
    std::fs::write(folder.path().join(".gitignore"), "*").unwrap();
    assert!(!Engine::exists_in(folder.path()));
    put(&scene::open(folder.path()).unwrap());
    assert_eq!(scene::open(folder.path()).unwrap().get(b"key").unwrap().as_deref(), Some(b"value".as_slice()));
}
