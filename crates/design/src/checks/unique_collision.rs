//! KF053: a lookup item of a unique whose key is that of another item.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{KeyCollision, Layout, key_collision};
use crate::span::Span;

pub(super) static CODE: Code = Code {
    id: "KF053",
    title: "lookup item collides with another item",
    severity: Severity::Error,
    explanation: "A unique constraint is implemented by a lookup item whose key can exist only once. If that key can \
                  also be the key of an entity or of another lookup, one of them is rejected because the other exists, \
                  or replaces it. A lookup whose sort key contains more than the unique value would not be unique.",
    fix: "Give the lookup its own key: `PK: LOOKUP#USER#EMAIL#<email:lower>` with a constant `SK: LOOKUP`.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    let entities = &draft.design.entities;
    let items: Vec<(String, Span, &Layout)> = entities
        .iter()
        .map(|entity| (format!("`{}`", entity.name), entity.span, &entity.layout))
        .chain(entities.iter().flat_map(|entity| {
            entity.uniques.iter().map(|unique| {
                (format!("the lookup `{}` of `{}`", unique.name, entity.name), unique.span, &unique.layout)
            })
        }))
        .collect();
    for (position, (name, span, layout)) in items.iter().enumerate().skip(entities.len()) {
        for (other, other_span, other_layout) in items.iter().take(position) {
            if let KeyCollision::Direct(example) = key_collision(layout, other_layout) {
                let message = format!("{name} and {other} can have the same key: `{example}`");
                findings.push(
                    Diagnostic::new(&CODE, *span, message)
                        .also(*other_span, "the other item")
                        .help("give the lookup item different literal text"),
                );
            }
        }
    }
    changing_sort(draft, findings);
}

/// A lookup item's sort key has to be the same for the same unique value.
fn changing_sort(draft: &Draft, findings: &mut Findings) {
    for entity in &draft.design.entities {
        for unique in &entity.uniques {
            let partition = unique.layout.partition.template.attributes();
            let extra = unique.layout.sort.as_ref().and_then(|sort| {
                sort.template
                    .attributes()
                    .into_iter()
                    .find(|name| !partition.contains(name) && entity.identity.iter().any(|id| id == name))
            });
            if let Some(extra) = extra {
                let message = format!(
                    "`{}` of `{}` is not unique: its sort key holds `{extra}` as well",
                    unique.name, entity.name
                );
                findings.push(
                    Diagnostic::new(&CODE, unique.span, message).help("use a constant sort key, such as `SK: LOOKUP`"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, assert_says, one, patched};

    fn with_unique(keys: &str) -> String {
        patched(
            PLATFORM,
            &[(
                "    GSI3SK: <endDate or 9999-12-31>#<userId>\n",
                &format!("    GSI3SK: <endDate or 9999-12-31>#<userId>\n    unique:\n      address: {{{keys}}}\n"),
            )],
        )
    }

    #[test]
    fn a_lookup_with_the_key_of_an_entity() {
        let text = with_unique("PK: USER#<userId>, SK: METADATA");
        assert_says(
            &text,
            &one(&text, "KF053"),
            "the lookup `address` of `User` and `User` can have the same key: `USER#a` / `METADATA`",
            "address",
            "give the lookup item different literal text",
        );
    }

    #[test]
    fn a_lookup_that_is_not_unique() {
        let text = with_unique("PK: LOOKUP#<email:lower>, SK: USER#<userId>");
        assert_says(
            &text,
            &one(&text, "KF053"),
            "`address` of `User` is not unique: its sort key holds `userId` as well",
            "address",
            "use a constant sort key, such as `SK: LOOKUP`",
        );
    }
}
