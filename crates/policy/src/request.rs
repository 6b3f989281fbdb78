//! Callers and items as Cedar sees them.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use cedar_policy::{
    Authorizer as Cedar, Context, Decision, Entities, Entity, EntityId, EntityTypeName, EntityUid, PolicyId, Request,
    RestrictedExpression,
};
use keyfold_design::constraint::CallerView;
use keyfold_design::model::Pattern;
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::{Access, Caller};

use crate::names::CALLER_TYPE;
use crate::slice::{Set, Slice};
use crate::stated::Effect;
use crate::tree::{CallerPart, Reads};

static CEDAR: LazyLock<Cedar> = LazyLock::new(Cedar::new);
static CALLER: LazyLock<Option<EntityTypeName>> = LazyLock::new(|| CALLER_TYPE.parse().ok());

/// What the policies of a set said.
#[derive(Debug, Default)]
pub struct Answer {
    pub allowed: bool,
    /// The policies that decided.
    pub because: Vec<String>,
    /// A forbid that could not be evaluated, which counts as one that forbids.
    pub failed: Option<String>,
}

/// Why an item cannot be shown to Cedar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit {
    pub attribute: String,
}

/// Asks the policies that need no item.
pub fn ask(slice: &Slice, set: &Set, access: &Access<'_>) -> Answer {
    evaluate(slice, set, access.caller, access.pattern, None, Vec::new()).unwrap_or_default()
}

/// Asks on behalf of a caller without a token, by whichever pattern.
pub fn ask_anonymously(slice: &Slice, set: &Set, anonymous: &Caller) -> Answer {
    evaluate(slice, set, anonymous, None, None, Vec::new()).unwrap_or_default()
}

/// Asks about an item.
pub fn ask_about(slice: &Slice, access: &Access<'_>, item: &Attributes) -> Result<Answer, Misfit> {
    let entity = resource(slice, item)?;
    let held = if slice.whole.reads.told { held(slice, access.caller, item) } else { Vec::new() };
    Ok(evaluate(slice, &slice.whole, access.caller, access.pattern, Some(entity), held).unwrap_or_default())
}

/// `None` where a request cannot be made, which means no.
fn evaluate(
    slice: &Slice,
    set: &Set,
    caller: &Caller,
    pattern: Option<&Pattern>,
    item: Option<Entity>,
    held: Vec<RestrictedExpression>,
) -> Option<Answer> {
    let principal = principal(caller, &set.reads)?;
    let uid = principal.uid();
    let entities = Entities::from_entities(std::iter::once(principal).chain(item), None).ok()?;
    let mut context = Vec::new();
    if set.reads.told {
        context.push(("holds".to_owned(), RestrictedExpression::new_set(held)));
    }
    if let Some(pattern) = pattern.filter(|_| set.reads.pattern) {
        context.push(("pattern".to_owned(), RestrictedExpression::new_string(pattern.name.clone())));
    }
    let context = if context.is_empty() { Context::empty() } else { Context::from_pairs(context).ok()? };
    let request = Request::new(uid, slice.action.clone(), resource_uid(slice), context, None).ok()?;
    let response = CEDAR.is_authorized(&request, &set.policies, &entities);
    let text = |id: &PolicyId| AsRef::<str>::as_ref(id).to_owned();
    let failed = if set.has_forbids { failed_forbid(slice, &response) } else { None };
    Some(Answer {
        allowed: response.decision() == Decision::Allow && failed.is_none(),
        because: response.diagnostics().reason().map(text).collect(),
        failed,
    })
}

fn failed_forbid(slice: &Slice, response: &cedar_policy::Response) -> Option<String> {
    response.diagnostics().errors().find_map(|error| {
        let cedar_policy::AuthorizationError::PolicyEvaluationError(error) = error;
        let id: &str = error.policy_id().as_ref();
        slice.stated(id).filter(|stated| stated.effect == Effect::Forbid).map(|stated| stated.id.clone())
    })
}

fn resource_uid(slice: &Slice) -> EntityUid {
    // Items have no Cedar id: policies that would compare one are refused.
    EntityUid::from_type_name_and_id(slice.resource_type.clone(), EntityId::new(""))
}

fn resource(slice: &Slice, item: &Attributes) -> Result<Entity, Misfit> {
    let mut attributes = HashMap::with_capacity(slice.attributes.len());
    for read in &slice.attributes {
        let value = match item.get(&read.name) {
            None | Some(AttributeValue::Null) => continue,
            Some(value) => read.cedar_type.value(value, &read.declared),
        };
        let Some(value) = value else { return Err(Misfit { attribute: read.name.clone() }) };
        attributes.insert(read.name.clone(), value);
    }
    Entity::new(resource_uid(slice), attributes, HashSet::new())
        // A decimal with more digits than Cedar's, which only shows when it is evaluated.
        .map_err(|error| Misfit { attribute: error.attr().to_string() })
}

fn principal(caller: &Caller, reads: &Reads) -> Option<Entity> {
    let mut attributes = HashMap::new();
    let texts = |list: &[String]| {
        RestrictedExpression::new_set(list.iter().map(|text| RestrictedExpression::new_string(text.clone())))
    };
    for part in reads.caller.union(&reads.presence) {
        let value = match part {
            CallerPart::Subject => caller.subject.clone().map(RestrictedExpression::new_string),
            CallerPart::Tenant => caller.tenant.clone().map(RestrictedExpression::new_string),
            CallerPart::Roles => Some(texts(&caller.roles)),
            CallerPart::Groups => Some(texts(&caller.groups)),
            CallerPart::Permissions => Some(texts(&caller.permissions)),
        };
        if let Some(value) = value {
            attributes.insert(part.name().to_owned(), value);
        }
    }
    let subject = caller.subject.as_deref().filter(|_| reads.identity).unwrap_or_default();
    let uid = EntityUid::from_type_name_and_id(CALLER.clone()?, EntityId::new(subject));
    Entity::new(uid, attributes, HashSet::new()).ok()
}

/// The rules whose condition holds for the item, by the design's own evaluator.
fn held(slice: &Slice, caller: &Caller, item: &Attributes) -> Vec<RestrictedExpression> {
    let view = CallerView {
        subject: caller.subject.as_deref(),
        tenant: caller.tenant.as_deref(),
        roles: &caller.roles,
        groups: &caller.groups,
    };
    let holding =
        slice.told.iter().filter(|(_, condition)| condition.evaluate_for(|name| item.get(name), view).unwrap_or(false));
    holding.map(|(id, _)| RestrictedExpression::new_string(id.clone())).collect()
}
