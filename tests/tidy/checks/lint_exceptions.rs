//! Exceptions to the lints that rules rest on: none outside tests without a reason, and none that is no longer needed.
//! No exceptions for what nothing uses, in tests either.

use crate::lexer::{Token, after_group, reads, tokens};
use crate::test_code::without_tests;
use crate::tree;

/// An exception to these is an `expect` with its reason: the compiler reports it once it is no longer needed.
const LINTS: &[&str] = &[
    "unsafe_code",
    "unreachable_pub",
    "missing_docs",
    "unwrap_used",
    "expect_used",
    "panic",
    "indexing_slicing",
    "todo",
    "unimplemented",
    "dbg_macro",
    "disallowed_methods",
];

/// Whatever these report is removed.
const UNUSED: &[&str] = &["dead_code", "unused", "unused_imports"];

#[test]
fn what_nothing_uses_is_not_allowed() {
    let mut violations = Vec::new();
    for file in tree::files(&["rs"]).iter().filter(|file| !tree::is_generated(&file.path)) {
        for (line, fault) in faults(&tokens(&file.text), UNUSED) {
            violations.push(format!("{}:{line}: {fault}", file.path));
        }
    }
    tree::report("code that nothing uses is removed", &violations);
}

#[test]
fn exceptions_to_lints_state_their_reason() {
    let mut violations = Vec::new();
    for file in tree::files(&["rs"]) {
        let is_run_by_a_test = file.path.starts_with("crates/") && file.path.contains("/examples/");
        if tree::is_test_file(&file.path) || tree::is_generated(&file.path) || is_run_by_a_test {
            continue;
        }
        for (line, fault) in faults(&without_tests(&tokens(&file.text)), LINTS) {
            violations.push(format!("{}:{line}: {fault}", file.path));
        }
    }
    tree::report("outside tests, an exception to a lint is `#[expect(lint, reason = \"…\")]`", &violations);
}

/// Allowed lints of a list, and expected ones without a reason.
fn faults(tokens: &[Token<'_>], lints: &[&str]) -> Vec<(usize, String)> {
    let mut faults = Vec::new();
    for position in 0..tokens.len() {
        let is_attribute = reads(tokens, position, &["#", "["]) || reads(tokens, position, &["#", "!", "["]);
        if !is_attribute {
            continue;
        }
        let open = position + 1 + usize::from(tokens[position + 1].text == "!");
        let attribute = &tokens[open..after_group(tokens, open)];
        for (offset, level) in attribute.iter().enumerate() {
            if !["allow", "expect"].contains(&level.text) || !reads(attribute, offset + 1, &["("]) {
                continue;
            }
            let arguments = &attribute[offset + 1..after_group(attribute, offset + 1)];
            let names = |name: &str| arguments.iter().any(|token| token.text == name);
            if level.text == "allow" {
                let denied = lints.iter().filter(|lint| names(lint));
                faults.extend(denied.map(|lint| (level.line, format!("`allow` of `{lint}`"))));
            } else if !names("reason") {
                faults.push((level.line, "`expect` without a reason".to_owned()));
            }
        }
    }
    faults
}

#[test]
fn attributes_are_told_from_calls() {
    let source = "#![allow(clippy::panic, dead_code)]\nfn f() { a.expect(b) }\n#[cfg_attr(x, allow(missing_docs))] mod m;\n\
                  #[expect(unsafe_code)] mod n;\n#[expect(unsafe_code, reason = \"r\")] mod o; #[allow(unused)] mod p;";
    let found = faults(&tokens(source), LINTS);
    let expected = [(1, "`allow` of `panic`"), (3, "`allow` of `missing_docs`"), (4, "`expect` without a reason")];
    assert_eq!(found, expected.map(|(line, fault)| (line, fault.to_owned())));
}
