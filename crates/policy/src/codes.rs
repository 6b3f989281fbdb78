//! The codes of policy diagnostics, beside those of `keyfold-design`.

use keyfold_design::diagnostic::{Code, Severity};

/// Every code, in order.
pub static CODES: &[&Code] =
    &[&NOT_CEDAR, &TEMPLATE, &INVALID_POLICY, &UNDECIDABLE_POLICY, &DUPLICATE_ID, &NO_SCHEMA, &SUSPICIOUS_POLICY];

pub(crate) static NOT_CEDAR: Code = Code {
    id: "KF200",
    title: "file is not Cedar",
    severity: Severity::Error,
    explanation: "The files in `policies/` are written in the policy language of Cedar. The place shown is where reading the \
                  file failed; the mistake is there or shortly before it, often a missing semicolon, brace or quote.",
    fix: "End every policy with a semicolon:\n\n    forbid (principal, action == Action::\"delete\", resource is License);",
};

pub(crate) static TEMPLATE: Code = Code {
    id: "KF201",
    title: "policy template",
    severity: Severity::Error,
    explanation: "Cedar's templates leave `?principal` or `?resource` open until a service links them with a value. Nothing \
                  links templates here, so that such a policy would never apply.",
    fix: "Write the principal and the resource out:\n\n    permit (principal == Keyfold::Caller::\"grace\", action, resource is Account);",
};

pub(crate) static INVALID_POLICY: Code = Code {
    id: "KF202",
    title: "policy that does not fit the design",
    severity: Severity::Error,
    explanation: "Policies are validated against the Cedar schema of the design. An unknown action, entity or attribute, a \
                  comparison of different types, or an optional attribute that is read without `has` would make the policy \
                  fail when it is evaluated, and a `forbid` that fails forbids.",
    fix: "Use the names and types of the schema, which `keyfold generate cedar` writes, and check optional attributes first:\n\n    \
          when { resource has note && resource.note == \"closed\" }",
};

pub(crate) static UNDECIDABLE_POLICY: Code = Code {
    id: "KF203",
    title: "policy that cannot be decided",
    severity: Severity::Error,
    explanation: "Items have no Cedar id, a request is not compared as a whole, and the conditions of exported rules are not \
                  passed to policy files. A policy that needs one of them could not be evaluated for any call.",
    fix: "Compare attributes instead:\n\n    forbid (principal, action, resource is Site) when { resource.siteId == \"1\" };",
};

pub(crate) static DUPLICATE_ID: Code = Code {
    id: "KF204",
    title: "policy id is given twice",
    severity: Severity::Error,
    explanation: "Explanations, logs and the audit log name rules and policies by their id. Two policies with one id, or a \
                  policy with the id of a rule, could not be distinguished there.",
    fix: "Give the policy an id of its own with `@id(\"…\")`.",
};

pub(crate) static NO_SCHEMA: Code = Code {
    id: "KF205",
    title: "design has no Cedar schema",
    severity: Severity::Error,
    explanation: "Policy files are written against a Cedar schema that is made from the design. Cedar rejects the schema of \
                  this design, so that no policy file can be validated.",
    fix: "Name entities and attributes with letters and digits.",
};

pub(crate) static SUSPICIOUS_POLICY: Code = Code {
    id: "KF206",
    title: "policy that is probably a mistake",
    severity: Severity::Warning,
    explanation: "Cedar's validator finds the policy valid but suspicious: most often its conditions contradict each other, so \
                  that it never applies, or a name contains characters that look like others.",
    fix: "Leave the policy out, or correct the condition.",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_in_order_and_no_code_of_the_design() {
        for pair in CODES.windows(2) {
            assert!(pair[0].id < pair[1].id, "{} and {}", pair[0].id, pair[1].id);
        }
        assert!(CODES.iter().all(|code| keyfold_design::code(code.id).is_none()));
    }

    #[test]
    fn every_code_explains_itself() {
        for code in CODES {
            assert!(code.id.len() == 5 && code.id.starts_with("KF"), "{}", code.id);
            assert!(code.title.starts_with(char::is_lowercase), "{}", code.id);
            assert!(code.explanation.len() > 60 && code.fix.len() > 15, "{}", code.id);
        }
    }
}
