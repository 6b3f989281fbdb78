//! A store that is closed keeps everything in tables, and says so.

use super::numbered_commits::closed;
use super::scene::{JOURNAL, Outcome, outcome, refusal, scene};
use super::{MANIFEST, RESTORE};

#[test]
fn after_a_clean_shutdown_nothing_is_in_the_journal_alone() {
    let closed = closed();
    assert_eq!(outcome(&closed, "closed"), Outcome::Whole);
    assert!(String::from_utf8_lossy(closed.bytes(MANIFEST)).contains("\"state\":\"closed\",\"commit\":70,"));
    let image = closed.clone().change(JOURNAL, Vec::clear).truncate(JOURNAL, 0);
    assert_eq!(outcome(&image, "an empty journal"), Outcome::Whole);
}

#[test]
fn after_a_clean_shutdown_no_commit_may_be_missing_or_torn() {
    let closed = closed();
    let (last, length) = (scene().commits.last().unwrap(), closed.bytes(JOURNAL).len());
    let (text, _folder) = refusal(&closed.clone().truncate(JOURNAL, last.start));
    assert_eq!(
        text,
        format!(
            "`{JOURNAL}` does not match the other files: the last commit is number 69, but `{MANIFEST}` has recorded \
             number 70; {RESTORE}"
        )
    );
    for image in [closed.clone().flip(JOURNAL, length - 30, 3), closed.clone().truncate(JOURNAL, length - 5)] {
        let (text, _folder) = refusal(&image);
        assert!(text.contains("the last commit is damaged although the store was closed properly"), "{text}");
    }
}

#[test]
fn a_kill_leaves_the_store_open() {
    assert!(String::from_utf8_lossy(scene().image.bytes(MANIFEST)).contains("\"state\":\"open\",\"commit\":55,"));
    assert_eq!(outcome(&scene().image, "killed"), Outcome::Whole);
}
