//! Requests to Cedar: a caller and an item as Cedar represents them, and the verdict of the policy files.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use cedar_policy::{
    Authorizer as Cedar, Context, Decision, Entities, Entity, EntityId, EntityTypeName, EntityUid, PolicyId, Request,
    Response, RestrictedExpression,
};
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::{Access, Caller};

use crate::names::CALLER_TYPE;
use crate::slice::{Set, Slice};
use crate::tree::{CallerPart, Reads};
use crate::verdict::Verdict;

static CEDAR: LazyLock<Cedar> = LazyLock::new(Cedar::new);
static CALLER: LazyLock<Option<EntityTypeName>> = LazyLock::new(|| CALLER_TYPE.parse().ok());

/// A verdict with the ids of the policies that decided.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub verdict: Verdict,
    pub deciding: Vec<String>,
}

/// The attribute whose value Cedar cannot represent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnreadableAttribute {
    pub attribute: String,
}

/// Evaluates the policies that need no item.
pub(crate) fn ask(slice: &Slice, set: &Set, access: &Access<'_>) -> Outcome {
    evaluate(slice, set, access, None)
}

/// Evaluates all policies about an item.
pub(crate) fn ask_about(slice: &Slice, access: &Access<'_>, item: &Attributes) -> Result<Outcome, UnreadableAttribute> {
    let entity = resource(slice, item)?;
    Ok(evaluate(slice, &slice.whole, access, Some(entity)))
}

/// Fails closed: a request that cannot be made is forbidden.
fn evaluate(slice: &Slice, set: &Set, access: &Access<'_>, item: Option<Entity>) -> Outcome {
    match respond(slice, set, access, item) {
        Some(response) => outcome(slice, set, &response),
        None => Outcome { verdict: Verdict::Forbidden, deciding: Vec::new() },
    }
}

fn respond(slice: &Slice, set: &Set, access: &Access<'_>, item: Option<Entity>) -> Option<Response> {
    let principal = principal(access.caller, &set.reads)?;
    let uid = principal.uid();
    let entities = Entities::from_entities(std::iter::once(principal).chain(item), None).ok()?;
    let context = match access.pattern.filter(|_| set.reads.pattern) {
        Some(pattern) => {
            let name = RestrictedExpression::new_string(pattern.name.clone());
            Context::from_pairs([("pattern".to_owned(), name)]).ok()?
        }
        None => Context::empty(),
    };
    let request = Request::new(uid, slice.action.clone(), resource_uid(slice), context, None).ok()?;
    Some(CEDAR.is_authorized(&request, &set.policies, &entities))
}

fn outcome(slice: &Slice, set: &Set, response: &Response) -> Outcome {
    let failed = if set.has_forbids { failed_forbid(slice, response) } else { None };
    let text = |id: &PolicyId| AsRef::<str>::as_ref(id).to_owned();
    let mut deciding: Vec<String> = response.diagnostics().reason().map(text).collect();
    let verdict = match (failed, response.decision()) {
        // A forbid that cannot be evaluated forbids.
        (Some(failed), decision) => {
            if decision == Decision::Allow {
                deciding.clear();
            }
            deciding.push(failed);
            Verdict::Forbidden
        }
        (None, Decision::Allow) => Verdict::Permitted,
        (None, Decision::Deny) if deciding.is_empty() => Verdict::Silent,
        (None, Decision::Deny) => Verdict::Forbidden,
    };
    Outcome { verdict, deciding }
}

fn failed_forbid(slice: &Slice, response: &Response) -> Option<String> {
    response.diagnostics().errors().find_map(|error| {
        let cedar_policy::AuthorizationError::PolicyEvaluationError(error) = error;
        let id: &str = error.policy_id().as_ref();
        slice.is_forbid(id).then(|| id.to_owned())
    })
}

fn resource_uid(slice: &Slice) -> EntityUid {
    // Items have no Cedar id: policies that would compare one are refused.
    EntityUid::from_type_name_and_id(slice.resource_type.clone(), EntityId::new(""))
}

fn resource(slice: &Slice, item: &Attributes) -> Result<Entity, UnreadableAttribute> {
    let mut attributes = HashMap::with_capacity(slice.attributes.len());
    for read in &slice.attributes {
        let value = match item.get(&read.name) {
            None | Some(AttributeValue::Null) => continue,
            Some(value) => read.cedar_type.value(value, &read.declared),
        };
        let Some(value) = value else { return Err(UnreadableAttribute { attribute: read.name.clone() }) };
        attributes.insert(read.name.clone(), value);
    }
    Entity::new(resource_uid(slice), attributes, HashSet::new())
        // A decimal with more digits than Cedar's fails only when it is evaluated.
        .map_err(|error| UnreadableAttribute { attribute: error.attr().to_string() })
}

fn principal(caller: &Caller, reads: &Reads) -> Option<Entity> {
    let mut attributes = HashMap::new();
    let texts = |list: &[String]| {
        RestrictedExpression::new_set(list.iter().map(|text| RestrictedExpression::new_string(text.clone())))
    };
    for part in &reads.caller {
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
