//! KF050: a delete that could not find the referring items.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::OnDelete;

pub(super) static CODE: Code = Code {
    id: "KF050",
    title: "referring items cannot be found",
    severity: Severity::Error,
    explanation: "A delete that is refused while other items refer to the item, or that deletes them too, must find \
                  them. Neither the table nor an index has a key range that contains all items that refer to one \
                  target, and DynamoDB could only find them with a scan.",
    fix: "Give the referring entity an index key with the target's id, count the referring items (`counted as \
          userCount`), or use `delete ignored`.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for entity in &draft.design.entities {
        for reference in &entity.references {
            let target = &draft.design[reference.target];
            let needs_range = match reference.on_delete {
                OnDelete::Ignore => false,
                OnDelete::Cascade => true,
                OnDelete::Refuse => reference.counted_as.is_none(),
            };
            if !needs_range || reference.range.is_some() {
                continue;
            }
            let what = match reference.on_delete {
                OnDelete::Cascade => "deleted with",
                OnDelete::Refuse | OnDelete::Ignore => "found before deleting",
            };
            let message = format!(
                "the `{}` that `{}` refers to cannot be deleted: no key range finds its `{}`",
                target.name, reference.attribute, entity.name
            );
            let help = match reference.on_delete {
                OnDelete::Cascade => format!(
                    "give `{}` an index partition with `<{}>`, or write `delete ignored`",
                    entity.name, reference.attribute
                ),
                OnDelete::Refuse | OnDelete::Ignore => format!(
                    "add `counted as ATTRIBUTE`, give `{}` an index partition with `<{}>`, or write `delete ignored`",
                    entity.name, reference.attribute
                ),
            };
            findings.push(
                Diagnostic::new(&CODE, reference.span, message)
                    .label(format!("`{}` has to be {what} its `{}`", entity.name, target.name))
                    .help(help)
                    .about(format!("{}.{}", entity.name, reference.attribute)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, assert_says, one, patched};

    #[test]
    fn a_reference_that_no_key_leads_back_from() {
        let text = patched(PLATFORM, &[("refers to Workstream, counted as userCount", "refers to Workstream")]);
        assert_says(
            &text,
            &one(&text, "KF050"),
            "the `Workstream` that `workstreamId` refers to cannot be deleted: no key range finds its `UserWorkstream`",
            "string, refers to Workstream",
            "add `counted as ATTRIBUTE`, give `UserWorkstream` an index partition with `<workstreamId>`, or write `delete ignored`",
        );
    }
}
