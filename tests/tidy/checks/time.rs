//! Who reads a clock or draws a random number by themselves. `clippy.toml` bans the time of day and random bytes; the
//! monotonic clock and seeds of hash maps are allowed where ARCHITECTURE.md ("Invariants") says so, and listed here.

use crate::lexer::tokens;
use crate::paths::named_paths;
use crate::test_code::without_tests;
use crate::tree;

/// What a file may name only with an entry in [`EXCEPTIONS`]. Tokio's clock is not among them: tests can pause it.
const SOURCES: &[&str] = &["std::time::Instant", "std::hash::RandomState", "governor::clock::DefaultClock"];

/// Each source, the file that names it, and why it does.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("std::time::Instant", "crates/environment/src/clock.rs", "the monotonic clock of all others"),
    ("std::time::Instant", "crates/api/src/response/problem.rs", "how often a cause is logged"),
    ("std::time::Instant", "crates/api/src/routes/envelope.rs", "the duration of a request, in its log line"),
    ("std::time::Instant", "crates/api/src/server/tls.rs", "how often certificate files are checked"),
    ("std::time::Instant", "crates/cli/src/copy/screen.rs", "progress on the terminal"),
    ("std::time::Instant", "crates/cli/src/table/apply.rs", "progress on the terminal"),
    ("std::time::Instant", "crates/engine/src/failure.rs", "how often a cause is logged"),
    ("std::time::Instant", "crates/engine/src/stopwatch.rs", "how long the store has not responded"),
    ("std::time::Instant", "crates/tables/src/apply.rs", "how long a live table is given"),
    ("std::time::Instant", "conformance/src/side.rs", "how long a table is given"),
    ("std::hash::RandomState", "crates/api/src/limits/rate/mod.rs", "no client can choose names that share a bucket"),
    ("std::hash::RandomState", "crates/engine/src/in_flight.rs", "no client can choose keys that share a lock"),
    ("governor::clock::DefaultClock", "crates/api/src/limits/rate/buckets.rs", "the clock of the rate limiter"),
];

#[test]
fn clocks_and_random_numbers_are_parameters() {
    let mut found = Vec::new();
    for file in tree::files(&["rs"]) {
        // Benchmarks measure time; that is their purpose.
        if tree::is_test_file(&file.path) || file.path.starts_with("bench/") || file.path.contains("/examples/") {
            continue;
        }
        found.extend(named_sources(&file.text).into_iter().map(|source| (source, file.path.clone())));
    }
    let is_listed =
        |source: &str, path: &str| EXCEPTIONS.iter().any(|(name, file, _)| *name == source && *file == path);
    let unlisted = found.iter().filter(|(source, path)| !is_listed(source, path));
    let mut violations: Vec<_> = unlisted.map(|(source, path)| format!("{path} uses `{source}`")).collect();
    for (source, path, _) in EXCEPTIONS {
        if !found.iter().any(|(name, file)| name == source && file == path) {
            violations.push(format!("{path} no longer uses `{source}`: remove its exception"));
        }
    }
    tree::report("time and randomness come from a `Clock` and a `Random` of `keyfold-environment`", &violations);
}

fn named_sources(text: &str) -> Vec<&'static str> {
    let paths = named_paths(&without_tests(&tokens(text)));
    let written: Vec<_> =
        paths.iter().map(|path| path.segments.join("::").replace("collections::hash_map", "hash")).collect();
    SOURCES.iter().copied().filter(|source| written.iter().any(|path| path.starts_with(source))).collect()
}

#[test]
fn sources_are_found_in_imports_and_expressions() {
    assert_eq!(named_sources("use std::time::{Duration, Instant};"), ["std::time::Instant"]);
    assert_eq!(named_sources("fn f() { std::time::Instant::now(); }"), ["std::time::Instant"]);
    assert_eq!(named_sources("use std::collections::hash_map::RandomState;"), ["std::hash::RandomState"]);
    assert!(named_sources("use tokio::time::Instant; #[cfg(test)] mod tests { use std::time::Instant; }").is_empty());
}
