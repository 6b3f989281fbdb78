//! A process changes a folder, syncs some of it and is killed: exactly what it synced is left.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use keyfold_power_loss::{Promise, RolledBack, Watch, roll_back_as, roll_back_in_part};

/// Files with their content, folders with `None`, by path.
type Tree = BTreeMap<String, Option<String>>;

fn read_tree(folder: &Path) -> Tree {
    let mut tree = Tree::new();
    collect(folder, folder, &mut tree);
    tree
}

fn collect(root: &Path, folder: &Path, tree: &mut Tree) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            tree.insert(name, None);
            collect(root, &path, tree);
        } else {
            tree.insert(name, Some(fs::read_to_string(&path).unwrap()));
        }
    }
}

struct Story {
    before: Tree,
    after: Tree,
    rolled_back: RolledBack,
}

/// Plays the lines, one after the other, in a folder that holds `old` ("old content") and an empty folder `sub`; kills
/// the process; returns the folder before and after the roll back.
fn play(promise: Promise, lines: &[&str]) -> Story {
    play_and(|log, folder| roll_back_as(promise, log, folder).unwrap(), lines)
}

fn play_and(lose: impl FnOnce(&Path, &Path) -> RolledBack, lines: &[&str]) -> Story {
    let space = tempfile::tempdir().unwrap();
    let folder = space.path().join("folder");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("old"), "old content").unwrap();
    fs::create_dir(folder.join("sub")).unwrap();
    let watch = Watch::new(&folder, &space.path().join("log")).unwrap();

    let mut command = Command::new(env!("CARGO_BIN_EXE_scripted_writer"));
    watch.preload(&mut command).unwrap();
    let mut writer =
        command.current_dir(&folder).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("start the writer");
    let mut orders = writer.stdin.take().unwrap();
    let mut answers = BufReader::new(writer.stdout.take().unwrap());
    for line in lines {
        writeln!(orders, "{line}").unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert_eq!(answer, "done\n", "{line}");
    }
    writer.kill().unwrap();
    writer.wait().unwrap();
    assert!(watch.has_begun());

    let before = read_tree(&folder);
    let rolled_back = lose(watch.log(), &folder);
    assert!(!watch.log().exists());
    Story { before, after: read_tree(&folder), rolled_back }
}

fn tree(entries: &[(&str, Option<&str>)]) -> Tree {
    entries.iter().map(|(name, content)| ((*name).to_owned(), content.map(str::to_owned))).collect()
}

/// Asserts what the folder holds before and after the roll back, besides `sub`.
fn assert_story(lines: &[&str], before: &[(&str, Option<&str>)], after: &[(&str, Option<&str>)]) -> RolledBack {
    let story = play(Promise::Strict, lines);
    let with_sub = |entries: &[(&str, Option<&str>)]| tree(&[entries, &[("sub", None)]].concat());
    assert_eq!(story.before, with_sub(before), "before the roll back");
    assert_eq!(story.after, with_sub(after), "after the roll back");
    story.rolled_back
}

const OLD: (&str, Option<&str>) = ("old", Some("old content"));

#[test]
fn an_append_is_lost_unless_the_file_is_synced_after_it() {
    for sync in ["sync old", "sync-data old"] {
        let lost = assert_story(
            &["append old +kept", sync, "append old +lost"],
            &[("old", Some("old content+kept+lost"))],
            &[("old", Some("old content+kept"))],
        );
        assert_eq!(lost, RolledBack { content_changes: 1, entry_changes: 0 });
    }
}

#[test]
fn parts_written_together_are_lost_together() {
    assert_story(&["append-parts old ab cd"], &[("old", Some("old contentabcd"))], &[OLD]);
}

#[test]
fn a_descriptor_that_syncs_each_write_loses_nothing() {
    let all = [("old", Some("old content!"))];
    let lost = assert_story(&["append-synced old !"], &all, &all);
    assert_eq!(lost, RolledBack::default());
}

