//! Pages of access patterns.

use axum::body::Body;
use http::Response;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, LINK, VARY};
use keyfold_design::access::AccessPlan;
use keyfold_design::model::{EntityId, PAGING_PARAMETERS, Pattern};
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::{Error, ItemProblem, Page, QueryOptions, StopReason};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

use super::HandlerResult;
use super::collection_item::CollectionItem;
use crate::address::{ascii_path, scalar};
use crate::identity::principal::CALLER_HEADERS;
use crate::request::body;
use crate::request::exchange::Exchange;
use crate::request::query_string;
use crate::response::header::header_value;
use crate::response::item_json::{ItemJson, page_bytes};
use crate::response::problem::{Problem, ProblemKind};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PageJson<'a> {
    items: Vec<CollectionItem<'a>>,
    count: usize,
    next: Option<&'a str>,
    read_units: f64,
    stopped: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<ItemProblemJson<'a>>,
}

/// An item that the page leaves out.
#[derive(Serialize)]
struct ItemProblemJson<'a> {
    key: ItemJson<'a>,
    expected: &'a str,
    detail: &'a str,
}

impl<'a> From<&'a ItemProblem> for ItemProblemJson<'a> {
    fn from(problem: &'a ItemProblem) -> Self {
        Self { key: ItemJson(&problem.key), expected: &problem.expected, detail: &problem.cause }
    }
}

/// `GET` of a pattern.
pub(super) async fn handle(exchange: Exchange, position: usize) -> HandlerResult {
    let design = exchange.served.design();
    let pattern = design.patterns.get(position).ok_or_else(Problem::no_resource)?;
    let plan = design.access_plan(pattern.id);
    let asked = async || {
        let concealed = |problem: Problem| denial(&exchange, pattern).unwrap_or(problem);
        let options = options(&exchange, plan).map_err(concealed)?;
        let arguments = arguments(plan, &exchange.query).map_err(concealed)?;
        page(&exchange, pattern, arguments, options).await
    };
    let outcome = asked().await;
    if outcome.as_ref().is_err_and(|problem| problem.denied) {
        exchange.record_denied_attempt().await;
    }
    outcome
}

/// `GET` of a collection: the pattern that lists all items of an entity, those of one tenant where they belong to one.
pub(super) async fn list(exchange: Exchange, position: usize) -> HandlerResult {
    let pattern = exchange.served.design().patterns.get(position).ok_or_else(Problem::no_resource)?;
    let outcome = list_page(&exchange, pattern).await;
    if outcome.as_ref().is_err_and(|problem| problem.denied) {
        exchange.record_denied_attempt().await;
    }
    outcome
}

async fn list_page(exchange: &Exchange, pattern: &Pattern) -> HandlerResult {
    let concealed = |problem: Problem| denial(exchange, pattern).unwrap_or(problem);
    let design = exchange.served.design();
    let plan = design.access_plan(pattern.id);
    let options = options(exchange, plan).map_err(concealed)?;
    let tenant = design.tenant.is_some().then_some("tenant");
    let known: Vec<&str> = PAGING_PARAMETERS.into_iter().chain(tenant).collect();
    query_string::only(&exchange.query, &known).map_err(concealed)?;
    let stated = exchange.stated_tenant().map_err(concealed)?;
    let is_operator = exchange.is_operator();
    if is_operator && stated.is_none() && plan.parameters.iter().any(|parameter| parameter.is_tenant) {
        let detail = "the items belong to tenants: state one with `?tenant=`";
        return Err(concealed(Problem::for_field(ProblemKind::BAD_PARAMETER, "tenant", detail)));
    }
    let own = exchange.caller.tenant.as_deref();
    let is_of_others = own.is_some() && stated.is_some() && stated != own;
    let returns_tenants = pattern.entities().any(|entity| design[entity].scope.has_tenant());
    if !is_operator && is_of_others && returns_tenants {
        return match denial(exchange, pattern) {
            Some(problem) => Err(problem),
            // What another tenant has does not exist.
            None => response(exchange, &Page::empty()),
        };
    }
    let tenant = stated.filter(|_| is_operator).map(str::to_owned);
    page(exchange, pattern, Attributes::new(), QueryOptions { tenant, ..options }).await
}

async fn page(exchange: &Exchange, pattern: &Pattern, arguments: Attributes, options: QueryOptions) -> HandlerResult {
    let entities: Vec<EntityId> = pattern.entities().collect();
    let queried = exchange.served.runtime.query(&exchange.caller, &pattern.name, arguments, &options).await;
    let page = queried.map_err(|error| match error {
        // An argument that violates a rule is an invalid parameter.
        Error::Constraint(violation) => Problem {
            field: violation.attribute.clone().map(Into::into),
            ..Problem::new(ProblemKind::BAD_PARAMETER, violation.to_string())
        },
        error => exchange.problem(&entities, error),
    })?;
    exchange.record_list(&pattern.slug, &page).await?;
    response(exchange, &page)
}

