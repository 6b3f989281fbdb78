//! KF024: a sort key whose order is not the order of its values.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{AttributeType, Entity, KeyPart};
use crate::template::{Format, ValueKind};
use keyfold_dynamo::table::KeyType;

pub(super) static CODE: Code = Code {
    id: "KF024",
    title: "sort order differs from the order of values",
    severity: Severity::Warning,
    explanation: "String keys are sorted by bytes: `10` comes before `9`, and dates that are not in the format \
                  `YYYY-MM-DD`, or that have a time zone, are out of order. Ranges and orders over such a key are \
                  wrong.",
    fix: "Give numbers a fixed width (`<seats:width(6)>`) or make the key a number. Give dates the type `date` or \
          `datetime`, which have one format, in UTC.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for entity in &draft.design.entities {
        let index_sorts = entity.layout.index_keys.iter().flat_map(|key| &key.sort);
        let mut seen: Vec<&str> = Vec::new();
        for part in entity.layout.sort.iter().chain(index_sorts) {
            if !seen.contains(&part.key.name.as_str()) {
                seen.push(&part.key.name);
                report(entity, part, findings);
            }
        }
    }
}

fn report(entity: &Entity, part: &KeyPart, findings: &mut Findings) {
    if part.key.key_type != KeyType::S {
        return;
    }
    for placeholder in part.template.placeholders() {
        let padded = placeholder.formats.iter().any(|format| matches!(format, Format::Width(_) | Format::Shard(_)));
        let name = &placeholder.attribute;
        let subject = format!("{}.{name}", entity.name);
        if matches!(placeholder.kind, ValueKind::Integer | ValueKind::Number) && !padded {
            let message =
                format!("`{name}` is a number in the text `{}`, where 10 comes before 9", part.template.source);
            let help = match placeholder.kind {
                ValueKind::Integer => {
                    format!("give it a width: `<{name}:width(6)>`, or make `{}` a number", part.key.name)
                }
                _ => format!("make `{}` a number: `sort: {} number`", part.key.name, part.key.name),
            };
            findings.push(Diagnostic::new(&CODE, placeholder.span, message).help(help).about(subject));
            continue;
        }
        let is_text = entity.attribute(name).is_some_and(|attribute| attribute.value_type == AttributeType::String);
        if is_text && sounds_like_time(name) {
            let message = format!("`{name}` sounds like a time but is a string, which sorts by its spelling");
            let help = format!("declare `{name}: date` or `{name}: datetime`, which have one spelling in UTC");
            findings.push(Diagnostic::new(&CODE, placeholder.span, message).help(help).about(subject));
        }
    }
}

fn sounds_like_time(name: &str) -> bool {
    name == "date"
        || name == "time"
        || ["Date", "Time", "_date", "_at", "_time"].iter().any(|ending| name.ends_with(ending))
        || name.strip_suffix("At").is_some_and(|stem| stem.ends_with(|c: char| c.is_lowercase()))
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, assert_says, one, patched};

    #[test]
    fn a_number_without_width() {
        let text = patched(
            PLATFORM,
            &[("GSI3SK: <endDate>#<licenseId>", "GSI3SK: <seats>#<licenseId>"), (" and GSI3SK <= <before>", "")],
        );
        assert_says(
            &text,
            &one(&text, "KF024"),
            "`seats` is a number in the text `<seats>#<licenseId>`, where 10 comes before 9",
            "<seats>",
            "give it a width: `<seats:width(6)>`, or make `GSI3SK` a number",
        );
    }

    #[test]
    fn a_date_that_is_a_string() {
        let text = patched(PLATFORM, &[("endDate: date\n", "endDate: string\n")]);
        assert_says(
            &text,
            &one(&text, "KF024"),
            "`endDate` sounds like a time but is a string, which sorts by its spelling",
            "<endDate>",
            "declare `endDate: date` or `endDate: datetime`, which have one spelling in UTC",
        );
    }
}
