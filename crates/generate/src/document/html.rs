//! The document as one self-contained HTML file, with a table of contents at its side on wide screens, and tables that
//! become cards on a phone.

use std::collections::BTreeMap;

use super::{APART, Block};
use crate::naming::{kebab, pascal};

const STYLE: &str = include_str!("document.css");

/// The sections whose parts are listed in the contents, and that names elsewhere lead to.
const LISTED: [&str; 2] = ["entities", "secondary-indexes"];

/// A name and a value up to this length stay on one line.
const LONG: usize = 36;

pub(super) fn render(blocks: &[Block], name: &str, origin: &str) -> String {
    let places = places(blocks);
    let mut body = String::new();
    let mut section = String::new();
    for block in blocks {
        match block {
            Block::Heading { level, text } => {
                if *level == 2 {
                    section = kebab(text);
                }
                let id = identifier(&section, *level, text);
                body.push_str(&format!("<h{level} id=\"{id}\">{}</h{level}>\n", inline(text)));
            }
            Block::Paragraph(text) => body.push_str(&format!("<p>{}</p>\n", inline(text))),
            Block::List(items) => {
                let items: String = items.iter().map(|item| format!("<li>{}</li>\n", inline(item))).collect();
                body.push_str(&format!("<ul>\n{items}</ul>\n"));
            }
            Block::Code { language: "mermaid", text } => body.push_str(&format!(
                "<details><summary>For Mermaid</summary><pre>{}</pre></details>\n",
                escape_html(text.trim_end())
            )),
            Block::Code { text, .. } => {
                body.push_str(&format!("<pre class=\"drawing\">{}</pre>\n", escape_html(text.trim_end())));
            }
            Block::Table { head, rows } => table(head, rows, &places, &mut body),
        }
    }
    format!(
        "<!doctype html>\n<!-- {} -->\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}: single-table design</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<nav aria-label=\"Contents\">\n{}</nav>\n<main>\n{body}</main>\n\
         </body>\n</html>\n",
        escape_html(origin),
        escape_html(&pascal(name)),
        contents(blocks),
    )
}

/// Two sections may describe the same entity, so an id begins with that of its section.
fn identifier(section: &str, level: usize, text: &str) -> String {
    if level == 3 { format!("{section}-{}", kebab(text)) } else { kebab(text) }
}

/// A heading with the id it has in the page.
struct Titled<'b> {
    id: String,
    text: &'b str,
}

/// A heading of the second level with those below it.
struct Section<'b> {
    title: Titled<'b>,
    parts: Vec<Titled<'b>>,
}

impl Section<'_> {
    fn is_listed(&self) -> bool {
        LISTED.contains(&self.title.id.as_str())
    }
}

fn sections(blocks: &[Block]) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    for block in blocks {
        match block {
            Block::Heading { level: 2, text } => {
                sections.push(Section { title: Titled { id: kebab(text), text }, parts: Vec::new() });
            }
            Block::Heading { level: 3, text } => {
                if let Some(section) = sections.last_mut() {
                    let id = identifier(&section.title.id, 3, text);
                    section.parts.push(Titled { id, text });
                }
            }
            _ => {}
        }
    }
    sections
}

fn contents(blocks: &[Block]) -> String {
    let link = |to: &Titled<'_>| format!("<a href=\"#{}\">{}</a>", to.id, inline(to.text));
    let mut list = String::from("<ul>\n");
    for section in sections(blocks) {
        list.push_str(&format!("<li>{}", link(&section.title)));
        if section.is_listed() {
            let parts: String = section.parts.iter().map(|part| format!("<li>{}</li>\n", link(part))).collect();
            list.push_str(&format!("\n<ul>\n{parts}</ul>\n"));
        }
        list.push_str("</li>\n");
    }
    list + "</ul>\n"
}

/// Where the entities and indexes are described, by their names.
fn places(blocks: &[Block]) -> BTreeMap<&str, String> {
    let parts = sections(blocks).into_iter().filter(Section::is_listed).flat_map(|section| section.parts);
    parts.map(|part| (part.text, part.id)).collect()
}

