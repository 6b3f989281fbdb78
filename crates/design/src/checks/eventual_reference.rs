//! KF051: a delete that relies on an index which lags behind the table.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::OnDelete;

pub(super) static CODE: Code = Code {
    id: "KF051",
    title: "delete relies on an eventually consistent index",
    severity: Severity::Warning,
    explanation: "Global indexes are updated shortly after the table and cannot be read consistently. A child that was \
                  just created may not be found, and its parent may be deleted. A counter on the parent, maintained in \
                  the same transaction as the child, is exact.",
    fix: "Count the referring items: `enterpriseId: string, refers to Enterprise, counted as licenseCount`, with \
          `licenseCount: integer, default 0` on the other entity. Or accept the warning.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for entity in &draft.design.entities {
        for reference in &entity.references {
            let lagging = reference.range.as_ref().filter(|range| !range.is_consistent()).and_then(|range| range.index);
            let (Some(index), None) = (lagging, &reference.counted_as) else { continue };
            let (target, index) = (&draft.design[reference.target], &draft.design[index]);
            if reference.on_delete == OnDelete::Ignore || index.local {
                continue;
            }
            let subject = format!("{}.{}", entity.name, reference.attribute);
            let message = format!(
                "deleting a `{}` looks for `{}` in `{}`, which lags behind the table",
                target.name, entity.name, index.name
            );
            let help = format!("make it exact with `counted as ATTRIBUTE`, or accept it: `KF051 {subject}: REASON`");
            findings.push(Diagnostic::new(&CODE, reference.span, message).help(help).about(subject));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, assert_says, one, patched};

    #[test]
    fn children_that_only_an_index_finds() {
        let text = patched(PLATFORM, &[("refers to Enterprise, counted as licenseCount", "refers to Enterprise")]);
        assert_says(
            &text,
            &one(&text, "KF051"),
            "deleting a `Enterprise` looks for `License` in `GSI2`, which lags behind the table",
            "string, refers to Enterprise",
            "make it exact with `counted as ATTRIBUTE`, or accept it: `KF051 License.enterpriseId: REASON`",
        );
    }
}
