//! What a caller learns about another tenant's items: nothing. All designs in one process; each request is sent for an
//! item of another tenant and for one that exists nowhere, and both get the same response, after the same operations of
//! the table. Where an id is shared by all tenants, the design has accepted that.

use std::collections::BTreeSet;

use http::Method;
use keyfold_api::change_records::ChangeRecordSettings;
use keyfold_api::href;
use keyfold_design::Design;
use keyfold_design::model::{AttributeType, Entity, Resource, Verb};
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::json;
use serde_json::{Map, Value, json};

use crate::over_sockets::client::Answered;
use crate::over_sockets::world::{DESIGNS, Setting, World, operator};

/// Callers of one tenant, the most powerful first.
const CALLERS: [(&str, &str, &[&str]); 3] = [
    ("agencies", "01K9ZV0000000000000000AAAA", &["subject=ada;role=admin", "subject=grace"]),
    ("platform", "northwind", &["subject=ada", "subject=grace"]),
    (
        "albums",
        "01K9ZV0000000000000000TENA",
        &[
            "subject=01K9ZV00000000000000000ADA",
            "subject=01K9ZV000000000000000GRACE",
            "subject=01K9ZV0000000000000000JEAN",
        ],
    ),
];

/// One request, for an item with this identity.
struct Question {
    method: Method,
    path: String,
    headers: Vec<(&'static str, &'static str)>,
    body: Value,
}

/// An item of another tenant, and the identity of the same item under an id that exists nowhere.
struct Pair<'d> {
    design: &'d Design,
    entity: &'d Entity,
    foreign: Attributes,
    absent: Attributes,
    /// What callers set, from the other tenant's item and from one of their own.
    bodies: Vec<Map<String, Value>>,
}

fn text(value: &AttributeValue) -> String {
    match json::plain(value) {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// An id that the sample data has nowhere.
fn fresh(value_type: &AttributeType) -> AttributeValue {
    AttributeValue::S(match value_type {
        AttributeType::Ulid => "01K9ZV00000000000000000ABS".to_owned(),
        AttributeType::Uuid => "019b1000-0000-7000-8000-00000000ab5e".to_owned(),
        _ => "absent".to_owned(),
    })
}

/// What callers set of an item, without its identity and its tenant.
fn body_of(design: &Design, entity: &Entity, item: &Attributes) -> Map<String, Value> {
    let tenant = &design.tenant.as_ref().unwrap().attribute;
    let settable = entity.settable_attributes().map(|attribute| &attribute.name);
    let others = settable.filter(|name| !entity.identity.contains(name) && *name != tenant);
    others.filter_map(|name| Some((name.clone(), json::plain(item.get(name)?)))).collect()
}

impl Pair<'_> {
    fn identity(&self, item: &Attributes) -> Map<String, Value> {
        let tenant = self.design.implied_tenant(self.entity);
        let names = self.entity.identity.iter().filter(|name| Some(name.as_str()) != tenant);
        names.map(|name| (name.clone(), json::plain(&item[name]))).collect()
    }

    /// The requests about one of the two items.
    fn questions(&self, item: &Attributes) -> Vec<Question> {
        let resource = Resource::new(self.design, self.entity);
        let base = format!("/v1/{}", self.design.name);
        let path = href(self.design, &resource, item, false);
        let identity = self.identity(item);
        let mut questions = Vec::new();
        let mut ask = |method: Method, path: &str, headers: &[(&'static str, &'static str)], body: Value| {
            let mut headers = headers.to_vec();
            if !body.is_null() {
                headers.push(("content-type", "application/json"));
            }
            questions.push(Question { method, path: path.to_owned(), headers, body });
        };
        ask(Method::GET, &path, &[], Value::Null);
        ask(Method::GET, &path, &[("if-none-match", "\"1\"")], Value::Null);
        for body in &self.bodies {
            let whole = Value::Object(body.clone());
            let mut with_identity = body.clone();
            with_identity.extend(identity.clone());
            let with_identity = Value::Object(with_identity);
            let mut verbs = Vec::new();
            if resource.accepts(Verb::Update) {
                for headers in [&[][..], &[("if-match", "*")], &[("if-match", "\"1\"")], &[("if-none-match", "*")]] {
                    ask(Method::PUT, &path, headers, whole.clone());
                }
                ask(Method::PATCH, &path, &[], whole.clone());
                ask(Method::PATCH, &path, &[("if-match", "\"1\"")], whole);
                verbs.extend(["patch", "put", "upsert"]);
            }
            if resource.accepts(Verb::Create) {
                ask(Method::POST, &format!("{base}/{}", resource.segment), &[], with_identity.clone());
                verbs.push("create");
            }
            for verb in verbs {
                let write = json!({"writes": [{verb: {self.entity.name.as_str(): with_identity}}]});
                ask(Method::POST, &format!("{base}/transactions"), &[], write);
            }
        }
        if resource.accepts(Verb::Update) {
            ask(Method::PATCH, &path, &[], json!({}));
        }
        if resource.accepts(Verb::Delete) {
            ask(Method::DELETE, &path, &[], Value::Null);
            ask(Method::DELETE, &path, &[("if-match", "\"1\"")], Value::Null);
            ask(Method::DELETE, &format!("{path}?cascade=true"), &[], Value::Null);
            let write = json!({"writes": [{"delete": {self.entity.name.as_str(): identity}}]});
            ask(Method::POST, &format!("{base}/transactions"), &[], write);
        }
        questions
    }

    /// The response, without what differs from request to request and without the ids.
    fn neutral(&self, answered: &Answered) -> (u16, Vec<(String, String)>, String) {
        let without_ids = |shown: &str| {
            let ids = self.entity.identity.iter().map(|name| (&self.foreign[name], &self.absent[name]));
            ids.filter(|(foreign, absent)| foreign != absent).fold(shown.to_owned(), |shown, (foreign, absent)| {
                shown.replace(&text(foreign), "ID").replace(&text(absent), "ID")
            })
        };
        neutral(answered, without_ids)
    }
}

/// A response, without what differs from request to request and without ids.
fn neutral(answered: &Answered, without_ids: impl Fn(&str) -> String) -> (u16, Vec<(String, String)>, String) {
    let body = std::str::from_utf8(&answered.bytes).unwrap().replace(answered.header("x-request-id"), "REQUEST");
    let unsteady = ["x-request-id", "date", "content-length"];
    let headers = answered.headers.iter().filter(|(name, _)| !unsteady.contains(&name.as_str()));
    let headers = headers.map(|(name, value)| (name.to_string(), without_ids(value.to_str().unwrap()))).collect();
    (answered.status.as_u16(), headers, without_ids(&body))
}

/// An item of another tenant for each entity, beside identities that exist nowhere: one for each part of the path.
fn pairs<'d>(
    design: &'d Design,
    tenant: &str,
    items: &[(keyfold_design::model::EntityId, Attributes)],
) -> Vec<Pair<'d>> {
    let attribute = &design.tenant.as_ref().unwrap().attribute;
    let owner = |item: &Attributes| item.get(attribute).and_then(AttributeValue::as_str).map(str::to_owned);
    let mut pairs = Vec::new();
    for (id, item) in items {
        let entity = &design[*id];
        let resource = Resource::new(design, entity);
        let is_first = !pairs.iter().any(|pair: &Pair<'_>| pair.entity.id == *id);
        if !is_first || !entity.scope.has_tenant() || owner(item).is_none_or(|owner| owner == tenant) {
            continue;
        }
        let path = href(design, &resource, item, false);
        let own = |other: &&Attributes| owner(other).as_deref() == Some(tenant);
        let mut of_entity = items.iter().filter(|(other, _)| other == id).map(|(_, other)| other);
        // The same address is that of an item of their own.
        if of_entity.clone().filter(own).any(|other| href(design, &resource, other, false) == path) {
            continue;
        }
        let mut bodies = vec![body_of(design, entity, item)];
        bodies.extend(of_entity.find(own).map(|own| body_of(design, entity, own)));
        for name in &resource.path {
            let mut absent = item.clone();
            absent.insert(name.clone(), fresh(&entity.attribute(name).unwrap().value_type));
            pairs.push(Pair { design, entity, foreign: item.clone(), absent, bodies: bodies.clone() });
        }
    }
    pairs
}

