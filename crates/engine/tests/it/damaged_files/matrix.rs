//! Every kind of file with every kind of damage: a check calls nothing sound that is not, and a repair loses nothing
//! silently. `KEYFOLD_LONG=1` damages every file in every way; otherwise one file of each kind is damaged in some ways,
//! and a table in all.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use keyfold_engine::DataFolder;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::MANIFEST;
use super::image::Image;
use super::repair::{assert_honest_folder, history, items_of, open, trimmed};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Damage {
    Missing,
    Empty,
    Half,
    FirstBlock,
    MiddleBlock,
    LastBlock,
    Folder,
    RandomBytes,
    Swapped,
}

const ALL: [Damage; 9] = [
    Damage::Missing,
    Damage::Empty,
    Damage::Half,
    Damage::FirstBlock,
    Damage::MiddleBlock,
    Damage::LastBlock,
    Damage::Folder,
    Damage::RandomBytes,
    Damage::Swapped,
];

impl Damage {
    /// Whether there was something to damage.
    fn apply(self, file: &Path, sibling: Option<&Path>) -> bool {
        let bytes = fs::read(file).unwrap();
        let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let flip = |at: usize| {
            let mut bytes = bytes.clone();
            bytes[at] ^= 4;
            fs::write(file, bytes).unwrap();
        };
        match self {
            Self::Missing => fs::remove_file(file).unwrap(),
            Self::Empty => drop(File::create(file).unwrap()),
            Self::Half => fs::write(file, &bytes[..used / 2]).unwrap(),
            Self::FirstBlock | Self::MiddleBlock | Self::LastBlock if used == 0 => return false,
            Self::FirstBlock => flip(20.min(used - 1)),
            Self::MiddleBlock => flip(used / 2),
            Self::LastBlock => flip(used - 1),
            Self::Folder => {
                fs::remove_file(file).unwrap();
                fs::create_dir(file).unwrap();
            }
            Self::RandomBytes => {
                let random = (0..used.div_ceil(8) as u64).flat_map(|at| xxh3_64_with_seed(b"random", at).to_le_bytes());
                fs::write(file, random.take(used).collect::<Vec<_>>()).unwrap();
            }
            Self::Swapped => {
                let Some(sibling) = sibling else { return false };
                let other = fs::read(sibling).unwrap();
                fs::write(file, other).unwrap();
                fs::write(sibling, bytes).unwrap();
            }
        }
        true
    }
}

/// The folder with three journals, as if the store had begun new ones.
fn with_journals(image: Image) -> Image {
    let whole = image.bytes("0.jnl").clone();
    let ends: Vec<usize> = (4..=whole.len()).filter(|at| whole[at - 4..*at] == *b"FJL\x03").collect();
    let (first, second) = (ends[ends.len() - 60], ends[ends.len() - 20]);
    image
        .truncate("0.jnl", first)
        .add("1.jnl", whole[first..second].to_vec())
        .add("2.jnl", whole[second..].to_vec())
        .change(MANIFEST, |bytes| *bytes = rotated(bytes, 2, 18))
}

/// The manifest as it is written when a journal is begun, `commits` before the last one.
fn rotated(manifest: &[u8], journal: u64, commits: u64) -> Vec<u8> {
    let json = std::str::from_utf8(manifest).unwrap().lines().next().unwrap();
    let mut manifest: serde_json::Value = serde_json::from_str(json).unwrap();
    manifest["journal"] = journal.into();
    manifest["commit"] = (last_commit() - commits).into();
    let json = manifest.to_string();
    format!("{json}\n{:016x}\n", xxh3_64(json.as_bytes())).into_bytes()
}

/// The number of the last commit of the folder.
fn last_commit() -> u64 {
    let folder = history().image.write();
    drop(open(folder.path()));
    let manifest = fs::read_to_string(folder.path().join(MANIFEST)).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(manifest.lines().next().unwrap()).unwrap();
    // Opening writes nothing by itself.
    manifest["commit"].as_u64().unwrap()
}

/// What a file is for, by its place.
fn kind(path: &Path) -> String {
    let name = path.file_name().unwrap().to_str().unwrap();
    let name = match name.chars().next() {
        Some('v') if name != "version" => "v",
        Some(digit) if digit.is_ascii_digit() && !name.ends_with(".jnl") => "table",
        _ => name,
    };
    path.with_file_name(name).display().to_string()
}

/// Another file of the same kind, for swapping.
fn sibling<'p>(file: &Path, paths: &'p [PathBuf]) -> Option<&'p PathBuf> {
    let role = |path: &Path| kind(path).rsplit('/').next().unwrap().trim_end_matches(char::is_numeric).to_owned();
    let is_journal = |path: &Path| path.extension().is_some_and(|extension| extension == "jnl");
    let same_folder = paths.iter().find(|path| *path != file && kind(path) == kind(file));
    same_folder.or_else(|| {
        paths.iter().find(|path| *path != file && (role(path) == role(file) || is_journal(path) && is_journal(file)))
    })
}

#[test]
fn every_damage_of_every_kind_of_file_is_reported() {
    let is_long = std::env::var("KEYFOLD_LONG").is_ok_and(|value| value == "1");
    let image = with_journals(trimmed()).add("cursor-secret", b"secret".to_vec());
    let paths: Vec<PathBuf> = image.paths().map(Path::to_owned).collect();
    let mut chosen: BTreeMap<String, PathBuf> = BTreeMap::new();
    for path in &paths {
        let key = if is_long { path.display().to_string() } else { kind(path) };
        // The last of each kind is in use: the newest version, the newest table.
        chosen.insert(key, path.clone());
    }
    assert_reported(image.write().path(), "no damage");
    let mut failed = Vec::new();
    for (number, (file, damage)) in chosen.values().flat_map(|file| ALL.map(|damage| (file, damage))).enumerate() {
        if !is_long && !file.starts_with("keyspaces/1/tables") && number % 4 != 0 {
            continue;
        }
        let folder = image.write();
        let sibling = sibling(file, &paths).map(|sibling| folder.path().join(sibling));
        if damage.apply(&folder.path().join(file), sibling.as_deref()) {
            let what = format!("{damage:?} `{}`", file.display());
            if std::panic::catch_unwind(|| assert_reported(folder.path(), &what)).is_err() {
                failed.push(what);
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

fn assert_reported(folder: &Path, what: &str) {
    let report = DataFolder::open(folder).unwrap_or_else(|error| panic!("{what}: {error:?}"));
    let report = report.check(&mut |_| {}).unwrap_or_else(|error| panic!("{what}: {error:?}"));
    let repaired = assert_honest_folder(folder, what);
    let is_whole = repaired.items == history().items && repaired.listed.is_empty();
    if report.findings.is_empty() {
        assert!(is_whole || !report.notes.is_empty(), "{what}: a check calls it sound, but a repair does not");
        let engine = open(folder);
        if report.notes.is_empty() {
            assert!(items_of(&engine, "t") == history().items, "{what}: a check calls it sound, but items differ");
            assert_eq!(repaired.report.losses, [], "{what}: a check calls it sound, but rows are lost");
        }
    }
    if !what.contains(".jnl") && !what.contains(MANIFEST) {
        let text = format!("{:?} {:?}", report.findings, repaired.report.losses);
        assert!(!text.contains(".jnl") && !text.contains("Commits"), "{what}: the journals are blamed: {text}");
    }
}
