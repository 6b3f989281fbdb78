//! A rule in the words of the design language, for a design whose text is not at hand.

use keyfold_design::Design;
use keyfold_design::model::{Rule, Verb};

pub(super) fn rule(rule: &Rule, design: &Design) -> String {
    let verbs: Vec<Verb> = rule.verbs.iter().copied().collect();
    let verbs = match verbs.as_slice() {
        [Verb::Get, Verb::List] => "read".to_owned(),
        all if all.len() == Verb::ALL.len() => "everything".to_owned(),
        some => some.iter().map(|verb| verb.as_str()).collect::<Vec<_>>().join(", "),
    };
    let mut text = format!("{}: {verbs}", rule.grantee);
    // Only these two may leave the entities out.
    let short = matches!(verbs.as_str(), "everything" | "read");
    if !short || rule.entities.len() < design.entities.len() {
        let names = rule.entities.iter().map(|id| design[*id].name.as_str());
        text.push_str(&format!(" {}", names.collect::<Vec<_>>().join(", ")));
    }
    if let Some(when) = &rule.when {
        text.push_str(&format!(" when {}", when.source()));
    }
    text
}
