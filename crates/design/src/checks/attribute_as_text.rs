//! KF017: an attribute's name where its value was meant.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Entity, Layout};
use crate::template::{Part, Template};

pub(super) static CODE: Code = Code {
    id: "KF017",
    title: "attribute name as literal text",
    severity: Severity::Warning,
    explanation: "Only `<name>` stands for a value. `BOOK#${bookId}`, `BOOK#{bookId}` and `BOOK#bookId` are literal \
                  text: every item of the entity gets the same key, and the second one is rejected as already \
                  existing.",
    fix: "Write `BOOK#<bookId>`.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for entity in &draft.design.entities {
        let layouts = std::iter::once(&entity.layout).chain(entity.uniques.iter().map(|unique| &unique.layout));
        for template in layouts.flat_map(key_templates) {
            if let Some((text, attribute)) = named_attribute(template, entity) {
                let message = format!("`{text}` is literal text, not the value of `{attribute}`");
                let help = format!("write `<{attribute}>`");
                findings.push(Diagnostic::new(&CODE, template.span, message).help(help).about(entity.name.clone()));
            }
        }
    }
}

fn key_templates(layout: &Layout) -> impl Iterator<Item = &Template> {
    let table = std::iter::once(&layout.partition).chain(&layout.sort);
    table.chain(layout.index_keys.iter().flat_map(|key| key.parts())).flat_map(|part| part.template.alternatives())
}

/// A component of literal text that spells an attribute, bare or in another notation for placeholders.
fn named_attribute<'t>(template: &'t Template, entity: &'t Entity) -> Option<(&'t str, &'t str)> {
    template.parts.iter().enumerate().find_map(|(at, part)| {
        let Part::Literal(text) = part else { return None };
        let labels_value = matches!(template.parts.get(at + 1), Some(Part::Placeholder(_)));
        let mut components = text.split(template.delimiter).peekable();
        std::iter::from_fn(|| Some((components.next()?, components.peek().copied()))).find_map(|(component, next)| {
            let name = component.strip_prefix('$').unwrap_or(component);
            let name = name.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(name).trim();
            let attribute = entity.attribute(name)?;
            let is_label = component == name
                // `PK: sequence` is a key of one word, as singletons have it.
                && (template.source == component
                    // `user#<id>`: the literal ends with the delimiter, so an empty component follows.
                    || (labels_value && next.is_some_and(str::is_empty))
                    || template.placeholders().any(|placeholder| placeholder.attribute == name));
            (!is_label).then_some((component, attribute.name.as_str()))
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, all, assert_says, one, patched};

    #[test]
    fn another_notation_for_a_placeholder() {
        for (written, component) in [("ADDRESS#${addressId}", "${addressId}"), ("ADDRESS#addressId", "addressId")] {
            let text = patched(PLATFORM, &[("SK: ADDRESS#<addressId>", &format!("SK: {written}"))]);
            assert_says(
                &text,
                &one(&text, "KF017"),
                &format!("`{component}` is literal text, not the value of `addressId`"),
                written,
                "write `<addressId>`",
            );
        }
    }

    #[test]
    fn labels_of_values_may_be_named_as_attributes() {
        for written in ["addressId#<addressId>", "kind#<addressId>", "A#<addressId>#addressId"] {
            let text = patched(PLATFORM, &[("SK: ADDRESS#<addressId>", &format!("SK: {written}"))]);
            assert!(all(&text).iter().all(|found| found.code.id != "KF017"), "{written}");
        }
        let unique =
            patched(PLATFORM, &[("    plural: Addresses\n", "    plural: Addresses\n    unique: {city: [city]}\n")]);
        assert!(all(&unique).iter().all(|found| found.code.id != "KF017"));
    }

    #[test]
    fn literal_text_that_names_no_attribute() {
        assert_eq!(all(PLATFORM), []);
    }
}