fn table(head: &[&str], rows: &[Vec<String>], places: &BTreeMap<&str, String>, body: &mut String) {
    let has_head = head.iter().any(|title| !title.is_empty());
    let class = match (has_head, head.len()) {
        (false, _) => "facts",
        (true, 0..=3) => "narrow",
        (true, _) => "cards",
    };
    body.push_str(&format!("<div class=\"wide\"><table class=\"{class}\">\n"));
    if has_head {
        let cells: String = head.iter().map(|title| format!("<th scope=\"col\">{}</th>", inline(title))).collect();
        body.push_str(&format!("<thead><tr>{cells}</tr></thead>\n"));
    }
    body.push_str("<tbody>\n");
    for row in rows {
        body.push_str("<tr>");
        for (at, cell) in row.iter().enumerate() {
            let label = head.get(at).filter(|title| has_head && !title.is_empty());
            let label = label.map(|title| format!(" data-label=\"{}\"", escape_html(title))).unwrap_or_default();
            // A grid has one cell for the label and one for all the rest.
            body.push_str(&format!("<td{label}>{}</td>", wrapped(&linked(cell, places))));
        }
        body.push_str("</tr>\n");
    }
    body.push_str("</tbody>\n</table></div>\n");
}

fn wrapped(html: &str) -> String {
    if html.is_empty() { String::new() } else { format!("<div>{html}</div>") }
}

/// The text of a cell; where it is names of entities and indexes, they lead to their descriptions.
fn linked(cell: &str, places: &BTreeMap<&str, String>) -> String {
    let place = |piece: &str| places.get(piece.trim_matches(['*', '`']));
    let pieces: Vec<&str> = cell.split(", ").collect();
    if pieces.iter().all(|piece| place(piece).is_some()) {
        let links: Vec<String> = pieces
            .iter()
            .filter_map(|piece| Some(format!("<a href=\"#{}\">{}</a>", place(piece)?, inline(piece))))
            .collect();
        return links.join(", ");
    }
    if cell.contains(APART) {
        let pairs = cell.split(APART).map(|part| {
            let long = if part.chars().count() > LONG { " long" } else { "" };
            format!("<span class=\"pair{long}\">{}</span>", inline(part))
        });
        return pairs.collect::<Vec<_>>().join(" ");
    }
    inline(cell)
}

/// `code` and **strong**.
fn inline(text: &str) -> String {
    let mut html = String::new();
    for (at, piece) in text.split('`').enumerate() {
        if at % 2 == 1 {
            html.push_str(&format!("<code>{}</code>", breakable(piece)));
            continue;
        }
        for (at, piece) in piece.split("**").enumerate() {
            match at % 2 {
                1 => html.push_str(&format!("<strong>{}</strong>", escape_html(piece))),
                _ => html.push_str(&escape_html(piece)),
            }
        }
    }
    html
}

/// Lets a long key wrap after a delimiter within it, and nowhere else.
fn breakable(code: &str) -> String {
    let mut html = String::new();
    let mut characters = code.chars().peekable();
    while let Some(character) = characters.next() {
        html.push_str(&escape_html(&character.to_string()));
        let goes_on = |next: &char| next.is_alphanumeric() || *next == '<';
        if character == '#' && characters.peek().is_some_and(goes_on) {
            html.push_str("<wbr>");
        }
    }
    html
}

/// A text within HTML, as content or as the value of an attribute.
///
/// ```
/// assert_eq!(keyfold_generate::escape_html("<b a=\"1\">&"), "&lt;b a=&quot;1&quot;&gt;&amp;");
/// ```
pub fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> String {
        let blocks = [
            Block::heading(1, "Notes: single-table design"),
            Block::heading(2, "Key patterns by entity"),
            Block::Table {
                head: vec!["Entity", "Key"],
                rows: vec![vec!["**Note**".to_owned(), "`NOTE#<id>`".to_owned()]],
            },
            Block::heading(2, "Entities"),
            Block::heading(3, "Note"),
            Block::Table {
                head: vec!["Sort key", "Attributes"],
                rows: vec![vec!["`A`".to_owned(), "a `1`\nb `2`".to_owned()]],
            },
        ];
        render(&blocks, "notes", "Generated.")
    }

    #[test]
    fn contents_list_the_entities() {
        let page = page();
        let contents =
            "<li><a href=\"#entities\">Entities</a>\n<ul>\n<li><a href=\"#entities-note\">Note</a></li>\n</ul>\n</li>";
        assert!(page.contains(contents), "{page}");
        assert!(page.contains("<h3 id=\"entities-note\">Note</h3>"), "{page}");
    }

    #[test]
    fn names_lead_to_what_they_name_and_keys_break_at_delimiters() {
        let page = page();
        let row = "<tr><td data-label=\"Entity\"><div><a href=\"#entities-note\"><strong>Note</strong></a></div></td>\
                   <td data-label=\"Key\"><div><code>NOTE#<wbr>&lt;id&gt;</code></div></td></tr>";
        assert!(page.contains(row), "{page}");
    }

    #[test]
    fn parts_of_a_cell_stay_whole() {
        let cell = "<span class=\"pair\">a <code>1</code></span> <span class=\"pair\">b <code>2</code></span>";
        assert!(page().contains(cell));
    }
}
