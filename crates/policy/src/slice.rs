//! The policies for one verb on one entity, made ready for deciding before and after an item is read.

use std::sync::Arc;

use cedar_policy::pst::{self, ActionConstraint, Expr, PrincipalConstraint, ResourceConstraint};
use cedar_policy::{EntityId as CedarId, EntityTypeName, EntityUid, Policy, PolicySet};
use keyfold_design::constraint::Expression;
use keyfold_design::model::{AttributeType, Entity, Verb};
use keyfold_runtime::Decision;

use crate::candidate::Candidate;
use crate::names::CALLER_TYPE;
use crate::stated::{Effect, Stated};
use crate::tree::{self, Bound, Given, Reads};
use crate::types::CedarType;

/// Everything that decides about a verb on an entity.
#[derive(Debug)]
pub struct Slice {
    pub action: EntityUid,
    pub resource_type: EntityTypeName,
    /// The decision, where no caller can change it.
    pub settled: Option<Decision>,
    /// Allows what is allowed whatever the item.
    pub sure: Set,
    /// Allows what some item would be allowed for; `None` where no policy reads items.
    pub possible: Option<Set>,
    /// Decides about an item.
    pub whole: Set,
    /// The attributes of the item that policies read.
    pub attributes: Vec<ReadAttribute>,
    /// Conditions of the design that Cedar cannot say, by the id of their policy.
    pub told: Vec<(String, Expression)>,
    /// Whether a policy from a file reads items.
    pub files_read_items: bool,
    pub stated: Vec<Stated>,
}

/// Policies that are evaluated together.
#[derive(Debug)]
pub struct Set {
    pub policies: PolicySet,
    /// The answer, where no caller and no item can change it.
    pub settled: Option<bool>,
    pub reads: Reads,
    pub has_forbids: bool,
}

#[derive(Debug)]
pub struct ReadAttribute {
    pub name: String,
    pub cedar_type: CedarType,
    pub declared: AttributeType,
}

/// A policy whose condition is specialised.
struct Part<'c> {
    candidate: &'c Candidate,
    condition: Arc<Expr>,
}

impl Slice {
    /// `None` where a name cannot be one of Cedar's, which names that [`crate::names`] made never are.
    pub fn of(entity: &Entity, type_name: &str, verb: Verb, candidates: &[Candidate]) -> Option<Self> {
        let group = if matches!(verb, Verb::Get | Verb::List) { "read" } else { "write" };
        let given = Given { actions: &[verb.as_str(), group], resource_type: type_name };
        let parts: Vec<Part<'_>> = candidates
            .iter()
            .filter(|candidate| candidate.applies.contains(&(entity.id, verb)))
            .map(|candidate| Part { candidate, condition: tree::conjoin(candidate.template.clauses(), given) })
            .collect();
        let whole = Set::of(&parts, None)?;
        let reads_items = whole.reads.of_item();
        let files_read_items =
            parts.iter().any(|part| !part.candidate.is_of_design() && Reads::of(&part.condition).of_item());
        let sure = Set::of(&parts, Some(Bound::Sure))?;
        let possible = if reads_items { Some(Set::of(&parts, Some(Bound::Possible))?) } else { None };
        Some(Self {
            settled: settled(&sure, possible.as_ref()),
            action: EntityUid::from_type_name_and_id("Action".parse().ok()?, CedarId::new(verb.as_str())),
            resource_type: type_name.parse().ok()?,
            sure,
            possible,
            attributes: read_attributes(entity, &whole.reads),
            told: parts.iter().filter_map(|part| told(part.candidate)).collect(),
            files_read_items,
            stated: parts.iter().map(|part| part.candidate.stated.clone()).collect(),
            whole,
        })
    }

    pub fn stated(&self, id: &str) -> Option<&Stated> {
        self.stated.iter().find(|stated| stated.id == id)
    }
}

fn settled(sure: &Set, possible: Option<&Set>) -> Option<Decision> {
    match (sure.settled?, possible) {
        (true, _) => Some(Decision::Allowed),
        (false, None) => Some(Decision::Denied),
        (false, Some(possible)) => possible.settled.map(|may| if may { Decision::ByItem } else { Decision::Denied }),
    }
}

fn told(candidate: &Candidate) -> Option<(String, Expression)> {
    candidate.told.clone().map(|condition| (candidate.stated.id.clone(), condition))
}

fn read_attributes(entity: &Entity, reads: &Reads) -> Vec<ReadAttribute> {
    let read = entity.attributes.iter().filter(|attribute| reads.item.contains(&attribute.name));
    read.filter_map(|attribute| {
        let cedar_type = CedarType::of(entity, attribute)?;
        Some(ReadAttribute { name: attribute.name.clone(), cedar_type, declared: attribute.value_type.clone() })
    })
    .collect()
}

impl Set {
    /// The policies as they are, or with what their conditions are bounded by: what is allowed for sure is what a permit allows for
    /// sure and no forbid possibly forbids, and the other way round.
    fn of(parts: &[Part<'_>], bound: Option<Bound>) -> Option<Self> {
        let mut set = Self { policies: PolicySet::new(), settled: None, reads: Reads::default(), has_forbids: false };
        let (mut permits, mut always_permits, mut always_forbids) = (false, false, false);
        for Part { candidate, condition } in parts {
            let forbids = candidate.stated.effect == Effect::Forbid;
            let condition = match bound {
                None => Arc::clone(condition),
                Some(bound) if forbids => tree::bounded(condition, bound.opposite()),
                Some(bound) => tree::bounded(condition, bound),
            };
            let known = tree::as_truth(&condition);
            if known == Some(false) {
                continue;
            }
            let scope = &candidate.template.principal;
            let always = known == Some(true) && is_everyone(scope);
            set.has_forbids |= forbids;
            always_forbids |= forbids && always;
            permits |= !forbids;
            always_permits |= !forbids && always;
            set.reads.add(Reads::of(&condition));
            set.reads.add_scope(scope);
            set.policies.add(specialised(candidate, condition)?).ok()?;
        }
        set.settled = match (permits, always_permits) {
            _ if always_forbids => Some(false),
            (false, _) => Some(false),
            (true, true) if !set.has_forbids => Some(true),
            _ => None,
        };
        Some(set)
    }
}

fn is_everyone(scope: &PrincipalConstraint) -> bool {
    match scope {
        PrincipalConstraint::Any => true,
        PrincipalConstraint::Is(name) => name.to_string() == CALLER_TYPE,
        _ => false,
    }
}

/// The policy without what the slice has settled already.
fn specialised(candidate: &Candidate, condition: Arc<Expr>) -> Option<Policy> {
    let from = &candidate.template;
    let template = pst::Template::new(
        candidate.stated.id.as_str(),
        from.effect,
        from.principal.clone(),
        ActionConstraint::Any,
        ResourceConstraint::Any,
    );
    let clauses = match tree::as_truth(&condition) {
        Some(true) => Vec::new(),
        _ => vec![pst::Clause::When(condition)],
    };
    let body = template.try_with_clauses(clauses).ok()?;
    Policy::from_pst(pst::Policy::Static(body.try_into().ok()?)).ok()
}
