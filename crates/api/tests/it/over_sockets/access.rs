//! Every route of every design: as nobody, as a member of another tenant, with the wrong role, with the right one. What
//! is expected follows from the design's own rules, read by another implementation than the one that is served.

use std::sync::Arc;

use http::Method;
use keyfold_api::href;
use keyfold_design::Design;
use keyfold_design::access::AccessPlan;
use keyfold_design::model::{Entity, Resource, Scope, TenantMode, Verb};
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::{Access, Authorizer, Caller, Decision, DesignRules, Options, Runtime, json};
use serde_json::{Map, Value};

use crate::over_sockets::world::{DESIGNS, World, caller, operator};

/// Who asks: nobody, strangers, members of two tenants with and without roles, operators.
fn people(design: &str) -> Vec<&'static str> {
    let mut people = vec!["", operator(design)];
    // Users of `albums` have to exist.
    if design != "albums" {
        people.extend(["subject=stranger", "subject=stranger;role=nothing"]);
    }
    people.extend(match design {
        "agencies" => [
            "subject=grace;tenant=01K9ZV0000000000000000AAAA",
            "subject=ada;tenant=01K9ZV0000000000000000BBBB;role=admin",
        ]
        .as_slice(),
        "platform" => {
            &["subject=ada;tenant=northwind", "subject=grace;tenant=northwind", "subject=joan;tenant=contoso"]
        }
        "albums" => &[
            "subject=01K9ZV00000000000000000ADA",
            "subject=01K9ZV00000000000000000ADA;tenant=01K9ZV0000000000000000TENA",
            "subject=01K9ZV0000000000000000JEAN;tenant=01K9ZV0000000000000000TENA",
            "subject=01K9ZV0000000000000000ANNE;tenant=01K9ZV0000000000000000TENB",
        ],
        "archive" => &["subject=e;role=editor"],
        _ => &["subject=a;role=admin"],
    });
    people
}

struct Oracle {
    design: Arc<Design>,
    rules: DesignRules,
}

impl Oracle {
    fn decide(&self, who: &Caller, verb: Verb, entity: &Entity) -> Decision {
        self.rules.decide(&Access { caller: who, verb, entity, pattern: None })
    }

    /// The one rule: 401 without a token, 403 where such things are visible, 404 otherwise.
    fn denial(&self, who: &Caller, entities: &[&Entity]) -> u16 {
        let visible = entities.iter().any(|entity| {
            [Verb::Get, Verb::List].iter().any(|verb| self.decide(who, *verb, entity) != Decision::Denied)
        });
        match (who.subject.is_none(), visible) {
            (true, _) => 401,
            (false, true) => 403,
            (false, false) => 404,
        }
    }

    fn sees(&self, who: &Caller, entity: &Entity, item: &Attributes) -> bool {
        let Some(tenant) = &self.design.tenant else { return true };
        if !entity.scope.has_tenant() || who.is_operator(&self.design) {
            return true;
        }
        match item.get(&tenant.attribute) {
            Some(owner) => owner.as_str() == who.tenant.as_deref(),
            None => entity.scope == Scope::TenantOrGlobal,
        }
    }

    /// What a GET of an address answers, given all items that lie there for someone.
    fn get(&self, who: &Caller, entity: &Entity, there: &[&Attributes]) -> u16 {
        if self.decide(who, Verb::Get, entity) == Decision::Denied {
            return self.denial(who, &[entity]);
        }
        let access = Access { caller: who, verb: Verb::Get, entity, pattern: None };
        let by_item = self.decide(who, Verb::Get, entity) == Decision::ByItem;
        let seen = there
            .iter()
            .any(|item| self.sees(who, entity, item) && (!by_item || self.rules.decide_item(&access, item)));
        if seen { 200 } else { 404 }
    }
}

/// The caller as the design's table knows them.
async fn known(world: &World, name: &str, who: &str) -> Caller {
    let (design, backend) = world.design(name);
    let runtime = Runtime::new(Arc::clone(design), Arc::clone(backend), Options::standard(design).unwrap());
    runtime.resolve_caller(caller(who)).await.unwrap()
}

