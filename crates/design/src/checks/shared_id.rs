//! KF075: ids and unique values that callers choose and that all tenants share.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Attribute, Design, Entity, OnDelete, TenantBinding, Verb};

pub(super) static CODE: Code = Code {
    id: "KF075",
    title: "id or unique value shared by all tenants",
    severity: Severity::Warning,
    explanation: "The key of the item, or of the lookup that makes a value unique, does not contain the tenant, and \
                  members choose what it contains. Creating an item with an id or a value that another tenant has is \
                  rejected, which reveals that it is taken, and keeps the other tenant from using it. Reads and changes \
                  tell nothing: there, another tenant's item is the same as one that does not exist.",
    fix: "Put the tenant into the key. Where ids are generated, let only operators choose one: `settable by operators`. \
          Where the value has to be unique across tenants, accept it with the reason:\n\n    accept:\n      \
          KF075 User: the id is the subject of the identity provider, which no two accounts share",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    let design = &draft.design;
    let Some(tenant) = design.tenant.as_ref().filter(|_| !draft.rules_incomplete) else { return };
    for entity in design.entities.iter().filter(|entity| entity.scope.has_tenant()) {
        let has_own_key = !matches!(entity.tenant, TenantBinding::Stored | TenantBinding::StoredOptionally);
        if !has_own_key
            && is_granted(design, entity, &[Verb::Create])
            && are_chosen(design, entity, &entity.identity)
            && !follow_from_parent(design, entity, &entity.identity)
        {
            let ids = entity.identity.join("`, `");
            let message = format!("all tenants share the ids of `{}`, and members choose `{ids}`", entity.name);
            let diagnostic = Diagnostic::new(&CODE, entity.span, message).about(entity.name.clone());
            findings.push(diagnostic.help(key_help(entity, &tenant.attribute)));
        }
        for unique in &entity.uniques {
            if !unique.attributes.contains(&tenant.attribute)
                && is_granted(design, entity, &[Verb::Create, Verb::Update])
                && are_chosen(design, entity, &unique.attributes)
                && !follow_from_parent(design, entity, &unique.attributes)
            {
                let message =
                    format!("`{}` of `{}` is unique across tenants, and members choose it", unique.name, entity.name);
                let help = format!("add `{}` to the unique attributes, or accept it with the reason", tenant.attribute);
                let about = format!("{}.{}", entity.name, unique.name);
                findings.push(Diagnostic::new(&CODE, unique.span, message).help(help).about(about));
            }
        }
    }
}

fn key_help(entity: &Entity, tenant: &str) -> String {
    let generated =
        entity.identity.iter().find(|name| entity.attribute(name).is_some_and(|own| own.generator.is_some()));
    match generated {
        Some(name) => format!(
            "put `<{tenant}>` into the key, add `settable by operators` to `{name}`, or accept it with the reason"
        ),
        None => format!("put `<{tenant}>` into the key, or accept it with the reason"),
    }
}

/// Whether a rule lets callers of a tenant use one of the verbs. Operators see all tenants anyway.
fn is_granted(design: &Design, entity: &Entity, verbs: &[Verb]) -> bool {
    verbs.iter().filter(|verb| entity.accepts(**verb)).any(|verb| {
        let mut rules = design.rules.iter();
        rules.any(|rule| {
            rule.verbs.contains(verb)
                && rule.entities.contains(&entity.id)
                && !design.is_for_operators_only(&rule.grantee)
        })
    })
}

/// Whether members choose all of the values.
fn are_chosen(design: &Design, entity: &Entity, names: &[String]) -> bool {
    let is_chosen = |attribute: &Attribute| {
        entity.is_settable(attribute)
            && attribute.settable_by.as_ref().is_none_or(|who| !design.is_for_operators_only(who))
    };
    names.iter().all(|name| entity.attribute(name).is_some_and(is_chosen))
}

/// Whether the values name a parent that belongs to one tenant: members create items below their own parents only, and
/// a reference to another's is rejected before anything else is said.
fn follow_from_parent(design: &Design, entity: &Entity, names: &[String]) -> bool {
    entity.references.iter().any(|reference| {
        let is_always_given = |own: &String| {
            names.contains(own) && entity.attribute(own).is_some_and(|attribute| !attribute.may_be_absent())
        };
        let has_one_tenant = match design[reference.target].tenant {
            TenantBinding::Stored => true,
            // Other items may also refer to a parent of all tenants.
            TenantBinding::StoredOptionally => reference.on_delete == OnDelete::Cascade,
            _ => false,
        };
        has_one_tenant && reference.mapping.iter().all(|(_, own)| is_always_given(own))
    })
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{AGENCIES, PLATFORM, all, assert_says, one, patched};

    fn subjects(text: &str) -> Vec<String> {
        let found = all(text).into_iter().filter(|found| found.code.id == "KF075");
        found.map(|found| found.subject.unwrap()).collect()
    }

    const CHOSEN: &str = "toolId: string, made as ulid, settable by operators";

    #[test]
    fn a_key_without_the_tenant_is_shared() {
        let text = patched(PLATFORM, &[(CHOSEN, "toolId: string, made as ulid")]);
        assert_says(
            &text,
            &one(&text, "KF075"),
            "all tenants share the ids of `Tool`, and members choose `workstreamId`, `toolId`",
            "Tool",
            "put `<accountId>` into the key, add `settable by operators` to `toolId`, or accept it with the reason",
        );
    }

    #[test]
    fn a_key_with_the_tenant_an_id_of_operators_and_a_parent_are_not_shared() {
        // Licenses have the tenant in their key, tools have ids of operators, permissions lie below the role of one
        // tenant.
        assert_eq!(subjects(PLATFORM), Vec::<String>::new());
        assert_eq!(subjects(AGENCIES), Vec::<String>::new());
        let operators_only = patched(
            PLATFORM,
            &[
                (CHOSEN, "toolId: string, made as ulid"),
                ("create, update, delete Workstream, Tool", "create, update, delete Workstream"),
            ],
        );
        assert_eq!(subjects(&operators_only), Vec::<String>::new());
    }

    #[test]
    fn a_unique_value_without_the_tenant_is_shared() {
        let unique = |attributes: &str| {
            let line = format!("    type: Member\n    unique: {{badge: [{attributes}]}}\n");
            patched(
                AGENCIES,
                &[
                    ("    type: Member\n", line.as_str()),
                    ("      idpid: string,", "      badge: string\n      idpid: string,"),
                ],
            )
        };
        let text = unique("badge");
        assert_says(
            &text,
            &one(&text, "KF075"),
            "`badge` of `Member` is unique across tenants, and members choose it",
            "badge",
            "add `agencyId` to the unique attributes, or accept it with the reason",
        );
        assert_eq!(subjects(&unique("agencyId, badge")), Vec::<String>::new());
    }
}
