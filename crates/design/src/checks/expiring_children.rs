//! KF067: a counter that nobody counts down.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};

pub static CODE: Code = Code {
    id: "KF067",
    title: "a counter of items that expire",
    severity: Severity::Error,
    explanation: "`counted as` keeps an exact number of those who refer, in the transaction that writes them. An item that expires is \
                  removed by the table itself, outside of any transaction: its counter would stay too high for good, and what it refers \
                  to could never be deleted.",
    fix: "Take `counted as` away, so that those who refer are looked for (`delete ignored` where that is not needed), or delete the \
          items with a call instead of an expiry.",
};

pub fn check(draft: &Draft, findings: &mut Findings) {
    for entity in draft.design.entities.iter().filter(|entity| entity.expiry().is_some()) {
        for reference in &entity.references {
            let Some(counter) = &reference.counted_as else { continue };
            let expiry = entity.expiry().map_or("", |attribute| &attribute.name);
            let message = format!(
                "`{}` of `{}` is counted as `{counter}`, and items that expire (`{expiry}`) are never counted down",
                reference.attribute, entity.name
            );
            let span = entity.attribute(&reference.attribute).map_or(entity.span, |attribute| attribute.span);
            let help = format!("take `counted as {counter}` away");
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
            "`enterpriseId` of `License` is counted as `licenseCount`, and items that expire (`expiresAt`) are never counted down",
            "enterpriseId",
            "take `counted as licenseCount` away",
        );
    }
}
