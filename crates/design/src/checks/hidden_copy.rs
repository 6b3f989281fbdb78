//! KF089: a derived entity that shows what `visible to` hides in its source.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Design, Entity, Grantee, Verb};

pub(super) static CODE: Code = Code {
    id: "KF089",
    title: "derived entity that shows a hidden attribute",
    severity: Severity::Warning,
    explanation: "An attribute with `visible to` is hidden in the items of its entity only. The items of a derived \
                  entity hold a copy, as an attribute, in a key, or as the value that they are made for, and callers who \
                  do not see the attribute may read them.",
    fix: "Declare the attribute in the derived entity with the same `visible to`, leave it out, let only callers who see \
          it read the derived items, or accept it with the reason:\n\n    accept:\n      KF089 SiteTag.tags: tags are \
          shown one by one",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    let design = &draft.design;
    if draft.rules_incomplete || draft.has_stand_ins {
        return;
    }
    for derived in &design.entities {
        let Some(derivation) = &derived.derivation else { continue };
        let source = &design[derivation.source];
        for attribute in &source.attributes {
            let Some(who) = &attribute.visible_to else { continue };
            let shown = derivation.copied(&derived.layout).into_iter().find(|copy| {
                let own = derived.attribute(copy.target).and_then(|own| own.visible_to.as_ref());
                copy.source == attribute.name && own.is_none_or(|own| !design.includes_all(who, own))
            });
            let Some(reader) = shown.and_then(|_| reader_without(design, derived, who)) else { continue };
            let name = &attribute.name;
            let message = format!(
                "`{name}` of {} is visible to `{who}`, and `{}` shows it to `{reader}`",
                source.name, derived.name
            );
            let help = format!("declare `{name}` in `{}` with `visible to {who}`, or leave it out", derived.name);
            let about = format!("{}.{name}", derived.name);
            findings.push(Diagnostic::new(&CODE, derivation.span, message).help(help).about(about));
        }
    }
}

/// Callers who may read the entity and are not all among these.
fn reader_without<'d>(design: &'d Design, entity: &Entity, who: &Grantee) -> Option<&'d Grantee> {
    let is_read = |verb: &Verb| matches!(verb, Verb::Get | Verb::List);
    let mut rules = design.rules.iter().filter(|rule| rule.entities.contains(&entity.id));
    let rule = rules.find(|rule| rule.verbs.iter().any(is_read) && !design.includes_all(who, &rule.grantee))?;
    Some(&rule.grantee)
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{all, assert_says, one, patched};

    const DESIGN: &str = "
design: trap
table: trap
tenant: acc
callers: {operators: role operator, members: tenant}
entities:
  Rec:
    scope: tenant
    PK: ACC#<acc>
    SK: REC#<recId>
    attributes:
      acc: string
      recId: string
      diag: string, at most 60 characters, visible to role doctor or operators
  RecCopy:
    derived from: Rec
    PK: ACC#<acc>
    SK: COPY#<recId>
    attributes: {diag: string}
patterns:
  recs: PK = ACC#<acc> and begins_with(SK, REC#)
  copies: PK = ACC#<acc> and begins_with(SK, COPY#)
allow:
  - operators: everything
  - members: create, read Rec
  - members: read RecCopy
";

    fn count(changes: &[(&str, &str)]) -> usize {
        all(&patched(DESIGN, changes)).iter().filter(|found| found.code.id == "KF089").count()
    }

    #[test]
    fn a_copy_that_everyone_sees() {
        assert_says(
            DESIGN,
            &one(DESIGN, "KF089"),
            "`diag` of Rec is visible to `role doctor or operators`, and `RecCopy` shows it to `members`",
            "Rec",
            "declare `diag` in `RecCopy` with `visible to role doctor or operators`, or leave it out",
        );
        let (copy, attributes) = ("SK: COPY#<recId>", "    attributes: {diag: string}\n");
        assert_eq!(count(&[(copy, "SK: COPY#<recId>#<diag>"), (attributes, "")]), 1);
        let words = ("derived from: Rec", "derived from: Rec, for each word in words(diag)");
        assert_eq!(count(&[words, (copy, "SK: COPY#<recId>#<word>"), (attributes, "")]), 1);
        assert_eq!(count(&[(attributes, "    label: DIAG#<diag>\n")]), 1);
    }

    #[test]
    fn copies_that_only_those_see_who_may() {
        assert_eq!(count(&[("{diag: string}", "{diag: 'string, visible to role doctor'}")]), 0);
        assert_eq!(count(&[("members: read RecCopy", "members and role doctor: read RecCopy")]), 0);
        assert_eq!(count(&[("    attributes: {diag: string}\n", "")]), 0);
        assert_eq!(count(&[("{diag: string}", "{diag: 'string, visible to role clerk'}")]), 1);
    }
}
