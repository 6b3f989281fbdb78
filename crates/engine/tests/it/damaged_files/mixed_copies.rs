//! Folders whose files are whole, but of two moments or two folders.

use super::image::Image;
use super::numbered_commits::{closed, without_commits_before};
use super::scene::{EARLY, JOURNAL, Outcome, outcome, refusal, scene};
use super::{MANIFEST, RESTORE, SYNCED};

/// The files below a path from one image, all others from another.
fn mix(below: &str, from: &Image, others: &Image) -> Image {
    let mut image = others.clone().remove_below(below);
    for path in from.paths().filter(|path| path.starts_with(below)) {
        image = image.add(path, from.bytes(path).clone());
    }
    image
}

#[test]
fn an_older_copy_of_the_journal_is_refused() {
    let (early, late, number) = (&scene().early, &scene().image, EARLY + 1);
    let (text, _folder) = refusal(&mix(JOURNAL, early, late));
    let what = format!("the last commit is number {number}, but `{MANIFEST}` has recorded number 55");
    assert_eq!(text, format!("`{JOURNAL}` does not match the other files: {what}; {RESTORE}"));
    // With an older copy of the manifest as well.
    let (text, _folder) = refusal(&mix("keyspaces", late, early));
    let what = format!("its last commit is number {number}, but the tables hold number 55");
    assert_eq!(text, format!("`{JOURNAL}` does not match the other files: {what}; {RESTORE}"));
}

#[test]
fn older_tables_are_refused() {
    let (early, late) = (&scene().early, &scene().image);
    let image = mix("keyspaces/1", early, late);
    let older = "`keyspaces/1/current` does not match the other files: it names version 0, but version ";
    for (image, by) in [(image.clone(), "`keyfold.manifest`"), (mix(MANIFEST, early, &image), "commit 70")] {
        let (text, _folder) = refusal(&image);
        let end = format!(" was already in use when {by} was written; {RESTORE}");
        assert!(text.starts_with(older) && text.ends_with(&end), "{text}");
    }
    // The journals that held the commits are gone.
    let image = mix(MANIFEST, early, &mix("keyspaces", early, &without_commits_before(late, 60)));
    let (text, _folder) = refusal(&image);
    assert!(text.starts_with("`0.jnl` is missing: the tables hold commits up to 0, but"), "{text}");
}

#[test]
fn newer_tables_are_refused() {
    let image = mix("keyspaces/1", &scene().image, &scene().early);
    let (text, _folder) = refusal(&image);
    assert!(text.contains("its last sequence number is "), "{text}");
}

#[test]
fn the_manifest_of_a_clean_shutdown_does_not_match_later_commits() {
    let folder = scene().early.write();
    drop(super::scene::open(folder.path()).unwrap());
    let closed = Image::of(folder.path());
    let (text, _folder) = refusal(&mix(MANIFEST, &closed, &scene().image));
    assert!(text.contains("the last commit is number 70, but `keyfold.manifest` has recorded number 5"), "{text}");
}

#[test]
fn an_incomplete_copy_is_refused() {
    let closed = closed();
    for path in closed.paths().filter(|path| !path.ends_with("lock")) {
        let found = outcome(&closed.clone().remove(path), &format!("without {}", path.display()));
        // Versions and tables that are no longer in use may still be there; nothing names them.
        let is_essential = path.iter().count() == 1 && !path.ends_with(SYNCED) || path.ends_with("current");
        assert!(found == Outcome::Refused || found == Outcome::Whole && !is_essential, "{}", path.display());
    }
}
