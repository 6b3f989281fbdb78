//! KF090: a derived entity through which audited items are read without an entry in the audit log.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Entity, Verb};

pub(super) static CODE: Code = Code {
    id: "KF090",
    title: "copy of audited items whose reads are not recorded",
    severity: Severity::Warning,
    explanation: "`audit reads` records reads of the entity that has it. The items of a derived entity hold what they \
                  copy from it, and reading them leaves no entry.",
    fix: "Add `audit reads: yes` to the derived entity, leave out what it copies, or accept it with the reason:\n\n    \
          accept:\n      KF090 PatientName: the reception sees names all day",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    let design = &draft.design;
    for derived in design.entities.iter().filter(|entity| !entity.audit_reads) {
        let Some(derivation) = &derived.derivation else { continue };
        let source = &design[derivation.source];
        let is_tenant = |name: &str| design.tenant.as_ref().is_some_and(|tenant| tenant.attribute == name);
        // An identity says which item it is, and nothing about it.
        let copy = derivation.copied(&derived.layout).into_iter().find(|copy| {
            let is_attribute = source.attribute(copy.source).is_some();
            is_attribute && !source.identity.iter().any(|name| name == copy.source) && !is_tenant(copy.source)
        });
        let Some(copy) = copy.filter(|_| source.audit_reads && is_readable(draft, derived)) else { continue };
        let message = format!(
            "`{}` copies `{}` of {}, whose reads are audited, and is read without an entry",
            derived.name, copy.source, source.name
        );
        let help = format!("add `audit reads: yes` to `{}`", derived.name);
        findings.push(Diagnostic::new(&CODE, derivation.span, message).help(help).about(derived.name.clone()));
    }
}

/// Whether a rule lets anyone read the items.
fn is_readable(draft: &Draft, entity: &Entity) -> bool {
    let is_read = |verb: &Verb| matches!(verb, Verb::Get | Verb::List);
    let mut rules = draft.design.rules.iter();
    draft.rules_incomplete || rules.any(|rule| rule.entities.contains(&entity.id) && rule.verbs.iter().any(is_read))
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{all, assert_says, one, patched};

    const DESIGN: &str = "
design: clinic
table: clinic
tenant: ward
callers: {operators: role operator, members: tenant}
entities:
  Patient:
    scope: tenant
    PK: WARD#<ward>
    SK: PATIENT#<patientId>
    audit reads: yes
    attributes:
      ward: string
      patientId: string
      name: string
  PatientName:
    derived from: Patient
    PK: WARD#<ward>
    SK: NAME#<name>#<patientId>
patterns:
  patients: PK = WARD#<ward> and begins_with(SK, PATIENT#)
  names: PK = WARD#<ward> and begins_with(SK, NAME#)
allow:
  - operators: everything
  - members: create, read Patient
";

    #[test]
    fn a_copy_that_is_read_without_an_entry() {
        assert_says(
            DESIGN,
            &one(DESIGN, "KF090"),
            "`PatientName` copies `name` of Patient, whose reads are audited, and is read without an entry",
            "Patient",
            "add `audit reads: yes` to `PatientName`",
        );
        for change in [
            ("    derived from: Patient\n", "    derived from: Patient\n    audit reads: yes\n"),
            ("    audit reads: yes\n", ""),
            ("NAME#<name>#<patientId>", "NAME#<patientId>"),
            ("operators: everything", "operators: read Patient"),
        ] {
            let text = patched(DESIGN, &[change]);
            assert_eq!(all(&text).iter().filter(|found| found.code.id == "KF090").count(), 0, "{change:?}");
        }
    }
}
