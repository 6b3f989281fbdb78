//! The document as Markdown.

use super::Block;

pub fn render(blocks: &[Block], origin: &str) -> String {
    let mut text = format!("<!-- {origin} -->\n");
    for block in blocks {
        text.push('\n');
        match block {
            Block::Heading { level, text: title } => {
                text.push_str(&format!("{} {}\n", "#".repeat(*level), escaped(title, false)));
            }
            Block::Paragraph(paragraph) => text.push_str(&format!("{}\n", escaped(paragraph, false))),
            Block::List(items) => {
                items.iter().for_each(|item| text.push_str(&format!("- {}\n", escaped(item, false))));
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

/// Outside of code, a placeholder would be taken for a tag; within a table, a bar ends the cell, also within code.
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
