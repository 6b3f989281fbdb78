//! KF058: a rule that breaks on an absent attribute.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};

pub(super) static CODE: Code = Code {
    id: "KF058",
    title: "optional attribute in a constraint",
    severity: Severity::Warning,
    explanation: "An absent attribute is `null` in an expression, and `null <= 3` cannot be evaluated: the constraint \
                  fails for every item without the attribute.",
    fix: "Handle items without it: `startDate == null || startDate <= endDate`.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for entity in &draft.design.entities {
        for constraint in &entity.must_hold {
            let source = constraint.expression.source();
            for name in constraint.expression.variables() {
                let optional = entity.attribute(name).is_some_and(|attribute| attribute.may_be_absent());
                let guarded = [
                    format!("{name} == null"),
                    format!("{name} != null"),
                    format!("null == {name}"),
                    format!("null != {name}"),
                ]
                .iter()
                .any(|guard| source.contains(guard.as_str()));
                if optional && !guarded {
                    let message = format!("`{name}` is optional, and the rule does not handle its absence");
                    findings.push(
                        Diagnostic::new(&CODE, constraint.span, message)
                            .help(format!("write `{name} == null || …`"))
                            .about(format!("{}.{name}", entity.name)),
                    );
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, assert_says, one, patched};

    #[test]
    fn an_optional_attribute_without_a_guard() {
        let text = patched(PLATFORM, &[("startDate == null || startDate <= endDate", "startDate <= endDate")]);
        assert_says(
            &text,
            &one(&text, "KF058"),
            "`startDate` is optional, and the rule does not handle its absence",
            "\"a license ends after it starts\"",
            "write `startDate == null || …`",
        );
    }
}
