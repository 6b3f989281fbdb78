//! Design files: whatever the text, reading it ends in a design or in diagnostics that can be shown.

#![no_main]

use keyfold_design::diagnostic::{to_json, to_text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let diagnostics = match keyfold_design::load("design.yaml", text) {
        Ok((_, warnings)) => warnings,
        Err(errors) => {
            assert!(errors.iter().any(|diagnostic| diagnostic.is_error()), "rejected without an error");
            errors
        }
    };
    to_text("design.yaml", text, &diagnostics, false);
    to_json("design.yaml", text, &diagnostics);
});
