//! The document as one HTML file that needs nothing else.

use super::Block;
use crate::naming::{kebab, pascal};

const STYLE: &str = include_str!("document.css");

pub fn render(blocks: &[Block], name: &str, origin: &str) -> String {
    let mut body = String::new();
    let mut contents = String::new();
    let mut section = String::new();
    for block in blocks {
        match block {
            Block::Heading { level, text } => {
                if *level == 2 {
                    section = kebab(text);
                    contents.push_str(&format!("<li><a href=\"#{section}\">{}</a></li>\n", inline(text)));
                }
                // Two sections may speak of one entity.
                let id = if *level == 3 { format!("{section}-{}", kebab(text)) } else { kebab(text) };
                body.push_str(&format!("<h{level} id=\"{id}\">{}</h{level}>\n", inline(text)));
            }
            Block::Paragraph(text) => body.push_str(&format!("<p>{}</p>\n", inline(text))),
            Block::List(items) => {
                let items: String = items.iter().map(|item| format!("<li>{}</li>\n", inline(item))).collect();
                body.push_str(&format!("<ul>\n{items}</ul>\n"));
            }
            Block::Code { language: "mermaid", text } => body.push_str(&format!(
                "<details><summary>For Mermaid</summary><pre>{}</pre></details>\n",
                escaped(text.trim_end())
            )),
            Block::Code { text, .. } => {
                body.push_str(&format!("<pre class=\"drawing\">{}</pre>\n", escaped(text.trim_end())));
            }
            Block::Table { head, rows } => table(head, rows, &mut body),
        }
    }
    format!(
        "<!doctype html>\n<!-- {} -->\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}: single-table design</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<nav aria-label=\"Contents\">\n<ul>\n{contents}</ul>\n</nav>\n<main>\n{body}</main>\n\
         </body>\n</html>\n",
        escaped(origin),
        escaped(&pascal(name)),
    )
}

fn table(head: &[&str], rows: &[Vec<String>], body: &mut String) {
    body.push_str("<div class=\"wide\"><table>\n");
    if head.iter().any(|title| !title.is_empty()) {
        let cells: String = head.iter().map(|title| format!("<th scope=\"col\">{}</th>", inline(title))).collect();
        body.push_str(&format!("<thead><tr>{cells}</tr></thead>\n"));
    }
    body.push_str("<tbody>\n");
    for row in rows {
        let cells: String = row.iter().map(|cell| format!("<td>{}</td>", inline(cell))).collect();
        body.push_str(&format!("<tr>{cells}</tr>\n"));
    }
    body.push_str("</tbody>\n</table></div>\n");
}

/// `code` and **strong**.
fn inline(text: &str) -> String {
    let mut html = String::new();
    for (at, piece) in text.split('`').enumerate() {
        if at % 2 == 1 {
            html.push_str(&format!("<code>{}</code>", escaped(piece)));
            continue;
        }
        for (at, piece) in piece.split("**").enumerate() {
            match at % 2 {
                1 => html.push_str(&format!("<strong>{}</strong>", escaped(piece))),
                _ => html.push_str(&escaped(piece)),
            }
        }
    }
    html
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
