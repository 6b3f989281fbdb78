//! KF019: a reference whose values cannot be those of its target.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::template::ValueKind;

pub(super) static CODE: Code = Code {
    id: "KF019",
    title: "reference of another type than its target",
    severity: Severity::Warning,
    explanation: "A reference holds the identity of another item, so it has the type of the attribute that it refers \
                  to. A `string` that refers to a `ulid` accepts values that no item can have, and a caller learns so \
                  only from the failing write.",
    fix: "Declare the reference with the type of the attribute that it refers to.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    let design = &draft.design;
    for entity in design.entities.iter().filter(|entity| entity.is_written_directly()) {
        for reference in &entity.references {
            let target = &design[reference.target];
            let differing = reference.mapping.iter().find_map(|(theirs, own)| {
                let (theirs, own) = (target.attribute(theirs)?, entity.attribute(own)?);
                let fits = own.same_as.is_some() || can_hold(&theirs.value_type.kind()?, &own.value_type.kind()?);
                (!fits).then_some((theirs, own))
            });
            let Some((theirs, own)) = differing else { continue };
            let message = format!(
                "`{}` has the type `{}`, but `{}` of `{}` has the type `{}`",
                own.name,
                own.value_type.spelling(),
                theirs.name,
                target.name,
                theirs.value_type.spelling()
            );
            let help = format!("declare `{}: {}, …`", own.name, theirs.value_type.spelling());
            findings.push(Diagnostic::new(&CODE, own.span, message).help(help).about(entity.name.clone()));
        }
    }
}

/// Whether every value of the reference is one that the target could have.
fn can_hold(target: &ValueKind, reference: &ValueKind) -> bool {
    let is_number = |kind: &ValueKind| matches!(kind, ValueKind::Integer | ValueKind::Number);
    let is_text = |kind: &ValueKind| !is_number(kind) && !matches!(kind, ValueKind::Boolean | ValueKind::Binary);
    match target {
        ValueKind::Text => is_text(reference),
        ValueKind::Number => is_number(reference),
        other => other == reference,
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, all, assert_says, one, patched};

    #[test]
    fn a_string_that_refers_to_a_ulid() {
        let text = patched(PLATFORM, &[("      productId: string, made as ulid", "      productId: ulid")]);
        let messages: Vec<_> =
            all(&text).into_iter().filter(|found| found.code.id == "KF019").map(|found| found.message).collect();
        assert_eq!(messages, ["`productId` has the type `string`, but `productId` of `Product` has the type `ulid`"]);
    }

    #[test]
    fn an_integer_that_refers_to_a_string() {
        let text = patched(
            PLATFORM,
            &[("      productId: string, refers to Product", "      productId: integer, refers to Product")],
        );
        assert_says(
            &text,
            &one(&text, "KF019"),
            "`productId` has the type `integer`, but `productId` of `Product` has the type `string`",
            "productId",
            "declare `productId: string, …`",
        );
    }
}