async fn ask(world: &World, who: &str, question: &Question) -> (Answered, Vec<&'static str>) {
    let Question { method, path, headers, body } = question;
    let body = if body.is_null() { String::new() } else { body.to_string() };
    world.recorded.take();
    let response = world.client.send(who, method.clone(), path, headers, body).await;
    (response, world.recorded.take())
}

/// The entities whose shared ids a design accepts.
fn accepted(design: &Design) -> BTreeSet<&str> {
    let shared = design.accepted.iter().filter(|accepted| accepted.code == "KF075");
    shared.map(|accepted| accepted.subject.split('.').next().unwrap()).collect()
}

#[tokio::test]
async fn another_tenants_item_is_the_same_as_none() {
    for change_records in [None, Some(ChangeRecordSettings::default())] {
        let world = World::made(&DESIGNS, Setting { change_records, ..Setting::default() }).await;
        // The sample data has no member and no address whose id the other tenant does not have as well.
        let address =
            json!({"addressId": "depot", "street": "1 Quay", "postalCode": "1", "city": "Oslo", "country": "NO"});
        for (design, path, body) in [
            ("agencies", "/v1/agencies/members?tenant=01K9ZV0000000000000000BBBB", json!({"idpid": "zoe"})),
            ("platform", "/v1/platform/addresses?tenant=contoso", address),
        ] {
            world.client.post(operator(design), path, body).await.expect(201);
        }
        let mut asked = 0;
        for name in DESIGNS {
            let design = world.design(name).0.clone();
            let Some((_, tenant, callers)) = CALLERS.iter().find(|(own, ..)| *own == name) else {
                assert_eq!(design.tenant, None, "{name}");
                continue;
            };
            let before = world.stored(name).await;
            let (mut differing, mut entities) = (BTreeSet::new(), BTreeSet::new());
            for pair in pairs(&design, tenant, &world.items(name).await) {
                entities.insert(pair.entity.name.as_str());
                for who in callers.iter().map(|who| format!("{who};tenant={tenant}")) {
                    let questions = pair.questions(&pair.foreign).into_iter().zip(pair.questions(&pair.absent));
                    for (foreign, absent) in questions {
                        let mut outcomes = Vec::new();
                        for question in [&foreign, &absent] {
                            // What the table says about the caller is cached again after each write.
                            let any = href(&design, &Resource::new(&design, pair.entity), &pair.absent, false);
                            world.client.get(&who, &any).await;
                            let (answered, operations) = ask(&world, &who, question).await;
                            if answered.status.is_success() {
                                world.put_back(name, &before).await;
                            }
                            outcomes.push((pair.neutral(&answered), operations));
                        }
                        asked += 1;
                        if outcomes[0] != outcomes[1] {
                            let Question { method, path, body, .. } = &foreign;
                            let what = format!("{who}: {method} {path} {body}\n{:?}\n{:?}", outcomes[0], outcomes[1]);
                            assert!(accepted(&design).contains(pair.entity.name.as_str()), "{what}");
                            // Only a create tells, and only that the id is taken.
                            assert!([409, 412].contains(&outcomes[0].0.0) && outcomes[1].0.0 / 100 == 2, "{what}");
                            differing.insert(pair.entity.name.as_str());
                        }
                    }
                }
            }
            assert_eq!(differing, accepted(&design), "{name}");
            let of_tenants = design.entities.iter().filter(|entity| entity.scope.has_tenant());
            let missing: Vec<&str> =
                of_tenants.map(|entity| entity.name.as_str()).filter(|name| !entities.contains(name)).collect();
            assert_eq!(missing, Vec::<&str>::new(), "the sample data of {name} has none of another tenant");
        }
        assert!(asked > 500, "{asked}");
    }
}

