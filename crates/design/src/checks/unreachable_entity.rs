//! KF047: an entity that no pattern reaches.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};

pub(super) static CODE: Code = Code {
    id: "KF047",
    title: "entity without an access pattern",
    severity: Severity::Warning,
    explanation: "The items can be read only by their complete key; they cannot be listed or searched. Often a pattern \
                  is missing, or a pattern that reads their partition does not return them.",
    fix: "Add a pattern, or name the entity in one that reads its partition: `… -> Account, Address`.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    if draft.patterns_incomplete {
        return;
    }
    let design = &draft.design;
    let groups = design.callers.groups.as_ref().map(|groups| groups.membership);
    let permissions = design.callers.permissions.as_ref().map(|permissions| permissions.permission);
    for entity in &design.entities {
        let reached = design
            .patterns
            .iter()
            .any(|pattern| pattern.entities().chain(pattern.found_entities()).any(|id| id == entity.id))
            || entity.is_singleton()
            || [groups, permissions].contains(&Some(entity.id));
        if !reached {
            let message = format!("no pattern returns `{}`", entity.name);
            findings.push(
                Diagnostic::new(&CODE, entity.span, message)
                    .help(format!(
                        "add a pattern, or name it in one that reads `{}`",
                        entity.layout.partition.template.source
                    ))
                    .about(entity.name.clone()),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, assert_says, one, patched};

    #[test]
    fn an_entity_that_no_pattern_returns() {
        let text = patched(PLATFORM, &[("-> Account, Address, TechUser, License", "-> Account, TechUser, License")]);
        assert_says(
            &text,
            &one(&text, "KF047"),
            "no pattern returns `Address`",
            "Address",
            "add a pattern, or name it in one that reads `ACCOUNT#<accountId>`",
        );
    }
}