fn oracle(world: &World, name: &str) -> Oracle {
    let design = Arc::clone(&world.design(name).0);
    Oracle { rules: DesignRules::new(Arc::clone(&design)), design }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_caller_reads_exactly_the_items_that_the_rules_allow() {
    let world = World::start().await;
    let mut seen = std::collections::BTreeMap::<(String, u16), usize>::new();
    for name in DESIGNS {
        let oracle = oracle(&world, name);
        let items = world.items(name).await;
        for who in people(name) {
            let asking = known(&world, name, who).await;
            for (id, item) in &items {
                let entity = &oracle.design[*id];
                let resource = Resource::new(&oracle.design, entity);
                let href = href(&oracle.design, &resource, item, asking.is_operator(&oracle.design));
                let same = |other: &&Attributes| resource.path.iter().all(|part| other.get(part) == item.get(part));
                let there: Vec<&Attributes> = items
                    .iter()
                    .filter(|(other, attributes)| other == id && same(&attributes))
                    .map(|(_, attributes)| attributes)
                    .collect();
                let expected = oracle.get(&asking, entity, &there);
                let response = world.client.get(who, &href).await;
                assert_eq!(response.status.as_u16(), expected, "GET {href} as `{who}`: {response:?}");
                if let (200, Some(tenant)) = (expected, &oracle.design.tenant)
                    && let (Some(owner), false) =
                        (response.json().get(&tenant.attribute), asking.is_operator(&oracle.design))
                    && entity.scope.has_tenant()
                {
                    assert_eq!(owner.as_str(), asking.tenant.as_deref(), "GET {href} as `{who}`");
                }
                *seen.entry((name.to_owned(), expected)).or_default() += 1;
            }
        }
    }
    // The table is no table if a kind of answer never occurs.
    for (name, status) in [
        ("platform", 200),
        ("platform", 401),
        ("platform", 404),
        ("catalogue", 200),
        ("catalogue", 404),
        ("albums", 401),
    ] {
        assert!(seen.contains_key(&(name.to_owned(), status)), "{name} {status}: {seen:?}");
    }
}

/// A body that callers might send: what the item has and callers may set.
fn body_of(entity: &Entity, item: &Attributes) -> Map<String, Value> {
    let settable = entity.attributes.iter().filter(|attribute| {
        !attribute.value_type.is_kept_by_runtime() && attribute.same_as.is_none() && attribute.default.is_none()
    });
    settable.filter_map(|attribute| Some((attribute.name.clone(), json::plain(item.get(&attribute.name)?)))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn writes_that_no_rule_allows_are_refused_and_change_nothing() {
    let world = World::start().await;
    let mut count = 0;
    for name in DESIGNS {
        let oracle = oracle(&world, name);
        let before = world.stored(name).await;
        let items = world.items(name).await;
        for who in people(name) {
            let asking = known(&world, name, who).await;
            for entity in &oracle.design.entities {
                let resource = Resource::new(&oracle.design, entity);
                let item = items.iter().find(|(id, _)| *id == entity.id).map(|(_, item)| item);
                let Some(item) = item else { continue };
                let operates = asking.is_operator(&oracle.design);
                let href = href(&oracle.design, &resource, item, operates);
                let collection = format!("/v1/{name}/{}", resource.segment);
                let rows = [
                    (Verb::Create, Method::POST, collection),
                    (Verb::Update, Method::PUT, href.clone()),
                    (Verb::Update, Method::PATCH, href.clone()),
                    (Verb::Delete, Method::DELETE, href),
                ];
                for (verb, method, path) in rows {
                    if !resource.accepts(verb) || oracle.decide(&asking, verb, entity) != Decision::Denied {
                        continue;
                    }
                    let expected = oracle.denial(&asking, &[entity]);
                    let body = Value::Object(body_of(entity, item));
                    let response = world.client.json(who, method.clone(), &path, body).await;
                    assert_eq!(response.status.as_u16(), expected, "{method} {path} as `{who}`: {response:?}");
                    // A body that cannot be read changes nothing of that.
                    let garbage = world.client.send(who, method.clone(), &path, &[], "{").await;
                    assert_eq!(garbage.status.as_u16(), expected, "{method} {path} as `{who}`: {garbage:?}");
                    count += 1;
                }
            }
        }
        assert_eq!(world.stored(name).await, before, "{name}");
    }
    assert!(count > 300, "{count}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_right_role_may_change_every_item() {
    let world = World::start().await;
    for name in DESIGNS {
        let design = Arc::clone(&world.design(name).0);
        for (id, item) in world.items(name).await {
            let entity = &design[id];
            let resource = Resource::new(&design, entity);
            if !resource.accepts(Verb::Update) {
                continue;
            }
            let href = href(&design, &resource, &item, true);
            // Every attribute with the value it has: a real write, which raises the version.
            let settable = entity.settable_attributes().filter(|attribute| !entity.identity.contains(&attribute.name));
            let body: Map<String, Value> = settable
                .filter_map(|attribute| Some((attribute.name.clone(), json::plain(item.get(&attribute.name)?))))
                .collect();
            // An item that is nothing but its identity can only be replaced.
            let method = if body.is_empty() { Method::PUT } else { Method::PATCH };
            let patched = world.client.json(operator(name), method, &href, Value::Object(body)).await;
            let patched = patched.expect(200).json();
            if let Some(version) = entity.version() {
                assert!(patched[&version.name].as_u64().unwrap() >= 2, "{href}: {patched}");
            }
            for part in &entity.identity {
                assert_eq!(patched[part], json::plain(&item[part]), "{href}");
            }
        }
    }
}

/// Arguments for a pattern, from an item that it may return.
fn arguments(plan: &AccessPlan, item: &Attributes) -> String {
    let mut query = Vec::new();
    for parameter in &plan.parameters {
        let text = match item.get(&parameter.name) {
            Some(AttributeValue::S(text)) => text.clone(),
            Some(AttributeValue::N(number)) => number.to_string(),
            _ => match &parameter.value_type {
                keyfold_design::model::AttributeType::Date => "2026-01-01".to_owned(),
                keyfold_design::model::AttributeType::DateTime(_) | keyfold_design::model::AttributeType::Moment(_) => {
                    "2026-01-01T00:00:00.000Z".to_owned()
                }
                other if other.stored() == Some(keyfold_dynamo::value::ValueType::N) => "1".to_owned(),
                keyfold_design::model::AttributeType::Enumeration(values) => values[0].clone(),
                keyfold_design::model::AttributeType::Ulid => "01K9ZV0000000000000000AAAA".to_owned(),
                _ => "xyz".to_owned(),
            },
        };
        let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
        query.push(format!("{}={encoded}", parameter.name));
    }
    query.join("&")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_caller_lists_exactly_what_the_rules_allow() {
    let world = World::start().await;
    for name in DESIGNS {
        let oracle = oracle(&world, name);
        let items = world.items(name).await;
        for pattern in &oracle.design.patterns {
            let entities: Vec<&Entity> = pattern.entities().map(|id| &oracle.design[id]).collect();
            let nothing = Attributes::new();
            let item = items.iter().find(|(id, _)| entities.iter().any(|entity| entity.id == *id));
            let path = format!(
                "/v1/{name}/patterns/{}?{}",
                pattern.slug,
                arguments(oracle.design.access_plan(pattern.id), item.map_or(&nothing, |(_, item)| item))
            );
            for who in people(name) {
                let asking = known(&world, name, who).await;
                let operates = asking.is_operator(&oracle.design);
                let no_entity =
                    entities.iter().all(|entity| oracle.decide(&asking, Verb::List, entity) == Decision::Denied);
                let confined = oracle.design.tenant.is_some() && !operates;
                let not_for_them = match &pattern.tenant {
                    TenantMode::AcrossTenants => confined,
                    TenantMode::Pinned { .. } => confined && asking.tenant.is_none(),
                    _ => false,
                };
                let expected = if no_entity || not_for_them { oracle.denial(&asking, &entities) } else { 200 };
                let response = world.client.get(who, &path).await;
                assert_eq!(response.status.as_u16(), expected, "GET {path} as `{who}`: {response:?}");
                if expected != 200 {
                    continue;
                }
                for found in response.json()["items"].as_array().unwrap() {
                    let entity = oracle.design.entity_named(found["type"].as_str().unwrap()).unwrap();
                    let attributes = json::attributes(entity, found["item"].as_object().unwrap().clone()).unwrap();
                    assert!(oracle.sees(&asking, entity, &attributes), "GET {path} as `{who}`: {found}");
                    let access = Access { caller: &asking, verb: Verb::List, entity, pattern: Some(pattern) };
                    let allowed = match oracle.rules.decide(&access) {
                        Decision::Allowed => true,
                        Decision::Denied => false,
                        Decision::ByItem => oracle.rules.decide_item(&access, &attributes),
                    };
                    assert!(allowed, "GET {path} as `{who}`: {found}");
                }
            }
        }
    }
}

#[tokio::test]
async fn an_invalid_token_is_rejected_by_every_route() {
    let world = World::start().await;
    for path in ["/v1/catalogue/sites/x", "/v1/platform/patterns/all-licenses", "/v1/archive/settings"] {
        let headers = [("authorization", "Bearer forged")];
        let refused = world.client.send("", Method::GET, path, &headers, "").await;
        assert_eq!(refused.header("www-authenticate"), "Bearer realm=\"keyfold\"");
        assert_eq!(refused.problem(401, "unauthenticated")["detail"], "the token does not count");
    }
}

#[tokio::test]
async fn a_section_for_one_group_does_not_exist_for_others() {
    let world = World::with(&["catalogue"], keyfold_api::Limits::default(), false).await;
    let squash = "subject=olga;role=SuperAdmin";
    let players = world.client.get(squash, "/v1/catalogue/patterns/all-players").await.expect(200).json();
    let href = players["items"][0]["href"].as_str().unwrap().to_owned();
    let hidden = world.client.get("subject=stranger", &href).await.problem(404, "not-found");
    assert_eq!(hidden["detail"], "no resource at this address");
    world.client.get("subject=stranger", "/v1/catalogue/patterns/all-players").await.problem(404, "not-found");
    world.client.get("", &href).await.problem(401, "unauthenticated");
}
