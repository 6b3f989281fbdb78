//! KF078: roles of the table that callers could give themselves.

use keyfold_dynamo::AttributeValue;

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Attribute, AttributeType, Design, EntityId, Grantee, UserSource, Verb};

pub(super) static CODE: Code = Code {
    id: "KF078",
    title: "role of the table that callers could give themselves",
    severity: Severity::Error,
    explanation: "A role of a membership counts in its tenant, so that it cannot be a role of operators, who act in all \
                  tenants. A role of a user counts everywhere: where it is a role of operators, only operators may set \
                  it, and nobody may become one by signing in for the first time. Without `settable by`, anyone who may \
                  write the item gives out its roles, and `settable by the owner` or `settable by signed in` lets \
                  people give themselves roles. The same holds for the groups and permissions of the table: where one \
                  makes operators, only operators may give it out, and not within a tenant, since its holders act in \
                  all tenants.",
    fix: "Restrict the attribute: `role: admin | editor, settable by operators`. Give operators a role of their own, \
          which the identity provider hands out.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    let design = &draft.design;
    if let Some(source) = &design.callers.members {
        examine(design, source.entity, source.role.as_ref(), false, findings);
    }
    if let Some(source) = &design.callers.users {
        examine(design, source.entity, source.role.as_ref(), true, findings);
        examine_sign_in(design, source, findings);
    }
    for given in given_items(design) {
        given.examine(design, findings);
    }
}

/// An item that gives people a group or a permission.
struct GivenItem<'d> {
    entity: EntityId,
    /// The attribute that says what is given.
    what: &'d str,
    /// The attributes that say to whom.
    to_whom: Vec<&'d str>,
    /// The group or permission by which people become operators, if it may be given by this item.
    of_operators: Option<String>,
}

/// The items from which callers have their groups and permissions.
fn given_items(design: &Design) -> Vec<GivenItem<'_>> {
    let (mut group, mut permission) = (None, None);
    design.callers.operators.walk(&mut |who| match who {
        Grantee::Group(name) => group = Some(format!("the group `{name}`")),
        Grantee::Permission(name) => permission = Some(format!("the permission `{name}`")),
        _ => {}
    });
    let mut items = Vec::new();
    if let Some(source) = &design.callers.groups {
        let of_groups = source.permissions.as_ref().and(permission.clone());
        let of_operators = group.or(of_groups.clone());
        let (what, to_whom) = (source.group.as_str(), vec![source.subject.as_str()]);
        items.push(GivenItem { entity: source.membership, what, to_whom, of_operators });
        if let Some((entity, list)) = &source.permissions {
            items.push(GivenItem { entity: *entity, what: list, to_whom: Vec::new(), of_operators: of_groups });
        }
    }
    if let Some(source) = &design.callers.permissions {
        let (what, to_whom) = (source.role.as_str(), vec![source.subject.as_str()]);
        items.push(GivenItem { entity: source.caller, what, to_whom, of_operators: permission.clone() });
        let to_whom = vec![source.permission_role.as_str(), source.key.as_str()];
        let what = source.actions.as_str();
        items.push(GivenItem { entity: source.permission, what, to_whom, of_operators: permission });
    }
    items
}

impl GivenItem<'_> {
    fn examine(&self, design: &Design, findings: &mut Findings) {
        let entity = &design[self.entity];
        let is_write = |verb: &Verb| matches!(verb, Verb::Create | Verb::Update);
        let writers = design.rules.iter().filter(|rule| rule.entities.contains(&self.entity));
        let mut writers = writers.filter(|rule| rule.verbs.iter().any(is_write)).map(|rule| &rule.grantee);
        let Some(attribute) = entity.attribute(self.what) else { return };
        let name = &attribute.name;
        let is_protected = |name: &str| {
            let own = entity.attribute(name);
            let settable = own.and_then(|own| own.settable_by.as_ref());
            settable.is_some_and(|who| design.is_for_operators_only(who))
        };
        let is_settled = |name: &&str| {
            let is_fixed =
                entity.attribute(name).is_some_and(|own| own.fixed) || entity.identity.iter().any(|own| own == name);
            is_fixed || is_protected(name)
        };
        let (message, help) = if let Some(given) = self.of_operators.as_ref().filter(|_| entity.scope.has_tenant()) {
            (
                format!("a `{}` of one tenant would make operators of all tenants: it gives out {given}", entity.name),
                "make operators by a role of their token".to_owned(),
            )
        } else if let Some(given) = &self.of_operators {
            let is_safe = is_protected(name) && self.to_whom.iter().all(is_settled);
            if is_safe || writers.all(|who| design.is_for_operators_only(who)) {
                return;
            }
            (
                format!("others than operators could write `{}`, which gives out {given} of operators", entity.name),
                format!("write `{name}: …, settable by operators`, or make operators by a role of their token"),
            )
        } else {
            // Callers who may write the item are trusted with it, unless everyone may.
            let setters = attribute.settable_by.as_ref().map_or_else(|| writers.collect(), |who| vec![who]);
            let is_free = |who: &&&Grantee| !design.is_given_by_others(who);
            let Some(who) = setters.iter().find(is_free) else { return };
            (
                format!("`{who}` could set `{name}` of `{}` for themselves", entity.name),
                format!("say who gives it out: `{name}: …, settable by operators`"),
            )
        };
        let about = format!("{}.{name}", entity.name);
        findings.push(Diagnostic::new(&CODE, attribute.span, message).help(help).about(about));
    }
}

