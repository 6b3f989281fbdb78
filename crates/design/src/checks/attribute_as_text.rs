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
    let literals = template.parts.iter().filter_map(|part| match part {
        Part::Literal(text) => Some(text.as_str()),
        Part::Placeholder(_) => None,
    });
    literals.flat_map(|text| text.split(template.delimiter)).find_map(|component| {
        let name = component.strip_prefix('$').unwrap_or(component);
        let name = name.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(name).trim();
        let attribute = entity.attribute(name)?;
        // `PK: sequence` of an entity with an attribute `sequence` is a key of one word, as singletons have it.
        let is_whole_key = template.source == component && component == name;
        (!is_whole_key).then_some((component, attribute.name.as_str()))
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
    fn literal_text_that_names_no_attribute() {
        assert_eq!(all(PLATFORM), []);
    }
}
