//! What fjall does not document is used in one file: an upgrade has one place to look at.

use crate::lexer::tokens;
use crate::test_code::without_tests;
use crate::tree;

const FOLDER: &str = "crates/engine/src/store/fjall/";
const FILE: &str = "crates/engine/src/store/fjall/internals.rs";

/// Hidden from fjall's documentation.
const UNDOCUMENTED: &[&str] = &[
    "AbstractTree",
    "active_compactions",
    "active_memtable",
    "compactions_completed",
    "l0_table_count",
    "major_compact",
    "outstanding_flushes",
    "rotate_memtable",
    "rotate_memtable_and_wait",
    "sealed_memtable_count",
    "seqno",
    "tree",
    "visible_seqno",
    "worker_threads_unchecked",
    "write_buffer_size",
];

#[test]
fn undocumented_functions_of_the_store_are_used_in_one_file() {
    let mut violations = Vec::new();
    let mut used = 0;
    for file in tree::files(&["rs"]).into_iter().filter(|file| file.path.starts_with(FOLDER)) {
        let tokens = without_tests(&tokens(&file.text));
        let is_member = |position: usize| position > 0 && tokens[position - 1].text == ".";
        let undocumented = tokens.iter().enumerate().filter(|(position, token)| {
            UNDOCUMENTED.contains(&token.text) && (is_member(*position) || token.text == "AbstractTree")
        });
        for (_, token) in undocumented {
            if file.path == FILE {
                used += 1;
            } else {
                violations.push(format!("{}:{} uses `{}`", file.path, token.line, token.text));
            }
        }
    }
    assert!(used > 5, "{FILE} uses only {used} of them");
    tree::report(&format!("what fjall does not document is used in {FILE} only"), &violations);
}
