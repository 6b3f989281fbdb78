//! KF071: the convention `upper-case-lookups`.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Convention, Layout};
use crate::template::Template;

pub(super) static CODE: Code = Code {
    id: "KF071",
    title: "lookup scope not in upper case",
    severity: Severity::Warning,
    explanation: "`conventions: upper-case-lookups` requires lookup keys that begin with `LOOKUP#` and have concise \
                  scopes in upper case: `LOOKUP#USER#EMAIL#<email>`.",
    fix: "Write the scope in upper-case letters, digits and `_`, or remove the convention.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    if !draft.design.conventions.contains(&Convention::UpperCaseLookups) {
        return;
    }
    let delimiter = draft.design.table.delimiter;
    for entity in &draft.design.entities {
        let layouts = std::iter::once(&entity.layout)
            .chain(entity.uniques.iter().filter(|unique| !unique.generated).map(|unique| &unique.layout));
        for template in layouts.flat_map(partitions) {
            let prefix = template.literal_prefix();
            let mut scopes = prefix.split(delimiter);
            if !scopes.next().is_some_and(|first| first.eq_ignore_ascii_case("LOOKUP")) {
                continue;
            }
            let fine = |scope: &str| {
                scope.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_') && scope.len() <= 24
            };
            if !prefix.split(delimiter).all(fine) {
                let message = format!("the lookup scope of `{}` is not concise and in upper case", template.source);
                let better: String = prefix.to_uppercase();
                findings.push(
                    Diagnostic::new(&CODE, template.span, message)
                        .help(format!("begin with `{better}`"))
                        .about(template.source.clone()),
                );
            }
        }
    }
}

fn partitions(layout: &Layout) -> Vec<&Template> {
    let indexes = layout.index_keys.iter().flat_map(|key| key.partition.iter().map(|part| &part.template));
    let mut found: Vec<&Template> = Vec::new();
    for template in std::iter::once(&layout.partition.template).chain(indexes) {
        if !found.iter().any(|known| known.span == template.span) {
            found.push(template);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, assert_says, one, patched};

    #[test]
    fn a_scope_in_lower_case() {
        let text = patched(
            PLATFORM,
            &[
                (
                    "tenant: {attribute: accountId, entity: Account}\n",
                    "tenant: {attribute: accountId, entity: Account}\nconventions: upper-case-lookups\n",
                ),
                (
                    "    GSI3SK: <endDate or 9999-12-31>#<userId>\n",
                    "    GSI3SK: <endDate or 9999-12-31>#<userId>\n    unique:\n      email: {PK: LOOKUP#user#EMAIL#<email:lower>, SK: LOOKUP}\n",
                ),
            ],
        );
        assert_says(
            &text,
            &one(&text, "KF071"),
            "the lookup scope of `LOOKUP#user#EMAIL#<email:lower>` is not concise and in upper case",
            "LOOKUP#user#EMAIL#<email:lower>",
            "begin with `LOOKUP#USER#EMAIL#`",
        );
    }
}
