//! Bytes that no file has.

use crate::tree;

#[test]
fn lines_end_with_a_line_feed() {
    let files = tree::files(&["rs", "md", "toml", "yaml", "yml", "json", "py", "ts", "bash", "dict"]);
    let violations: Vec<_> =
        files.iter().filter(|file| file.text.contains('\r')).map(|file| file.path.clone()).collect();
    tree::report("no file contains a carriage return", &violations);
}

#[test]
fn rust_is_indented_with_spaces() {
    let files = tree::files(&["rs"]);
    let violations: Vec<_> = files
        .iter()
        .flat_map(|file| file.text.lines().enumerate().map(move |(index, line)| (file, index + 1, line)))
        .filter(|(_, _, line)| line.contains('\t'))
        .map(|(file, line, _)| format!("{}:{line}", file.path))
        .collect();
    tree::report("no file of Rust contains a tab; write `\\t` in literals", &violations);
}
