//! The requests of the tables: every route of a design, with an item of the sample data.

use http::Method;
use keyfold_api::href;
use keyfold_design::Design;
use keyfold_design::model::{AttributeType, Entity, EntityId, Pattern, Resource, Verb};
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::json;
use serde_json::{Map, Value, json};

/// One request, as members and as operators spell it.
pub(super) struct Row {
    pub label: String,
    pub method: Method,
    pub path: String,
    /// Operators say whose an item is.
    pub operators_path: String,
    pub body: Option<Value>,
    /// What identifies the item, which refusals may repeat and nothing else.
    pub identity: Vec<String>,
}

impl Row {
    fn new(label: impl Into<String>, method: Method, path: impl Into<String>, body: Option<Value>) -> Self {
        let path = path.into();
        Self { label: label.into(), method, operators_path: path.clone(), path, body, identity: Vec::new() }
    }
}

/// An item, and what is asked of it.
pub(super) struct Sample<'d> {
    pub design: &'d Design,
    pub entity: &'d Entity,
    pub item: &'d Attributes,
}

fn collection_path(design: &Design, resource: &Resource) -> String {
    format!("/v1/{}/{}", design.name, resource.segment)
}

impl Sample<'_> {
    fn resource(&self) -> Resource {
        Resource::new(self.design, self.entity)
    }

    /// What callers may set, and the tenant: asking for another's is part of the question.
    fn body(&self) -> Map<String, Value> {
        let settable = self.entity.attributes.iter().filter(|attribute| {
            !attribute.value_type.is_kept_by_runtime() && attribute.same_as.is_none() && attribute.default.is_none()
        });
        let value = |name: &String| Some((name.clone(), json::plain(self.item.get(name)?)));
        settable.filter_map(|attribute| value(&attribute.name)).collect()
    }

    /// The body of another item: with ids and unique values of its own, where nothing else depends on them.
    fn another(&self) -> Map<String, Value> {
        let mut body = self.body();
        let tenant = self.design.tenant.as_ref().map(|tenant| &tenant.attribute);
        let refers = |name: &String| {
            self.entity.references.iter().any(|reference| reference.mapping.iter().any(|(_, own)| own == name))
        };
        let unique = self.entity.uniques.iter().flat_map(|unique| &unique.attributes);
        for name in self.entity.identity.iter().chain(unique) {
            let is_the_tenant =
                tenant == Some(name) && self.design.tenant.as_ref().unwrap().entity == Some(self.entity.id);
            let attribute = self.entity.attribute(name).unwrap();
            if (tenant == Some(name) && !is_the_tenant) || self.entity.owner.as_ref() == Some(name) || refers(name) {
                continue;
            }
            match fresh(&attribute.value_type) {
                _ if attribute.generator.is_some() => drop(body.remove(name)),
                Some(value) if body.contains_key(name) => drop(body.insert(name.clone(), value)),
                _ => {}
            }
        }
        body
    }

    /// The requests about the item.
    pub(super) fn rows(&self) -> Vec<Row> {
        let resource = self.resource();
        let collection = collection_path(self.design, &resource);
        let mut rows = self.of_item(self.item, "");
        if resource.accepts(Verb::Create) {
            let body = Some(Value::Object(self.another()));
            let mut row = Row::new(format!("POST /{}", resource.segment), Method::POST, collection, body);
            if let Some(tenant) = resource.tenant.as_ref().and_then(|tenant| self.item.get(tenant)?.as_str()) {
                row.operators_path = format!("{}?tenant={tenant}", row.path);
            }
            rows.push(row);
        }
        if let Some(plan) = self.design.listing_of(self.entity).filter(|_| !resource.is_single()) {
            let mut row = Row::new(
                format!("GET /{}", resource.segment),
                Method::GET,
                collection_path(self.design, &resource),
                None,
            );
            let tenant = self.design.tenant.as_ref().and_then(|tenant| self.item.get(&tenant.attribute)?.as_str());
            if let (Some(tenant), false) = (tenant, plan.parameters.is_empty()) {
                row.path = format!("{}?tenant={tenant}", row.path);
                row.operators_path.clone_from(&row.path);
            }
            rows.push(row);
        }
        if let Some(absent) = self.absent() {
            rows.extend(self.of_item(&absent, ", of none"));
        }
        let entity = &self.entity.name;
        if resource.accepts(Verb::Update) {
            let identity: Map<String, Value> =
                self.entity.identity.iter().map(|name| (name.clone(), json::plain(&self.item[name]))).collect();
            let body = json!({"writes": [{"patch": {entity: identity}}]});
            let path = format!("/v1/{}/transactions", self.design.name);
            rows.push(Row::new(format!("POST /transactions, patch {entity}"), Method::POST, path, Some(body)));
        }
        let question = json!({"verb": "update", "entity": entity, "item": self.body()});
        let path = format!("/v1/{}/authorize", self.design.name);
        rows.push(Row::new(format!("POST /authorize, update {entity}"), Method::POST, path, Some(question)));
        rows
    }

    fn of_item(&self, item: &Attributes, suffix: &str) -> Vec<Row> {
        let resource = self.resource();
        let mut methods = vec![(Method::GET, None)];
        if resource.accepts(Verb::Update) {
            let put: Map<String, Value> =
                self.body().into_iter().filter(|(name, _)| !resource.path.contains(name)).collect();
            methods.push((Method::PUT, Some(Value::Object(put))));
            methods.push((Method::PATCH, Some(json!({}))));
        }
        if resource.accepts(Verb::Delete) {
            methods.push((Method::DELETE, None));
        }
        let identity = resource.path.iter().map(|name| match json::plain(&item[name]) {
            Value::String(text) => text,
            other => other.to_string(),
        });
        let identity: Vec<String> = identity.collect();
        let row = |(method, body): (Method, Option<Value>)| Row {
            label: format!("{method} {}{suffix}", resource.template()),
            method,
            path: href(self.design, &resource, item, false),
            operators_path: href(self.design, &resource, item, true),
            body,
            identity: identity.clone(),
        };
        methods.into_iter().map(row).collect()
    }

    /// The same item with an id that no item has.
    fn absent(&self) -> Option<Attributes> {
        let name = self.resource().path.last().cloned()?;
        let value = fresh(&self.entity.attribute(&name)?.value_type)?;
        let value = match value {
            Value::String(text) => AttributeValue::S(text),
            number => AttributeValue::N(number.as_u64()?.into()),
        };
        let mut item = self.item.clone();
        item.insert(name, value);
        Some(item)
    }
}

