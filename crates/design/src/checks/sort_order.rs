//! KF024: a sort key whose order is not the order of its values.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{AttributeType, Entity, KeyPart, Pattern, SortRange};
use crate::template::{Format, ValueKind};
use keyfold_dynamo::table::KeyType;

pub(super) static CODE: Code = Code {
    id: "KF024",
    title: "sort order differs from the order of values",
    severity: Severity::Warning,
    explanation: "String keys are sorted by bytes: `10` comes before `9`, and dates that are not in the format \
                  `YYYY-MM-DD`, or that have a time zone, are out of order. Free text that another part of the key \
                  follows is out of order where it contains a character below the delimiter: in `<name>#<id>`, \
                  `Ann Lee` comes before `Ann`, because a space comes before `#`. Ranges and orders over such a key \
                  are wrong.",
    fix: "Give numbers a fixed width (`<seats:width(6)>`) or make the key a number. Give dates the type `date` or \
          `datetime`, which have one format; a format with offsets does not sort. Restrict text with `matches`, or \
          make it the last part of the key.",
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
    let mut reported: Vec<String> = Vec::new();
    for pattern in &draft.design.patterns {
        for entity in pattern.entities().map(|id| &draft.design[id]) {
            report_bounded_text(entity, pattern, &mut reported, findings);
        }
    }
}

/// A bound on free text that another part of the key follows.
fn report_bounded_text(entity: &Entity, pattern: &Pattern, reported: &mut Vec<String>, findings: &mut Findings) {
    let Some((condition, delimiter)) = pattern.sort.as_ref().and_then(|sort| Some((sort, sort.component?))) else {
        return;
    };
    if matches!(condition.range, SortRange::Equal(_) | SortRange::BeginsWith(_)) {
        return;
    }
    let bounds = condition.range.bounds();
    let Some(last) = bounds.map(|bound| bound.placeholders().count()).max().and_then(|count| count.checked_sub(1))
    else {
        return;
    };
    let index_sorts = entity.layout.index_keys.iter().filter(|key| Some(key.index) == pattern.index);
    let sorts: Vec<&KeyPart> = match pattern.index {
        None => entity.layout.sort.iter().collect(),
        Some(_) => index_sorts.flat_map(|key| &key.sort).collect(),
    };
    let Some(part) = sorts.into_iter().find(|part| part.key.name == condition.attribute) else { return };
    let Some(placeholder) = part.template.placeholders().nth(last) else { return };
    let Some(attribute) = entity.attribute(&placeholder.attribute) else { return };
    let is_free = attribute.value_type == AttributeType::String && attribute.pattern.is_none();
    let subject = format!("{}.{}", entity.name, attribute.name);
    if !is_free || sounds_like_time(&attribute.name) || reported.contains(&subject) {
        return;
    }
    reported.push(subject.clone());
    let message = format!(
        "`{}` is free text in `{}`: values with characters below `{delimiter}`, such as a space, are on the wrong side of \
         the bound of `{}`",
        attribute.name, part.template.source, pattern.name
    );
    let help = format!(
        "restrict it, such as `matches /[0-9A-Za-z-]+/`, make it the last part of the key, or accept it: `KF024 \
         {subject}: REASON`"
    );
    findings.push(
        Diagnostic::new(&CODE, placeholder.span, message).also(pattern.span, "the pattern").help(help).about(subject),
    );
}

fn report(entity: &Entity, part: &KeyPart, findings: &mut Findings) {
    if part.key.key_type != KeyType::S {
        return;
    }
    for placeholder in part.template.placeholders() {
        let is_padding =
            |format: &Format| matches!(format, Format::Width(_) | Format::Descending(_) | Format::Shard(_));
        let padded = placeholder.formats.iter().any(is_padding);
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
        if let ValueKind::DateTime(format) = placeholder.kind
            && (!format.sorts() || format.is_number() && !padded)
        {
            let message = match format.is_number() {
                true => format!("`{name}` is a number in the text `{}`, where 10 comes before 9", part.template.source),
                false => format!(
                    "`{name}` has times of several zones in `{}`, which sort by their spelling",
                    part.template.source
                ),
            };
            let help = match format.is_number() {
                true => {
                    format!("make `{}` a number, or declare `{name}` as text: `datetime in seconds`", part.key.name)
                }
                false => format!("declare `{name}: datetime in milliseconds`, or another format in UTC"),
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
    use crate::checks::testing::{PLATFORM, all, assert_says, one, patched};

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
    fn a_bound_on_free_text_before_another_part() {
        let text = patched(PLATFORM, &[("GSI3SK: <endDate>#<licenseId>", "GSI3SK: <note>#<licenseId>")]);
        assert_says(
            &text,
            &one(&text, "KF024"),
            "`note` is free text in `<note>#<licenseId>`: values with characters below `#`, such as a space, are on the \
             wrong side of the bound of `expiring licenses`",
            "<note>",
            "restrict it, such as `matches /[0-9A-Za-z-]+/`, make it the last part of the key, or accept it: `KF024 \
             License.note: REASON`",
        );
        let restricted = text.replace("note: string", "note: string, matches /[a-z]+/");
        assert!(all(&restricted).iter().all(|found| found.code.id != "KF024"));
    }

    #[test]
    fn timestamps_in_a_format_that_does_not_sort() {
        let said = |format: &str| -> Vec<String> {
            let text = patched(PLATFORM, &[("sentAt: datetime\n", &format!("sentAt: datetime in {format}\n"))]);
            all(&text).into_iter().filter(|found| found.code.id == "KF024").map(|found| found.message).collect()
        };
        let zones = "`sentAt` has times of several zones in `<sentAt>#<id>`, which sort by their spelling";
        assert_eq!(said("seconds with offset"), [zones, zones]);
        let number = "`sentAt` is a number in the text `<sentAt>#<id>`, where 10 comes before 9";
        assert_eq!(said("epoch milliseconds"), [number, number]);
        for format in ["seconds", "microseconds", "lower-case seconds", "seconds without zone"] {
            assert_eq!(said(format), [""; 0], "{format}");
        }
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
