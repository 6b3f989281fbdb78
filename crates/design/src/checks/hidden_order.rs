//! KF088: a pattern whose order, or whose range, reveals what `visible to` hides.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Design, Entity, Grantee, IndexKey, KeyPart, Layout, Pattern, Returned, TenantMode, Verb};
use crate::template::{Format, Template};

pub(super) static CODE: Code = Code {
    id: "KF088",
    title: "order that reveals a hidden attribute",
    severity: Severity::Warning,
    explanation: "The keys that the pattern reads contain an attribute with `visible to`, and callers who do not see it \
                  may list the items. Their order tells which of two items has the greater value: whoever creates items \
                  of their own finds the value of another by comparison. An index tells that an item has the attribute, \
                  since items without it are not in it. Callers without sight of an attribute are refused only where \
                  the conditions or the filter of a pattern test it.",
    fix: "Let only callers who see the attribute list the items, leave the attribute out of the key, or accept it with \
          the reason:\n\n    accept:\n      KF088 docs by score: members create no documents",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    let design = &draft.design;
    if draft.rules_incomplete || draft.has_stand_ins {
        return;
    }
    for pattern in &design.patterns {
        for returned in &pattern.returns {
            let entity = &design[returned.entity()];
            let Some((name, who)) = revealed(design, pattern, returned) else { continue };
            let message = format!(
                "`{}` orders {} by `{name}`, which is not visible to `{who}`: order and presence reveal it",
                pattern.name, entity.name
            );
            let help = format!("leave `{name}` out of the key, or let only those list {} who see it", entity.name);
            findings.push(Diagnostic::new(&CODE, pattern.span, message).help(help).about(pattern.name.clone()));
        }
    }
}

/// A hidden attribute in the keys that a pattern reads, and callers who may use the pattern and do not see it.
fn revealed<'d>(design: &'d Design, pattern: &Pattern, returned: &Returned) -> Option<(&'d str, &'d Grantee)> {
    // What the results are found through orders them.
    let entity = match returned {
        Returned::Entity(id) | Returned::ThroughUnique { entity: id, .. } | Returned::Referenced { from: id, .. } => {
            &design[*id]
        }
    };
    let layout = match returned {
        Returned::ThroughUnique { unique, .. } => &entity.unique(unique)?.layout,
        Returned::Entity(_) | Returned::Referenced { .. } => &entity.layout,
    };
    // Whoever does not see one of these cannot use the pattern.
    let plan = design.access_plan(pattern.id);
    let of_result = plan.results.iter().filter(|result| result.entity == returned.entity());
    let tested: Vec<&String> =
        of_result.flat_map(|result| result.restricted.iter().chain(result.source.restricted())).collect();
    let in_keys = key_attributes(pattern, layout);
    entity.attributes.iter().find_map(|attribute| {
        let who = attribute.visible_to.as_ref()?;
        let is_ordered = in_keys.contains(&attribute.name.as_str()) && !tested.contains(&&attribute.name);
        let lister = is_ordered.then(|| lister_without(design, pattern, entity, who))??;
        Some((attribute.name.as_str(), lister))
    })
}

/// The attributes in the keys of the queried table or index. All shards are read, so that a shard says nothing of the
/// value it is made from.
fn key_attributes<'d>(pattern: &Pattern, layout: &'d Layout) -> Vec<&'d str> {
    let parts: Vec<&KeyPart> = match pattern.index {
        None => std::iter::once(&layout.partition).chain(&layout.sort).collect(),
        Some(index) => layout.index_key(index).into_iter().flat_map(IndexKey::parts).collect(),
    };
    let placeholders = parts.into_iter().flat_map(|part| part.template.alternatives()).flat_map(Template::placeholders);
    let is_shard = |format: &Format| matches!(format, Format::Shard(_));
    let whole = placeholders.filter(|placeholder| !placeholder.formats.iter().any(is_shard));
    whole.map(|placeholder| placeholder.attribute.as_str()).collect()
}

/// Callers who may list the entity through the pattern and are not all among those who see the attribute.
fn lister_without<'d>(design: &'d Design, pattern: &Pattern, entity: &Entity, who: &Grantee) -> Option<&'d Grantee> {
    let mut rules =
        design.rules.iter().filter(|rule| rule.verbs.contains(&Verb::List) && rule.entities.contains(&entity.id));
    let is_for_operators = pattern.tenant == TenantMode::AcrossTenants;
    rules.find_map(|rule| {
        let lister = match is_for_operators {
            true => Grantee::All(vec![Grantee::Operators, rule.grantee.clone()]),
            false => rule.grantee.clone(),
        };
        (!design.includes_all(who, &lister)).then_some(&rule.grantee)
    })
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{all, assert_says, one, patched};

    const DESIGN: &str = "
design: trap
table: trap
tenant: acc
indexes:
  GSI1: {purpose: by score}
callers: {operators: role operator, members: tenant}
entities:
  Doc:
    scope: tenant
    PK: ACC#<acc>
    SK: DOC#<docId>
    GSI1PK: DOCS#<acc>
    GSI1SK: <score:width(8)>#<docId>
    attributes:
      acc: string
      docId: string
      score: integer, at least 0, optional, visible to role auditor or operators
patterns:
  docs by score: GSI1PK = DOCS#<acc>
allow:
  - operators: everything
  - members: read, create Doc
";

    fn count(text: &str) -> usize {
        all(text).iter().filter(|found| found.code.id == "KF088").count()
    }

    #[test]
    fn an_order_that_reveals_a_hidden_value() {
        assert_says(
            DESIGN,
            &one(DESIGN, "KF088"),
            "`docs by score` orders Doc by `score`, which is not visible to `members`: order and presence reveal it",
            "docs by score",
            "leave `score` out of the key, or let only those list Doc who see it",
        );
        let sparse = patched(DESIGN, &[("<score:width(8)>#<docId>", "<docId>#<score:width(8)>")]);
        assert_eq!(count(&sparse), 1);
        let in_table = patched(
            DESIGN,
            &[
                ("SK: DOC#<docId>", "SK: DOC#<score:width(8)>#<docId>"),
                ("0, optional, visible", "0, visible"),
                ("GSI1PK = DOCS#<acc>", "PK = ACC#<acc>"),
            ],
        );
        assert_eq!(count(&in_table), 1);
    }

    #[test]
    fn patterns_that_reveal_nothing_to_others() {
        for change in [
            // Those who list see it.
            ("members: read, create Doc", "members and role auditor: read, create Doc"),
            ("members: read, create Doc", "members: get, create Doc"),
            // Whoever does not see it is refused.
            ("docs by score: GSI1PK = DOCS#<acc>", "docs by score: GSI1PK = DOCS#<acc> and GSI1SK >= <score>"),
            ("docs by score: GSI1PK = DOCS#<acc>", "docs by score: GSI1PK = DOCS#<acc> where score > <least>"),
            ("docs by score: GSI1PK = DOCS#<acc>", "docs by id: PK = ACC#<acc>"),
            (", visible to role auditor or operators", ""),
        ] {
            assert_eq!(count(&patched(DESIGN, &[change])), 0, "{change:?}");
        }
    }
}