/// Callers without a tenant in their token, their own tenant, and those of others.
const CHOICES: [(&str, &str, &str, &[&str]); 3] = [
    ("agencies", "subject=grace", "01K9ZV0000000000000000AAAA", &["01K9ZV0000000000000000BBBB"]),
    ("platform", "subject=ada", "northwind", &["contoso", "fabrikam"]),
    (
        "albums",
        "subject=01K9ZV000000000000000GRACE",
        "01K9ZV0000000000000000TENA",
        &["01K9ZV0000000000000000TENB", "01K9ZV0000000000000000TENC"],
    ),
];

/// The response to a request in a chosen tenant, and the operations of the table.
async fn choose(
    world: &World,
    who: &str,
    tenant: &str,
    (method, path): (&Method, &str),
) -> ((u16, Vec<(String, String)>, String), Vec<&'static str>) {
    let headers = vec![("keyfold-tenant", tenant), ("content-type", "application/json")];
    world.recorded.take();
    let body = if *method == Method::POST { "{}" } else { "" };
    let response = world.client.send(who, method.clone(), path, &headers, body).await;
    let operations = world.recorded.take();
    (neutral(&response, |shown| shown.replace(tenant, "TENANT")), operations)
}

#[tokio::test]
async fn a_chosen_tenant_of_others_is_the_same_as_none() {
    let setting = Setting { change_records: Some(ChangeRecordSettings::default()), ..Setting::default() };
    let world = World::made(&DESIGNS, setting).await;
    for (name, who, own, others) in CHOICES {
        let design = world.design(name).0.clone();
        let base = format!("/v1/{name}");
        let mut requests = vec![
            (Method::GET, format!("{base}/me")),
            (Method::GET, format!("{base}/audit")),
            (Method::POST, format!("{base}/transactions")),
            (Method::POST, format!("{base}/authorize")),
        ];
        requests.extend(design.patterns.iter().map(|own| (Method::GET, format!("{base}/patterns/{}", own.slug))));
        for (id, item) in world.items(name).await {
            requests.push((Method::GET, href(&design, &Resource::new(&design, &design[id]), &item, false)));
        }
        for (method, path) in &requests {
            let absent = choose(&world, who, "01K9ZV00000000000000000ABS", (method, path)).await;
            assert_eq!(absent.0.0, 403, "{who}: {method} {path}");
            for other in others {
                let foreign = choose(&world, who, other, (method, path)).await;
                assert_eq!(foreign, absent, "{who}: {method} {path} in {other}");
            }
        }
        assert_eq!(choose(&world, who, own, (&Method::GET, &format!("{base}/me"))).await.0.0, 200);
        // Nor does anyone write to the audit log of a tenant that is not theirs.
        let subject = who.strip_prefix("subject=").unwrap();
        let entries = world.change_records().await;
        let text = |entry: &Attributes, name: &str| entry.get(name).and_then(AttributeValue::as_str).map(str::to_owned);
        let denied: Vec<&Attributes> =
            entries.iter().filter(|entry| text(entry, "subject").as_deref() == Some(subject)).collect();
        assert!(denied.len() > 4, "{name}: {denied:?}");
        assert!(denied.iter().all(|entry| text(entry, "tenant").is_none()), "{name}: {denied:?}");
    }
}
