//! Every YAML block of the language reference is checked: whole designs have to be clean, and a fragment is put to its
//! place in the page's own design.

use keyfold_design::diagnostic::{Diagnostic, to_text};
use keyfold_design::load;

const PAGE: &str = include_str!("../../../../docs/language.md");

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
