//! The evaluator of a design's `allow` rules, for embedders and servers alike.
//!
//! It reads items as DynamoDB holds them and conditions as the design's own expressions, so that there is no value it cannot
//! compare. Cedar policy files, which an embedder or a server may add, are composed with it in `keyfold-policy`.

use std::sync::Arc;

use keyfold_design::Design;
use keyfold_design::constraint::CALLER;
use keyfold_design::model::{Entity, Rule, Verb};
use keyfold_dynamo::Attributes;

use super::caller_match::{and, matches};
use super::{Access, Authorizer, Decision};

/// The `allow` rules of a design.
pub struct DesignRules {
    design: Arc<Design>,
    /// Positions in `allow` by entity and verb, so that a decision looks only at the rules that can apply.
    positions: Vec<Vec<usize>>,
}

impl DesignRules {
    pub fn new(design: Arc<Design>) -> Self {
        let concerns =
            |rule: &Rule, entity: &Entity, verb: Verb| rule.verbs.contains(&verb) && rule.entities.contains(&entity.id);
        let positions = design
            .entities
            .iter()
            .flat_map(|entity| Verb::ALL.map(|verb| (entity, verb)))
            .map(|(entity, verb)| {
                let rules = design.rules.iter().enumerate();
                rules.filter(|(_, rule)| concerns(rule, entity, verb)).map(|(position, _)| position).collect()
            })
            .collect();
        Self { design, positions }
    }

    /// What each rule about this verb and entity says, with its position in `allow`. `Denied` means that the rule does not
    /// apply, `ByItem` that it depends on an item that was not given.
    pub fn verdicts<'a>(
        &'a self,
        access: &'a Access<'a>,
        item: Option<&'a Attributes>,
    ) -> impl Iterator<Item = (usize, Decision)> + 'a {
        let positions = self.positions.get(slot(access.entity, access.verb)).map_or(&[][..], Vec::as_slice);
        positions.iter().filter_map(move |position| {
            let verdict = match self.applies(self.design.rules.get(*position)?, access, item) {
                Some(true) => Decision::Allowed,
                Some(false) => Decision::Denied,
                None => Decision::ByItem,
            };
            Some((*position, verdict))
        })
    }

    /// `None` where it depends on the item and none is given.
    fn applies(&self, rule: &Rule, access: &Access<'_>, item: Option<&Attributes>) -> Option<bool> {
        let caller = matches(&rule.grantee, access, &self.design, item);
        match &rule.when {
            Some(when) if caller != Some(false) => {
                // An attribute hides the caller only where the entity declares one of that name: what is merely stored in an
                // item must not pose as the caller.
                let hides_caller = access.entity.attribute(CALLER).is_some();
                let condition = match item {
                    Some(item) => {
                        let lookup = |name: &str| item.get(name).filter(|_| name != CALLER || hides_caller);
                        Some(when.evaluate_for(lookup, access.caller.view()).unwrap_or(false))
                    }
                    None if hides_caller => None,
                    None => when.evaluate_caller(access.caller.view()),
                };
                and(caller, condition)
            }
            _ => caller,
        }
    }
}

impl Authorizer for DesignRules {
    fn decide(&self, access: &Access<'_>) -> Decision {
        if access.caller.superuser {
            return Decision::Allowed;
        }
        let mut decision = Decision::Denied;
        for (_, verdict) in self.verdicts(access, None) {
            match verdict {
                Decision::Allowed => return Decision::Allowed,
                Decision::ByItem => decision = Decision::ByItem,
                Decision::Denied => {}
            }
        }
        decision
    }

    fn decide_item(&self, access: &Access<'_>, item: &Attributes) -> bool {
        access.caller.superuser || self.verdicts(access, Some(item)).any(|(_, verdict)| verdict == Decision::Allowed)
    }
}

fn slot(entity: &Entity, verb: Verb) -> usize {
    entity.id.index() * Verb::ALL.len() + verb as usize
}
