//! KF052: a write that needs more actions than a transaction has.

use keyfold_dynamo::limits;

use crate::build::Draft;
use crate::diagnostic::{Code, Diagnostic, Findings, Severity};
use crate::model::{Derivation, Design, Entity, Over, Unit};

pub(super) static CODE: Code = Code {
    id: "KF052",
    title: "write with more than 100 actions",
    severity: Severity::Error,
    explanation: "An item and everything derived from it are written in one transaction, which is limited to 100 \
                  actions. Changing all tags of a site deletes one item per old tag and writes one per new tag; unique \
                  lookups, referenced items and counters take one action each as well.",
    fix: "Bound the list: `tags: list of string, at most 40 items`; bound the words of a string \
          whose words are indexed: `name: string, at most 45 words`.",
};

pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for entity in draft.design.entities.iter().filter(|entity| !entity.derived.is_empty()) {
        report(&draft.design, entity, findings);
    }
}

fn report(design: &Design, entity: &Entity, findings: &mut Findings) {
    // An item whose key holds more than its identity is moved when that changes: one action removes it, one writes it.
    let own_actions = if entity.is_found_by_key() { 1 } else { 2 };
    let mut actions = own_actions + entity.uniques.len() * 2;
    actions +=
        entity.references.iter().map(|reference| if reference.counted_as.is_some() { 2 } else { 1 }).sum::<usize>();
    let mut widest: Option<(&Entity, usize)> = None;
    for derived in entity.derived.iter().map(|id| &design[*id]) {
        let Some(derivation) = &derived.derivation else { continue };
        let count = match &derivation.each {
            None => 1,
            Some(each) => match most(entity, &each.over) {
                Some(count) => count,
                None => return findings.push(unbounded(entity, derivation, &each.over)),
            },
        };
        // Replacing all values removes the old items and writes the new ones.
        actions += count * 2;
        if widest.is_none_or(|(_, most)| count > most) {
            widest = Some((derived, count));
        }
    }
    let Some((derived, count)) = widest.filter(|_| actions > limits::TRANSACTION_ACTIONS) else { return };
    let span = derived.derivation.as_ref().map_or(derived.span, |derivation| derivation.span);
    let message = format!(
        "changing a `{}` can take {actions} actions, and a transaction has {}",
        entity.name,
        limits::TRANSACTION_ACTIONS
    );
    let help = format!("`{}` alone can be {count} items, each removed and written: lower the bound", derived.name);
    findings.push(Diagnostic::new(&CODE, span, message).help(help));
}

fn unbounded(source: &Entity, derivation: &Derivation, over: &Over) -> Diagnostic {
    let names = over.attributes().join("`, `");
    let message = format!(
        "`{names}` of `{}` has no bound, and each value is an action of a transaction, which has {}",
        source.name,
        limits::TRANSACTION_ACTIONS
    );
    let unit = if matches!(over, Over::Words(_)) { "45 words" } else { "40 items" };
    Diagnostic::new(&CODE, derivation.span, message).help(format!("bound it: `{names}: …, at most {unit}`"))
}

/// The most values that one item of the source can have.
fn most(source: &Entity, over: &Over) -> Option<usize> {
    let bound = |name: &str, unit: Unit| usize::try_from(source.attribute(name)?.most(unit)?.to_i64()?).ok();
    match over {
        Over::Attributes(names) => Some(names.len()),
        Over::Items(name) => bound(name, Unit::Items),
        Over::Words(name) => {
            // A word and what separates it from the next take two characters at least.
            let by_length = bound(name, Unit::Characters).map(|characters| characters.div_ceil(2));
            by_length.into_iter().chain(bound(name, Unit::Words)).min()
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::testing::{PLATFORM, assert_says, one, patched};

    fn with_labels(labels: &str) -> String {
        let derived = "  ProductLabel:\n    derived from: Product, for each label in labels\n    PK: LABEL#<label>\n    SK: PRODUCT#<productId>\n\n  Group:\n";
        patched(
            PLATFORM,
            &[
                ("  Group:\n", derived),
                ("      enterpriseCount: integer", &format!("      labels: {labels}\n      enterpriseCount: integer")),
                ("  all groups:", "  products by label: PK = LABEL#<label>\n  all groups:"),
                ("read Enterprise,", "read ProductLabel, Enterprise,"),
            ],
        )
    }

    #[test]
    fn a_list_without_a_bound() {
        let text = with_labels("list of string");
        assert_says(
            &text,
            &one(&text, "KF052"),
            "`labels` of `Product` has no bound, and each value is an action of a transaction, which has 100",
            "Product, for each label in labels",
            "bound it: `labels: …, at most 40 items`",
        );
    }

    #[test]
    fn a_bound_that_is_too_high() {
        let text = with_labels("list of string, at most 50 items");
        assert_says(
            &text,
            &one(&text, "KF052"),
            "changing a `Product` can take 101 actions, and a transaction has 100",
            "Product, for each label in labels",
            "`ProductLabel` alone can be 50 items, each removed and written: lower the bound",
        );
    }

    fn with_words(name: &str) -> String {
        let derived = "  ProductWord:\n    derived from: Product, for each word in words(title)\n    PK: WORD#<word>\n    SK: PRODUCT#<productId>\n\n  Group:\n";
        patched(
            PLATFORM,
            &[
                ("  Group:\n", derived),
                ("      enterpriseCount: integer", &format!("      title: {name}\n      enterpriseCount: integer")),
                ("  all groups:", "  products with a word: PK = WORD#<word>\n  all groups:"),
                ("read Enterprise,", "read ProductWord, Enterprise,"),
            ],
        )
    }

    #[test]
    fn words_are_bounded_by_their_number_or_by_the_length_of_the_text() {
        let fits = |name: &str| {
            let text = with_words(name);
            crate::checks::testing::all(&text).iter().all(|found| found.code.id != "KF052")
        };
        assert!(fits("string, at most 49 words"));
        assert!(fits("string, at most 98 characters"));
        assert!(fits("string, at most 200 characters, at most 49 words"));
        assert!(fits("string, at most 98 characters, at most 1000 words"));
        assert!(!fits("string, at most 200 characters, at most 50 words"));
        assert!(!fits("string, at most 99 characters"));
        let text = with_words("string");
        assert_eq!(one(&text, "KF052").help.as_deref(), Some("bound it: `title: …, at most 45 words`"));
    }

    /// A note refers to a topic, so that the last action decides.
    fn notes(sort_key: &str) -> String {
        format!(
            "design: notes\ntable: notes\nentities:\n  Topic:\n    PK: TOPIC#<topicId>\n    SK: METADATA\n    attributes:\n      \
             topicId: ulid\n  Note:\n    PK: NOTE#<noteId>\n    SK: {sort_key}\n    identity: noteId\n    attributes:\n      \
             noteId: ulid\n      topicId: ulid, refers to Topic, delete ignored\n      title: string, at most 49 words\n  \
             NoteWord:\n    derived from: Note, for each word in words(title)\n    PK: WORD#<word>\n    SK: NOTE#<noteId>\n"
        )
    }

    #[test]
    fn a_move_takes_two_actions() {
        let exceeds = |text: &str| crate::checks::testing::all(text).iter().any(|found| found.code.id == "KF052");
        assert!(!exceeds(&notes("METADATA")));
        let moved = notes("TOPIC#<topicId>");
        assert_eq!(one(&moved, "KF052").message, "changing a `Note` can take 101 actions, and a transaction has 100");
    }

    #[test]
    fn a_bound_that_fits() {
        let text = with_labels("list of string, at most 40 items");
        assert_eq!(crate::checks::testing::all(&text), []);
    }
}
