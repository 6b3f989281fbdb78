//! Generated modules are laid out as `rustfmt` lays them out without settings.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::path::Path;
use std::process::Command;

#[test]
fn as_rustfmt_does() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let designs =
        ["agencies", "albums", "archive", "catalogue", "platform"].map(|name| root.join("designs").join(name));
    let others = ["awkward", "every-option", "moves", "visits"].map(|name| root.join("tests/generated").join(name));
    for folder in designs.into_iter().chain(others) {
        let output = Command::new("rustfmt")
            .args(["--check", "--edition", "2024", "--config", "max_width=100,use_small_heuristics=Default"])
            .arg(folder.join("generated/rust/mod.rs"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}
