//! Who reads a clock or draws a random number by themselves. `clippy.toml` bans the time of day and random bytes; the
//! monotonic clock, seeds of hash maps, and the system's `Clock` and `Random` below the programs that choose them are
//! allowed where ARCHITECTURE.md ("Invariants") says so, and listed here.

use crate::lexer::tokens;
use crate::paths::named_paths;
use crate::test_code::without_tests;
use crate::tree;

/// What a file may name only with an entry in [`EXCEPTIONS`]. Tokio's clock is not among them: tests can pause it.
const SOURCES: &[&str] = &["std::time::Instant", "std::hash::RandomState", "governor::clock::DefaultClock"];

/// The system's implementations of [`SOURCES`]' replacements, from whichever crate exports them. Programs choose them;
/// libraries get a `Clock` and a `Random`.
const SYSTEM_SOURCES: &[&str] = &["SystemClock", "SystemRandom"];
const PROGRAMS: &[&str] = &["crates/cli/", "crates/environment/", "crates/test-server/", "conformance/"];

/// Each source, the file that names it, and why it does.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("std::time::Instant", "crates/environment/src/clock.rs", "the monotonic clock of all others"),
    ("std::time::Instant", "crates/api/src/response/problem.rs", "how often a cause is logged"),
    ("std::time::Instant", "crates/api/src/routes/envelope.rs", "the duration of a request, in its log line"),
    ("std::time::Instant", "crates/cli/src/copy/screen.rs", "progress on the terminal"),
    ("std::time::Instant", "crates/cli/src/table/apply.rs", "progress on the terminal"),
    ("std::time::Instant", "crates/engine/src/failure.rs", "how often a cause is logged"),
    ("std::time::Instant", "crates/engine/src/store/fjall/messages.rs", "how often a message is logged"),
    ("std::time::Instant", "crates/engine/src/store/fjall/row_walk.rs", "how long the way to the next row is"),
    ("std::time::Instant", "crates/engine/src/store/fjall/mod.rs", "how long the last flush is given"),
    ("std::time::Instant", "crates/tables/src/apply.rs", "how long a live table is given"),
    ("std::time::Instant", "conformance/src/side.rs", "how long a table is given"),
    ("SystemClock", "crates/api/src/identity/machine_keys/administration.rs", "the time at which a key is created"),
    ("SystemClock", "crates/engine/src/lib.rs", "exported for embedders"),
    ("SystemClock", "crates/engine/src/options.rs", "the default of an option"),
    ("SystemClock", "crates/engine/src/store/fjall/mod.rs", "whether fjall, which reads that clock, would panic"),
    ("SystemClock", "crates/runtime/src/lib.rs", "exported for embedders"),
    ("SystemClock", "crates/runtime/src/runtime.rs", "the default of an option"),
    ("SystemClock", "crates/tables/src/copy/verify/mod.rs", "whether the other service may have expired an item"),
    ("SystemClock", "crates/tables/src/retry.rs", "pauses between requests to another service"),
    ("SystemClock", "crates/wire/src/config.rs", "the default of an option"),
    ("SystemRandom", "crates/api/src/api.rs", "the first of the request ids"),
    ("SystemRandom", "crates/api/src/identity/development.rs", "a secret that must not be predictable"),
    ("SystemRandom", "crates/api/src/identity/machine_keys/administration.rs", "a key that must not be predictable"),
    ("SystemRandom", "crates/aws/src/single_write.rs", "jitter between requests to another service"),
    ("SystemRandom", "crates/engine/src/lib.rs", "exported for embedders"),
    ("SystemRandom", "crates/engine/src/options.rs", "the default of an option"),
    ("SystemRandom", "crates/engine/src/store/fjall/manifest.rs", "the identity of a data folder"),
    ("SystemRandom", "crates/runtime/src/lib.rs", "exported for embedders"),
    ("SystemRandom", "crates/runtime/src/runtime.rs", "the default of an option, and the secret of cursors"),
    ("SystemRandom", "crates/tables/src/retry.rs", "jitter between requests to another service"),
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
        let is_program = PROGRAMS.iter().any(|folder| file.path.starts_with(folder));
        let named = named_sources(&file.text).into_iter();
        let named = named.filter(|source| !(is_program && SYSTEM_SOURCES.contains(source)));
        found.extend(named.map(|source| (source, file.path.clone())));
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
    let is_system = |source: &str| paths.iter().any(|path| path.segments.iter().any(|segment| segment == source));
    let sources = SOURCES.iter().copied().filter(|source| written.iter().any(|path| path.starts_with(source)));
    sources.chain(SYSTEM_SOURCES.iter().copied().filter(|source| is_system(source))).collect()
}

#[test]
fn sources_are_found_in_imports_and_expressions() {
    assert_eq!(named_sources("use std::time::{Duration, Instant};"), ["std::time::Instant"]);
    assert_eq!(named_sources("fn f() { std::time::Instant::now(); }"), ["std::time::Instant"]);
    assert_eq!(named_sources("use std::collections::hash_map::RandomState;"), ["std::hash::RandomState"]);
    assert_eq!(named_sources("use keyfold_environment::{Clock, SystemClock};"), ["SystemClock"]);
    assert_eq!(named_sources("fn f() { draw(&keyfold_runtime::SystemRandom); }"), ["SystemRandom"]);
    assert!(named_sources("use tokio::time::Instant; #[cfg(test)] mod tests { use std::time::Instant; }").is_empty());
}
