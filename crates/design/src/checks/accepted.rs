//! `accept:` takes known weaknesses out of the report, and is itself reported where it accepts nothing.

use crate::build::{BAD_ACCEPT, Draft};
use crate::diagnostic::{Diagnostic, Findings, Severity};

pub fn take_out(draft: &Draft, findings: &mut Findings) {
    for accepted in &draft.design.accepted {
        let matches = |diagnostic: &Diagnostic| {
            diagnostic.code.id == accepted.code && diagnostic.subject.as_deref() == Some(accepted.subject.as_str())
        };
        let found: Vec<&Diagnostic> = findings.diagnostics().iter().filter(|found| matches(found)).collect();
        let is_error = found.iter().any(|found| found.severity == Severity::Error);
        let nothing_found = found.is_empty();
        if is_error {
            let message = format!("`{} {}` is an error, which cannot be accepted", accepted.code, accepted.subject);
            findings.push(Diagnostic::new(&BAD_ACCEPT, accepted.span, message).help("correct the design and remove this line"));
            continue;
        }
        if nothing_found && !draft.entities_incomplete && !draft.patterns_incomplete {
            let message = format!("`{} {}` accepts nothing", accepted.code, accepted.subject);
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
            findings.push(Diagnostic::new(&BAD_ACCEPT, accepted.span, message).help(help));
            continue;
        }
        findings.diagnostics_mut().retain(|diagnostic| !matches(diagnostic));
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
