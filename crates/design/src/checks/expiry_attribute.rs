//! KF066: items that would never expire.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};

pub(super) static CODE: Code = Code {
    id: "KF066",
    title: "expiry attribute differs from the table's",
    severity: Severity::Error,
    explanation: "A table has one time-to-live attribute for all entities. An `expiry` attribute of another name is \
                  stored but has no effect: the items stay.",
    fix: "Use the same name for the expiry of all entities: the `ttl` of the table, if it is declared.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    let Some(ttl) = &draft.design.table.ttl else { return };
    for entity in &draft.design.entities {
        if let Some(attribute) = entity.expiry().filter(|attribute| attribute.name != *ttl) {
            let message = format!("`{}` of `{}` is an expiry, but the table's is `{ttl}`", attribute.name, entity.name);
            findings.push(Diagnostic::new(&CODE, attribute.span, message).help(format!("rename it to `{ttl}`")));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, assert_says, one, patched};

    #[test]
    fn expiries_of_two_names() {
        let text = patched(
            PLATFORM,
            &[
                ("      sentAt: datetime\n", "      sentAt: datetime\n      goneAt: expiry 90 days after sentAt\n"),
                (
                    "      seats: integer, at least 1\n",
                    "      seats: integer, at least 1\n      expiresAt: expiry, optional\n",
                ),
            ],
        );
        assert_says(
            &text,
            &one(&text, "KF066"),
            "`goneAt` of `NotificationAudit` is an expiry, but the table's is `expiresAt`",
            "goneAt",
            "rename it to `expiresAt`",
        );
    }
}
