//! KF057: an identity of which the key holds only a part.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{AttributeType, Entity};
use crate::template::{Format, Placeholder};

pub(super) static CODE: Code = Code {
    id: "KF057",
    title: "key with only a part of the identity",
    severity: Severity::Error,
    explanation: "The table's key contains only part of a value that identifies the item (`D#<day:month>`), so two \
                  items with different values share one key: a read, a change or a deletion of one would reach the \
                  other. Either the key holds the whole value, or the design states what identifies the item without \
                  it; reads by identity then query the partition, and a change of the value moves the item. `lower` \
                  and `upper` are allowed: they make the identity case-insensitive.",
    fix: "Put the whole value into the key (`D#<day>`), or declare the identity without it: `identity: id`.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for entity in draft.design.entities.iter().filter(|entity| entity.is_written_directly()) {
        let cut = placeholders(entity).find(|placeholder| {
            entity.identity.contains(&placeholder.attribute) && !is_determined(entity, &placeholder.attribute)
        });
        let Some(placeholder) = cut else { continue };
        let attribute = &placeholder.attribute;
        let message = format!("the key of `{}` holds only a part of `{attribute}`, which identifies it", entity.name);
        let others: Vec<&str> = entity.identity.iter().map(String::as_str).filter(|name| name != attribute).collect();
        let help = match others.as_slice() {
            [] => format!("put the whole value into the key: `<{attribute}>`"),
            others => format!(
                "put the whole value into the key: `<{attribute}>`; or, if there is one item for each {others}, write \
                 `identity: {others}`",
                others = others.join(", ")
            ),
        };
        findings.push(Diagnostic::new(&CODE, placeholder.span, message).help(help).about(entity.name.clone()));
    }
}

/// The placeholders of the table's key.
fn placeholders(entity: &Entity) -> impl Iterator<Item = &Placeholder> {
    std::iter::once(&entity.layout.partition).chain(&entity.layout.sort).flat_map(|part| part.template.placeholders())
}

/// Whether different values of the attribute, apart from their case, give different keys.
fn is_determined(entity: &Entity, attribute: &str) -> bool {
    let of_attribute = || placeholders(entity).filter(|placeholder| placeholder.attribute == attribute);
    let has = |format: Format| of_attribute().any(|placeholder| placeholder.formats == [format]);
    let is_date = entity.attribute(attribute).is_some_and(|found| found.value_type == AttributeType::Date);
    let from_parts = has(Format::Date) || (has(Format::Year) && has(Format::Month) && has(Format::Day));
    of_attribute().any(keeps_all_but_case) || (is_date && from_parts)
}

/// A fallback stands for an absent value, which no identity has.
fn keeps_all_but_case(placeholder: &Placeholder) -> bool {
    let keeps = |format: &Format| {
        let keeps_case = matches!(format, Format::Url | Format::Width(_) | Format::Descending(_));
        keeps_case || matches!(format, Format::Lower | Format::Upper)
    };
    placeholder.formats.iter().all(keeps)
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, all, assert_says, one, patched};

    #[test]
    fn a_key_with_a_part_of_a_value() {
        let text = patched(PLATFORM, &[("SK: ADDRESS#<addressId>", "SK: ADDRESS#<city:first(2)>#<addressId>")]);
        assert_says(
            &text,
            &one(&text, "KF057"),
            "the key of `Address` holds only a part of `city`, which identifies it",
            "<city:first(2)>",
            "put the whole value into the key: `<city>`; or, if there is one item for each accountId, addressId, write \
             `identity: accountId, addressId`",
        );
    }

    /// A design of one entity, and whether its key has only a part of its identity.
    fn is_cut(sort: &str, attributes: &str) -> bool {
        let text = format!(
            "design: meters\ntable: {{name: meters, partition: meterId number, sort: sk}}\nentities:\n  Daily:\n    \
             sk: {sort}\n    attributes: {{meterId: integer, {attributes}}}\npatterns:\n  days: meterId = <meterId>\nallow:\n  - signed in: everything\n"
        );
        let codes: Vec<&str> = all(&text).iter().map(|found| found.code.id).collect();
        assert!(codes.iter().all(|code| *code == "KF057"), "{codes:?}");
        !codes.is_empty()
    }

    #[test]
    fn values_that_the_key_does_not_determine() {
        assert!(is_cut("D#<year:width(4)>#<day:day>", "year: integer, day: date"));
        assert!(is_cut("D#<day:year>#<day:month>", "day: date"));
        // That the value cannot change does not give another item another key.
        assert!(is_cut("D#<at:date>", "at: 'datetime, fixed'"));
        assert!(is_cut("D#<at:shard(8)>", "at: datetime"));
    }

    #[test]
    fn values_that_the_key_determines() {
        assert!(!is_cut("D#<day:month>#<day>", "day: date"));
        assert!(!is_cut("D#<day:year>#<day:month>#<day:day>", "day: date"));
        assert!(!is_cut("D#<day:date>", "day: date"));
        assert!(!is_cut("D#<at:date>#<at>", "at: datetime"));
        assert!(!is_cut("D#<code:lower>", "code: string"));
    }
}
