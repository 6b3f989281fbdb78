//! The access patterns that the keys make possible, with names that say what they give.

mod conditions;
mod words;

use keyfold_design::model::KeyAttribute;

use self::conditions::{alternatives, condition_template, conditions, terminated};
use self::words::{phrase, plural_phrase};
use crate::entity::Entity;
use crate::relations::Tenant;
use crate::sample::{is_identifier, is_key_name};
use crate::table::ImportedTable;
use crate::template::{Piece, Recognized};

/// A line of `patterns:`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub name: String,
    pub line: String,
    /// The index it reads, by its position; none for the table itself.
    pub index: Option<usize>,
}

/// Everything that patterns are made from.
pub(crate) struct PatternContext<'g, 'a> {
    pub facts: &'g ImportedTable,
    pub entities: &'g [Entity<'a>],
    pub tenant: Option<&'g Tenant>,
    pub delimiter: char,
}

impl PatternContext<'_, '_> {
    /// All patterns, those of the table first.
    pub(crate) fn patterns(&self) -> Vec<Pattern> {
        let mut patterns = Vec::new();
        self.of_table(&mut patterns);
        for index in 0..self.facts.indexes.len() {
            self.of_index(index, &mut patterns);
        }
        patterns
    }

    fn add(&self, patterns: &mut Vec<Pattern>, name: String, line: String, index: Option<usize>) {
        let slug = |name: &str| name.to_lowercase().replace([' ', '_', '-'], "");
        let is_taken = |patterns: &[Pattern], name: &str| patterns.iter().any(|known| slug(&known.name) == slug(name));
        if patterns.iter().any(|known| known.line == line) {
            return;
        }
        let suffix = self.distinguishing_suffix(index);
        let mut unique = name.clone();
        if is_taken(patterns, &unique) {
            unique = format!("{name} {suffix}");
        }
        let mut number = 2;
        while is_taken(patterns, &unique) {
            unique = format!("{name} {suffix} {number}");
            number += 1;
        }
        patterns.push(Pattern { name: unique, line, index });
    }

    /// What tells patterns apart that would have the same name: the order of an index, where that is an attribute.
    fn distinguishing_suffix(&self, index: Option<usize>) -> String {
        let Some(index) = index.and_then(|index| self.facts.indexes.get(index)) else {
            return "in the table".to_owned();
        };
        match index.sort.first().filter(|sort| !is_key_name(&sort.name)) {
            Some(sort) => format!("in order of {}", phrase(&sort.name)),
            None => format!("in {}", index.name),
        }
    }

    fn of_table(&self, patterns: &mut Vec<Pattern>) {
        let key = &self.facts.table.partition;
        let mut seen: Vec<String> = Vec::new();
        for entity in self.entities {
            let Some(source) = condition_template(entity, key) else { continue };
            if seen.contains(&source) {
                continue;
            }
            let sharing: Vec<&Entity<'_>> = self
                .entities
                .iter()
                .filter(|other| condition_template(other, key).as_deref() == Some(source.as_str()))
                .collect();
            seen.push(source.clone());
            self.of_partition(&source, &sharing, patterns);
        }
    }

