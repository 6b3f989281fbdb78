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

/// As wide as code may be. `rustfmt` leaves comments alone.
const COMMENT_COLUMNS: usize = 120;

#[test]
fn comments_are_wrapped() {
    let mut violations = Vec::new();
    for file in tree::files(&["rs"]) {
        if !tree::is_generated(&file.path) {
            violations.extend(long_comments(&file.text).into_iter().map(|line| format!("{}:{line}", file.path)));
        }
    }
    tree::report(&format!("comments are wrapped at {COMMENT_COLUMNS} columns"), &violations);
}

/// The lines of comments that are too long and have a blank where they could be broken.
fn long_comments(text: &str) -> Vec<usize> {
    let is_long = |line: &str| {
        let comment = line.trim_start();
        let words = comment.trim_start_matches(['/', '!']).trim();
        comment.starts_with("//") && line.chars().count() > COMMENT_COLUMNS && words.contains(' ')
    };
    text.lines().enumerate().filter(|(_, line)| is_long(line)).map(|(index, _)| index + 1).collect()
}

#[test]
fn only_comments_that_can_be_broken_are_reported() {
    let long = "word ".repeat(30);
    let text = format!("    /// {long}\n// short\n// {}\nlet text = \"{long}\";\n//! {long}\n", "x".repeat(200));
    assert_eq!(long_comments(&text), [1, 5]);
}
