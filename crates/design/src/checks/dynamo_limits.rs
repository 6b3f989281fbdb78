//! KF037: more than DynamoDB allows.

use keyfold_dynamo::limits;

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Design, Entity, KeyPart, Projection, Unit};
use crate::template::{Format, Part, Template};

pub(super) static CODE: Code = Code {
    id: "KF037",
    title: "limit of DynamoDB exceeded",
    severity: Severity::Error,
    explanation: "A table has at most 20 global and 5 local indexes and 50 tags; all indexes together project at most \
                  100 named attributes; a partition key has at most 2048 bytes and a sort key 1024.",
    fix: "Share an index between entities by using distinct prefixes, shorten keys, or bound the attributes in them.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    let design = &draft.design;
    for (local, most, kind) in [(false, limits::GLOBAL_INDEXES, "global"), (true, limits::LOCAL_INDEXES, "local")] {
        let indexes: Vec<_> = design.indexes.iter().filter(|index| index.local == local).collect();
        if let Some(first_too_many) = indexes.get(most) {
            let message = format!("the table has {} {kind} indexes, but DynamoDB allows {most}", indexes.len());
            findings.push(
                Diagnostic::new(&CODE, first_too_many.span, message)
                    .help("share indexes between entities by distinct prefixes"),
            );
        }
    }
    if design.table.tags.len() > limits::TAGS_PER_TABLE {
        let message =
            format!("the table has {} tags, but DynamoDB allows {}", design.table.tags.len(), limits::TAGS_PER_TABLE);
        findings.push(Diagnostic::new(&CODE, design.table.span, message).help("remove some"));
    }
    projected(design, findings);
    for entity in &design.entities {
        let layouts = std::iter::once(&entity.layout).chain(entity.uniques.iter().map(|unique| &unique.layout));
        for layout in layouts {
            key_length(entity, &layout.partition, limits::PARTITION_KEY_BYTES, findings);
            if let Some(sort) = &layout.sort {
                key_length(entity, sort, limits::SORT_KEY_BYTES, findings);
            }
            for index_key in &layout.index_keys {
                for part in &index_key.partition {
                    key_length(entity, part, limits::PARTITION_KEY_BYTES, findings);
                }
                for part in &index_key.sort {
                    key_length(entity, part, limits::SORT_KEY_BYTES, findings);
                }
            }
        }
    }
}

fn projected(design: &Design, findings: &mut Findings) {
    let mut count = 0;
    for index in &design.indexes {
        if let Projection::Include(names) = &index.projection {
            count += names.len();
            if count > limits::PROJECTED_ATTRIBUTES {
                let message = format!(
                    "the indexes project {count} named attributes, but DynamoDB allows {}",
                    limits::PROJECTED_ATTRIBUTES
                );
                findings.push(Diagnostic::new(&CODE, index.span, message).help("project all attributes, or fewer"));
                return;
            }
        }
    }
}

/// A key that is too long for every value, or for values that its attributes allow.
fn key_length(entity: &Entity, part: &KeyPart, most: usize, findings: &mut Findings) {
    let Some(longest) = longest(entity, &part.template).filter(|longest| *longest > most) else { return };
    let message = format!(
        "`{}` of `{}` can have {longest} bytes, and `{}` takes {most}",
        part.template.source, entity.name, part.key.name
    );
    let mut diagnostic = Diagnostic::new(&CODE, part.template.span, message)
        .help("bound the attributes closer (`at most 100 characters`), or cut them: `:first(50)`")
        .about(format!("{}.{}", entity.name, part.key.name));
    let shortest: usize =
        part.template.parts.iter().map(|part| if let Part::Literal(text) = part { text.len() } else { 1 }).sum();
    if shortest <= most {
        diagnostic.severity = Severity::Warning;
    }
    findings.push(diagnostic);
}

/// The most bytes a template can have, where its attributes are bounded.
fn longest(entity: &Entity, template: &Template) -> Option<usize> {
    template.parts.iter().try_fold(0usize, |bytes, part| match part {
        Part::Literal(text) => Some(bytes + text.len()),
        Part::Placeholder(placeholder) => {
            // A character has up to four bytes, and twelve when encoded.
            let per_character = if placeholder.formats.contains(&Format::Url) { 12 } else { 4 };
            let own = match placeholder.fixed_length() {
                Some(length) => length,
                None => {
                    let bound = entity.attribute(&placeholder.attribute)?.most(Unit::Characters)?.to_i64()?;
                    let first = placeholder.formats.iter().find_map(|format| match format {
                        Format::First(count) => Some(*count),
                        _ => None,
                    });
                    let characters = usize::try_from(bound).ok()?;
                    first.map_or(characters, |first| first.min(characters)) * per_character
                }
            };
            Some(bytes + own)
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{AGENCIES, PLATFORM, all, assert_says, one, patched};

    #[test]
    fn twenty_one_global_indexes() {
        let more: String = (4..=21).map(|n| format!("  GSI{n}: {{purpose: more}}\n")).collect();
        let text = patched(
            PLATFORM,
            &[("  GSI3: {purpose: status by date}\n", &format!("  GSI3: {{purpose: status by date}}\n{more}"))],
        );
        assert_says(
            &text,
            &one(&text, "KF037"),
            "the table has 21 global indexes, but DynamoDB allows 20",
            "GSI21",
            "share indexes between entities by distinct prefixes",
        );
    }

    #[test]
    fn a_sort_key_that_can_be_too_long() {
        let text = patched(
            AGENCIES,
            &[(
                "idpid: string, at least 1 character, at most 128 characters",
                "idpid: string, at least 1 character, at most 300 characters",
            )],
        );
        let found = all(&text);
        assert_eq!(found.len(), 1);
        assert_says(
            &text,
            &found[0],
            "`MEMBER#<idpid>` of `Member` can have 1207 bytes, and `SK` takes 1024",
            "MEMBER#<idpid>",
            "bound the attributes closer (`at most 100 characters`), or cut them: `:first(50)`",
        );
    }
}
