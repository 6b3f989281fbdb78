//! The origin of values that only a key contains: the attributes of other items that have the very same values
//! together.

use std::collections::BTreeSet;

use keyfold_design::template::Format;

use super::Entity;

/// Another entity whose attributes have the values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Origin {
    pub entity: usize,
    /// The attribute of each of the values.
    pub attributes: Vec<String>,
}

/// Few enough to try all ways of putting them together.
const MOST_PARTS: usize = 3;
const MOST_CANDIDATES: usize = 6;

/// The entity that has, for every item, an item with all of these values; each part is the values of one placeholder.
pub(super) fn origin(entities: &[Entity<'_>], own: usize, parts: &[&[String]]) -> Option<Origin> {
    if parts.is_empty() || parts.len() > MOST_PARTS {
        return None;
    }
    let mut best: Option<(usize, Origin)> = None;
    for (at, other) in entities.iter().enumerate().filter(|(at, _)| *at != own) {
        let Some((shared, origin)) = within(entities.get(own)?, other, at, parts) else { continue };
        // One value alone is easily found elsewhere: the items have to have more in common.
        if parts.len() + shared >= 2 && best.as_ref().is_none_or(|(known, _)| shared > *known) {
            best = Some((shared, origin));
        }
    }
    best.map(|(_, origin)| origin)
}

/// An attribute with its text in each item of an entity.
type Texts = (String, Vec<Option<String>>);

/// The formats in which a value may stand in a key.
const FORMATS: &[&[Format]] = &[&[], &[Format::Url], &[Format::Lower]];

fn within(own: &Entity<'_>, other: &Entity<'_>, at: usize, parts: &[&[String]]) -> Option<(usize, Origin)> {
    let mut candidates: Vec<Vec<Texts>> = Vec::new();
    for part in parts {
        let wanted: BTreeSet<&String> = part.iter().collect();
        let mut found = Vec::new();
        for column in other.pool.columns.iter().filter(|column| !column.is_stamp && !column.is_discriminator) {
            for formats in FORMATS {
                let texts: Vec<Option<String>> = (0..other.pool.rows).map(|row| column.text(row, formats)).collect();
                let known: BTreeSet<&String> = texts.iter().flatten().collect();
                if wanted.is_subset(&known) {
                    found.push((column.name.clone(), texts));
                    break;
                }
            }
        }
        found.truncate(MOST_CANDIDATES);
        candidates.push(found);
    }
    let shared = shared(own, other);
    let mut chosen: Vec<&Texts> = Vec::new();
    let names = choose(&candidates, parts, &shared, other.pool.rows, &mut chosen)?;
    let attributes: BTreeSet<&String> = names.iter().collect();
    (attributes.len() == names.len()).then_some((shared.len(), Origin { entity: at, attributes: names }))
}

/// Attributes that both have under the same name, with values that are ids: the text in each item of both.
type Shared = Vec<(Vec<Option<String>>, Vec<Option<String>>)>;

fn shared(own: &Entity<'_>, other: &Entity<'_>) -> Shared {
    own.pool
        .columns
        .iter()
        .filter(|column| !column.is_stamp && !column.is_discriminator)
        .filter_map(|column| {
            let twin = other.pool.column(&column.name)?;
            let of = |column: &crate::template::Column, rows: usize| -> Vec<Option<String>> {
                (0..rows).map(|row| column.text(row, &[])).collect()
            };
            let (own, twin) = (of(column, own.pool.rows), of(twin, other.pool.rows));
            let known: BTreeSet<&String> = twin.iter().flatten().collect();
            (own.iter().all(|text| text.as_ref().is_some_and(|text| known.contains(text)))).then_some((own, twin))
        })
        .collect()
}

/// The first choice of one candidate per part under which every item is found whole.
fn choose<'c>(
    candidates: &'c [Vec<Texts>],
    parts: &[&[String]],
    shared: &Shared,
    rows: usize,
    chosen: &mut Vec<&'c Texts>,
) -> Option<Vec<String>> {
    let Some(next) = candidates.get(chosen.len()) else {
        let is_found = all_found(chosen, parts, shared, rows);
        return is_found.then(|| chosen.iter().map(|(name, _)| name.clone()).collect());
    };
    for candidate in next {
        chosen.push(candidate);
        if let Some(found) = choose(candidates, parts, shared, rows, chosen) {
            return Some(found);
        }
        chosen.pop();
    }
    None
}

fn all_found(chosen: &[&Texts], parts: &[&[String]], shared: &Shared, rows: usize) -> bool {
    let known: BTreeSet<Vec<Option<&str>>> = (0..rows)
        .map(|row| {
            let values = chosen.iter().map(|(_, texts)| texts.get(row).and_then(Option::as_deref));
            let twins = shared.iter().map(|(_, twin)| twin.get(row).and_then(Option::as_deref));
            values.chain(twins).collect()
        })
        .collect();
    let own = parts.first().map_or(0, |part| part.len());
    (0..own).all(|row| {
        let values = parts.iter().map(|part| part.get(row).map(String::as_str));
        let twins = shared.iter().map(|(own, _)| own.get(row).and_then(Option::as_deref));
        known.contains(&values.chain(twins).collect::<Vec<_>>())
    })
}