    /// The patterns of entities whose items lie in one partition.
    fn of_partition(&self, source: &str, sharing: &[&Entity<'_>], patterns: &mut Vec<Pattern>) {
        let condition = format!("{} = {source}", self.facts.table.partition.name);
        let root = sharing.iter().find(|entity| entity.is_root);
        // Ids without a word before them have nothing in common.
        let is_worded = !source.starts_with('<');
        if sharing.len() > 1 && is_worded {
            let names: Vec<&str> = sharing.iter().map(|entity| entity.name.as_str()).collect();
            let word = source.split(self.delimiter).rfind(|part| is_identifier(part)).unwrap_or("partition");
            let first = phrase(root.map_or(word, |entity| &entity.name));
            let scope =
                sharing.iter().find_map(|entity| self.tenancy(entity, &self.facts.table.partition)).unwrap_or("");
            let line = format!("{condition}{scope} -> {}", names.join(", "));
            self.add(patterns, format!("{first} with everything"), line, None);
        }
        for entity in sharing {
            let scope = self.tenancy(entity, &self.facts.table.partition).unwrap_or("");
            let name = &entity.name;
            match (self.sort_prefix(entity), sharing.len()) {
                (Some(prefix), 2..) if !prefix.is_empty() => {
                    let sort = self.facts.table.sort.as_ref().map_or("", |sort| sort.name.as_str());
                    let line = format!("{condition} and begins_with({sort}, {prefix}){scope} -> {name}");
                    self.add(patterns, self.listed(entity, &self.facts.table.partition), line, None);
                }
                (Some(_), 1) => {
                    let line = format!("{condition}{scope} -> {name}");
                    self.add(patterns, self.listed(entity, &self.facts.table.partition), line, None);
                }
                (None, 1) => self.add(patterns, phrase(name), format!("{condition}{scope} -> {name}"), None),
                _ => {}
            }
        }
    }

    /// The literal text that an entity's sort keys begin with, up to a delimiter; `None` where the sort key tells no
    /// value.
    fn sort_prefix(&self, entity: &Entity<'_>) -> Option<String> {
        let sort = self.facts.table.sort.as_ref()?;
        match entity.template(&sort.name) {
            Some(template) if template.constant().is_some() => None,
            Some(template) if template.attributes().all(|name| self.in_partition(entity, name)) => None,
            Some(template) => Some(terminated(template, self.delimiter)),
            None => Some(String::new()),
        }
    }

    fn in_partition(&self, entity: &Entity<'_>, name: &str) -> bool {
        let template = entity.template(&self.facts.table.partition.name);
        template.is_some_and(|template| template.attributes().any(|own| own == name))
    }

    fn of_index(&self, at: usize, patterns: &mut Vec<Pattern>) {
        let Some(index) = self.facts.indexes.get(at) else { return };
        let inside: Vec<&Entity<'_>> =
            self.entities.iter().filter(|entity| index.keys().all(|key| entity.key(&key.name).is_some())).collect();
        let Some(first) = index.partition.first() else { return };
        let using = if self.is_determined_by_keys(at) { String::new() } else { format!(", using {}", index.name) };
        for entity in &inside {
            for alternative in alternatives(entity, first) {
                let Some(condition) = conditions(entity, &index.partition, alternative) else { continue };
                let shares = inside.iter().filter(|other| {
                    alternatives(other, first).into_iter().any(|other_one| {
                        conditions(other, &index.partition, other_one).as_deref() == Some(condition.as_str())
                    })
                });
                let prefix = index
                    .sort
                    .first()
                    .filter(|_| shares.count() > 1)
                    .and_then(|sort| Some((sort, entity.template(&sort.name)?)))
                    .map(|(sort, template)| (sort, terminated(template, self.delimiter)))
                    .filter(|(_, prefix)| !prefix.is_empty())
                    .map_or_else(String::new, |(sort, prefix)| format!(" and begins_with({}, {prefix})", sort.name));
                let scope = self.tenancy(entity, first).unwrap_or("");
                let line = format!("{condition}{prefix}{scope}{using} -> {}", entity.name);
                let name = match (alternative, index.partition.len()) {
                    (_, 2..) => self.listed_by_several(entity, &index.partition),
                    (Some(_), _) => named_by(entity, alternative),
                    (None, _) => self.listed(entity, first),
                };
                self.add(patterns, name, line, Some(at));
            }
        }
    }

    /// Whether the partition key of an index is that of no other index, nor of the table.
    fn is_determined_by_keys(&self, at: usize) -> bool {
        let names = |keys: &[KeyAttribute]| keys.iter().map(|key| key.name.clone()).collect::<Vec<_>>();
        let own = self.facts.indexes.get(at).map(|index| names(&index.partition)).unwrap_or_default();
        let others = self.facts.indexes.iter().enumerate().filter(|(other, _)| *other != at);
        own != [self.facts.table.partition.name.clone()]
            && others.into_iter().all(|(_, other)| names(&other.partition) != own)
    }

    /// `licenses by account`, `all licenses`.
    fn listed(&self, entity: &Entity<'_>, key: &KeyAttribute) -> String {
        match entity.template(&key.name) {
            Some(template) => named_by(entity, Some(template)),
            None => format!("{} by {}", plural_phrase(&entity.name), phrase(strip_id(&key.name))),
        }
    }

    /// `notes by tenant and status`, for a partition key of several attributes.
    fn listed_by_several(&self, entity: &Entity<'_>, keys: &[KeyAttribute]) -> String {
        let names: Vec<String> = keys.iter().map(|key| phrase(strip_id(&key.name))).collect();
        format!("{} by {}", plural_phrase(&entity.name), names.join(" and "))
    }

    /// For items of a tenant that a key finds without it: a list of all of them is for operators.
    fn tenancy(&self, entity: &Entity<'_>, key: &KeyAttribute) -> Option<&'static str> {
        let tenant = self.tenant.filter(|tenant| tenant.is_likely)?;
        entity.attribute(&tenant.attribute)?;
        let Some(template) = entity.template(&key.name) else {
            return (key.name != tenant.attribute).then_some(", own tenant only");
        };
        let holds = template.alternatives().all(|one| {
            one.pieces.iter().any(|piece| matches!(piece, Piece::Value(slot) if slot.attribute == tenant.attribute))
        });
        if holds {
            return None;
        }
        Some(if template.constant().is_some() { ", across tenants" } else { ", own tenant only" })
    }
}

fn named_by(entity: &Entity<'_>, template: Option<&Recognized>) -> String {
    let mut names: Vec<String> = template
        .into_iter()
        .flat_map(|template| &template.pieces)
        .filter_map(|piece| match piece {
            Piece::Value(slot) => Some(phrase(strip_id(&slot.attribute))),
            _ => None,
        })
        .collect();
    names.dedup();
    let plural = plural_phrase(&entity.name);
    let by = format!(" by {}", names.join(" and "));
    if names.is_empty() {
        format!("all {plural}")
    } else if plural.ends_with(&by) {
        plural
    } else {
        format!("{plural}{by}")
    }
}

fn strip_id(name: &str) -> &str {
    match name.strip_suffix("Id").or_else(|| name.strip_suffix("_id")).or_else(|| name.strip_suffix("ID")) {
        Some(stem) if !stem.is_empty() => stem,
        _ => name,
    }
}
