//! Transactions: several writes, all or none.

use axum::body::Body;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use keyfold_design::model::Entity;
use keyfold_dynamo::limits::TRANSACTION_ACTIONS;
use keyfold_runtime::{DeleteOptions, PatchOptions, Record, Write, WriteVerb, json, json_operators};
use serde_json::{Map, Value};

use super::HandlerResult;
use super::collection_item::CollectionItem;
use crate::change::{AdmittedChange, ResponseContent};
use crate::change_records::{PendingChange, StoredResponse, identity_of};
use crate::request::attempt::Attempt;
use crate::request::body::{self, JsonBody, Parsed};
use crate::request::exact_integers::{require_exact_amounts, require_exact_integers};
use crate::request::exchange::Exchange;
use crate::request::query_string;
use crate::response::problem::{Problem, ProblemKind};

/// Whether a write may have a member besides its verb.
fn accepts(verb: WriteVerb, member: &str) -> bool {
    match verb {
        WriteVerb::Create | WriteVerb::Put | WriteVerb::Upsert => false,
        WriteVerb::Patch => {
            let of_condition = [VERSION, json_operators::IF, json_operators::WITH];
            of_condition.contains(&member) || json_operators::OPERATORS.contains(&member)
        }
        WriteVerb::Delete => [VERSION, CASCADE].contains(&member),
    }
}

const VERSION: &str = "version";
const CASCADE: &str = "cascade";

/// `POST` of `{"writes": [{"create": {"License": {…}}}, …]}`.
pub(super) async fn transact(exchange: Exchange, body: Body) -> HandlerResult {
    let authorized = exchange.require_any_write();
    let is_denied = authorized.as_ref().is_err_and(|problem| problem.denied);
    let (pending, received) = match exchange.admit(authorized, body, &[body::JSON], ResponseContent::Items).await {
        Ok(AdmittedChange::Replay(response)) => return Ok(response),
        Ok(AdmittedChange::Execute(pending, received)) => (pending, received),
        Err(problem) => {
            if is_denied {
                let attempt = Attempt::transaction();
                exchange.record_denial(attempt.verb, &attempt.resource, "").await;
            }
            return Err(problem);
        }
    };
    query_string::only(&exchange.query, &[])?;
    let json = JsonBody::check(&exchange.api, &received.bytes, Parsed::Tree).await?;
    let mut object = json.object()?;
    let writes = match (object.remove("writes"), object.is_empty()) {
        (Some(Value::Array(writes)), true) if (1..=TRANSACTION_ACTIONS).contains(&writes.len()) => writes,
        _ => {
            return Err(invalid(
                "writes",
                format!("the body must be an object with `writes`, a list of 1 to {TRANSACTION_ACTIONS} writes"),
            ));
        }
    };
    let mut read = Vec::with_capacity(writes.len());
    for (position, write) in writes.into_iter().enumerate() {
        let requested = RequestedWrite::read(&exchange, write).map_err(|problem| within(position, problem))?;
        if let Err(refusal) = exchange.require(requested.entity, requested.verb.required()) {
            // Names that are not attributes of the entity identify no item.
            let identity = match json::attributes(requested.entity, requested.given) {
                Ok(given) => identity_of(exchange.served.design(), requested.entity, &given),
                Err(_) => String::new(),
            };
            exchange.record_denial(requested.verb.name(), &requested.entity.name, &identity).await;
            return Err(within(position, refusal));
        }
        read.push(requested.write().map_err(|problem| within(position, problem))?);
    }
    execute(&exchange, &pending, read).await
}

async fn execute(exchange: &Exchange, pending: &PendingChange<'_>, writes: Vec<Write>) -> HandlerResult {
    let names_tenant = exchange.is_operator();
    let respond = |left: &[Option<Record>]| {
        let item = |record| CollectionItem { served: &exchange.served, record, names_tenant };
        let items: Vec<Option<CollectionItem<'_>>> = left.iter().map(|record| record.as_ref().map(item)).collect();
        let body = serde_json::json!({ "items": items }).to_string().into();
        let headers = vec![(CONTENT_TYPE, body::JSON.into())];
        StoredResponse { status: StatusCode::OK, headers, body }
    };
    let audited: Vec<(&str, String, String)> = match exchange.api.change_records.keeps_audit_log() {
        true => writes.iter().filter_map(|write| subject_of(exchange, write)).collect(),
        false => Vec::new(),
    };
    let outcome = exchange.change(pending, writes, &respond, ResponseContent::Items).await;
    if outcome.as_ref().is_err_and(|problem| problem.denied) {
        // A rule that reads items denied one write, and with it all of them.
        for (verb, entity, identity) in &audited {
            exchange.record_denial(verb, entity, identity).await;
        }
    }
    outcome
}

