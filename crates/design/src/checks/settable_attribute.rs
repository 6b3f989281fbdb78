//! KF074: a `settable by` that does nothing, or that nobody meets.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Attribute, Design, Entity, Grantee, Verb};

pub(super) static CODE: Code = Code {
    id: "KF074",
    title: "`settable by` without effect",
    severity: Severity::Error,
    explanation: "`settable by` restricts which callers give an attribute its value. It has no effect on attributes that \
                  no caller sets: stamps, counters, copies, the tenant, and all attributes of derived entities. It locks \
                  everyone out where it names callers that the design cannot have, such as members without a tenant. And \
                  it restricts nobody where it names the owner, and whoever updates the item can make themselves its \
                  owner.",
    fix: "Remove `settable by`, restrict the attribute that the value comes from, or name callers that exist. Make the \
          attribute of the owner `fixed`, `created by`, part of the key, or `settable by the owner`.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for entity in &draft.design.entities {
        for attribute in &entity.attributes {
            let Some(who) = &attribute.settable_by else { continue };
            let name = &attribute.name;
            if let Some(reason) = never_set(&draft.design, entity, attribute) {
                findings.push(
                    Diagnostic::new(&CODE, attribute.span, format!("`{name}` {reason}: `settable by` has no effect"))
                        .help("remove `settable by`")
                        .about(format!("{}.{name}", entity.name)),
                );
            }
            if let Some(owner) = free_owner(&draft.design, entity, who) {
                let message = format!("`{name}` is settable by `{who}`, but whoever updates the item sets `{owner}`");
                let help = format!("add `fixed` or `settable by the owner` to `{owner}`");
                let about = format!("{}.{name}", entity.name);
                findings.push(Diagnostic::new(&CODE, attribute.span, message).help(help).about(about));
            }
            who.walk(&mut |part| {
                if let Some((lack, help)) = nobody(&draft.design, entity, part) {
                    let message = format!("`{name}` is settable by `{part}`, but {lack}");
                    let about = format!("{}.{name}", entity.name);
                    findings.push(Diagnostic::new(&CODE, attribute.span, message).help(help).about(about));
                }
            });
        }
    }
}

/// Why no caller sets the attribute; `None` if callers do.
fn never_set(design: &Design, entity: &Entity, attribute: &Attribute) -> Option<String> {
    if !entity.is_written_directly() {
        return Some(format!("of the derived entity `{}` follows from its source", entity.name));
    }
    if let Some(other) = &attribute.same_as {
        return Some(format!("always equals `{other}`"));
    }
    if !entity.is_settable(attribute) {
        return Some("is maintained by Keyfold".to_owned());
    }
    (design.implied_tenant(entity) == Some(&attribute.name)).then(|| "is the tenant of the caller".to_owned())
}

/// The attribute of the owner, if a caller who is not the owner may put themselves there.
fn free_owner<'e>(design: &Design, entity: &'e Entity, who: &Grantee) -> Option<&'e str> {
    let mut names_owner = false;
    who.walk(&mut |part| names_owner |= *part == Grantee::Owner);
    let owner = entity.attribute(entity.owner.as_ref()?).filter(|_| names_owner)?;
    let is_free = entity.is_settable(owner)
        && !owner.fixed
        && owner.settable_by.is_none()
        && !entity.identity.contains(&owner.name)
        && entity.accepts(Verb::Update);
    // An update by the owner leaves the owner as they are, and operators may do everything.
    let trusted = Grantee::Any(vec![Grantee::Owner, Grantee::Operators]);
    let mut rules = design.rules.iter().filter(|rule| rule.entities.contains(&entity.id));
    let others = rules.any(|rule| rule.verbs.contains(&Verb::Update) && !design.includes_all(&trusted, &rule.grantee));
    (is_free && others).then_some(owner.name.as_str())
}

