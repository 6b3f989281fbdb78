//! KF063: what everyone may do, signed in or not.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Grantee, Verb};

pub(super) static CODE: Code = Code {
    id: "KF063",
    title: "rule for anonymous callers",
    severity: Severity::Note,
    explanation: "`anyone` includes callers without a token. That is often intended for reads, but rarely for writes; \
                  this note makes it visible.",
    fix: "Keep it if it is intended, use `signed in` if it is not, or accept it by entity.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for rule in &draft.design.rules {
        let mut public = false;
        let inside_all = matches!(rule.grantee, Grantee::All(_));
        rule.grantee.walk(&mut |grantee| public |= *grantee == Grantee::Anyone);
        if !public || inside_all {
            continue;
        }
        let verbs: Vec<&str> = rule.verbs.iter().map(|verb| verb.as_str()).collect();
        for entity in rule.entities.iter().map(|id| &draft.design[*id]) {
            let message = format!("anyone, signed in or not, may {} `{}`", verbs.join(", "), entity.name);
            let mut diagnostic = Diagnostic::new(&CODE, rule.span, message)
                .help("write `signed in` if that is not intended")
                .about(entity.name.clone());
            if rule.verbs.iter().any(|verb| !matches!(verb, Verb::Get | Verb::List)) {
                diagnostic.severity = Severity::Warning;
            }
            findings.push(diagnostic);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{AGENCIES, assert_says, one, patched};
    use crate::diagnostic::Severity;

    #[test]
    fn reading_is_noted_and_writing_is_a_warning() {
        let text = patched(
            AGENCIES,
            &[("  - operators: everything\n", "  - operators: everything\n  - anyone: read Agency\n")],
        );
        let found = one(&text, "KF063");
        assert_eq!(found.severity, Severity::Note);
        assert_says(
            &text,
            &found,
            "anyone, signed in or not, may get, list `Agency`",
            "anyone: read Agency",
            "write `signed in` if that is not intended",
        );
        let text = patched(
            AGENCIES,
            &[("  - operators: everything\n", "  - operators: everything\n  - anyone: create Agency\n")],
        );
        assert_eq!(one(&text, "KF063").severity, Severity::Warning);
    }
}
