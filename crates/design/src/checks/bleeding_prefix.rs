//! KF045: a prefix that also matches what it should not.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Design, Pattern, SortRange};
use crate::template::{Binding, Part, Template, unify};

pub(super) static CODE: Code = Code {
    id: "KF045",
    title: "ambiguous prefix",
    severity: Severity::Error,
    explanation: "`begins_with(SK, USER#<userId>)` for the user 1 also finds `USER#10` and `USER#11#ORDER#7`: a prefix \
                  that ends with a value of variable length also matches every longer value. A literal prefix without \
                  its delimiter (`USER`) matches other keys (`USER_ROLE#…`).",
    fix: "End the prefix with the delimiter (`USER#<userId>#`), or compare the whole key with `=`. For a search by the \
          beginning of a value, give the parameter a name that no attribute has: `begins_with(SK, <prefix>)`.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for pattern in &draft.design.patterns {
        let Some(sort) = &pattern.sort else { continue };
        let SortRange::BeginsWith(prefix) = &sort.range else { continue };
        if let Some(diagnostic) = value_bleeds(&draft.design, pattern, &sort.attribute, prefix) {
            findings.push(diagnostic);
        } else if let Some(diagnostic) = literal_bleeds(&draft.design, pattern, &sort.attribute, prefix) {
            findings.push(diagnostic);
        }
    }
}

/// The sort templates of the entities in the pattern's index.
fn templates<'d>(
    design: &'d Design,
    pattern: &'d Pattern,
    attribute: &'d str,
) -> impl Iterator<Item = (&'d str, &'d Template)> {
    design.entities.iter().filter_map(move |entity| {
        let part = match pattern.index {
            None => entity.layout.sort.as_ref(),
            Some(index) => entity.layout.index_key(index)?.sort.iter().find(|part| part.key.name == attribute),
        }?;
        Some((entity.name.as_str(), &part.template))
    })
}

/// The prefix ends with a parameter whose value may go on.
fn value_bleeds(design: &Design, pattern: &Pattern, attribute: &str, prefix: &Template) -> Option<Diagnostic> {
    let Some(Part::Placeholder(last)) = prefix.parts.last() else { return None };
    let returned: Vec<_> = pattern.entities().map(|id| design[id].name.as_str()).collect();
    templates(design, pattern, attribute).filter(|(entity, _)| returned.contains(entity)).find_map(|(_, template)| {
        let fit = unify(prefix, template, true)?;
        let Some(Binding::Parameter { placeholder, .. }) = fit.bindings.last() else { return None };
        let met = template.placeholders().nth(*placeholder)?;
        // A search by the beginning of a value is recognized by its parameter's name. Where another part of the key
        // follows, any attribute's name (`userId` for `<id>`) may well mean a whole value.
        let is_search = last.attribute != met.attribute && !(fit.open && is_attribute(design, &last.attribute));
        if met.counted_length().is_some() || is_search {
            return None;
        }
        let message = format!("`{}` also finds longer values of `{}`: 1 finds 10", prefix.source, met.attribute);
        let help = if fit.open {
            format!(
                "end the prefix: `{}{}`, or give the parameter a name that no attribute has (`<prefix>`) to search by \
                 the beginning of a value",
                prefix.source,
                fit.next.unwrap_or(template.delimiter)
            )
        } else {
            format!(
                "write `{attribute} = {}`, or give the parameter another name to search by the beginning of a value",
                prefix.source
            )
        };
        Some(Diagnostic::new(&CODE, prefix.span, message).help(help).about(pattern.name.clone()))
    })
}

fn is_attribute(design: &Design, name: &str) -> bool {
    design.entities.iter().any(|entity| entity.attribute(name).is_some())
}

/// The prefix ends within literal text, and goes on differently in different entities.
fn literal_bleeds(design: &Design, pattern: &Pattern, attribute: &str, prefix: &Template) -> Option<Diagnostic> {
    let Some(Part::Literal(text)) = prefix.parts.last() else { return None };
    if text.ends_with(prefix.delimiter) {
        return None;
    }
    let mut others: Vec<&str> = Vec::new();
    let mut own: Option<char> = None;
    let returned: Vec<_> = pattern.entities().map(|id| design[id].name.as_str()).collect();
    for (entity, template) in templates(design, pattern, attribute) {
        let Some(fit) = unify(prefix, template, true) else { continue };
        if returned.contains(&entity) {
            own = own.or(fit.next);
        } else if fit.next.is_some() {
            others.push(entity);
        }
    }
    let next = own?;
    if others.is_empty() {
        return None;
    }
    let message = format!("`{}` also finds `{}`", prefix.source, others.join("`, `"));
    let help = format!("end the prefix: `{}{next}`", prefix.source);
    Some(Diagnostic::new(&CODE, prefix.span, message).help(help).about(pattern.name.clone()))
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{AGENCIES, PLATFORM, all, assert_says, one, patched};

    #[test]
    fn a_value_without_an_end() {
        let text = patched(AGENCIES, &[("begins_with(SK, MEMBER#)", "begins_with(SK, MEMBER#<idpid>)")]);
        assert_says(
            &text,
            &one(&text, "KF045"),
            "`MEMBER#<idpid>` also finds longer values of `idpid`: 1 finds 10",
            "MEMBER#<idpid>",
            "write `SK = MEMBER#<idpid>`, or give the parameter another name to search by the beginning of a value",
        );
    }

    fn with_composed_key(parameter: &str) -> String {
        let pattern = format!("GSI2PK = ACCOUNT#<accountId>#NOTIFICATIONS and begins_with(GSI2SK, <{parameter}>)");
        patched(
            PLATFORM,
            &[
                ("GSI2SK: <sentAt>#<id>", "GSI2SK: <subject>#<id>"),
                ("GSI2PK = ACCOUNT#<accountId>#NOTIFICATIONS", &pattern),
            ],
        )
    }

    #[test]
    fn a_component_without_its_delimiter() {
        // `userId` is an attribute of another entity: probably a whole value.
        for parameter in ["subject", "userId"] {
            let text = with_composed_key(parameter);
            assert_says(
                &text,
                &one(&text, "KF045"),
                &format!("`<{parameter}>` also finds longer values of `subject`: 1 finds 10"),
                &format!("<{parameter}>"),
                &format!(
                    "end the prefix: `<{parameter}>#`, or give the parameter a name that no attribute has (`<prefix>`) \
                     to search by the beginning of a value"
                ),
            );
        }
    }

    #[test]
    fn a_search_by_the_beginning_of_the_first_component() {
        assert_eq!(all(&with_composed_key("prefix")), []);
    }

    #[test]
    fn a_literal_without_its_delimiter() {
        let text = patched(
            PLATFORM,
            &[
                ("SK: ADDRESS#<addressId>", "SK: LICENSE_ADDRESS#<addressId>"),
                ("begins_with(SK, LICENSE#)", "begins_with(SK, LICENSE) -> License"),
            ],
        );
        assert_says(
            &text,
            &one(&text, "KF045"),
            "`LICENSE` also finds `Address`",
            "LICENSE",
            "end the prefix: `LICENSE#`",
        );
    }
}
