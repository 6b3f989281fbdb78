//! KF069: the first characters of a value that may have fewer.

use keyfold_dynamo::Number;

use crate::build::Draft;
use crate::counted;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Attribute, AttributeType, Design, Entity, Unit};
use crate::template::{Format, Placeholder};

pub(super) static CODE: Code = Code {
    id: "KF069",
    title: "value may be shorter than its key part",
    severity: Severity::Warning,
    explanation: "`<name:first(2)>` puts the first two characters of a value into a key, and a shorter value whole. A \
                  pattern that cuts its argument needs two characters, so it never finds an item with a shorter \
                  value, although the item can be written.",
    fix: "Declare the least number of characters: `name: string, at least 2 characters`. Items that are stored with a \
          shorter value can still be read by their identity. If no pattern has to find them, accept the finding.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    let design = &draft.design;
    for entity in &design.entities {
        let mut reported: Vec<(&str, usize)> = Vec::new();
        for placeholder in placeholders(entity) {
            let Some(cut) = first_of(placeholder) else { continue };
            let name = placeholder.attribute.as_str();
            let Some(attribute) = entity.attribute(name) else { continue };
            if least_characters(design, entity, attribute) >= cut || reported.contains(&(name, cut)) {
                continue;
            }
            reported.push((name, cut));
            findings.push(finding(design, entity, attribute, placeholder, cut));
        }
    }
}

/// The placeholders of all keys of an entity, and of its lookups.
fn placeholders(entity: &Entity) -> impl Iterator<Item = &Placeholder> {
    let layouts = std::iter::once(&entity.layout).chain(entity.uniques.iter().map(|unique| &unique.layout));
    let templates = layouts.flat_map(|layout| &layout.computed).flat_map(|computed| computed.template.alternatives());
    templates.flat_map(|template| template.placeholders())
}

/// How many characters of the value the placeholder takes, if it takes the first ones.
fn first_of(placeholder: &Placeholder) -> Option<usize> {
    placeholder.formats.iter().find_map(|format| match format {
        Format::First(count) => Some(*count),
        _ => None,
    })
}

/// The number of characters that every value of an attribute has. A part of a key has at least one.
fn least_characters(design: &Design, entity: &Entity, attribute: &Attribute) -> usize {
    let source = entity.derivation.as_ref().and_then(|derivation| design[derivation.source].attribute(&attribute.name));
    let same = attribute.same_as.as_ref().and_then(|name| entity.attribute(name));
    [Some(attribute), source, same].into_iter().flatten().map(stated_characters).max().unwrap_or(1)
}

fn stated_characters(attribute: &Attribute) -> usize {
    let of_type = match &attribute.value_type {
        AttributeType::Enumeration(values) => values.iter().map(|value| value.chars().count()).min(),
        // `a@b.c`, `a://b`
        AttributeType::Email | AttributeType::Url => Some(5),
        other => other.kind().and_then(|kind| kind.fixed_length()),
    };
    let stated = attribute.least(Unit::Characters).and_then(Number::to_u64);
    let stated = stated.and_then(|least| usize::try_from(least).ok());
    of_type.max(stated).unwrap_or(1).max(1)
}

fn finding(
    design: &Design,
    entity: &Entity,
    attribute: &Attribute,
    placeholder: &Placeholder,
    cut: usize,
) -> Diagnostic {
    let name = &attribute.name;
    let subject = format!("{}.{name}", entity.name);
    let characters = counted(cut, "character");
    let message = format!("`{name}` may be shorter than the {characters} that its key takes");
    let help = match &attribute.value_type {
        AttributeType::Enumeration(values) => {
            let least = values.iter().map(|value| value.chars().count()).min().unwrap_or(1);
            format!("take fewer characters: `first({least})`")
        }
        _ => format!("declare `{name}` with `at least {characters}`, or accept it: `KF069 {subject}: REASON`"),
    };
    let finding = Diagnostic::new(&CODE, placeholder.span, message).help(help).about(subject);
    let needs_more = design.patterns.iter().find(|pattern| {
        pattern.entities().any(|id| id == entity.id)
            && pattern.parameters.iter().any(|parameter| parameter.at_least_characters == Some(cut))
    });
    match needs_more {
        Some(pattern) => finding.also(pattern.span, "does not find shorter values"),
        None => finding,
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, all, assert_says, one, patched};

    const ARCHIVE: &str = include_str!("../../../../designs/archive/design.yaml");
    const ACCEPTED: &str = "  KF069 Place.fullName: a place of one character is read by its id and found by its word\n";

    /// The archive with another line for the name of a place, without the entry that accepts short names.
    fn archive(name: &str) -> String {
        patched(ARCHIVE, &[(ACCEPTED, ""), ("fullName: string, at least 1 character,", name)])
    }

    #[test]
    fn a_pattern_does_not_find_a_value_that_is_shorter() {
        let text = archive("fullName: string,");
        let found = one(&text, "KF069");
        assert_says(
            &text,
            &found,
            "`fullName` may be shorter than the 2 characters that its key takes",
            "<fullName:first(2)>",
            "declare `fullName` with `at least 2 characters`, or accept it: `KF069 Place.fullName: REASON`",
        );
        let also = found.labels.first().map(|label| (text.get(label.span.range()), label.text.as_str()));
        assert_eq!(also, Some((Some("places by name"), "does not find shorter values")));
    }

    #[test]
    fn a_bound_below_the_cut_is_not_enough() {
        one(&archive("fullName: string, at least 1 character,"), "KF069");
    }

    #[test]
    fn an_enumeration_with_a_short_value() {
        let text = patched(
            PLATFORM,
            &[
                ("SK: ADDRESS#<addressId>", "SK: ADDRESS#<size:first(2)>#<addressId>"),
                ("      addressId:", "      size: S | XL, fixed\n      addressId:"),
            ],
        );
        let found = one(&text, "KF069");
        assert_eq!(found.help.as_deref(), Some("take fewer characters: `first(1)`"));
    }

    #[test]
    fn values_that_are_long_enough() {
        assert_eq!(all(&archive("fullName: string, at least 2 characters,")), []);
        for cut in ["city:first(1)", "kind:first(6)"] {
            let text = patched(PLATFORM, &[("SK: ADDRESS#<addressId>", &format!("SK: ADDRESS#<{cut}>#<addressId>"))]);
            assert!(all(&text).iter().all(|found| found.code.id != "KF069"), "{cut}");
        }
    }

    #[test]
    fn an_accepted_finding() {
        assert_eq!(all(ARCHIVE), []);
    }
}
