//! Markdown is wrapped at one width. Tables, code blocks, headings and words that are too long to wrap are exempt.

use crate::tree;

const COLUMNS: usize = 120;

#[test]
fn markdown_is_wrapped() {
    let mut violations = Vec::new();
    for file in tree::files(&["md"]) {
        if !tree::is_generated(&file.path) {
            violations.extend(long_lines(&file.text).into_iter().map(|line| format!("{}:{line}", file.path)));
        }
    }
    tree::report(&format!("Markdown is wrapped at {COLUMNS} columns"), &violations);
}

fn long_lines(text: &str) -> Vec<usize> {
    let mut fence: Option<String> = None;
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let content = line.trim_start();
        if let Some(open) = &fence {
            if content.starts_with(open.as_str()) && content.trim_end().chars().all(|character| character == '`') {
                fence = None;
            }
            continue;
        }
        if content.starts_with("```") {
            fence = Some(content.chars().take_while(|character| *character == '`').collect());
            continue;
        }
        let is_exempt = content.starts_with('|') || content.starts_with('#') || !can_be_wrapped(content);
        if line.chars().count() > COLUMNS && !is_exempt {
            found.push(index + 1);
        }
    }
    found
}

/// Whether a line has a blank after its first word, or after the mark of a list.
fn can_be_wrapped(content: &str) -> bool {
    content.trim_start_matches(['-', '*', '>', ' ']).contains(' ')
}

#[test]
fn only_prose_has_to_be_wrapped() {
    let long = "word ".repeat(30);
    let text = format!("{long}\n| {long} |\n```text\n{long}\n```\n- {}\n# {long}\n{long}", "x".repeat(200));
    assert_eq!(long_lines(&text), [1, 8]);
}