#[test]
fn an_overwrite_is_undone_to_the_synced_bytes() {
    assert_story(
        &["write-at old 0 OLD", "sync old", "write-at old 4 CONTENT", "seek-and-write old 9 AND-MORE"],
        &[("old", Some("OLD CONTEAND-MORE"))],
        &[("old", Some("OLD content"))],
    );
}

#[test]
fn a_write_past_the_end_is_cut_off_again() {
    assert_story(&["write-at old 13 x"], &[("old", Some("old content\0\0x"))], &[OLD]);
}

#[test]
fn overwritten_zeros_come_back_as_zeros() {
    assert_story(
        &["set-length old 16", "sync old", "write-at old 11 12345", "set-length old 12"],
        &[("old", Some("old content1"))],
        &[("old", Some("old content\0\0\0\0\0"))],
    );
}

#[test]
fn a_truncation_and_what_is_written_over_it_are_undone() {
    assert_story(&["set-length old 3", "append old !!", "set-length old 4"], &[("old", Some("old!"))], &[OLD]);
    assert_story(&["set-length old 3", "sync old"], &[("old", Some("old"))], &[("old", Some("old"))]);
}

#[test]
fn opening_to_empty_a_file_is_undone() {
    assert_story(&["create old", "append old new"], &[("old", Some("new"))], &[OLD]);
    assert_story(&["create old", "sync old", "append old new"], &[("old", Some("new"))], &[("old", Some(""))]);
}

#[test]
fn reserved_space_is_given_back() {
    assert_story(&["allocate old 13"], &[("old", Some("old content\0\0"))], &[OLD]);
}

#[test]
fn a_copy_made_by_the_kernel_is_undone() {
    assert_story(
        &["create new", "sync .", "copy old new"],
        &[OLD, ("new", Some("old content"))],
        &[OLD, ("new", Some(""))],
    );
}

#[test]
fn a_created_file_needs_both_its_folder_and_itself_synced() {
    let both = [OLD, ("new", Some("bytes"))];
    assert_story(&["create new", "append new bytes"], &both, &[OLD]);
    assert_story(&["create new", "append new bytes", "sync new"], &both, &[OLD]);
    assert_story(&["create new", "append new bytes", "sync ."], &both, &[OLD, ("new", Some(""))]);
    let lost = assert_story(&["create new", "append new bytes", "sync new", "sync ."], &both, &both);
    assert_eq!(lost, RolledBack::default());
}

#[test]
fn an_ordered_journal_keeps_the_name_of_a_synced_file() {
    let story = play(Promise::OrderedJournal, &["create new", "append new bytes", "sync new", "create lost"]);
    assert_eq!(story.after, tree(&[OLD, ("new", Some("bytes")), ("sub", None)]));
}

#[test]
fn a_refused_change_is_not_undone() {
    assert_story(&["fail-to-create old", "fail-to-create nowhere/x"], &[OLD], &[OLD]);
}