/// What the design lacks so that there can be such callers, and how to add it.
fn nobody(design: &Design, entity: &Entity, who: &Grantee) -> Option<(String, String)> {
    let callers = &design.callers;
    let has_permissions =
        callers.permissions.is_some() || callers.groups.as_ref().is_some_and(|groups| groups.permissions.is_some());
    match who {
        Grantee::Members if design.tenant.is_none() => {
            Some(("the design has no tenant".to_owned(), "add `tenant: ATTRIBUTE`, or write `signed in`".to_owned()))
        }
        Grantee::Group(_) if callers.groups.is_none() => {
            Some(("groups have no source".to_owned(), "declare where groups are: `callers: {groups: …}`".to_owned()))
        }
        Grantee::Permission(_) if !has_permissions => Some((
            "permissions have no source".to_owned(),
            "declare where permissions are: `callers: {permissions: …}`".to_owned(),
        )),
        Grantee::Owner if entity.owner.is_none() => {
            Some((format!("`{}` has no owner", entity.name), format!("add `owner: ATTRIBUTE` to `{}`", entity.name)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{AGENCIES, CATALOGUE, all, assert_says, one, patched};

    #[track_caller]
    fn says(design: &str, line: (&str, &str), message: &str, underlined: &str, help: &str) {
        let text = patched(design, &[line]);
        assert_says(&text, &one(&text, "KF074"), message, underlined, help);
    }

    #[test]
    fn attributes_that_no_caller_sets() {
        let remove = "remove `settable by`";
        says(
            AGENCIES,
            ("version: version", "version: version, settable by operators"),
            "`version` is maintained by Keyfold: `settable by` has no effect",
            "version",
            remove,
        );
        says(
            AGENCIES,
            ("agencyId: string, refers to Agency", "agencyId: string, refers to Agency, settable by operators"),
            "`agencyId` is the tenant of the caller: `settable by` has no effect",
            "agencyId",
            remove,
        );
        says(
            CATALOGUE,
            ("starRating: integer, same as stars", "starRating: integer, same as stars, settable by operators"),
            "`starRating` always equals `stars`: `settable by` has no effect",
            "starRating",
            remove,
        );
        says(
            CATALOGUE,
            ("      user: string\n", "      user: string, settable by operators\n"),
            "`user` of the derived entity `SiteComment` follows from its source: `settable by` has no effect",
            "user",
            remove,
        );
    }

    #[test]
    fn callers_that_the_design_cannot_have() {
        let status = "status: active | inactive, default active";
        let settable = |who: &str| format!("{status}, settable by {who}");
        for (who, message, help) in [
            (
                "the owner",
                "`status` is settable by `the owner`, but `Agency` has no owner",
                "add `owner: ATTRIBUTE` to `Agency`",
            ),
            (
                "operators or group staff",
                "`status` is settable by `group staff`, but groups have no source",
                "declare where groups are: `callers: {groups: …}`",
            ),
            (
                "permission agencies.close",
                "`status` is settable by `permission agencies.close`, but permissions have no source",
                "declare where permissions are: `callers: {permissions: …}`",
            ),
        ] {
            says(AGENCIES, (status, &settable(who)), message, "status", help);
        }
        says(
            CATALOGUE,
            ("permissions: list of string, at most 100 items", "permissions: list of string, settable by members"),
            "`permissions` is settable by `members`, but the design has no tenant",
            "permissions",
            "add `tenant: ATTRIBUTE`, or write `signed in`",
        );
    }

    #[test]
    fn an_owner_whom_everyone_can_replace() {
        let status = "status: active | inactive, default active";
        let design = |keeper: &str, rule: &str| {
            let lines = format!("{status}, settable by the owner\n      keeper: string, optional{keeper}");
            let rules = ("members and role admin: update Agency", rule);
            patched(
                AGENCIES,
                &[("    type: Agency\n", "    type: Agency\n    owner: keeper\n"), (status, &lines), rules],
            )
        };
        let everyone = "members and role admin: update Agency";
        let text = design("", everyone);
        assert_says(
            &text,
            &one(&text, "KF074"),
            "`status` is settable by `the owner`, but whoever updates the item sets `keeper`",
            "status",
            "add `fixed` or `settable by the owner` to `keeper`",
        );
        for (keeper, rule) in
            [(", fixed", everyone), (", settable by the owner", everyone), ("", "the owner: update Agency")]
        {
            let text = design(keeper, rule);
            assert_eq!(all(&text).iter().filter(|found| found.code.id == "KF074").count(), 0, "{keeper} {rule}");
        }
    }

    #[test]
    fn a_role_of_the_token_needs_no_source() {
        let status = "status: active | inactive, default active";
        let text =
            patched(AGENCIES, &[(status, &format!("{status}, settable by operators or members and role admin"))]);
        assert_eq!(all(&text).iter().filter(|found| found.code.id == "KF074").count(), 0);
    }
}
