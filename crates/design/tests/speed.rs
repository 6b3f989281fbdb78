//! Checking is fast enough for every keystroke of an editor.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod large_design;

use std::time::{Duration, Instant};

use keyfold_design::load;

fn fastest(text: &str) -> Duration {
    (0..5)
        .map(|_| {
            let started = Instant::now();
            let _ = load("design.yaml", text);
            started.elapsed()
        })
        .min()
        .unwrap()
}

/// Loose bounds, so that a loaded machine does not fail them; the benchmark measures closely.
#[test]
#[cfg(not(debug_assertions))]
fn checking_is_fast() {
    let platform = fastest(include_str!("../../../designs/platform/design.yaml"));
    let large = large_design::generated(500);
    assert_eq!(load("large.yaml", &large).unwrap().1, []);
    let large = fastest(&large);
    println!("platform {platform:?}, 500 entities {large:?}");
    assert!(platform < Duration::from_millis(60), "{platform:?}");
    assert!(large < Duration::from_millis(1500), "{large:?}");
}
