//! Explains whether the caller is allowed to do something, and by which rule.

use axum::body::Body;
use http::Response;
use http::header::{CONTENT_TYPE, HeaderValue};
use keyfold_design::model::{Entity, Verb};
use keyfold_dynamo::Attributes;
use keyfold_policy::{DecisionExplanation, Statement};
use keyfold_runtime::{Access, Decision, UnsettableAttributes, json};
use serde_json::{Map, Value, json};

use super::HandlerResult;
use crate::request::body::{self, JsonBody, Parsed};
use crate::request::exchange::Exchange;
use crate::request::query_string;
use crate::response::problem::{Problem, ProblemKind};

/// `POST` of `{"verb": "update", "entity": "License", "item": {…}}`; the item as it would be, or none.
pub(super) async fn explain(exchange: Exchange, body: Body) -> HandlerResult {
    exchange.require_caller_or_public_rule()?;
    query_string::only(&exchange.query, &[])?;
    let received = body::read(&exchange.api, &exchange.parts, &exchange.caller, body, &[body::JSON]).await?;
    let json = JsonBody::check(&exchange.api, &received.bytes, Parsed::Tree).await?;
    let mut question = json.object()?;
    if let Some(other) = question.keys().find(|name| !["verb", "entity", "item"].contains(&name.as_str())) {
        return Err(invalid(other, format!("unknown member `{other}`; expected: verb, entity, item")));
    }
    let (verb, entity, item) = read(&exchange, &mut question)?;
    let access = Access { caller: &exchange.caller, verb, entity, pattern: None };
    let explanation = exchange.served.policies.explain(&access, item.as_ref());
    let foreign = item.as_ref().is_some_and(|item| is_foreign(&exchange, entity, item));
    let content = if foreign {
        of_another_tenant()
    } else {
        let runtime = &exchange.served.runtime;
        let unsettable = runtime.unsettable_attributes(&exchange.caller, verb, &entity.name, item.as_ref())?;
        let reason = if exchange.may_see_rules() { Reason::WithRules } else { Reason::Brief };
        described(&explanation, &unsettable, reason)
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
    question: &mut Map<String, Value>,
) -> Result<(Verb, &'x Entity, Option<Attributes>), Problem> {
    let text = |name: &str| question.get(name).and_then(Value::as_str);
    let verb = text("verb").and_then(|text| Verb::ALL.into_iter().find(|verb| verb.as_str() == text));
    let verb = verb.ok_or_else(|| invalid("verb", "`verb` must be one of get, list, create, update, delete"))?;
    let entity = text("entity").and_then(|name| exchange.served.design().entity_named(name));
    let entity = entity.ok_or_else(|| invalid("entity", "`entity` must be the name of an entity of the design"))?;
    let item = match question.remove("item") {
        None | Some(Value::Null) => None,
        Some(Value::Object(item)) => Some(json::attributes(entity, item)?),
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

/// How much of the rules the caller is told.
#[derive(Clone, Copy)]
enum Reason {
    /// The rules, their files and their lines.
    WithRules,
    /// Nothing that is written in a rule: it may name people, groups and limits that do not concern the caller.
    Brief,
}

fn described(explanation: &DecisionExplanation, unsettable: &UnsettableAttributes, reason: Reason) -> Value {
    let decision = match explanation.decision {
        Decision::Denied => "denied",
        Decision::Allowed | Decision::ByItem if unsettable.rejected.is_some() => "denied",
        Decision::Allowed => "allowed",
        Decision::ByItem => "by item",
    };
    let because = match (&unsettable.rejected, reason) {
        (Some(name), _) if explanation.decision != Decision::Denied => {
            format!("denied: the caller may not set `{name}`")
        }
        (_, Reason::WithRules) => explanation.to_string(),
        (_, Reason::Brief) => explanation.without_rules().to_owned(),
    };
    let rules: Vec<Value> = match reason {
        Reason::WithRules => explanation.rules.iter().map(rule).collect(),
        Reason::Brief => Vec::new(),
    };
    json!({"decision": decision, "because": because, "rules": rules, "notSettable": unsettable.names})
}

fn rule(statement: &Statement) -> Value {
    json!({"id": statement.id, "text": statement.text, "file": statement.file, "line": statement.line})
}
