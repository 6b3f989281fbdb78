//! KF064: an index that lacks what a pattern needs.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Entity, Index, Pattern, Projection, Returned, TenantMode};

pub(super) static CODE: Code = Code {
    id: "KF064",
    title: "index lacks attributes that a pattern needs",
    severity: Severity::Warning,
    explanation: "An index with `projection: keys` or `include` contains only part of each item. A pattern that \
                  returns whole items through it needs a second read for each, and a filter on a missing attribute \
                  drops every item.",
    fix: "Project all attributes, or include those that the pattern filters by. Where the projected attributes are all \
          that callers want, say so: `projected attributes only`.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    let design = &draft.design;
    for pattern in &design.patterns {
        let Some(index) = pattern.index.map(|id| &design[id]) else { continue };
        if index.projection == Projection::All {
            continue;
        }
        let mut needed: Vec<&str> = pattern.filter.iter().flat_map(|filter| filter.attributes()).collect();
        if pattern.tenant == TenantMode::Filtered {
            needed.extend(design.tenant.as_ref().map(|tenant| tenant.attribute.as_str()));
        }
        for returned in &pattern.returns {
            let (entity, is_read_again) = match returned {
                Returned::Referenced { from, mapping, .. } => {
                    needed.extend(mapping.iter().map(|(_, own)| own.as_str()));
                    (&design[*from], true)
                }
                other => (&design[other.entity()], false),
            };
            for name in needed.iter().filter(|name| !is_projected(name, index, entity, draft)) {
                let message = format!("`{}` filters by `{name}`, which `{}` does not hold", pattern.name, index.name);
                let help = format!("add it to the projection of `{}`: `include {name}`, or project all", index.name);
                findings.push(error(pattern, index, message, help));
            }
            report_unidentified(pattern, index, entity, draft, findings);
            let missing = entity
                .attributes
                .iter()
                .filter(|attribute| attribute.is_stored() && !is_projected(&attribute.name, index, entity, draft))
                .count();
            if missing > 0 && !pattern.count && !pattern.projected_only && !is_read_again {
                let message = format!(
                    "`{}` reads `{}` through `{}`, which lacks {missing} of its attributes",
                    pattern.name, entity.name, index.name
                );
                let help = format!(
                    "each item is read again from the table: project all attributes, add `, projected attributes only`, or \
                     accept it: `KF064 {}: REASON`",
                    pattern.name
                );
                findings.push(
                    Diagnostic::new(&CODE, pattern.span, message)
                        .also(index.span, "the index")
                        .help(help)
                        .about(pattern.name.clone()),
                );
            }
        }
    }
}

/// Results that hold only projected attributes have to tell which items they are.
fn report_unidentified(pattern: &Pattern, index: &Index, entity: &Entity, draft: &Draft, findings: &mut Findings) {
    let is_unknown = |name: &&String| pattern.projected_only && !is_projected(name, index, entity, draft);
    let unknown: Vec<&str> = entity.identity.iter().filter(is_unknown).map(String::as_str).collect();
    if unknown.is_empty() {
        return;
    }
    let names = unknown.join("` and `");
    let message = format!("`{}` returns `{}` without `{names}`, which identifies it", pattern.name, entity.name);
    let help = format!("add it to the projection of `{}`: `include {}`", index.name, unknown.join(", "));
    findings.push(error(pattern, index, message, help));
}

fn error(pattern: &Pattern, index: &Index, message: String, help: String) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(&CODE, pattern.span, message)
        .also(index.span, "the index")
        .help(help)
        .about(pattern.name.clone());
    diagnostic.severity = Severity::Error;
    diagnostic
}

fn is_projected(name: &str, index: &Index, entity: &Entity, draft: &Draft) -> bool {
    let is_key = index.keys().any(|key| key.name == name) || draft.design.is_table_key(name);
    let included =
        matches!(&index.projection, Projection::Include(names) if names.iter().any(|included| included == name));
    // A value in a projected key need not be projected again.
    let in_key = std::iter::once(&entity.layout.partition)
        .chain(&entity.layout.sort)
        .flat_map(|part| part.template.placeholders())
        .any(|placeholder| placeholder.attribute == name && placeholder.is_reversible());
    is_key || included || in_key
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, all, assert_says, patched};

    #[test]
    fn a_filter_on_what_the_index_lacks() {
        let text = patched(
            PLATFORM,
            &[(
                "GSI1: {purpose: every item of one entity type}",
                "GSI1: {purpose: every item of one entity type, projection: keys}",
            )],
        );
        let found: Vec<_> =
            all(&text).into_iter().filter(|found| found.code.id == "KF064" && found.is_error()).collect();
        assert_eq!(found.len(), 1);
        assert_says(
            &text,
            &found[0],
            "`all roles` filters by `accountId`, which `GSI1` does not hold",
            "all roles",
            "add it to the projection of `GSI1`: `include accountId`, or project all",
        );
    }

    #[test]
    fn whole_items_through_a_part_of_them() {
        let text = patched(
            PLATFORM,
            &[("GSI3: {purpose: status by date}", "GSI3: {purpose: status by date, projection: keys}")],
        );
        let found = all(&text).into_iter().find(|found| found.message.starts_with("`expired licenses`")).unwrap();
        assert_says(
            &text,
            &found,
            "`expired licenses` reads `License` through `GSI3`, which lacks 9 of its attributes",
            "expired licenses",
            "each item is read again from the table: project all attributes, add `, projected attributes only`, or accept it: `KF064 expired licenses: REASON`",
        );
    }

    #[test]
    fn results_of_what_the_index_holds() {
        let keys = ("GSI3: {purpose: status by date}", "GSI3: {purpose: status by date, projection: keys}");
        let option = |pattern: &'static str| (pattern, ", projected attributes only");
        let only =
            |text: &str| all(text).into_iter().filter(|found| found.message.contains("`expired licenses`")).count();
        let line = "  expired licenses: GSI3PK = LICENSE#STATUS#expired, across tenants\n";
        let (pattern, more) = option(line.trim_end());
        let text = patched(PLATFORM, &[keys, (line, &format!("{pattern}{more}\n"))]);
        assert_eq!(only(&text), 0);
        // All attributes are there already.
        let text = patched(PLATFORM, &[(line, &format!("{pattern}{more}\n"))]);
        let found = all(&text).into_iter().find(|found| found.is_error()).unwrap();
        assert_eq!(
            found.message,
            "`projected attributes only` has no effect: what the pattern reads holds all attributes"
        );
    }

    #[test]
    fn results_without_what_identifies_them() {
        let text = patched(
            PLATFORM,
            &[
                ("GSI3: {purpose: status by date}", "GSI3: {purpose: status by date, projection: keys}"),
                ("GSI3SK: <endDate>#<licenseId>", "GSI3SK: <endDate>"),
                ("SK: LICENSE#<licenseId>", "SK: LICENSE#<licenseId:lower>"),
                (
                    "  expired licenses: GSI3PK = LICENSE#STATUS#expired, across tenants\n",
                    "  expired licenses: GSI3PK = LICENSE#STATUS#expired, across tenants, projected attributes only\n",
                ),
            ],
        );
        let found = all(&text).into_iter().find(|found| found.message.contains("which identifies it")).unwrap();
        assert_eq!(found.message, "`expired licenses` returns `License` without `licenseId`, which identifies it");
        assert_eq!(found.help.as_deref(), Some("add it to the projection of `GSI3`: `include licenseId`"));
    }
}
