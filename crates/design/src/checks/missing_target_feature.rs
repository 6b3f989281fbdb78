//! KF072: a feature that a targeted backend lacks.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{OnDelete, Projection, Target};
use crate::span::Span;

pub static CODE: Code = Code {
    id: "KF072",
    title: "a feature that a target lacks",
    severity: Severity::Error,
    explanation: "`targets:` says on which backends the design runs. Alternator has no transactions, so nothing that has to be written \
                  together with something else works there: uniques, derived items, references, counters. It also has no \
                  multi-attribute keys, and ignores projections.",
    fix: "Remove the target, or what it cannot do.",
};

pub fn check(draft: &Draft, findings: &mut Findings) {
    let design = &draft.design;
    if !design.targets.contains(&Target::Alternator) {
        return;
    }
    let mut lacks = |span: Span, what: String, feature: &str, help: &str| {
        let message = format!("{what} needs {feature}, which Alternator does not have");
        findings.push(Diagnostic::new(&CODE, span, message).help(help));
    };
    let without_target = "remove it, or remove `alternator` from `targets`";
    for entity in &design.entities {
        for unique in &entity.uniques {
            lacks(
                unique.span,
                format!("the unique `{}` of `{}`", unique.name, entity.name),
                "transactions",
                without_target,
            );
        }
        if let Some(derivation) = &entity.derivation {
            lacks(derivation.span, format!("the derived entity `{}`", entity.name), "transactions", without_target);
        }
        for reference in entity
            .references
            .iter()
            .filter(|reference| reference.on_delete != OnDelete::Ignore || reference.counted_as.is_some())
        {
            lacks(
                reference.span,
                format!("the reference `{}.{}`", entity.name, reference.attribute),
                "transactions",
                "say `delete ignored` without a counter, or remove `alternator` from `targets`",
            );
        }
        if !entity.is_found_by_key() {
            lacks(entity.span, format!("moving a `{}` to another key", entity.name), "transactions", without_target);
        }
    }
    for index in &design.indexes {
        if index.partition.len() > 1 || index.sort.len() > 1 {
            lacks(index.span, format!("the index `{}`", index.name), "multi-attribute keys", without_target);
        }
        if index.projection != Projection::All {
            lacks(
                index.span,
                format!("the projection of `{}`", index.name),
                "projections",
                "project all attributes, or remove `alternator` from `targets`",
            );
        }
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
            "say `delete ignored` without a counter, or remove `alternator` from `targets`",
        );
    }
}
