//! KF068: derived items of two sources at one key.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};

pub(super) static CODE: Code = Code {
    id: "KF068",
    title: "derived item without its source's identity",
    severity: Severity::Error,
    explanation: "The key of a derived item does not contain the complete identity of its source, and the item does \
                  not store the rest. Two sources can then produce the same key: the second overwrites the item of the \
                  first, and deletes it with its own. If the item stores the complete identity, it stays with its \
                  source, and the other source is rejected.",
    fix: "Put the source's identity into the derived key, or declare the missing attribute on the derived entity, so \
          that it is stored. If several sources are meant to share an item, use `collects`.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for derived in &draft.design.entities {
        let Some(derivation) = derived.derivation.as_ref().filter(|derivation| derivation.collects.is_none()) else {
            continue;
        };
        let source = &draft.design[derivation.source];
        let in_key = derived.layout.key_attributes();
        let is_kept = |name: &String| {
            in_key.contains(&name.as_str()) || derived.attribute(name).is_some_and(|attribute| attribute.is_stored())
        };
        let lost: Vec<&str> = source.identity.iter().filter(|name| !is_kept(name)).map(String::as_str).collect();
        let Some(first) = lost.first() else { continue };
        let message = format!(
            "the key of `{}` lacks `{}` of `{}`, so two of them can produce the same item",
            derived.name,
            lost.join("`, `"),
            source.name
        );
        let help = format!("add `<{first}>` to the key, or the attribute `{first}` to `{}`", derived.name);
        findings.push(Diagnostic::new(&CODE, derived.span, message).help(help).about(derived.name.clone()));
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{CATALOGUE, assert_says, one, patched};

    #[test]
    fn comments_of_a_site_that_do_not_say_whose_they_are() {
        let text = patched(
            CATALOGUE,
            &[("    attributes:\n      user: string\n      body: string\n", "    attributes:\n      body: string\n")],
        );
        assert_says(
            &text,
            &one(&text, "KF068"),
            "the key of `SiteComment` lacks `user` of `Comment`, so two of them can produce the same item",
            "SiteComment",
            "add `<user>` to the key, or the attribute `user` to `SiteComment`",
        );
    }
}