/// Examines the role that people have after their first sign-in, which no `settable by` restricts.
fn examine_sign_in(design: &Design, source: &UserSource, findings: &mut Findings) {
    let Some(claimed) = &source.created_with else { return };
    let entity = &design[source.entity];
    let Some(attribute) = source.role.as_ref().and_then(|name| entity.attribute(name)) else { return };
    let is_operator = |role: &AttributeValue| {
        operator_role(design, attribute).is_some_and(|operator| role.as_str() == Some(operator.as_str()))
    };
    let name = &attribute.name;
    let (message, help) = if claimed.iter().any(|claimed| claimed.attribute == *name) {
        (
            format!("a claim of their token would give new people their `{name}`"),
            format!("take `{name}` out of `created with`: roles that a token states are those of its roles claim"),
        )
    } else if attribute.default.as_ref().is_some_and(is_operator) {
        (
            "anyone who signs in would be an operator by default".to_owned(),
            format!("make `{name}` optional instead, or give it another default"),
        )
    } else {
        return;
    };
    let about = format!("{}.{name}", entity.name);
    findings.push(Diagnostic::new(&CODE, attribute.span, message).help(help).about(about));
}

/// Examines the attribute with the role of a user, or else of a membership.
fn examine(design: &Design, id: EntityId, role: Option<&String>, is_user: bool, findings: &mut Findings) {
    let entity = &design[id];
    let Some(attribute) = role.and_then(|name| entity.attribute(name)) else { return };
    let operator = operator_role(design, attribute);
    let (message, help) = match (operator, &attribute.settable_by) {
        (Some(role), _) if !is_user => (
            format!("a membership of one tenant would make operators of all tenants: `{role}` is their role"),
            format!("take `{role}` out of `{}`, or give operators another role", attribute.name),
        ),
        (Some(role), settable_by) if !settable_by.as_ref().is_some_and(|who| design.is_for_operators_only(who)) => (
            format!("others than operators could set `{}` to `{role}`, the role of operators", attribute.name),
            format!("write `{}: …, settable by operators`", attribute.name),
        ),
        (None, None) => (
            format!("anyone who writes `{}` could set its `{}`", entity.name, attribute.name),
            format!("say who gives out roles: `{}: …, settable by operators`", attribute.name),
        ),
        (_, Some(who)) if !design.is_given_by_others(who) && !design.is_for_operators_only(who) => (
            format!("`{who}` could set `{}` of `{}` for themselves", attribute.name, entity.name),
            format!("say who gives out roles: `{}: …, settable by operators`", attribute.name),
        ),
        _ => return,
    };
    let about = format!("{}.{}", entity.name, attribute.name);
    findings.push(Diagnostic::new(&CODE, attribute.span, message).help(help).about(about));
}

