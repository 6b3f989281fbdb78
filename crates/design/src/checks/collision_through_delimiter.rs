//! KF035: two entities whose keys meet through a value that contains the delimiter.

use super::colliding_keys::pairs;
use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{KeyCollision, key_collision};

pub(super) static CODE: Code = Code {
    id: "KF035",
    title: "key collision through a delimiter in a value",
    severity: Severity::Warning,
    explanation: "`SITE#<siteId>` and `SITE#<siteId>#COMMENT#<commentId>` differ unless a site has the id \
                  `a#COMMENT#b`. Keyfold rejects such a value when it is written. The design must decide whether that \
                  is acceptable.",
    fix: "Give the attribute a type without the delimiter (`ulid`, `date`, an enumeration), encode it \
          (`<siteId:url>`), change the literal text, or accept the warning.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    let delimiter = draft.design.table.delimiter;
    for (left, right) in pairs(&draft.design.entities) {
        if let KeyCollision::ThroughDelimiter(example) = key_collision(&left.layout, &right.layout) {
            let message =
                format!("`{}` and `{}` meet where a value contains `{delimiter}`: `{example}`", left.name, right.name);
            let span = |entity: &crate::model::Entity| {
                entity.layout.sort.as_ref().map_or(entity.layout.partition.template.span, |sort| sort.template.span)
            };
            findings.push(
                Diagnostic::new(&CODE, span(right), message)
                    .label(format!("the key of `{}`", right.name))
                    .also(span(left), format!("the key of `{}`", left.name))
                    .help("such values are refused when written; give the attribute a type without the delimiter, or encode it with `:url`")
                    .about(format!("{} {}", left.name, right.name)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, assert_says, one, patched};

    #[test]
    fn a_value_with_the_delimiter_reaches_into_another_key() {
        let text = patched(
            PLATFORM,
            &[
                ("SK: PERMISSION#<menuKey>", "SK: META<menuKey>"),
                ("SK: METADATA\n    GSI1PK: ENTITY#ROLE", "SK: META#<roleId>\n    GSI1PK: ENTITY#ROLE"),
            ],
        );
        assert_says(
            &text,
            &one(&text, "KF035"),
            "`Role` and `Permission` meet where a value contains `#`: `ROLE#a` / `META#a`",
            "META<menuKey>",
            "such values are refused when written; give the attribute a type without the delimiter, or encode it with `:url`",
        );
    }
}
