//! KF076: a rule lets callers create items, but not set an attribute that every item needs.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Design, Entity, Rule, Verb};

pub(super) static CODE: Code = Code {
    id: "KF076",
    title: "required attribute that a creator cannot set",
    severity: Severity::Warning,
    explanation: "The attribute is required and has no default, and `settable by` excludes callers to whom a rule grants \
                  `create`. Whatever these callers send is rejected: without the attribute since it is missing, and \
                  with it since they may not set it. Only those who happen to be among the callers of `settable by` too \
                  can create items.",
    fix: "Make the attribute `optional` or give it a `default`, so that others create items without choosing it; or name \
          the callers of the rule in `settable by`, or those of `settable by` in the rule.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    let design = &draft.design;
    for rule in design.rules.iter().filter(|rule| rule.verbs.contains(&Verb::Create)) {
        for entity in rule.entities.iter().map(|id| &design[*id]).filter(|entity| entity.accepts(Verb::Create)) {
            check_rule(design, rule, entity, findings);
        }
    }
}

fn check_rule(design: &Design, rule: &Rule, entity: &Entity, findings: &mut Findings) {
    for attribute in entity.settable_attributes().filter(|own| design.is_required_input(entity, own)) {
        let Some(who) = &attribute.settable_by else { continue };
        if design.includes_all(who, &rule.grantee) {
            continue;
        }
        let (name, grantee) = (&attribute.name, &rule.grantee);
        let message =
            format!("`{grantee}` cannot create `{}`: `{name}` is required and settable by `{who}`", entity.name);
        findings.push(
            Diagnostic::new(&CODE, rule.span, message)
                .also(attribute.span, "required, and set by others")
                .help(format!("make `{name}` optional, give it a default, or let `{grantee}` set it"))
                .about(format!("{}.{name}", entity.name)),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{AGENCIES, PLATFORM, all, assert_says, one, patched};

    fn count(text: &str) -> usize {
        all(text).iter().filter(|found| found.code.id == "KF076").count()
    }

    #[test]
    fn whoever_creates_must_be_able_to_set_what_is_required() {
        let text = patched(PLATFORM, &[("roleId: string, optional, refers to Role", "roleId: string, refers to Role")]);
        assert_says(
            &text,
            &one(&text, "KF076"),
            "`members and permission users.write` cannot create `User`: `roleId` is required and settable by `operators or \
             permission roles.write`",
            "members with permission users.write: create, update, delete User, UserWorkstream",
            "make `roleId` optional, give it a default, or let `members and permission users.write` set it",
        );
    }

    #[test]
    fn a_rule_for_the_same_callers_a_default_and_a_generated_id_are_fine() {
        let name = "name: string, at least 1 character, at most 200 characters";
        let rule = "members and role admin: update Agency";
        let settable = |who: &str, rest: &str| {
            let name_line = format!("{name}, settable by {who}{rest}");
            patched(AGENCIES, &[(name, &name_line), (rule, "members and role admin: create, update Agency")])
        };
        assert_eq!(count(&settable("operators", "")), 1);
        assert_eq!(count(&settable("operators or role admin", "")), 0);
        assert_eq!(count(&settable("role operator or members", "")), 0);
        assert_eq!(count(&settable("operators", ", default Nobody")), 0);
        assert_eq!(count(&settable("operators", ", optional")), 0);
        let id = patched(
            AGENCIES,
            &[("made as ulid", "made as ulid, settable by operators"), (rule, "members: create Agency")],
        );
        assert_eq!(count(&id), 0);
    }
}
