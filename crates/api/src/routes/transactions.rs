//! Several writes, all or none.

use axum::body::Body;
use http::Response;
use http::header::{CONTENT_TYPE, HeaderValue};
use keyfold_design::model::{Entity, Verb};
use keyfold_runtime::{DeleteOptions, PatchOptions, Write, json};
use serde_json::{Map, Value};

use super::Answer;
use crate::body;
use crate::collection_item::CollectionItem;
use crate::exchange::Exchange;
use crate::problem::{Kind, Problem};
use crate::query_string;
use crate::whole_numbers::refuse_large;

/// DynamoDB takes no more items in a transaction, and each write is one at least.
const MOST: usize = 100;
const VERBS: [&str; 5] = ["create", "put", "upsert", "patch", "delete"];

/// `POST` of `{"writes": [{"create": {"License": {…}}}, …]}`.
pub async fn transact(exchange: Exchange, body: Body) -> Answer {
    query_string::only(&exchange.query, &[])?;
    let limits = &exchange.api.limits;
    let bytes = body::read(&exchange.parts.headers, body, &[body::JSON], limits).await?;
    let object = body::object(&bytes, limits)?;
    let writes = match (object.get("writes"), object.len()) {
        (Some(Value::Array(writes)), 1) if (1..=MOST).contains(&writes.len()) => writes,
        _ => {
            return Err(invalid(
                "writes",
                format!("the body is an object with `writes`, a list of 1 to {MOST} writes"),
            ));
        }
    };
    let writes = writes
        .iter()
        .enumerate()
        .map(|(place, write)| read(&exchange, write).map_err(|problem| within(place, problem)))
        .collect::<Result<Vec<Write>, Problem>>()?;
    let records = exchange.change(writes).await?;
    let names_tenant = exchange.is_operator();
    let item = |record| CollectionItem { served: &exchange.served, record, names_tenant };
    let items: Vec<Option<CollectionItem<'_>>> = records.iter().map(|record| record.as_ref().map(item)).collect();
    let bytes = serde_json::to_vec(&serde_json::json!({ "items": items })).unwrap_or_default();
    let mut response = Response::new(Body::from(bytes));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(body::JSON));
    Ok(response)
}

fn invalid(field: &str, detail: impl Into<String>) -> Problem {
    Problem::of_field(Kind::INVALID, field, detail)
}

/// A problem of one write tells which.
fn within(place: usize, problem: Problem) -> Problem {
    let field = match &problem.field {
        Some(field) => format!("writes[{place}].{field}"),
        None => format!("writes[{place}]"),
    };
    Problem { field: Some(field.into()), ..problem }
}

fn read(exchange: &Exchange, write: &Value) -> Result<Write, Problem> {
    let shape = || invalid("", format!("a write is an object with one of {}", VERBS.join(", ")));
    let members = write.as_object().ok_or_else(shape)?;
    let mut verbs = members.iter().filter(|(name, _)| VERBS.contains(&name.as_str()));
    let (Some((verb, Value::Object(subject))), None) = (verbs.next(), verbs.next()) else { return Err(shape()) };
    let mut subjects = subject.iter();
    let (Some((name, Value::Object(given))), None) = (subjects.next(), subjects.next()) else {
        return Err(invalid(verb, format!("`{verb}` takes one entity with its attributes: {{\"License\": {{…}}}}")));
    };
    let known: &[&str] = match verb.as_str() {
        "patch" => &["version"],
        "delete" => &["version", "cascade"],
        _ => &[],
    };
    if let Some(other) = members.keys().find(|member| *member != verb && !known.contains(&member.as_str())) {
        return Err(invalid(other, format!("`{other}` is nothing that `{verb}` takes")));
    }
    let entity = exchange.served.design().entity_named(name);
    let entity = entity.ok_or_else(|| invalid(name, format!("there is no entity `{name}`")))?;
    exchange.require(entity, verb_of(verb))?;
    write_of(verb, entity, given, members)
}

fn verb_of(verb: &str) -> Verb {
    match verb {
        "create" => Verb::Create,
        "delete" => Verb::Delete,
        _ => Verb::Update,
    }
}

fn write_of(
    verb: &str,
    entity: &Entity,
    given: &Map<String, Value>,
    members: &Map<String, Value>,
) -> Result<Write, Problem> {
    let attributes = json::attributes(entity, given)?;
    refuse_large(entity, &attributes)?;
    let name = entity.name.clone();
    let expected_version = match members.get("version") {
        None => None,
        Some(version) => Some(version.as_u64().ok_or_else(|| invalid("version", "`version` is a whole number"))?),
    };
    let cascade = match members.get("cascade") {
        None => false,
        Some(cascade) => cascade.as_bool().ok_or_else(|| invalid("cascade", "`cascade` is true or false"))?,
    };
    Ok(match verb {
        "create" => Write::Create { entity: name, attributes },
        "put" => Write::Put { entity: name, attributes },
        "upsert" => Write::Upsert { entity: name, attributes },
        "patch" => Write::Patch { entity: name, attributes, options: PatchOptions { expected_version } },
        _ => Write::Delete { entity: name, identity: attributes, options: DeleteOptions { expected_version, cascade } },
    })
}
