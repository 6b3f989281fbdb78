//! Signed requests: the input is the headers of a request, one `name: value` on each line, and after an empty line its
//! body. No header makes the check fail to answer, and nothing that was not signed with the secret is accepted.

#![no_main]

use std::collections::HashMap;
use std::sync::LazyLock;

use http::Request;
use keyfold_wire::{AccessKeys, verify_signature};
use libfuzzer_sys::fuzz_target;

static KEYS: LazyLock<AccessKeys> = LazyLock::new(|| {
    AccessKeys::new(HashMap::from([("AKIDEXAMPLE".to_owned(), "a secret that no input contains".to_owned())]))
});

/// 2026-01-01T00:00:00Z, the time of the seeds.
const NOW: u64 = 1_767_225_600;

fuzz_target!(|text: &str| {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut request = Request::post("/");
    for line in head.lines() {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        request = request.header(name, value.trim());
    }
    let Ok(request) = request.body(()) else { return };
    let (head, ()) = request.into_parts();
    assert!(verify_signature(&KEYS, "us-east-1", &head, body.as_bytes(), NOW).is_err());
});
