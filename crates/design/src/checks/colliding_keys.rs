//! KF034: two entities whose items can have the same key.

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Entity, KeyCollision, key_collision};

pub(super) static CODE: Code = Code {
    id: "KF034",
    title: "key collision between entities",
    severity: Severity::Error,
    explanation: "An item is found, overwritten and recognized by its key alone. If the templates of two entities can \
                  produce the same partition and sort key, writing one item silently replaces the other, and reads \
                  return it as the wrong entity.",
    fix: "Give the templates different literal text (`USER#<id>`, `ROLE#<id>`), or the attributes types or bounds with \
          different values. Entities that share their keys on purpose are told apart by a constant attribute, such as \
          `type: User` and `type: Organization`.",
};

/// All pairs of entities, each once.
pub(super) fn pairs(entities: &[Entity]) -> impl Iterator<Item = (&Entity, &Entity)> {
    entities.iter().enumerate().flat_map(|(at, left)| entities.iter().skip(at + 1).map(move |right| (left, right)))
}

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for (left, right) in pairs(&draft.design.entities) {
        let is_told_apart = left.kind.as_ref().is_some_and(|kind| kind.others.contains(&right.id));
        if is_told_apart {
            continue;
        }
        if let KeyCollision::Direct(example) = key_collision(&left.layout, &right.layout) {
            let message = format!("`{}` and `{}` can have the same key: `{example}`", left.name, right.name);
            let span =
                right.layout.sort.as_ref().map_or(right.layout.partition.template.span, |sort| sort.template.span);
            let other =
                left.layout.sort.as_ref().map_or(left.layout.partition.template.span, |sort| sort.template.span);
            findings.push(
                Diagnostic::new(&CODE, span, message)
                    .label(format!("the key of `{}`", right.name))
                    .also(other, format!("the key of `{}`", left.name))
                    .help("give them different literal text, or one constant attribute with different values")
                    .about(format!("{} {}", left.name, right.name)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{AGENCIES, PLATFORM, assert_says, one, patched};

    #[test]
    fn equal_templates_collide() {
        let text = patched(PLATFORM, &[("SK: TECH_USER#<userId>", "SK: ADDRESS#<userId>")]);
        assert_says(
            &text,
            &one(&text, "KF034"),
            "`Address` and `TechUser` can have the same key: `ACCOUNT#a` / `ADDRESS#a`",
            "ADDRESS#<userId>",
            "give them different literal text, or one constant attribute with different values",
        );
    }

    #[test]
    fn a_free_text_can_be_the_literal_of_another() {
        let text = patched(
            AGENCIES,
            &[("SK: MEMBER#<idpid>", "SK: <idpid>"), ("begins_with(SK, MEMBER#)", "SK > AGENCY -> Member")],
        );
        // `AGENCY#…` is free text with a delimiter in it, so the collision is one through the delimiter.
        assert_eq!(
            one(&text, "KF035").message.split(':').next().unwrap(),
            "`Agency` and `Member` meet where a value contains `#`"
        );
    }
}
