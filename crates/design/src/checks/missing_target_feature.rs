//! KF072: a feature that a targeted backend lacks.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::BackendKind;

pub(super) static CODE: Code = Code {
    id: "KF072",
    title: "feature not supported by a target",
    severity: Severity::Error,
    explanation: "`targets:` lists the backends on which the design must run. The embedded engine has no \
                  multi-attribute keys. Alternator has none either, ignores projections, and has no transactions, so \
                  it does not support features that write several items together: unique constraints, derived items, \
                  references, counters.",
    fix: "Remove the target, or the unsupported feature.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for target in &draft.design.targets {
        let name = match target {
            BackendKind::Embedded => "the embedded engine",
            BackendKind::DynamoDb => "DynamoDB",
            BackendKind::Alternator => "Alternator",
        };
        for need in draft.design.lacks_on(*target) {
            let message = format!("{} needs {}, which {name} does not have", need.what, need.feature.as_str());
            let instead = need.instead.unwrap_or("remove it");
            let help = format!("{instead}, or remove `{}` from `targets`", target.as_str());
            findings.push(Diagnostic::new(&CODE, need.span, message).help(help));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{AGENCIES, all, assert_says, one, patched};

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

    #[test]
    fn the_embedded_engine_has_no_multi_attribute_keys() {
        let several =
            ("GSI2: {partition: idpid, sort: agencyId,", "GSI2: {partition: idpid, sort: [agencyId, created],");
        let by_default = patched(AGENCIES, &[several]);
        assert!(all(&by_default).iter().all(|found| found.code.id != "KF072"), "DynamoDB has them");
        let text = patched(&by_default, &[("table: agencies\n", "table: agencies\ntargets: embedded, dynamodb\n")]);
        assert_says(
            &text,
            &one(&text, "KF072"),
            "the index `GSI2` needs multi-attribute keys, which the embedded engine does not have",
            "GSI2",
            "remove it, or remove `embedded` from `targets`",
        );
    }
}
