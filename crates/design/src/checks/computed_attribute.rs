//! KF084: a computed attribute whose sources cannot be its sources.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Attribute, AttributeType, Entity, Stamp};
use crate::template::Template;

pub(super) static CODE: Code = Code {
    id: "KF084",
    title: "computed attribute with an unsuitable source",
    severity: Severity::Error,
    explanation: "A computed attribute follows its sources: every write that changes one of them computes it again. It \
                  cannot be made of what changes with every write (a version, `modified at`), of counters, which change \
                  on their own, or of another computed attribute or copy. It shows what it is made of, so that it is \
                  visible to nobody who may not see its sources, and it is absent where they are.",
    fix: "Name the attributes that callers set, declare the attribute `optional` or give an absent source a fallback \
          (`<nickname or nobody>`), and repeat `visible to`.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for entity in &draft.design.entities {
        for attribute in &entity.attributes {
            let Some(template) = &attribute.computed else { continue };
            for source in template.attributes() {
                report_source(entity, attribute, template, source, findings);
            }
            report_absence(entity, attribute, template, findings);
        }
    }
}

fn report_source(entity: &Entity, own: &Attribute, template: &Template, source: &str, findings: &mut Findings) {
    let Some(attribute) = entity.attribute(source) else { return };
    let span = template
        .alternatives()
        .flat_map(Template::placeholders)
        .find(|placeholder| placeholder.attribute == source)
        .map_or(template.span, |placeholder| placeholder.span);
    let name = &own.name;
    let mut report = |message: String, help: String| {
        findings.push(Diagnostic::new(&CODE, span, message).help(help).about(format!("{}.{name}", entity.name)));
    };
    if source == name {
        return report(
            format!("`{name}` is computed from itself"),
            "name the attributes that it is made of".to_owned(),
        );
    }
    let unsuitable = match &attribute.value_type {
        AttributeType::Stamp(Stamp::Version | Stamp::ModifiedAt(_) | Stamp::ModifiedBy) => "changes with every write",
        _ if entity.is_counter(source) => "is a counter, which changes on its own",
        _ if attribute.computed.is_some() => "is computed itself",
        _ if attribute.same_as.is_some() => "is a copy of another attribute",
        _ => "",
    };
    if !unsuitable.is_empty() {
        let help = match attribute.computed.is_some() || attribute.same_as.is_some() {
            true => format!("name the sources of `{source}` instead"),
            false => format!("leave `<{source}>` out"),
        };
        return report(format!("`{name}` cannot be computed from `{source}`, which {unsuitable}"), help);
    }
    if let Some(who) = attribute.visible_to.as_ref().filter(|who| own.visible_to.as_ref() != Some(who)) {
        let message = format!("`{name}` shows `{source}`, which is visible to {who} only");
        report(message, format!("add `visible to {who}` to `{name}`"));
    }
}

fn report_absence(entity: &Entity, own: &Attribute, template: &Template, findings: &mut Findings) {
    if !template.is_sparse() || own.optional {
        return;
    }
    let mut placeholders = template.alternatives().flat_map(Template::placeholders);
    let absent = placeholders.find(|placeholder| placeholder.optional && placeholder.fallback.is_none());
    let Some(absent) = absent else { return };
    let message = format!("`{}` is absent where `{}` is, and is not `optional`", own.name, absent.attribute);
    let help = format!("declare it `optional`, or write `<{} or …>`", absent.attribute);
    let about = format!("{}.{}", entity.name, own.name);
    findings.push(Diagnostic::new(&CODE, absent.span, message).help(help).about(about));
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, all, assert_says, one, patched};

    fn with(line: &str) -> String {
        patched(
            PLATFORM,
            &[(
                "      firstName: string, at most 100 characters, personal\n",
                &format!(
                    "      firstName: string, at most 100 characters, personal\n      nickname: string, optional, visible to operators\n      \
             {line}\n"
                ),
            )],
        )
    }

    #[test]
    fn sources_that_callers_set() {
        for line in [
            r#"displayName: {type: string, computed: "<lastName>, <firstName>"}"#,
            r#"displayName: {type: "string, optional, visible to operators", computed: "<nickname>"}"#,
            r#"displayName: {type: "string, visible to operators", computed: "<nickname or nobody> (<createdAt:year>)"}"#,
            r#"displayName: {type: "string, visible to operators", computed: "<nickname> or <firstName:first(1)>. <lastName>"}"#,
        ] {
            assert_eq!(all(&with(line)), [], "{line}");
        }
    }

    #[test]
    fn sources_that_change_on_their_own() {
        let text = with(r#"label: {type: string, computed: "<lastName> <version>"}"#);
        assert_says(
            &text,
            &one(&text, "KF084"),
            "`label` cannot be computed from `version`, which changes with every write",
            "<version>",
            "leave `<version>` out",
        );
        let text = patched(
            PLATFORM,
            &[(
                "      userCount: integer, default 0\n      roleCount",
                "      userCount: integer, default 0\n      size: {type: string, computed: \"<userCount> users\"}\n      roleCount",
            )],
        );
        assert_eq!(
            one(&text, "KF084").message,
            "`size` cannot be computed from `userCount`, which is a counter, which changes on its own"
        );
    }

    #[test]
    fn a_source_that_is_computed() {
        let text = with(concat!(
            r#"full: {type: string, computed: "<lastName>, <firstName>"}"#,
            "\n      ",
            r#"label: {type: string, computed: "<full>!"}"#
        ));
        assert_says(
            &text,
            &one(&text, "KF084"),
            "`label` cannot be computed from `full`, which is computed itself",
            "<full>",
            "name the sources of `full` instead",
        );
        let text = with(r#"label: {type: string, computed: "<label>!"}"#);
        assert_eq!(one(&text, "KF084").message, "`label` is computed from itself");
    }

    #[test]
    fn a_source_that_not_all_see() {
        let text = with(r#"label: {type: string, computed: "<nickname or none>"}"#);
        assert_says(
            &text,
            &one(&text, "KF084"),
            "`label` shows `nickname`, which is visible to operators only",
            "<nickname or none>",
            "add `visible to operators` to `label`",
        );
    }

    #[test]
    fn a_source_that_may_be_absent() {
        let text = with(r#"label: {type: "string, visible to operators", computed: "<lastName> <nickname>"}"#);
        assert_says(
            &text,
            &one(&text, "KF084"),
            "`label` is absent where `nickname` is, and is not `optional`",
            "<nickname>",
            "declare it `optional`, or write `<nickname or …>`",
        );
    }
}