/// A value that the sample data has nowhere.
fn fresh(value_type: &AttributeType) -> Option<Value> {
    Some(match value_type {
        AttributeType::String => json!("absent"),
        AttributeType::Email => json!("absent@example.com"),
        AttributeType::Url => json!("https://absent.example.com/"),
        AttributeType::Integer | AttributeType::Number | AttributeType::Sequence(_) => json!(4711),
        AttributeType::Ulid => json!("01K9ZV00000000000000000ABS"),
        AttributeType::Uuid => json!("019b1000-0000-7000-8000-00000000ab5e"),
        _ => return None,
    })
}

/// The request of a pattern, with arguments from an item that it may return.
pub(super) fn pattern_row(design: &Design, pattern: &Pattern, items: &[(EntityId, Attributes)]) -> Row {
    let nothing = Attributes::new();
    let entities: Vec<EntityId> = pattern.entities().collect();
    let plan = design.access_plan(pattern.id);
    let fits = |item: &&(EntityId, Attributes)| {
        entities.contains(&item.0) && plan.parameters.iter().all(|parameter| item.1.contains_key(&parameter.name))
    };
    let item = items.iter().find(fits).or_else(|| items.iter().find(|item| entities.contains(&item.0)));
    let item = item.map_or(&nothing, |(_, item)| item);
    let query: Vec<String> = plan
        .parameters
        .iter()
        .map(|parameter| {
            let text = match item.get(&parameter.name).map(json::plain) {
                Some(Value::String(text)) => text,
                Some(value @ (Value::Number(_) | Value::Bool(_))) => value.to_string(),
                _ => stand_in(&parameter.value_type),
            };
            let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
            format!("{}={encoded}", parameter.name)
        })
        .collect();
    let path = format!("/v1/{}/patterns/{}?{}", design.name, pattern.slug, query.join("&"));
    Row::new(format!("GET /patterns/{}", pattern.slug), Method::GET, path, None)
}

fn stand_in(value_type: &AttributeType) -> String {
    match value_type {
        AttributeType::Date => "2026-01-31".to_owned(),
        AttributeType::DateTime(_) | AttributeType::Moment(_) => "2026-01-31T00:00:00.000Z".to_owned(),
        AttributeType::Enumeration(values) => values[0].clone(),
        other => match fresh(other) {
            Some(Value::String(text)) => text,
            Some(number) => number.to_string(),
            None => "absent".to_owned(),
        },
    }
}

/// The routes that every design has.
pub(super) fn common_rows(design: &Design) -> Vec<Row> {
    let base = format!("/v1/{}", design.name);
    ["openapi.json", "docs", "me", "audit", "nothing"]
        .map(|name| Row::new(format!("GET /{name}"), Method::GET, format!("{base}/{name}"), None))
        .into()
}
