//! Cursors: the input is an edit of a cursor, or a text of its own. Only the cursor that was handed out is accepted,
//! and by nobody but the pattern and the tenant it was made for.

#![no_main]

use std::sync::LazyLock;

use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_fuzz::{block_on, member, notes_design, notes_runtime};
use keyfold_runtime::{Caller, Error, Page, QueryOptions, Runtime};
use libfuzzer_sys::fuzz_target;

static TABLE: LazyLock<(Runtime, String)> = LazyLock::new(|| {
    let runtime = notes_runtime(&notes_design());
    for note in ["a", "b", "c"] {
        let attributes = [text("tenantId", "t"), text("noteId", note)].into();
        block_on(runtime.create(&member(), "Note", attributes)).expect("the note is valid");
    }
    let first = page(&runtime, &member(), None).expect("the first page is read");
    (runtime, first.cursor.expect("there is a second page"))
});

fuzz_target!(|data: &[u8]| {
    let (runtime, cursor) = &*TABLE;
    let Some(given) = edited(cursor, data) else { return };
    match page(runtime, &member(), Some(given.clone())) {
        Ok(page) => {
            assert_eq!(given, *cursor, "another cursor is accepted");
            assert_eq!(page.records.len(), 2);
        }
        Err(error) => {
            assert_ne!(given, *cursor, "{error:?}");
            assert!(!matches!(error, Error::Unavailable(_) | Error::Undecodable { .. }), "{error:?}");
        }
    }
    assert!(page(runtime, &Caller::member("u", "eve"), Some(given)).is_err(), "another tenant's cursor is accepted");
});

/// An even first byte: pairs of a position and the byte to put there. An odd one: a text of its own.
fn edited(cursor: &str, data: &[u8]) -> Option<String> {
    let (kind, rest) = data.split_first()?;
    if kind % 2 == 1 {
        return String::from_utf8(rest.to_vec()).ok();
    }
    let mut bytes = cursor.as_bytes().to_vec();
    for edit in rest.chunks_exact(2) {
        let position = usize::from(edit[0]) % bytes.len();
        bytes[position] = edit[1];
    }
    String::from_utf8(bytes).ok()
}

fn page(runtime: &Runtime, caller: &Caller, cursor: Option<String>) -> Result<Page, Error> {
    let tenant = caller.tenant.clone().unwrap_or_default();
    let arguments: Attributes = [text("tenantId", &tenant)].into();
    let options = QueryOptions { take: Some(if cursor.is_none() { 1 } else { 10 }), cursor, ..QueryOptions::default() };
    block_on(runtime.query(caller, "notes of a tenant", arguments, &options))
}

fn text(name: &str, value: &str) -> (String, AttributeValue) {
    (name.to_owned(), AttributeValue::S(value.to_owned()))
}
