//! KF067: a counter that nobody counts down.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};

pub(super) static CODE: Code = Code {
    id: "KF067",
    title: "counter of expiring items",
    severity: Severity::Error,
    explanation: "`counted as` maintains an exact count of the referring items, in the transaction that writes them. \
                  Expired items are removed by the table itself, outside of any transaction: the counter would stay \
                  too high, and the referenced item could never be deleted.",
    fix: "Remove `counted as`, so that referring items are searched for (use `delete ignored` if that is not needed), \
          or delete the items by a call instead of by expiry.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for entity in draft.design.entities.iter().filter(|entity| entity.expiry().is_some()) {
        for reference in &entity.references {
            let Some(counter) = &reference.counted_as else { continue };
            let expiry = entity.expiry().map_or("", |attribute| &attribute.name);
            let message = format!(
                "`{}` of `{}` is counted as `{counter}`, which does not go down when items expire (`{expiry}`)",
                reference.attribute, entity.name
            );
            let span = entity.attribute(&reference.attribute).map_or(entity.span, |attribute| attribute.span);
            let help = format!("remove `counted as {counter}`");
            findings.push(Diagnostic::new(&CODE, span, message).help(help).about(entity.name.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, assert_says, one, patched};

    #[test]
    fn licenses_that_expire_by_themselves() {
        let text = patched(
            PLATFORM,
            &[(
                "      seats: integer, at least 1\n",
                "      seats: integer, at least 1\n      expiresAt: expiry, optional\n",
            )],
        );
        assert_says(
            &text,
            &one(&text, "KF067"),
            "`enterpriseId` of `License` is counted as `licenseCount`, which does not go down when items expire (`expiresAt`)",
            "enterpriseId",
            "remove `counted as licenseCount`",
        );
    }
}