/// A caller who may list nothing of a pattern learns nothing from the spelling of its parameters.
fn denial(exchange: &Exchange, pattern: &Pattern) -> Option<Problem> {
    use keyfold_design::model::Verb;
    let design = exchange.served.design();
    let mut refusal = None;
    for entity in pattern.entities().map(|id| &design[id]) {
        refusal = Some(exchange.require(entity, Verb::List).err()?);
    }
    refusal
}

fn options(exchange: &Exchange, plan: &AccessPlan) -> Result<QueryOptions, Problem> {
    let query = &exchange.query;
    let bad = |name: &str, detail: String| Problem::for_field(ProblemKind::BAD_PARAMETER, name, detail);
    let number = |name: &str, most: usize| {
        let Some(text) = query_string::once(query, name)? else { return Ok(None) };
        let number = text.parse::<usize>().ok().filter(|number| (1..=most).contains(number));
        number.map(Some).ok_or_else(|| bad(name, format!("`{name}` is a whole number from 1 to {most}")))
    };
    let read_budget = match query_string::once(query, "budget")? {
        None => None,
        Some(text) => {
            let budget = text.parse::<f64>().ok().filter(|budget| budget.is_finite() && *budget > 0.0);
            Some(budget.ok_or_else(|| bad("budget", "`budget` is a number of read units above 0".to_owned()))?)
        }
    };
    let reverse = match query_string::once(query, "order")? {
        None | Some("forward") => false,
        Some("reverse") => true,
        Some(_) => return Err(bad("order", "`order` is `forward` or `reverse`".to_owned())),
    };
    let page_limit = exchange.api.limits.page;
    Ok(QueryOptions {
        take: number("take", page_limit)?.or(Some(page_limit.min(plan.page_size as usize))),
        limit: number("limit", 1_000_000)?,
        read_budget,
        cursor: query_string::once(query, "cursor")?.map(str::to_owned),
        reverse,
        tenant: None,
    })
}

/// The parameters of the pattern itself, each of its type.
fn arguments(plan: &AccessPlan, query: &[(String, String)]) -> Result<Attributes, Problem> {
    let known: Vec<&str> =
        plan.parameters.iter().map(|parameter| parameter.name.as_str()).chain(PAGING_PARAMETERS).collect();
    query_string::only(query, &known)?;
    let mut arguments = Attributes::new();
    for parameter in &plan.parameters {
        let name = &parameter.name;
        let value = |text: &str| {
            scalar(name, &parameter.value_type, text).ok_or_else(|| {
                let detail = format!("`{name}` must be {} but is `{text}`", parameter.value_type.rule());
                Problem::for_field(ProblemKind::BAD_PARAMETER, name, detail)
            })
        };
        if parameter.list_of_at_most.is_some() {
            let given = query.iter().filter(|(given, _)| given == name);
            let values: Vec<AttributeValue> = given.map(|(_, text)| value(text)).collect::<Result<_, _>>()?;
            if !values.is_empty() {
                arguments.insert(name.clone(), AttributeValue::L(values));
            }
        } else if let Some(text) = query_string::once(query, name)? {
            arguments.insert(name.clone(), value(text)?);
        }
    }
    Ok(arguments)
}

fn response(exchange: &Exchange, page: &Page) -> HandlerResult {
    let names_tenant = exchange.is_operator();
    let item = |record| CollectionItem { served: &exchange.served, record, names_tenant };
    let content = PageJson {
        items: page.records.iter().map(item).collect(),
        count: page.count,
        next: page.cursor.as_deref(),
        read_units: page.read_units,
        stopped: match page.stop_reason {
            StopReason::End => "end",
            StopReason::Full => "full",
            StopReason::Limit => "limit",
            StopReason::Examined => "examined",
            StopReason::Budget => "budget",
        },
        problems: page.problems.iter().map(Into::into).collect(),
    };
    let bytes = page_bytes(&content, page.records.len())?;
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(body::JSON));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(VARY, HeaderValue::from_static(CALLER_HEADERS));
    if let Some(cursor) = &page.cursor {
        let link = format!("<{}>; rel=\"next\"", next_page(exchange, cursor));
        headers.insert(LINK, header_value(&LINK, &link)?);
    }
    Ok(response)
}

/// The same request, from where this page ended.
pub(super) fn next_page(exchange: &Exchange, cursor: &str) -> String {
    let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let given = exchange.query.iter().filter(|(name, _)| name != "cursor");
    let mut query: Vec<String> = given.map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
    // A cursor is made of letters, digits, `-` and `_`.
    query.push(format!("cursor={cursor}"));
    format!("{}?{}", ascii_path(exchange.parts.uri.path()), query.join("&"))
}
