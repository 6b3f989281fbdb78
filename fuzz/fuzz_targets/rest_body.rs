//! Bodies of REST requests: a JSON object becomes the attributes of an entity and is created. What was created reads
//! back as it was acknowledged, and its JSON is read as the same attributes.

#![no_main]

use std::sync::{Arc, LazyLock};

use keyfold_design::Design;
use keyfold_fuzz::{block_on, member, notes_design, notes_runtime};
use keyfold_runtime::{Error, json, json_item, json_text};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

static DESIGN: LazyLock<Arc<Design>> = LazyLock::new(notes_design);

/// As the REST API reads bodies.
const DEPTH: usize = 32;

fuzz_target!(|text: &str| {
    if json_text::check(text, DEPTH).is_err() {
        return;
    }
    let Ok(value) = serde_json::from_str::<Value>(text) else { return };
    assert!(depth(&value) <= DEPTH);
    let Value::Object(body) = value else { return };
    let note = &DESIGN.entities[1];
    // Bodies of items are read without a tree of values in between, with the same result.
    let (read, direct) = (json::attributes(note, body), json_item::read(note, text));
    assert_eq!(direct.ok(), read.as_ref().ok().cloned());
    let Ok(attributes) = read else { return };
    let runtime = notes_runtime(&DESIGN);
    let created = match block_on(runtime.create(&member(), "Note", attributes)) {
        Ok(record) => record.attributes,
        Err(error) => {
            assert!(!matches!(error, Error::Unavailable(_) | Error::Undecodable { .. }), "{error:?}");
            return;
        }
    };
    let identity = ["tenantId", "noteId"].map(|name| (name.to_owned(), created[name].clone()));
    let read = block_on(runtime.get(&member(), "Note", identity.into())).expect("the read succeeds");
    assert_eq!(read.expect("what was created is there").attributes, created);
    // A map or a list has no types of its own, so that its numbers may be shown as texts.
    let typed = |(name, _): &(&String, &Value)| name.as_str() != "extra";
    let shown = json::object(&created);
    let shown = shown.iter().filter(typed).map(|(name, value)| (name.clone(), value.clone())).collect();
    for (name, value) in json::attributes(note, shown).expect("what is shown can be read") {
        assert_eq!(Some(&value), created.get(&name), "`{name}`");
    }
});

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(elements) => 1 + elements.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}
