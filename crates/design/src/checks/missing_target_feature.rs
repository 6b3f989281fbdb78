//! KF072: a feature that a targeted backend lacks.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::Target;

pub(super) static CODE: Code = Code {
    id: "KF072",
    title: "feature not supported by a target",
    severity: Severity::Error,
    explanation: "`targets:` lists the backends on which the design must run. Alternator has no transactions, so it \
                  does not support features that write several items together: unique constraints, derived items, \
                  references, counters. It also has no multi-attribute keys, and ignores projections.",
    fix: "Remove the target, or the unsupported feature.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    let design = &draft.design;
    if !design.targets.contains(&Target::Alternator) {
        return;
    }
    for need in design.lacks_on(Target::Alternator) {
        let message = format!("{} needs {}, which Alternator does not have", need.what, need.feature.as_str());
        let instead = need.instead.unwrap_or("remove it");
        let help = format!("{instead}, or remove `alternator` from `targets`");
        findings.push(Diagnostic::new(&CODE, need.span, message).help(help));
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{AGENCIES, assert_says, one, patched};

    #[test]
    fn alternator_has_no_transactions() {
        let text =
            patched(AGENCIES, &[("table: agencies\n", "table: agencies\ntargets: embedded, dynamodb, alternator\n")]);
        assert_says(
            &text,
            &one(&text, "KF072"),
            "the reference `Member.agencyId` needs transactions, which Alternator does not have",
            "string, refers to Agency",
            "write `delete ignored` without a counter, or remove `alternator` from `targets`",
        );
    }
}
