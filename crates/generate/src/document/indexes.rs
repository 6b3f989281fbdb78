//! Indexes: their items and their purpose.

use keyfold_design::Design;
use keyfold_design::model::{EntityId, Index, IndexId, Layout, Projection};

use super::{Block, code, codes, spelling};

pub(super) fn blocks(design: &Design) -> Vec<Block> {
    if design.indexes.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![Block::heading(2, "Secondary indexes")];
    for index in &design.indexes {
        blocks.extend(of_index(design, index));
    }
    blocks
}

fn of_index(design: &Design, index: &Index) -> Vec<Block> {
    let mut blocks = vec![Block::heading(3, index.name.clone())];
    let purpose = index.purpose.as_deref().unwrap_or("no purpose stated");
    blocks.push(Block::Paragraph(format!("**Purpose**: {purpose}.")));
    let keys = |keys: &[keyfold_design::model::KeyAttribute]| {
        keys.iter().map(|key| format!("`{}` ({})", key.name, key.key_type.as_str())).collect::<Vec<_>>().join(", ")
    };
    let mut facts = vec![format!("Partition key {}", keys(&index.partition))];
    if !index.sort.is_empty() {
        facts.push(format!("sort key {}", keys(&index.sort)));
    }
    facts.push(match &index.projection {
        Projection::All => "all attributes".to_owned(),
        Projection::KeysOnly => "keys only".to_owned(),
        Projection::Include(names) => format!("keys and {}", codes(names)),
    });
    if index.local {
        facts.push("local: within a table partition, supports consistent reads".to_owned());
    }
    blocks.push(Block::Paragraph(format!("{}.", facts.join("; "))));
    let mut rows = Vec::new();
    for entity in &design.entities {
        let own = (entity.name.clone(), None, &entity.layout);
        let layouts =
            std::iter::once(own).chain(entity.uniques.iter().map(|unique| {
                (format!("{} by {}", entity.name, unique.name), Some(unique.name.as_str()), &unique.layout)
            }));
        for (name, unique, layout) in layouts {
            rows.extend(entry(index.id, &name, layout).map(|mut row| {
                row.push(uses(design, index.id, entity.id, unique));
                row
            }));
        }
    }
    blocks.push(Block::Table { head: vec!["Partition", "Sort", "Items", "Used by"], rows });
    blocks
}

fn entry(index: IndexId, name: &str, layout: &Layout) -> Option<Vec<String>> {
    let key = layout.index_key(index)?;
    let sources = |parts: &[keyfold_design::model::KeyPart]| codes(parts.iter().map(|part| spelling(&part.template)));
    let name = match &key.condition {
        Some(condition) => format!("{name} when {}", code(condition.source())),
        None if key.is_sparse() => format!("{name} (some)"),
        None => name.to_owned(),
    };
    Some(vec![sources(&key.partition), sources(&key.sort), name])
}

/// The patterns that read this entry.
fn uses(design: &Design, index: IndexId, entity: EntityId, unique: Option<&str>) -> String {
    let names: Vec<&str> = design
        .patterns
        .iter()
        .filter(|pattern| {
            let plan = design.access_plan(pattern.id);
            plan.index == Some(index) && plan.may_hold(entity, unique)
        })
        .map(|pattern| pattern.name.as_str())
        .collect();
    if names.is_empty() { "—".to_owned() } else { names.join(", ") }
}

/// Where a pattern reads.
pub(super) fn place(design: &Design, index: Option<IndexId>) -> String {
    index.map_or_else(|| "Table".to_owned(), |id| code(&design[id].name))
}
