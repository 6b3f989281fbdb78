//! Every YAML block of the language reference is checked: whole designs have to be clean, and a fragment is put to its
//! place in the page's own design.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use keyfold_design::diagnostic::{Diagnostic, explain, to_text};
use keyfold_design::load;

const PAGE: &str = include_str!("../../../docs/language.md");

/// The kind and text of each YAML block.
fn blocks() -> Vec<(&'static str, &'static str)> {
    let mut blocks = Vec::new();
    let mut rest = PAGE;
    while let Some(start) = rest.find("```yaml") {
        let after = &rest[start + "```yaml".len()..];
        let (kind, body) = after.split_once('\n').unwrap();
        let (body, remaining) = body.split_once("\n```").unwrap();
        blocks.push((kind.trim(), body));
        rest = remaining;
    }
    blocks
}

fn indented(text: &str, by: usize) -> String {
    text.lines()
        .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("{}{line}\n", " ".repeat(by)) })
        .collect()
}

/// The top-level sections of a design, each with its key.
fn sections(design: &str) -> Vec<(String, String)> {
    let mut sections: Vec<(String, String)> = Vec::new();
    for line in design.lines() {
        match line.split_once(':').filter(|_| !line.starts_with([' ', '#', '-'])) {
            Some((key, _)) => sections.push((key.to_owned(), format!("{line}\n"))),
            None => {
                if let Some((_, text)) = sections.last_mut() {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
    }
    sections
}

/// The page's design with more lines in a section.
fn extended(design: &str, section: &str, lines: &str) -> String {
    sections(design)
        .into_iter()
        .map(|(key, text)| if key == section { format!("{}\n{lines}", text.trim_end()) + "\n" } else { text })
        .collect()
}

fn found(text: &str) -> Vec<Diagnostic> {
    match load("language.md", text) {
        Ok((_, found)) | Err(found) => found,
    }
}

#[test]
fn every_example_of_the_reference_is_right() {
    let blocks = blocks();
    let page = blocks.iter().find(|(kind, _)| *kind == "design").unwrap().1;
    // Entities that later fragments speak of stay in the design once the page has shown them.
    let mut shown = String::new();
    for (kind, body) in &blocks {
        let entities = extended(page, "entities", &shown);
        let text = match *kind {
            "design" => (*body).to_owned(),
            "top" => {
                let replaced: Vec<String> = sections(body).into_iter().map(|(key, _)| key).collect();
                let kept: String = sections(&entities)
                    .into_iter()
                    .filter(|(key, _)| !replaced.contains(key))
                    .map(|(_, text)| text)
                    .collect();
                format!("{kept}{body}\n")
            }
            "entities" => {
                shown.push_str(&indented(body, 2));
                extended(page, "entities", &shown)
            }
            "indexes" => extended(page, "indexes", &indented(body, 2)),
            "patterns" => extended(&entities, "patterns", &indented(body, 2)),
            "attributes" => {
                let thing = format!(
                    "  Thing:\n    scope: global\n    owner: createdBy\n    PK: THING#<thingId>\n    SK: METADATA\n    attributes:\n      thingId: ulid\n{}",
                    indented(body, 6)
                );
                extended(page, "entities", &thing)
            }
            other => panic!("a block of the kind `{other}`"),
        };
        let found = found(&text);
        let severe: Vec<Diagnostic> = found
            .into_iter()
            .filter(|found| found.is_error() || *kind == "design" || found.code.id == "KF014")
            .collect();
        assert!(severe.is_empty(), "in\n{body}\n\n{}", to_text("language.md", &text, &severe, false));
    }
    assert!(blocks.len() >= 20);
}

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
    for code in keyfold_design::codes() {
        let text = explain(code);
        let (title, body) = text.split_once('\n').unwrap();
        let body: Vec<String> = body.trim_end().lines().map(wrapped).collect();
        page.push_str(&format!("\n## {title}\n{}\n", body.join("\n")));
    }
    let committed = include_str!("../../../docs/diagnostics.md");
    if std::env::var_os("KEYFOLD_UPDATE_DOCS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/diagnostics.md"), &page).unwrap();
    } else {
        assert!(
            committed == page,
            "docs/diagnostics.md is outdated: KEYFOLD_UPDATE_DOCS=1 cargo test -p keyfold-design --test language_reference"
        );
    }
}
