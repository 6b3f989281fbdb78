//! The page of all diagnostics is generated from their explanations: those of designs, then those of policy files.

use keyfold_design::diagnostic::explain;

/// Breaks a paragraph at 120 columns, outside of code spans.
fn wrapped(paragraph: &str) -> String {
    if paragraph.starts_with(' ') {
        return paragraph.to_owned();
    }
    let mut in_code = false;
    let is_break = |character: char| {
        in_code ^= character == '`';
        character == ' ' && !in_code
    };
    let mut lines: Vec<String> = vec![String::new()];
    for word in paragraph.split(is_break) {
        let line = lines.last_mut().unwrap();
        match line.is_empty() {
            true => line.push_str(word),
            false if line.chars().count() + 1 + word.chars().count() <= 120 => *line += &format!(" {word}"),
            false => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// The list of all diagnostics is generated from their explanations.
#[test]
fn the_page_of_diagnostics_is_current() {
    let mut page = String::from(
        "# Diagnostics\n\nThe diagnostics of `keyfold check`, as printed by `keyfold check --explain CODE`. This page is \
         generated from the\ncode.\n",
    );
    for code in keyfold_design::codes().into_iter().chain(keyfold_policy::CODES.iter().copied()) {
        let text = explain(code);
        let (title, body) = text.split_once('\n').unwrap();
        let body: Vec<String> = body.trim_end().lines().map(wrapped).collect();
        page.push_str(&format!("\n## {title}\n{}\n", body.join("\n")));
    }
    let committed = include_str!("../../../../docs/diagnostics.md");
    if std::env::var_os("KEYFOLD_UPDATE_DOCS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/diagnostics.md"), &page).unwrap();
    } else {
        assert!(
            committed == page,
            "docs/diagnostics.md is outdated: KEYFOLD_UPDATE_DOCS=1 cargo test -p keyfold-policy --test it diagnostics_page"
        );
    }
}
