//! The document as Markdown.

use super::Block;
use crate::wrap::wrapped;

pub(super) fn render(blocks: &[Block], origin: &str) -> String {
    let mut text = format!("<!-- {origin} -->\n");
    for block in blocks {
        text.push('\n');
        match block {
            Block::Heading { level, text: title } => {
                text.push_str(&format!("{} {}\n", "#".repeat(*level), escaped(title, false)));
            }
            Block::Paragraph(paragraph) => text.push_str(&format!("{}\n", wrapped(&escaped(paragraph, false), 0))),
            Block::List(items) => {
                for item in items {
                    text.push_str(&format!("{}\n", wrapped(&format!("- {}", escaped(item, false)), 2)));
                }
            }
            Block::Code { language, text: inner } => {
                text.push_str(&format!("```{language}\n{}\n```\n", inner.trim_end()))
            }
            Block::Table { head, rows } => table(head, rows, &mut text),
        }
    }
    text
}

fn table(head: &[&str], rows: &[Vec<String>], text: &mut String) {
    text.push_str(&format!("| {} |\n", head.join(" | ")));
    text.push_str(&format!("|{}\n", "---|".repeat(head.len())));
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| escaped(cell, true)).collect();
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
}

/// Escapes `<`, which would start a tag outside of code, and `|`, which ends a table cell even within code.
fn escaped(text: &str, in_table: bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut in_code = false;
    for character in text.chars() {
        match character {
            '`' => in_code = !in_code,
            '<' if !in_code => escaped.push('\\'),
            '|' if in_table => escaped.push('\\'),
            '\n' => {
                escaped.push_str(", ");
                continue;
            }
            _ => {}
        }
        escaped.push(character);
    }
    escaped
}
