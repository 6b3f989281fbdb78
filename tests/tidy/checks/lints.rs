//! The lints that rules rest on are switched on everywhere.

use crate::tree;

/// Time and randomness come in through a parameter; only this crate asks the operating system for them.
const ENVIRONMENT: &str = "crates/environment/";

const BANNED_METHODS: &[&str] = &[
    "std::time::SystemTime::now",
    "getrandom::fill",
    "getrandom::u32",
    "getrandom::u64",
    "jiff::Timestamp::now",
    "jiff::Zoned::now",
    "ulid::Ulid::new",
    "uuid::Uuid::now_v7",
];

/// A library that stands between a process and the kernel cannot be written without `unsafe`.
const OWN_LINTS: &[&str] = &["tests/power-loss"];

#[test]
fn time_and_randomness_are_banned() {
    let text = std::fs::read_to_string(tree::root().join("clippy.toml")).unwrap();
    let mut violations: Vec<_> = BANNED_METHODS
        .iter()
        .filter(|method| !text.contains(&format!("path = \"{method}\"")))
        .map(|method| format!("clippy.toml does not list `{method}` under disallowed-methods"))
        .collect();
    for file in tree::files(&["rs"]) {
        let has_exception = file.text.contains(concat!("clippy::disallowed", "_methods"));
        if has_exception && !file.path.starts_with(ENVIRONMENT) {
            violations.push(format!("{} makes an exception", file.path));
        }
    }
    tree::report("only `keyfold-environment` asks for the time and for random bytes", &violations);
}

#[test]
fn every_package_has_the_lints_of_the_workspace() {
    let mut violations = Vec::new();
    for package in tree::packages() {
        let manifest = std::fs::read_to_string(tree::root().join(&package.folder).join("Cargo.toml")).unwrap();
        let is_exempt = OWN_LINTS.contains(&&*package.folder) || package.folder == "fuzz";
        if !is_exempt && !manifest.contains("\n[lints]\nworkspace = true\n") {
            violations.push(package.folder);
        }
    }
    tree::report("every package has `[lints] workspace = true`", &violations);
}

#[test]
fn the_workspace_denies_what_the_rules_forbid() {
    let manifest = std::fs::read_to_string(tree::root().join("Cargo.toml")).unwrap();
    let needed = [
        "unsafe_code = \"deny\"",
        "unreachable_pub = \"warn\"",
        "unwrap_used = \"deny\"",
        "expect_used = \"deny\"",
        "panic = \"deny\"",
        "indexing_slicing = \"deny\"",
        "todo = \"deny\"",
        "unimplemented = \"deny\"",
        "dbg_macro = \"deny\"",
    ];
    let missing: Vec<_> = needed
        .iter()
        .filter(|needed| manifest.lines().all(|line| line != **needed))
        .map(|line| (*line).to_owned())
        .collect();
    tree::report("Cargo.toml sets these lints of the workspace", &missing);
}
