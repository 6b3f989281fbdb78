//! The head of the document: the table and what was decided about it.

use keyfold_design::model::{Billing, Encryption};
use keyfold_design::{Design, counted};

use super::{Block, code};
use crate::naming::pascal;

pub(super) fn blocks(design: &Design) -> Vec<Block> {
    let table = &design.table;
    let mut blocks = vec![Block::heading(1, format!("{}: single-table design", pascal(&design.name)))];
    blocks.extend(design.description.iter().map(|description| Block::Paragraph(description.clone())));
    blocks.push(Block::heading(2, "Table"));
    let mut rows = Vec::new();
    let mut row = |name: &str, value: String| rows.push(vec![name.to_owned(), value]);
    row(
        "Name",
        match &table.variable {
            Some(variable) => format!("`{}`, or the value of `{variable}`", table.name),
            None => code(&table.name),
        },
    );
    row("Partition key", format!("`{}` ({})", table.partition.name, table.partition.key_type.as_str()));
    if let Some(sort) = &table.sort {
        row("Sort key", format!("`{}` ({})", sort.name, sort.key_type.as_str()));
    }
    row(
        "Billing",
        match table.billing {
            Billing::OnDemand => "on demand".to_owned(),
            Billing::Provisioned { read, write } => {
                format!("provisioned: {}, {}", counted(read, "read unit"), counted(write, "write unit"))
            }
        },
    );
    if let Some(tenant) = &design.tenant {
        let entity = tenant.entity.map(|id| format!(", the id of {}", design[id].name)).unwrap_or_default();
        row("Tenant", format!("`{}`{entity}", tenant.attribute));
    }
    if let Some(attribute) = &table.ttl {
        row("Time to live", format!("items expire at the time in `{attribute}`"));
    }
    if let Some(view) = table.stream {
        row("Stream", code(view.as_str()));
    }
    if table.point_in_time_recovery {
        row("Point-in-time recovery", "on".to_owned());
    }
    if table.deletion_protection {
        row("Deletion protection", "on".to_owned());
    }
    match &table.encryption {
        Encryption::AwsOwned => {}
        Encryption::AwsManaged => row("Encryption", "with the AWS managed key".to_owned()),
        Encryption::CustomerKey(key) => row("Encryption", format!("with the key `{key}`")),
    }
    blocks.push(Block::Table { head: vec!["", ""], rows });
    blocks
}
