//! KF074: a `settable by` that does nothing.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Attribute, Design, Entity, Grantee, Verb};

pub(super) static CODE: Code = Code {
    id: "KF074",
    title: "`settable by` without effect",
    severity: Severity::Error,
    explanation: "`settable by` restricts which callers give an attribute its value. It has no effect on attributes that \
                  no caller sets: stamps, counters, copies, the tenant, and all attributes of derived entities. It \
                  restricts nobody if it names the owner and anyone who may update the item can become its owner.",
    fix: "Remove `settable by`, or restrict the attribute that the value comes from. Make the attribute of the owner \
          `fixed`, `created by`, part of the key, or `settable by the owner`.",
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
                let message =
                    format!("`{name}` is settable by `{who}`, but anyone who updates the item sets `{owner}`");
                let help = format!("add `fixed` or `settable by the owner` to `{owner}`");
                let about = format!("{}.{name}", entity.name);
                findings.push(Diagnostic::new(&CODE, attribute.span, message).help(help).about(about));
            }
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
    if attribute.computed.is_some() {
        return Some("is computed from other attributes".to_owned());
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
            "`status` is settable by `the owner`, but anyone who updates the item sets `keeper`",
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
        let is_about_callers = |id: &str| ["KF061", "KF065", "KF074"].contains(&id);
        assert_eq!(all(&text).iter().filter(|found| is_about_callers(found.code.id)).count(), 0);
    }
}