/// A role of operators among the values of an attribute.
fn operator_role<'a>(design: &Design, attribute: &'a Attribute) -> Option<&'a String> {
    let AttributeType::Enumeration(values) = &attribute.value_type else { return None };
    let mut roles = Vec::new();
    design.callers.operators.walk(&mut |who| {
        if let Grantee::Role(role) = who {
            roles.push(role.clone());
        }
    });
    values.iter().find(|value| roles.contains(value))
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{AGENCIES, CATALOGUE, PLATFORM, all, assert_says, one, patched};

    const ALBUMS: &str = include_str!("../../../../designs/albums/design.yaml");
    const ROLE: &str = "role: admin | member, optional, settable by operators or role admin";
    const ARCHIVE: &str = include_str!("../../../../designs/archive/design.yaml");

    #[test]
    fn a_membership_that_makes_operators() {
        let text = patched(AGENCIES, &[(ROLE, &ROLE.replace("admin | member", "admin | operator"))]);
        assert_says(
            &text,
            &one(&text, "KF078"),
            "a membership of one tenant would make operators of all tenants: `operator` is their role",
            "role",
            "take `operator` out of `role`, or give operators another role",
        );
    }

    #[test]
    fn a_role_that_every_writer_gives_out() {
        let text = patched(AGENCIES, &[(ROLE, "role: admin | member, optional")]);
        assert_says(
            &text,
            &one(&text, "KF078"),
            "anyone who writes `Member` could set its `role`",
            "role",
            "say who gives out roles: `role: …, settable by operators`",
        );
    }

    #[test]
    fn a_first_sign_in_that_gives_a_role() {
        let are = "are: {from: User by issuer and subject, role: role}";
        let created =
            |with: &str| format!("are: {{from: User by issuer and subject, role: role, created with: {{{with}}}}}");
        let text = patched(ARCHIVE, &[(are, &created("name: name or sub, role: nickname"))]);
        assert_says(
            &text,
            &one(&text, "KF078"),
            "a claim of their token would give new people their `role`",
            "role",
            "take `role` out of `created with`: roles that a token states are those of its roles claim",
        );
        let role = "role: admin | editor, optional, settable by operators";
        let default = "role: admin | editor, default admin, settable by operators";
        let text = patched(ARCHIVE, &[(are, &created("name: name or sub")), (role, default)]);
        assert_says(
            &text,
            &one(&text, "KF078"),
            "anyone who signs in would be an operator by default",
            "role",
            "make `role` optional instead, or give it another default",
        );
        let text = patched(ARCHIVE, &[(are, &created("name: name or sub"))]);
        assert_eq!(all(&text).iter().filter(|found| found.code.id == "KF078").count(), 0);
    }

    fn none(text: &str) {
        let found: Vec<_> = all(text).into_iter().filter(|found| found.code.id == "KF078").collect();
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn people_who_could_give_themselves_a_role() {
        for who in ["the owner", "signed in", "anyone", "members", "the owner or role admin"] {
            let line = format!("role: admin | member, optional, settable by {who}");
            let text =
                patched(AGENCIES, &[(ROLE, &line), ("    type: Member\n", "    type: Member\n    owner: idpid\n")]);
            assert_says(
                &text,
                &one(&text, "KF078"),
                &format!("`{who}` could set `role` of `Member` for themselves"),
                "role",
                "say who gives out roles: `role: …, settable by operators`",
            );
        }
        none(&patched(AGENCIES, &[(ROLE, "role: admin | member, optional, settable by members and role admin")]));
    }

    #[test]
    fn operators_by_a_group_that_tenants_hand_out() {
        let operators = ("operators: role operator", "operators: group admin");
        let text = patched(ALBUMS, &[operators]);
        assert_says(
            &text,
            &one(&text, "KF078"),
            "a `Membership` of one tenant would make operators of all tenants: it gives out the group `admin`",
            "role",
            "make operators by a role of their token",
        );
        // Where there are no tenants, operators may hand it out, and nobody else.
        let operators = ("operators: role SuperAdmin or group SuperAdmin", "operators: group Chiefs");
        none(&patched(CATALOGUE, &[operators]));
        let rule = "  - the owner: read GroupMembership\n";
        let joining = format!("{rule}  - role manager: create GroupMembership\n");
        let text = patched(CATALOGUE, &[operators, (rule, &joining)]);
        assert_says(
            &text,
            &one(&text, "KF078"),
            "others than operators could write `GroupMembership`, which gives out the group `Chiefs` of operators",
            "groupName",
            "write `groupName: …, settable by operators`, or make operators by a role of their token",
        );
        let settable = ("settable by operators or group admin", "settable by the owner");
        let text = patched(ALBUMS, &[settable]);
        assert_says(
            &text,
            &one(&text, "KF078"),
            "`the owner` could set `role` of `Membership` for themselves",
            "role",
            "say who gives it out: `role: …, settable by operators`",
        );
    }

    #[test]
    fn operators_by_a_permission_that_tenants_hand_out() {
        let operators = ("operators: role operator", "operators: permission roles.write");
        let text = patched(PLATFORM, &[operators]);
        let found: Vec<String> =
            all(&text).into_iter().filter(|found| found.code.id == "KF078").map(|found| found.message).collect();
        let given = |entity: &str| {
            format!(
                "a `{entity}` of one tenant would make operators of all tenants: it gives out the permission `roles.write`"
            )
        };
        assert!(found.contains(&given("User")) && found.contains(&given("Permission")), "{found:?}");
        none(PLATFORM);
    }

    #[test]
    fn a_user_who_could_become_an_operator() {
        let role = "role: admin | editor, optional, settable by operators";
        for settable in ["", ", settable by role editor", ", settable by operators or role editor"] {
            let text = patched(ARCHIVE, &[(role, &format!("role: admin | editor, optional{settable}"))]);
            assert_says(
                &text,
                &one(&text, "KF078"),
                "others than operators could set `role` to `admin`, the role of operators",
                "role",
                "write `role: …, settable by operators`",
            );
        }
        for settable in ["role admin", "operators or role admin"] {
            let text = patched(ARCHIVE, &[(role, &format!("role: admin | editor, optional, settable by {settable}"))]);
            assert_eq!(all(&text).iter().filter(|found| found.code.id == "KF078").count(), 0);
        }
    }
}
