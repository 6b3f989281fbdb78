//! Keys that are one template or another, depending on which attributes an item has: `ALBUM#<parentId> or
//! TENANT#<tenantId>`.

use std::collections::BTreeMap;

use super::Recognized;
use super::pool::Pool;
use super::recognize::one;

/// So many templates for one key are more than anybody writes.
const MOST: usize = 3;

/// The template of an index key in the items that have it; `None` where it has parts that no attribute holds.
pub(crate) fn index_key(pool: &Pool, rows: &[(usize, &str)], delimiter: char) -> Option<Recognized> {
    one(pool, rows, delimiter).or_else(|| find(pool, rows, delimiter))
}

/// The templates of keys that begin differently, in an order in which an item takes the first whose attributes it has.
fn find(pool: &Pool, rows: &[(usize, &str)], delimiter: char) -> Option<Recognized> {
    let mut shapes: BTreeMap<(&str, usize), Vec<(usize, &str)>> = BTreeMap::new();
    for (row, text) in rows {
        let head = text.split(delimiter).next().unwrap_or_default();
        shapes.entry((head, text.split(delimiter).count())).or_default().push((*row, text));
        if shapes.len() > MOST {
            return None;
        }
    }
    if shapes.len() < 2 {
        return None;
    }
    let mut templates: Vec<(Recognized, Vec<usize>)> = Vec::new();
    for rows in shapes.values() {
        let template = one(pool, rows, delimiter)?;
        templates.push((template, rows.iter().map(|(row, _)| *row).collect()));
    }
    let mut ordered: Vec<Recognized> = Vec::new();
    while !templates.is_empty() {
        // The next one is a template that items of the others cannot have, since they lack one of its attributes.
        let next = templates.iter().position(|(template, rows)| {
            let others = templates.iter().flat_map(|(_, rows)| rows).filter(|row| !rows.contains(row));
            let lacks = |row: &usize| {
                template.attributes().any(|name| pool.column(name).is_some_and(|column| column.is_absent(*row)))
            };
            others.into_iter().all(lacks)
        })?;
        ordered.push(templates.remove(next).0);
    }
    let mut whole: Option<Recognized> = None;
    for mut template in ordered.into_iter().rev() {
        template.otherwise = whole.map(Box::new);
        whole = Some(template);
    }
    whole
}