#[test]
fn a_rename_is_undone_and_what_it_replaced_comes_back() {
    let start = ["create new", "append new bytes", "sync new", "sync ."];
    for rename in ["rename new old", "rename-past-libc new old"] {
        let lines = |more: &[&'static str]| [start.as_slice(), &[rename], more].concat();
        let renamed = [("old", Some("bytes"))];
        assert_story(&lines(&[]), &renamed, &[OLD, ("new", Some("bytes"))]);
        assert_story(&lines(&["sync old"]), &renamed, &[OLD, ("new", Some("bytes"))]);
        assert_story(&lines(&["sync ."]), &renamed, &renamed);
    }
}

#[test]
fn a_move_to_another_folder_is_kept_by_syncing_either() {
    let moved = [("sub/old", Some("old content"))];
    assert_story(&["rename old sub/old"], &moved, &[OLD]);
    assert_story(&["rename old sub/old", "sync ."], &moved, &moved);
    assert_story(&["rename old sub/old", "sync sub"], &moved, &moved);
}

#[test]
fn a_moved_folder_takes_its_unsynced_changes_along() {
    assert_story(
        &["create sub/a", "sync sub", "create sub/b", "rename sub sub2", "make-folder sub", "sync .", "create sub2/c"],
        &[OLD, ("sub2", None), ("sub2/a", Some("")), ("sub2/b", Some("")), ("sub2/c", Some(""))],
        &[OLD, ("sub2", None), ("sub2/a", Some(""))],
    );
}

#[test]
fn a_removed_file_comes_back_with_its_synced_bytes() {
    let lines = ["append old +kept", "sync old", "append old +lost", "remove old"];
    assert_story(&lines, &[], &[("old", Some("old content+kept"))]);
    assert_story(&[lines.as_slice(), &["sync ."]].concat(), &[], &[]);
}

#[test]
fn a_name_used_again_goes_back_to_its_first_file() {
    assert_story(
        &["remove old", "create old", "append old second", "sync old", "remove old", "create old"],
        &[("old", Some(""))],
        &[OLD],
    );
}

#[test]
fn a_second_name_is_lost_without_the_file() {
    assert_story(&["link old other"], &[OLD, ("other", Some("old content"))], &[OLD]);
    assert_story(
        &["link old other", "sync .", "remove old", "append other +lost"],
        &[("other", Some("old content+lost"))],
        &[OLD, ("other", Some("old content"))],
    );
}

#[test]
fn a_made_folder_is_lost_with_all_that_it_holds() {
    let made = [OLD, ("made", None), ("made/file", Some("bytes"))];
    let lines = ["make-folder made", "create made/file", "append made/file bytes", "sync made/file", "sync made"];
    assert_story(&lines, &made, &[OLD]);
    assert_story(&[lines.as_slice(), &["sync ."]].concat(), &made, &made);
}

#[test]
fn a_removed_folder_comes_back_with_what_it_held() {
    let story = play(Promise::Strict, &["create sub/a", "sync sub", "remove sub/a", "remove-folder sub"]);
    assert_eq!(story.before, tree(&[OLD]));
    assert_eq!(story.after, tree(&[OLD, ("sub", None), ("sub/a", Some(""))]));
}

#[test]
fn a_writable_shared_mapping_ends_the_process_with_a_message() {
    let space = tempfile::tempdir().unwrap();
    let folder = space.path().join("folder");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("old"), "old content").unwrap();
    let watch = Watch::new(&folder, &space.path().join("log")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_scripted_writer"));
    watch.preload(&mut command).unwrap();
    let mut writer = command
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    writer.stdin.take().unwrap().write_all(b"map old\n").unwrap();
    let output = writer.wait_with_output().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&output.status), Some(libc::SIGABRT));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "power-loss library: a writable shared mapping of a watched file: its writes cannot be seen\n"
    );
}

#[test]
fn a_partial_loss_keeps_what_was_synced_and_any_pages_of_the_rest() {
    let text = |letter: &str| letter.repeat(4096);
    let synced = format!("append old {}", text("s"));
    let lines =
        ["set-length old 0", &synced, "sync old", &format!("append old {}{}{}", text("a"), text("b"), text("c"))];
    let mut kinds = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let story = play_and(|log, folder| roll_back_in_part(seed, log, folder).unwrap(), &lines);
        let left = story.after["old"].clone().unwrap();
        assert!(left.starts_with(&text("s")), "seed {seed}");
        let rest: Vec<&[u8]> = left.as_bytes()[4096..].chunks(4096).collect();
        for (page, letter) in rest.iter().zip(["a", "b", "c"]) {
            assert!(*page == text(letter).as_bytes() || *page == [0; 4096], "seed {seed}");
        }
        kinds.insert(rest.iter().map(|page| page[0]).collect::<Vec<u8>>());
    }
    // Eight ways to lose pages of the longer file, and the shorter file.
    assert_eq!(kinds.len(), 9);
}

#[test]
fn a_partial_loss_keeps_changes_of_folders_in_order() {
    let lines = ["create a", "create b", "create c"];
    let mut kinds = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let story = play_and(|log, folder| roll_back_in_part(seed, log, folder).unwrap(), &lines);
        kinds.insert(story.after.keys().filter(|name| name.len() == 1).cloned().collect::<String>());
    }
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["", "a", "ab", "abc"]);
}
