//! KF079: attributes that lead to a user, and that others could set.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Attribute, AttributeType, Design, Entity, Verb};

pub(super) static CODE: Code = Code {
    id: "KF079",
    title: "lookup attribute of a user that others could set",
    severity: Severity::Error,
    explanation: "Issuer and subject of a token lead to a user (`callers: {are: …}`), and a unique e-mail address belongs \
                  to one. Anyone who may set these attributes can take the place of another person: they write the \
                  subject or the address of someone who has not signed in yet, or lead their own token to another \
                  user. Therefore the attributes need `settable by`, for callers to whom someone gave a role, a group \
                  or a permission. `fixed` is sufficient where nobody else creates users. Policy files may permit \
                  writes that the rules do not mention, so that it is required whatever the rules say.",
    fix: "Write `subject: string, settable by operators`. The first sign-in and `keyfold admin create` set the attributes \
          all the same.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    let design = &draft.design;
    let Some(source) = &design.callers.users else { return };
    let entity = &design[source.entity];
    for attribute in entity.attributes.iter().filter(|attribute| is_lookup(design, entity, attribute)) {
        if is_protected(design, entity, attribute) {
            continue;
        }
        let name = &attribute.name;
        let message = format!("`{name}` leads to a `{}`, and others than operators could set it", entity.name);
        let help = format!("write `{name}: …, settable by operators`");
        let about = format!("{}.{name}", entity.name);
        findings.push(Diagnostic::new(&CODE, attribute.span, message).help(help).about(about));
    }
}

/// Whether a token leads to a user by the attribute, or it is an e-mail address that one user has.
fn is_lookup(design: &Design, entity: &Entity, attribute: &Attribute) -> bool {
    let users = design.callers.users.as_ref();
    let is_identity = users.is_some_and(|users| users.attributes().contains(&attribute.name.as_str()));
    let is_unique = || entity.uniques.iter().any(|unique| unique.attributes.contains(&attribute.name));
    is_identity || attribute.value_type == AttributeType::Email && is_unique()
}

fn is_protected(design: &Design, entity: &Entity, attribute: &Attribute) -> bool {
    if let Some(who) = &attribute.settable_by {
        return design.is_for_operators_only(who) || design.is_given_by_others(who);
    }
    let stays = attribute.fixed || entity.identity.contains(&attribute.name);
    let creates = |verbs: &std::collections::BTreeSet<Verb>| verbs.contains(&Verb::Create);
    let mut creators = design.rules.iter().filter(|rule| rule.entities.contains(&entity.id) && creates(&rule.verbs));
    stays
        && creators.all(|rule| design.is_for_operators_only(&rule.grantee) || design.is_given_by_others(&rule.grantee))
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{all, assert_says, one, patched};

    const ALBUMS: &str = include_str!("../../../../designs/albums/design.yaml");
    const SUBJECT: &str =
        "subject: string, at least 1 character, at most 255 characters, personal, settable by operators";
    const EMAIL: &str = "email: email, optional, personal, settable by operators";

    #[test]
    fn a_subject_or_an_address_that_others_could_set() {
        for (line, name) in [(SUBJECT, "subject"), (EMAIL, "email")] {
            for settable in
                ["", ", settable by the owner", ", settable by signed in", ", settable by the owner or role x"]
            {
                let text = patched(ALBUMS, &[(line, &line.replace(", settable by operators", settable))]);
                assert_says(
                    &text,
                    &one(&text, "KF079"),
                    &format!("`{name}` leads to a `User`, and others than operators could set it"),
                    name,
                    &format!("write `{name}: …, settable by operators`"),
                );
            }
        }
    }

    #[test]
    fn a_fixed_subject_is_safe_where_only_operators_create_users() {
        let fixed = (SUBJECT, &SUBJECT.replace(", settable by operators", ", fixed") as &str);
        let count = |text: &str| all(text).iter().filter(|found| found.code.id == "KF079").count();
        assert_eq!(count(&patched(ALBUMS, &[fixed])), 0);
        let rule = "  - the owner: read User, Membership, MembershipByUser\n";
        let creating = format!("{rule}  - signed in: create User\n");
        assert_eq!(count(&patched(ALBUMS, &[fixed, (rule, &creating)])), 1);
        assert_eq!(count(&patched(ALBUMS, &[(rule, &creating)])), 0);
    }
}
