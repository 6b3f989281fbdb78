//! KF062: an entity that nobody may use.

use std::collections::BTreeSet;

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::EntityId;

pub(super) static CODE: Code = Code {
    id: "KF062",
    title: "entity without a rule",
    severity: Severity::Warning,
    explanation: "Whatever no rule allows is denied. An entity that no rule mentions cannot be read or written by \
                  anyone.",
    fix: "Add a rule: `- members: read License`, or `- operators: everything`.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    if draft.rules_incomplete {
        return;
    }
    let mentioned: BTreeSet<EntityId> =
        draft.design.rules.iter().flat_map(|rule| rule.entities.iter().copied()).collect();
    for entity in draft.design.entities.iter().filter(|entity| !mentioned.contains(&entity.id)) {
        let message = format!("no rule allows anything with `{}`", entity.name);
        findings.push(
            Diagnostic::new(&CODE, entity.span, message)
                .help(format!("add a rule under `allow:`, such as `- signed in: read {}`", entity.name))
                .about(entity.name.clone()),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{AGENCIES, assert_says, one, patched};

    #[test]
    fn an_entity_that_no_rule_mentions() {
        let text = patched(
            AGENCIES,
            &[
                ("  - operators: everything\n", ""),
                ("read Agency, Member", "read Agency"),
                ("  - members and role admin: create, update, delete Member\n", ""),
            ],
        );
        assert_says(
            &text,
            &one(&text, "KF062"),
            "no rule allows anything with `Member`",
            "Member",
            "add a rule under `allow:`, such as `- signed in: read Member`",
        );
    }
}
