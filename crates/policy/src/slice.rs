//! The file policies for one verb on one entity, prepared for deciding before and after an item is read.

use std::sync::Arc;

use cedar_policy::pst::{self, ActionConstraint, Expr, PrincipalConstraint, ResourceConstraint};
use cedar_policy::{EntityId as CedarId, EntityTypeName, EntityUid, Policy, PolicySet};
use keyfold_design::model::{AttributeType, Entity, Verb};

use crate::file_policy::FilePolicy;
use crate::names::CALLER_TYPE;
use crate::statement::{Effect, Statement};
use crate::tree::{self, Bound, Given, Reads};
use crate::types::CedarType;
use crate::verdict::Verdict;

/// The policies of all files for a verb on an entity.
#[derive(Debug)]
pub(crate) struct Slice {
    pub action: EntityUid,
    pub resource_type: EntityTypeName,
    /// Permits that apply whatever the item, and forbids that may apply.
    pub sure: Set,
    /// Permits that may apply, and forbids that apply whatever the item. `None` where no policy reads items.
    pub possible: Option<Set>,
    /// Decides about an item.
    pub whole: Set,
    /// The attributes of the item that policies read.
    pub attributes: Vec<ReadAttribute>,
    pub statements: Vec<Statement>,
}

/// Policies that are evaluated together.
#[derive(Debug)]
pub(crate) struct Set {
    pub policies: PolicySet,
    /// The verdict, where no caller and no item can change it.
    pub settled: Option<Verdict>,
    pub reads: Reads,
    pub has_forbids: bool,
}

#[derive(Debug)]
pub(crate) struct ReadAttribute {
    pub name: String,
    pub cedar_type: CedarType,
    pub declared: AttributeType,
}

/// A policy with its condition specialized to a verb and an entity.
struct Part<'p> {
    policy: &'p FilePolicy,
    condition: Arc<Expr>,
}

impl Slice {
    /// `None` where a name is not one of Cedar's, which [`crate::names`] rules out.
    pub(crate) fn new(entity: &Entity, type_name: &str, verb: Verb, policies: &[&FilePolicy]) -> Option<Self> {
        let group = if matches!(verb, Verb::Get | Verb::List) { "read" } else { "write" };
        let given = Given { actions: &[verb.as_str(), group], resource_type: type_name };
        let parts: Vec<Part<'_>> = policies
            .iter()
            .map(|policy| Part { policy, condition: tree::conjoin(policy.template.clauses(), given) })
            .collect();
        let whole = Set::new(&parts, None)?;
        let possible = if whole.reads.needs_item() { Some(Set::new(&parts, Some(Bound::Possible))?) } else { None };
        Some(Self {
            action: EntityUid::from_type_name_and_id("Action".parse().ok()?, CedarId::new(verb.as_str())),
            resource_type: type_name.parse().ok()?,
            sure: Set::new(&parts, Some(Bound::Sure))?,
            possible,
            attributes: read_attributes(entity, &whole.reads),
            statements: parts.iter().map(|part| part.policy.statement.clone()).collect(),
            whole,
        })
    }

    /// The set that decides whether any item could be permitted, or every item is forbidden.
    pub(crate) fn possible(&self) -> &Set {
        self.possible.as_ref().unwrap_or(&self.sure)
    }

    pub(crate) fn is_forbid(&self, id: &str) -> bool {
        self.statements.iter().any(|statement| statement.id == id && statement.effect == Effect::Forbid)
    }
}

fn read_attributes(entity: &Entity, reads: &Reads) -> Vec<ReadAttribute> {
    let read = entity.attributes.iter().filter(|attribute| reads.item.contains(&attribute.name));
    read.filter_map(|attribute| {
        let cedar_type = CedarType::for_attribute(entity, attribute)?;
        Some(ReadAttribute { name: attribute.name.clone(), cedar_type, declared: attribute.value_type.clone() })
    })
    .collect()
}

impl Set {
    /// The policies as they are, or with their conditions bounded. What is allowed for sure is what a permit allows for
    /// sure and no forbid possibly forbids, and vice versa, so forbids are bounded from the opposite side.
    fn new(parts: &[Part<'_>], bound: Option<Bound>) -> Option<Self> {
        let mut set = Self { policies: PolicySet::new(), settled: None, reads: Reads::default(), has_forbids: false };
        let (mut permits, mut always_permits, mut always_forbids) = (false, false, false);
        for Part { policy, condition } in parts {
            let forbids = policy.statement.effect == Effect::Forbid;
            let condition = match bound {
                None => Arc::clone(condition),
                Some(bound) if forbids => tree::bound_condition(condition, bound.opposite()),
                Some(bound) => tree::bound_condition(condition, bound),
            };
            let known = tree::as_truth(&condition);
            if known == Some(false) {
                continue;
            }
            let scope = &policy.template.principal;
            let always = known == Some(true) && is_everyone(scope);
            set.has_forbids |= forbids;
            always_forbids |= forbids && always;
            permits |= !forbids;
            always_permits |= !forbids && always;
            set.reads.add(Reads::in_expression(&condition));
            set.reads.add_scope(scope);
            set.policies.add(specialize(policy, condition)?).ok()?;
        }
        set.settled = match (set.has_forbids, permits) {
            _ if always_forbids => Some(Verdict::Forbidden),
            (false, false) => Some(Verdict::Silent),
            (false, true) if always_permits => Some(Verdict::Permitted),
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

/// The policy without its scope of actions and resources, which the slice has settled.
fn specialize(policy: &FilePolicy, condition: Arc<Expr>) -> Option<Policy> {
    let from = &policy.template;
    let template = pst::Template::new(
        policy.statement.id.as_str(),
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
