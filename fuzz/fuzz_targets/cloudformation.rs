//! CloudFormation templates: whatever the text, importing it ends in an error or in a draft that is a valid design.

#![no_main]

use keyfold_import::{cloudformation, draft_from_table};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(facts) = cloudformation::read(text, None) else { return };
    let Ok(draft) = draft_from_table(&facts, "a template") else { return };
    if let Err(diagnostics) = keyfold_design::load("draft.yaml", &draft.text) {
        panic!("{diagnostics:?}\n{}", draft.text);
    }
});
