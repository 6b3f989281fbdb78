//! The table drawn: in characters, and for Mermaid.

use keyfold_design::Design;
use keyfold_design::model::OnDelete;

use super::{Block, spelling};

/// Characters between the borders of the drawing.
const WIDTH: usize = 76;

pub(super) fn blocks(design: &Design) -> Vec<Block> {
    let mut blocks = vec![Block::heading(2, "Diagram"), Block::Code { language: "text", text: drawing(design) }];
    let relations = mermaid(design);
    if relations.lines().count() > 1 {
        blocks.push(Block::heading(3, "Relations"));
        let head = vec!["Entity", "Relation", "To", "Effect"];
        blocks.push(Block::Table { head, rows: self::relations(design) });
        blocks.push(Block::Code { language: "mermaid", text: relations });
    }
    blocks
}

fn drawing(design: &Design) -> String {
    let mut out = Drawing::default();
    out.border('┌', '┐');
    out.row(&format!("DynamoDB table: {}", design.table.name));
    out.border('├', '┤');
    // Entities of one partition are one box, in the order of the design.
    let mut boxes: Vec<(&str, Vec<(String, String)>)> = Vec::new();
    for entity in &design.entities {
        let partition = entity.layout.partition.template.source.as_str();
        let sort = entity.layout.sort.as_ref().map(|part| part.template.source.clone()).unwrap_or_default();
        let row = (sort, entity.name.clone());
        match boxes.iter_mut().find(|(known, _)| *known == partition) {
            Some((_, rows)) => rows.push(row),
            None => boxes.push((partition, vec![row])),
        }
    }
    for (partition, rows) in boxes {
        out.inner(&format!("{}: {partition}", design.table.partition.name), &rows);
    }
    let globals: Vec<_> = design.indexes.iter().collect();
    if !globals.is_empty() {
        out.border('├', '┤');
        out.row("Secondary indexes");
        out.border('├', '┤');
    }
    for index in globals {
        let mut rows: Vec<(String, String)> = Vec::new();
        for entity in &design.entities {
            let layouts = std::iter::once(&entity.layout).chain(entity.uniques.iter().map(|unique| &unique.layout));
            for key in layouts.filter_map(|layout| layout.index_key(index.id)) {
                let sources = |parts: &[keyfold_design::model::KeyPart]| {
                    parts.iter().map(|part| spelling(&part.template)).collect::<Vec<_>>().join(" + ")
                };
                rows.push((sources(&key.partition), sources(&key.sort)));
            }
        }
        let names: Vec<&str> = index.keys().map(|key| key.name.as_str()).collect();
        out.inner(&format!("{} ({})", index.name, names.join(", ")), &rows);
    }
    out.border('└', '┘');
    out.text
}

#[derive(Default)]
struct Drawing {
    text: String,
}

impl Drawing {
    fn border(&mut self, left: char, right: char) {
        self.text.push(left);
        self.text.push_str(&"─".repeat(WIDTH));
        self.text.push(right);
        self.text.push('\n');
    }

    fn row(&mut self, text: &str) {
        self.text.push_str(&format!("│ {} │\n", fitted(text, WIDTH - 2)));
    }

    /// A box with a title and two columns.
    fn inner(&mut self, title: &str, rows: &[(String, String)]) {
        let inner = WIDTH - 6;
        self.row(&format!("┌─{}─┐", "─".repeat(inner)));
        self.row(&format!("│ {} │", fitted(title, inner)));
        self.row(&format!("├─{}─┤", "─".repeat(inner)));
        let left = rows.iter().map(|(first, _)| first.chars().count()).max().unwrap_or(0).min(inner / 2 + 10);
        for (first, second) in rows {
            self.row(&format!("│ {} │", fitted(&format!("{}  {second}", fitted(first, left)), inner)));
        }
        self.row(&format!("└─{}─┘", "─".repeat(inner)));
    }
}

/// Pads or truncates a text to a width.
fn fitted(text: &str, width: usize) -> String {
    let length = text.chars().count();
    if length <= width {
        return format!("{text}{}", " ".repeat(width - length));
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// References and derivations, for readers without Mermaid.
fn relations(design: &Design) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for entity in &design.entities {
        for reference in &entity.references {
            let on_delete = match reference.on_delete {
                OnDelete::Refuse => "cannot be deleted while referenced",
                OnDelete::Cascade => "deleting it deletes the referring item",
                OnDelete::Ignore => "deleting it leaves the referring item unchanged",
            };
            let by = format!("refers to, through {}", super::code(&reference.attribute));
            rows.push(vec![entity.name.clone(), by, design[reference.target].name.clone(), on_delete.to_owned()]);
        }
        if let Some(derivation) = &entity.derivation {
            let source = design[derivation.source].name.clone();
            let row = ["derived from", source.as_str(), "updated in the same transaction"].map(str::to_owned);
            rows.push(std::iter::once(entity.name.clone()).chain(row).collect());
        }
    }
    rows
}

fn mermaid(design: &Design) -> String {
    let mut lines = vec!["erDiagram".to_owned()];
    for entity in &design.entities {
        for reference in &entity.references {
            let target = &design[reference.target].name;
            let line = if reference.on_delete == OnDelete::Cascade { "--" } else { ".." };
            let one = match entity.attribute(&reference.attribute).is_some_and(|attribute| attribute.may_be_absent()) {
                true => "|o",
                false => "||",
            };
            lines.push(format!("    {target} {one}{line}o{{ {} : {}", entity.name, reference.attribute));
        }
        if let Some(derivation) = &entity.derivation {
            let source = &design[derivation.source].name;
            let many = if derivation.each.is_some() || derivation.collects.is_some() { "o{" } else { "||" };
            lines.push(format!("    {source} ||--{many} {} : \"derived\"", entity.name));
        }
    }
    lines.join("\n")
}
