//! Explains whether the caller is allowed to do something, and by which rule.

use axum::body::Body;
use http::Response;
use http::header::{CONTENT_TYPE, HeaderValue};
use keyfold_design::model::{Entity, Stamp, Verb};
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_policy::{DecisionExplanation, Statement};
use keyfold_runtime::{Access, Decision, json};
use serde_json::{Map, Value, json};

use super::HandlerResult;
use crate::request::body;
use crate::request::exchange::Exchange;
use crate::request::query_string;
use crate::response::problem::{Problem, ProblemKind};

/// `POST` of `{"verb": "update", "entity": "License", "item": {…}}`; the item as it would be, or none.
pub(super) async fn explain(exchange: Exchange, body: Body) -> HandlerResult {
    query_string::only(&exchange.query, &[])?;
    let limits = &exchange.api.limits;
    let bytes = body::read(&exchange.api, &exchange.parts.headers, body, &[body::JSON]).await?;
    let question = body::object(&bytes, limits)?;
    if let Some(other) = question.keys().find(|name| !["verb", "entity", "item"].contains(&name.as_str())) {
        return Err(invalid(other, format!("unknown member `{other}`; expected: verb, entity, item")));
    }
    let (verb, entity, item) = read(&exchange, &question)?;
    let access = Access { caller: &exchange.caller, verb, entity, pattern: None };
    let explanation = exchange.served.policies.explain(&access, item.as_ref());
    let foreign = item.as_ref().is_some_and(|item| is_foreign(&exchange, entity, item));
    let content = if foreign {
        of_another_tenant()
    } else {
        described(&explanation, &NotSettable::read(&exchange, verb, entity, item.as_ref())?)
    };
    let mut response = Response::new(Body::from(content.to_string()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(body::JSON));
    Ok(response)
}

fn invalid(field: &str, detail: impl Into<String>) -> Problem {
    Problem::for_field(ProblemKind::INVALID, field, detail)
}

fn read<'x>(
    exchange: &'x Exchange,
    question: &Map<String, Value>,
) -> Result<(Verb, &'x Entity, Option<Attributes>), Problem> {
    let text = |name: &str| question.get(name).and_then(Value::as_str);
    let verb = text("verb").and_then(|text| Verb::ALL.into_iter().find(|verb| verb.as_str() == text));
    let verb = verb.ok_or_else(|| invalid("verb", "`verb` must be one of get, list, create, update, delete"))?;
    let entity = text("entity").and_then(|name| exchange.served.design().entity_named(name));
    let entity = entity.ok_or_else(|| invalid("entity", "`entity` must be the name of an entity of the design"))?;
    let item = match question.get("item") {
        None | Some(Value::Null) => None,
        Some(Value::Object(item)) => Some(json::attributes(entity, item.clone())?),
        Some(_) => return Err(invalid("item", "`item` must be an object of attributes")),
    };
    Ok((verb, entity, item))
}

/// Whether an item belongs to a tenant other than the caller's: no rule is evaluated then.
fn is_foreign(exchange: &Exchange, entity: &Entity, item: &Attributes) -> bool {
    let Some(tenant) = exchange.served.design().tenant.as_ref() else { return false };
    let owner = item.get(&tenant.attribute).and_then(|value| value.as_str());
    entity.scope.has_tenant()
        && !exchange.is_operator()
        && owner.is_some()
        && owner != exchange.caller.tenant.as_deref()
}

fn of_another_tenant() -> Value {
    json!({
        "decision": "denied", "because": "denied: the item belongs to another tenant", "rules": [], "notSettable": [],
    })
}

/// The attributes whose `settable by` excludes the caller.
#[derive(Default)]
struct NotSettable {
    names: Vec<String>,
    /// The first of them that a new item sets, which denies its creation.
    denying: Option<String>,
}

impl NotSettable {
    fn read(exchange: &Exchange, verb: Verb, entity: &Entity, item: Option<&Attributes>) -> Result<Self, Problem> {
        if !matches!(verb, Verb::Create | Verb::Update) {
            return Ok(Self::default());
        }
        let mut item = item.cloned();
        // Whoever creates an item is its owner, where the owner is the creator.
        if let (Verb::Create, Some(item), Some(creator), Some(subject)) =
            (verb, &mut item, entity.stamp(Stamp::CreatedBy), &exchange.caller.subject)
        {
            item.insert(creator.name.clone(), AttributeValue::S(subject.clone()));
        }
        let runtime = &exchange.served.runtime;
        let names = runtime.unsettable_attributes(&exchange.caller, &entity.name, item.as_ref())?;
        let is_chosen = |name: &&String| {
            let default = entity.attribute(name).and_then(|attribute| attribute.default.as_ref());
            let given = item.as_ref().and_then(|item| item.get(*name));
            given.is_some_and(|given| *given != AttributeValue::Null && Some(given) != default)
        };
        let denying = names.iter().find(is_chosen).cloned().filter(|_| verb == Verb::Create);
        Ok(Self { names, denying })
    }
}

fn described(explanation: &DecisionExplanation, not_settable: &NotSettable) -> Value {
    let decision = match explanation.decision {
        Decision::Denied => "denied",
        Decision::Allowed | Decision::ByItem if not_settable.denying.is_some() => "denied",
        Decision::Allowed => "allowed",
        Decision::ByItem => "by item",
    };
    let because = match &not_settable.denying {
        Some(name) if explanation.decision != Decision::Denied => format!("denied: the caller may not set `{name}`"),
        _ => explanation.to_string(),
    };
    let rules: Vec<Value> = explanation.rules.iter().map(rule).collect();
    json!({"decision": decision, "because": because, "rules": rules, "notSettable": not_settable.names})
}

fn rule(statement: &Statement) -> Value {
    json!({"id": statement.id, "text": statement.text, "file": statement.file, "line": statement.line})
}
