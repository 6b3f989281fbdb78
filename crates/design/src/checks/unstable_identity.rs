//! KF057: an item that nothing lasting identifies.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};

pub(super) static CODE: Code = Code {
    id: "KF057",
    title: "item without a stable identity",
    severity: Severity::Warning,
    explanation: "The table's key contains only part of a value (`place#<fullName:first(2)>`), so the value cannot be \
                  read from the key, and the key changes with the value. The design must therefore state what \
                  identifies the item. Reads by identity query the partition, and a change of the key moves the item.",
    fix: "Declare the identity: `identity: id`.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for entity in draft.design.entities.iter().filter(|entity| entity.is_written_directly()) {
        let parts = std::iter::once(&entity.layout.partition).chain(&entity.layout.sort);
        let lossy = parts
            .flat_map(|part| part.template.placeholders())
            .find(|placeholder| !placeholder.is_reversible() && entity.identity.contains(&placeholder.attribute));
        let Some(placeholder) = lossy else { continue };
        let whole = std::iter::once(&entity.layout.partition)
            .chain(&entity.layout.sort)
            .flat_map(|part| part.template.placeholders())
            .any(|other| other.attribute == placeholder.attribute && other.is_reversible());
        if whole || entity.attribute(&placeholder.attribute).is_some_and(|attribute| attribute.fixed) {
            continue;
        }
        let message = format!("the key of `{}` holds only a part of `{}`", entity.name, placeholder.attribute);
        let others: Vec<&str> =
            entity.identity.iter().map(String::as_str).filter(|name| *name != placeholder.attribute).collect();
        let help = match others.as_slice() {
            [] => format!("declare `{}: …, fixed`, or use the whole value", placeholder.attribute),
            others => format!("state what identifies it: `identity: {}`", others.join(", ")),
        };
        findings.push(Diagnostic::new(&CODE, placeholder.span, message).help(help).about(entity.name.clone()));
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, assert_says, one, patched};

    #[test]
    fn a_key_with_a_part_of_a_value() {
        let text = patched(PLATFORM, &[("SK: ADDRESS#<addressId>", "SK: ADDRESS#<city:first(2)>#<addressId>")]);
        assert_says(
            &text,
            &one(&text, "KF057"),
            "the key of `Address` holds only a part of `city`",
            "<city:first(2)>",
            "state what identifies it: `identity: accountId, addressId`",
        );
    }
}
