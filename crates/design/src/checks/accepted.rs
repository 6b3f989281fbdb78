//! `accept:` takes known weaknesses out of the report, and is itself reported where it accepts nothing.

use crate::build::{BAD_ACCEPT, BAD_WORD, Draft};
use crate::diagnostic::{Diagnostic, Findings, Severity};

pub(super) fn take_out(draft: &Draft, findings: &mut Findings) {
    let mut idle = Vec::new();
    for accepted in &draft.design.accepted {
        if super::code(&accepted.code).is_none() {
            let message = format!("`{}` is not a diagnostic code", accepted.code);
            let help = "codes are `KF` and three digits";
            findings.push(Diagnostic::new(&BAD_WORD, accepted.span, message).help(help));
            continue;
        }
        let matches = |diagnostic: &Diagnostic| {
            diagnostic.code.id == accepted.code && diagnostic.subject.as_deref() == Some(accepted.subject.as_str())
        };
        let mut found = findings.diagnostics().iter().filter(|found| matches(found)).peekable();
        if found.peek().is_none() {
            idle.push(accepted);
        } else if found.any(|found| found.severity == Severity::Error) {
            let message = format!("`{} {}` is an error, which cannot be accepted", accepted.code, accepted.subject);
            let help = "correct the design and remove this line";
            findings.push(Diagnostic::new(&BAD_ACCEPT, accepted.span, message).help(help));
        } else {
            findings.diagnostics_mut().retain(|diagnostic| !matches(diagnostic));
        }
    }
    if draft.entities_incomplete || draft.patterns_incomplete {
        // What would be accepted may be hidden by what is broken.
        return;
    }
    for accepted in idle {
        let others: Vec<String> = findings
            .diagnostics()
            .iter()
            .filter(|found| found.code.id == accepted.code)
            .filter_map(|found| Some(format!("`{} {}`", accepted.code, found.subject.as_ref()?)))
            .collect();
        let help = match others.as_slice() {
            [] => "remove the line".to_owned(),
            others => format!("remove the line; found and not accepted: {}", others.join(", ")),
        };
        let message = format!("`{} {}` accepts nothing", accepted.code, accepted.subject);
        findings.push(Diagnostic::new(&BAD_ACCEPT, accepted.span, message).help(help));
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{AGENCIES, all, assert_says, one, patched};

    #[test]
    fn a_line_that_accepts_nothing_is_reported() {
        let text = patched(AGENCIES, &[("KF031 Agency:", "KF031 Agencies:")]);
        assert_says(
            &text,
            &one(&text, "KF014"),
            "`KF031 Agencies` accepts nothing",
            "KF031 Agencies",
            "remove the line; found and not accepted: `KF031 Agency`",
        );
    }

    #[test]
    fn without_its_line_the_weakness_is_reported() {
        let text = patched(AGENCIES, &[("  KF031 Agency: agencies are created a few times a day\n", "")]);
        assert_eq!(all(&text).iter().map(|found| found.code.id).collect::<Vec<_>>(), ["KF031"]);
    }
}
