//! The source of a pattern: the table or an index, determined by its conditions.

use super::line::PatternLine;
use crate::build::codes::{NO_INDEX, NO_KEY, NO_PARTITION_EQUALITY};
use crate::build::reader::{Reader, suggest};
use crate::model::{Design, Index, IndexId, KeyAttribute};
use crate::span::{Span, Spanned};
use crate::syntax::Entry;

/// What a pattern reads: the table or an index.
pub(super) struct Source<'d> {
    pub index: Option<IndexId>,
    pub name: &'d str,
    pub partition: &'d [KeyAttribute],
    pub sort: &'d [KeyAttribute],
}

impl<'d> Source<'d> {
    fn table(design: &'d Design) -> Self {
        let table = &design.table;
        Self {
            index: None,
            name: &table.name,
            partition: std::slice::from_ref(&table.partition),
            sort: table.sort.as_slice(),
        }
    }

    fn index(index: &'d Index) -> Self {
        Self { index: Some(index.id), name: &index.name, partition: &index.partition, sort: &index.sort }
    }

    fn has(&self, name: &str) -> bool {
        self.partition.iter().chain(self.sort).any(|key| key.name == name)
    }

    pub(super) fn key(&self, name: &str) -> Option<&'d KeyAttribute> {
        self.partition.iter().chain(self.sort).find(|key| key.name == name)
    }

    /// The one place whose keys the conditions are on.
    pub(super) fn find(
        line: &PatternLine<'_>,
        declared: &Entry,
        design: &'d Design,
        reader: &mut Reader<'_>,
    ) -> Option<Self> {
        let all: Vec<Source<'d>> =
            std::iter::once(Self::table(design)).chain(design.indexes.iter().map(Self::index)).collect();
        refuse_other_attributes(line, &all, reader)?;
        if let Some(using) = &line.options.using {
            return named(using, design, reader);
        }
        let whole: Vec<Source<'d>> = all
            .into_iter()
            .filter(|source| line.conditions.iter().all(|condition| source.has(&condition.attribute.value)))
            .collect();
        let (mut served, partial): (Vec<_>, Vec<_>) = whole.into_iter().partition(|source| {
            source
                .partition
                .iter()
                .all(|key| line.conditions.iter().any(|condition| condition.attribute.value == key.name))
        });
        // Conditions that the table serves are for the table, though a local index shares its partition key.
        if let Some(table) = served.iter().position(|source| source.index.is_none()) {
            return Some(served.swap_remove(table));
        }
        match served.len() {
            1 => served.pop(),
            _ => not_served(line, declared, &served, partial.first(), reader),
        }
    }
}

/// Conditions are on keys; anything else is a filter.
fn refuse_other_attributes(line: &PatternLine<'_>, all: &[Source<'_>], reader: &mut Reader<'_>) -> Option<()> {
    for condition in &line.conditions {
        let name = &condition.attribute.value;
        if all.iter().any(|source| source.has(name)) {
            continue;
        }
        let keys = all.iter().flat_map(|source| source.partition.iter().chain(source.sort));
        let help = match suggest(name, keys.map(|key| key.name.as_str()).collect::<Vec<_>>()) {
            Some(close) => format!("did you mean `{close}`?"),
            None => format!("conditions on other attributes go after `where`: `where {name} = …`"),
        };
        let message = format!("`{name}` is not a key of the table or of an index");
        reader.fault(&NO_KEY, condition.attribute.span, message, help);
        return None;
    }
    Some(())
}

/// `using GSI1`.
fn named<'d>(using: &Spanned<String>, design: &'d Design, reader: &mut Reader<'_>) -> Option<Source<'d>> {
    let found = design.index_named(&using.value).map(Source::index);
    if found.is_none() {
        let help = match suggest(&using.value, design.indexes.iter().map(|index| index.name.as_str())) {
            Some(close) => format!("did you mean `{close}`?"),
            None => "name an index under `indexes:`".to_owned(),
        };
        reader.fault(&NO_KEY, using.span, format!("unknown index `{}`", using.value), help);
    }
    found
}

/// Tells why no single place serves the conditions.
fn not_served<'d>(
    line: &PatternLine<'_>,
    declared: &Entry,
    served: &[Source<'_>],
    partial: Option<&Source<'_>>,
    reader: &mut Reader<'_>,
) -> Option<Source<'d>> {
    let spans = line.conditions.iter().map(|condition| condition.span);
    let span = spans.reduce(Span::to).unwrap_or(declared.value.span);
    let name = declared.name();
    if let Some(last) = served.last() {
        let names: Vec<&str> = served.iter().map(|source| source.name).collect();
        let message = format!("`{name}` could read `{}`", names.join("` or `"));
        reader.fault(&NO_INDEX, span, message, format!("state which: `…, using {}`", last.name));
    } else if let Some(near) = partial {
        let missing = near.partition.iter().map(|key| key.name.as_str()).collect::<Vec<_>>().join("`, `");
        let help = format!("a query of `{}` needs the exact partition key: add `{missing} = TEMPLATE`", near.name);
        reader.fault(&NO_PARTITION_EQUALITY, span, format!("`{name}` has no `{missing} = …`"), help);
    } else {
        let message = format!("no index serves `{name}`: its conditions are on keys of different indexes");
        let help = "a query reads the table or one index; move a condition after `where`";
        reader.fault(&NO_INDEX, span, message, help);
    }
    None
}
