//! KF018: names that REST cannot tell apart.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Design, PAGING_PARAMETERS, RESERVED_SEGMENTS, Resource};

pub(super) static CODE: Code = Code {
    id: "KF018",
    title: "ambiguous name in the REST API",
    severity: Severity::Error,
    explanation: "The plural of an entity is the first segment of its paths, so two entities cannot share it, and \
                  `patterns`, `transactions`, `authorize`, `me`, `audit`, `openapi.json` and `docs` are paths of their \
                  own. Every query has the parameters `take`, `limit`, `budget`, `cursor` and `order`, so a pattern \
                  cannot have one of that name.",
    fix: "Choose another `plural`, or another name for the parameter.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    segments(&draft.design, findings);
    parameters(&draft.design, findings);
}

fn segments(design: &Design, findings: &mut Findings) {
    let mut resources: Vec<(Resource, &str)> = Vec::new();
    for entity in &design.entities {
        let resource = Resource::new(design, entity);
        let segment = &resource.segment;
        let other = resources.iter().find(|(other, _)| other.segment == *segment);
        let message = if RESERVED_SEGMENTS.contains(&segment.as_str()) {
            format!("the path of `{}` would be `/{segment}`, which is reserved", entity.name)
        } else if let Some((_, other)) = other {
            format!("`{}` and `{other}` would share the path `/{segment}`", entity.name)
        } else {
            resources.push((resource, &entity.name));
            continue;
        };
        let help = format!("give `{}` another `plural`", entity.name);
        findings.push(Diagnostic::new(&CODE, entity.span, message).help(help).about(entity.name.clone()));
    }
}

fn parameters(design: &Design, findings: &mut Findings) {
    for pattern in &design.patterns {
        for parameter in &pattern.parameters {
            if PAGING_PARAMETERS.contains(&parameter.name.as_str()) {
                let message = format!("`{}` is a parameter of every query", parameter.name);
                let help = format!("rename the parameter `<{}>` of `{}`", parameter.name, pattern.name);
                findings.push(Diagnostic::new(&CODE, pattern.span, message).help(help).about(pattern.name.clone()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::testing::{PLATFORM, one, patched};

    #[test]
    fn two_entities_with_one_plural() {
        let text = patched(PLATFORM, &[("  Address:\n", "  Address:\n    plural: licenses\n")]);
        let found = one(&text, "KF018");
        assert_eq!(found.message, "`License` and `Address` would share the path `/licenses`");
        assert_eq!(found.help.as_deref(), Some("give `License` another `plural`"));
    }

    #[test]
    fn the_explanation_lists_every_reserved_name() {
        let quoted: Vec<&str> = CODE.explanation.split('`').skip(1).step_by(2).collect();
        assert_eq!(quoted, [&RESERVED_SEGMENTS[..], &PAGING_PARAMETERS].concat());
    }

    #[test]
    fn a_reserved_plural() {
        let text = patched(PLATFORM, &[("  Address:\n", "  Address:\n    plural: patterns\n")]);
        let found = one(&text, "KF018");
        assert_eq!(found.message, "the path of `Address` would be `/patterns`, which is reserved");
    }

    #[test]
    fn a_parameter_of_every_query() {
        let text = patched(PLATFORM, &[("GSI3SK <= <before>", "GSI3SK <= <limit>")]);
        let found = one(&text, "KF018");
        assert_eq!(found.message, "`limit` is a parameter of every query");
        assert_eq!(found.help.as_deref(), Some("rename the parameter `<limit>` of `expiring licenses`"));
    }
}