/// Verb, entity and identity of a write, as the audit log names them.
fn subject_of(exchange: &Exchange, write: &Write) -> Option<(&'static str, String, String)> {
    let design = exchange.served.design();
    let identity = identity_of(design, design.entity_named(write.entity())?, write.attributes());
    Some((write.verb().name(), write.entity().to_owned(), identity))
}

fn invalid(field: &str, detail: impl Into<String>) -> Problem {
    Problem::for_field(ProblemKind::INVALID, field, detail)
}

/// The problem of one write names its position.
fn within(position: usize, problem: Problem) -> Problem {
    let field = match &problem.field {
        Some(field) => format!("writes[{position}].{field}"),
        None => format!("writes[{position}]"),
    };
    Problem { field: Some(field.into()), ..problem }
}

/// A write as the body states it.
struct RequestedWrite<'b> {
    verb: WriteVerb,
    entity: &'b Entity,
    given: Map<String, Value>,
    /// The other members.
    members: Map<String, Value>,
}

impl<'b> RequestedWrite<'b> {
    fn read(exchange: &'b Exchange, write: Value) -> Result<Self, Problem> {
        let shape = || {
            let verbs = WriteVerb::ALL.map(WriteVerb::name).join(", ");
            Problem::new(ProblemKind::INVALID, format!("a write must be an object with one of {verbs}"))
        };
        let Value::Object(mut members) = write else { return Err(shape()) };
        let mut verbs = members.keys().filter_map(|name| WriteVerb::from_name(name));
        let (Some(verb), None) = (verbs.next(), verbs.next()) else { return Err(shape()) };
        let Some(Value::Object(subject)) = members.remove(verb.name()) else { return Err(shape()) };
        let mut subjects = subject.into_iter();
        let (Some((name, Value::Object(given))), None) = (subjects.next(), subjects.next()) else {
            let detail = format!("`{}` takes one entity with its attributes: {{\"License\": {{…}}}}", verb.name());
            return Err(invalid(verb.name(), detail));
        };
        if let Some(other) = members.keys().find(|member| !accepts(verb, member)) {
            return Err(invalid(other, format!("`{}` does not accept `{other}`", verb.name())));
        }
        let entity = exchange.served.design().entity_named(&name);
        let entity = entity.ok_or_else(|| invalid(&name, format!("unknown entity `{name}`")))?;
        Ok(Self { verb, entity, given, members })
    }

    fn write(mut self) -> Result<Write, Problem> {
        let attributes = json::attributes(self.entity, self.given)?;
        require_exact_integers(self.entity, &attributes)?;
        let mut patch = json_operators::take(self.entity, &mut self.members)?;
        patch.operators.require_exact_integers();
        require_exact_amounts(self.entity, &patch.operators)?;
        let entity = self.entity.name.clone();
        let expected_version = match self.members.get(VERSION) {
            None => None,
            Some(version) => {
                Some(version.as_u64().ok_or_else(|| invalid("version", "`version` must be a whole number"))?)
            }
        };
        let cascade = match self.members.get(CASCADE) {
            None => false,
            Some(cascade) => cascade.as_bool().ok_or_else(|| invalid("cascade", "`cascade` must be true or false"))?,
        };
        let options = DeleteOptions { expected_version, cascade };
        // Checked here as well, so that the problem names the position of the write.
        options.require_offered(self.entity).map_err(|error| invalid("cascade", error.to_string()))?;
        Ok(match self.verb {
            WriteVerb::Create => Write::Create { entity, attributes },
            WriteVerb::Put => Write::Put { entity, attributes },
            WriteVerb::Upsert => Write::Upsert { entity, attributes },
            WriteVerb::Patch => {
                Write::Patch { entity, attributes, options: PatchOptions { expected_version, ..patch } }
            }
            WriteVerb::Delete => Write::Delete { entity, identity: attributes, options },
        })
    }
}
