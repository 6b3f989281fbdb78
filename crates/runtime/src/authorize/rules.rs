//! The evaluator of a design's `allow` rules, for embedders and servers alike.
//!
//! It reads items as DynamoDB holds them and conditions as the design's own expressions, so that there is no value it
//! cannot compare. Cedar policy files, which an embedder or a server may add, are composed with it in `keyfold-policy`.

use std::sync::Arc;

use keyfold_design::Design;
use keyfold_design::constraint::CALLER;
use keyfold_design::model::Rule;
use keyfold_dynamo::Attributes;

use super::{Access, AccessTable, Authorizer, Decision};
use crate::grantee::and;

/// The `allow` rules of a design.
pub struct DesignRules {
    design: Arc<Design>,
    /// Positions in `allow`, so that a decision looks only at the rules that can apply.
    positions: AccessTable<Vec<usize>>,
}

impl DesignRules {
    /// The evaluator of a design's rules.
    pub fn new(design: Arc<Design>) -> Self {
        let positions = AccessTable::new(&design, |entity, verb| {
            let concerns = |rule: &Rule| rule.verbs.contains(&verb) && rule.entities.contains(&entity.id);
            let rules = design.rules.iter().enumerate();
            rules.filter(|(_, rule)| concerns(rule)).map(|(position, _)| position).collect()
        });
        Self { design, positions }
    }

    /// The decision of each rule for this verb and entity, with the rule's position in `allow`. `Denied` means that the
    /// rule does not apply, `ByItem` that it depends on an item that was not given.
    pub fn verdicts<'a>(
        &'a self,
        access: &'a Access<'a>,
        item: Option<&'a Attributes>,
    ) -> impl Iterator<Item = (usize, Decision)> + 'a {
        let positions = self.positions.get(access);
        positions.into_iter().flatten().filter_map(move |position| {
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
        let caller = access.is_granted_to(&rule.grantee, &self.design, item);
        match &rule.when {
            Some(when) if caller != Some(false) => {
                // An attribute hides the caller only where the entity declares one of that name: what is merely stored
                // in an item must not pose as the caller.
                let hides_caller = access.entity.attribute(CALLER).is_some();
                let condition = match item {
                    Some(item) => {
                        let lookup = |name: &str| item.get(name).filter(|_| name != CALLER || hides_caller);
                        // A condition that cannot be evaluated allows nothing.
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
        if !access.is_in_scope(&self.design) {
            return Decision::Denied;
        }
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
        let is_allowed = || self.verdicts(access, Some(item)).any(|(_, verdict)| verdict == Decision::Allowed);
        access.is_in_scope(&self.design) && (access.caller.superuser || is_allowed())
    }
}
