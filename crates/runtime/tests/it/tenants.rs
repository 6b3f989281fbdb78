//! A member of one tenant attacks another: with every verb of every entity, every pattern, every reference, every
//! cursor. Whatever they do, the answers are those of a table on which the other tenant never was.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use crate::support::*;
use keyfold_design::Design;
use keyfold_design::model::{AttributeType, Entity};
use keyfold_dynamo::{AttributeValue, Attributes, Backend};
use keyfold_environment::{ManualClock, SeededRandom};
use keyfold_runtime::scenario::DataFile;
use keyfold_runtime::{
    Caller, DeleteOptions, DesignRules, Error, Options, PatchOptions, QueryOptions, Record, Runtime, Write, json,
};

struct Attack {
    design: Arc<Design>,
    data: DataFile,
    /// The tenant that must not be noticed.
    victim: &'static str,
    /// A tenant of the attacker's own.
    own: &'static str,
    attacker: Caller,
    member_of_victim: Caller,
}

impl Attack {
    fn on(name: &str, victim: &'static str, own: &'static str, permissions: &[&str]) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../designs").join(name);
        let read = |path: &str| std::fs::read_to_string(folder.join(path)).unwrap();
        let all_rights = |tenant: &str| Caller {
            roles: vec!["admin".to_owned()],
            groups: vec!["admin".to_owned()],
            permissions: permissions.iter().map(|each| (*each).to_owned()).collect(),
            ..Caller::member(tenant, "mallory")
        };
        Self {
            design: design(&read("design.yaml")),
            data: serde_saphyr::from_str(&read("data.yaml")).unwrap(),
            victim,
            own,
            attacker: all_rights(own),
            member_of_victim: all_rights(victim),
        }
    }

    /// The same by someone who acts in no tenant.
    fn without_tenant(mut self) -> Self {
        self.attacker.tenant = None;
        self
    }

    fn tenant_attribute(&self) -> &str {
        &self.design.tenant.as_ref().unwrap().attribute
    }

    fn is_victims(&self, attributes: &Attributes) -> bool {
        attributes.get(self.tenant_attribute()).and_then(AttributeValue::as_str) == Some(self.victim)
    }

    /// A table with the sample data, with or without the victim.
    async fn world(&self, with_victim: bool) -> Side {
        let backend = engine();
        let clock = Arc::new(ManualClock::default());
        let options = Options {
            authorizer: Arc::new(DesignRules::new(Arc::clone(&self.design))),
            clock: Arc::clone(&clock) as _,
            random: Arc::new(SeededRandom::default()),
            cursor_secret: vec![7; 32],
            table_name: None,
        };
        let runtime = Runtime::new(Arc::clone(&self.design), Arc::clone(&backend), options);
        runtime.create_table().await.unwrap();
        for named in &self.data.items {
            clock.advance(1000);
            for (entity, object) in named {
                let input = json::attributes(self.design.entity_named(entity).unwrap(), object.clone()).unwrap();
                if with_victim || !self.is_victims(&input) {
                    runtime.create(&superuser(), entity, input).await.unwrap();
                }
            }
        }
        clock.advance(1000);
        Side { backend, runtime }
    }

    /// The items of the victim's, as they lie in the table.
    async fn victims_items(&self, side: &Side) -> BTreeMap<String, Attributes> {
        let table = table(side.backend.as_ref(), &self.design).await;
        table
            .into_iter()
            .filter(|(key, item)| {
                let Some(entity) = self.design.recognize(item).map(|id| &self.design[id]) else {
                    assert!(self.design.recognize_lookup(item).is_some(), "{key}");
                    return key.contains(self.victim);
                };
                let from_key = entity.read_key(item).unwrap();
                let tenant = item.get(self.tenant_attribute()).or_else(|| from_key.get(self.tenant_attribute()));
                tenant.and_then(AttributeValue::as_str) == Some(self.victim)
            })
            .collect()
    }

    /// What can be known of each item of the victim's, by entity.
    async fn loot(&self, side: &Side) -> Vec<(&Entity, Attributes)> {
        let mut loot = Vec::new();
        for item in self.victims_items(side).await.into_values() {
            let Some(entity) = self.design.recognize(&item).map(|id| &self.design[id]) else { continue };
            let mut known: Attributes = entity.read_key(&item).unwrap().into_iter().collect();
            let declared = entity.attributes.iter().filter_map(|attribute| item.get_key_value(&attribute.name));
            known.extend(declared.map(|(name, value)| (name.clone(), value.clone())));
            loot.push((entity, known));
        }
        assert!(!loot.is_empty());
        loot
    }

    /// What is known of items that belong to no tenant, such as the users.
    fn common_knowledge(&self) -> impl Iterator<Item = Attributes> {
        self.data.items.iter().flatten().filter_map(|(name, object)| {
            let entity = self.design.entity_named(name).unwrap();
            (!entity.scope.has_tenant()).then(|| json::attributes(entity, object.clone()).unwrap())
        })
    }

    /// What the attacker sees of a record.
    fn seen(&self, record: &Record) -> String {
        let entity = &self.design[record.entity];
        format!("{} {:?}", entity.name, record.attributes)
    }
}

struct Side {
    backend: Arc<dyn Backend>,
    runtime: Runtime,
}

fn identity_of(entity: &Entity, attributes: &Attributes) -> Attributes {
    entity.identity.iter().map(|name| (name.clone(), attributes[name].clone())).collect()
}

/// What callers can set.
fn settable(design: &Design, entity: &Entity, attributes: &Attributes) -> Attributes {
    let counters: BTreeSet<&str> =
        design.references_to(entity).filter_map(|(_, reference)| reference.counted_as.as_deref()).collect();
    attributes
        .iter()
        .filter(|(name, _)| {
            let Some(attribute) = entity.attribute(name) else { return false };
            let kept = matches!(attribute.value_type, AttributeType::Stamp(_) | AttributeType::Expiry(_));
            !kept && attribute.same_as.is_none() && !counters.contains(name.as_str())
        })
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// A value like the given one that nobody has.
fn never(value: &AttributeValue) -> AttributeValue {
    match value {
        AttributeValue::S(ulid) if ulid.len() == 26 => AttributeValue::S(format!("{}VER", &ulid[..23])),
        AttributeValue::S(text) => AttributeValue::S(format!("{text}-never")),
        other => other.clone(),
    }
}

#[derive(Debug, Clone)]
enum Call {
    Get(String, Attributes),
    Write(Vec<Write>),
    Delete(String, Attributes, DeleteOptions),
    Query(String, Attributes, QueryOptions),
    ExplainWrite(Write),
    ExplainQuery(String, Attributes),
}

/// An answer as text: everything the attacker learns.
async fn answer(attack: &Attack, side: &Side, call: Call) -> Result<String, Error> {
    let (runtime, caller) = (&side.runtime, &attack.attacker);
    Ok(match call {
        Call::Get(entity, identity) => {
            let record = runtime.get(caller, &entity, identity).await?;
            format!("{:?}", record.map(|record| attack.seen(&record)))
        }
        Call::Write(writes) => {
            let records = runtime.transact(caller, writes).await?;
            let seen: Vec<_> = records.iter().map(|record| record.as_ref().map(|record| attack.seen(record))).collect();
            format!("{seen:?}")
        }
        Call::Delete(entity, identity, options) => {
            runtime.delete(caller, &entity, identity, options).await?;
            "deleted".to_owned()
        }
        Call::Query(pattern, arguments, options) => {
            let page = runtime.query(caller, &pattern, arguments, &options).await?;
            let seen: Vec<_> = page.records.iter().map(|record| attack.seen(record)).collect();
            let cursor = page.cursor.as_ref().map(String::len);
            format!("{seen:?} {} {} {} {cursor:?} {:?}", page.count, page.evaluated, page.read_units, page.stop_reason)
        }
        Call::ExplainWrite(write) => {
            format!("{:?}", runtime.explain_writes(caller, vec![write]).await?)
        }
        Call::ExplainQuery(pattern, arguments) => {
            format!("{:?}", runtime.explain_query(caller, &pattern, arguments, 20)?)
        }
    })
}

/// Writes of one entity with what is known of an item.
fn writes(attack: &Attack, entity: &Entity, known: &Attributes) -> Vec<Write> {
    let name = || entity.name.clone();
    let identity = identity_of(entity, known);
    let whole = settable(&attack.design, entity, known);
    let options = PatchOptions::default;
    let mut writes = Vec::new();
    for attributes in [whole.clone(), as_own(attack, &whole)] {
        writes.push(Write::Create { entity: name(), attributes: attributes.clone() });
        writes.push(Write::Put { entity: name(), attributes: attributes.clone() });
        writes.push(Write::Upsert { entity: name(), attributes: attributes.clone() });
        writes.push(Write::Patch { entity: name(), attributes, options: options() });
    }
    for (attribute, value) in &whole {
        for identity in [identity.clone(), without_tenant(attack, &identity)] {
            for value in [value.clone(), AttributeValue::Null, AttributeValue::S("mallory".to_owned())] {
                let mut attributes = identity.clone();
                attributes.insert(attribute.clone(), value);
                writes.push(Write::Patch { entity: name(), attributes, options: options() });
            }
        }
    }
    for version in [1, 2, 99] {
        let options = PatchOptions::expecting(Some(version));
        writes.push(Write::Patch { entity: name(), attributes: identity.clone(), options });
    }
    writes
}

fn as_own(attack: &Attack, attributes: &Attributes) -> Attributes {
    let mut own = attributes.clone();
    if let Some(tenant) = own.get_mut(attack.tenant_attribute()) {
        *tenant = AttributeValue::S(attack.own.to_owned());
    }
    own
}

fn without_tenant(attack: &Attack, attributes: &Attributes) -> Attributes {
    let mut own = attributes.clone();
    own.remove(attack.tenant_attribute());
    own
}

/// Every call about one item of the victim's.
fn calls(attack: &Attack, entity: &Entity, known: &Attributes) -> Vec<Call> {
    let identity = identity_of(entity, known);
    let mut calls = Vec::new();
    for identity in [identity.clone(), as_own(attack, &identity), without_tenant(attack, &identity)] {
        calls.push(Call::Get(entity.name.clone(), identity.clone()));
        for cascade in [false, true] {
            for expected_version in [None, Some(1), Some(99)] {
                calls.push(Call::Delete(
                    entity.name.clone(),
                    identity.clone(),
                    DeleteOptions { cascade, expected_version },
                ));
            }
        }
    }
    for write in writes(attack, entity, known) {
        calls.push(Call::ExplainWrite(write.clone()));
        calls.push(Call::Write(vec![write]));
    }
    calls
}

/// New items of the attacker's own that refer to what the victim has.
fn references(attack: &Attack, entity: &Entity, known: &Attributes) -> Vec<Call> {
    let mut calls = Vec::new();
    for child in &attack.design.entities {
        for reference in child.references.iter().filter(|reference| reference.target == entity.id) {
            let sample = attack.data.items.iter().find_map(|named| {
                let object = named.get(&child.name)?;
                let input = json::attributes(child, object.clone()).unwrap();
                (!attack.is_victims(&input)).then_some(input)
            });
            let Some(mut attributes) = sample else { continue };
            for (theirs, own) in &reference.mapping {
                attributes.insert(own.clone(), known[theirs].clone());
            }
            let own = as_own(attack, &attributes);
            for mut attributes in [attributes.clone(), own] {
                calls.push(Call::Write(vec![Write::Patch {
                    entity: child.name.clone(),
                    attributes: attributes.clone(),
                    options: PatchOptions::default(),
                }]));
                // As a new item: an id that nobody has.
                for name in child.identity.iter().filter(|name| *name != attack.tenant_attribute()) {
                    if !reference.mapping.iter().any(|(_, own)| own == name) {
                        let fresh = never(&attributes[name]);
                        attributes.insert(name.clone(), fresh);
                    }
                }
                let entity = child.name.clone();
                calls.push(Call::Write(vec![Write::Create { entity: entity.clone(), attributes: attributes.clone() }]));
                calls.push(Call::Write(vec![Write::Upsert { entity, attributes }]));
            }
        }
    }
    calls
}

fn options() -> Vec<QueryOptions> {
    let plain = QueryOptions::default();
    vec![
        plain.clone(),
        QueryOptions { take: Some(1), ..plain.clone() },
        QueryOptions { take: Some(2), reverse: true, ..plain.clone() },
        QueryOptions { limit: Some(1), ..plain.clone() },
        QueryOptions { read_budget: Some(0.5), ..plain },
    ]
}

/// The arguments of each pattern, from what is known of the victim's items.
fn queries(attack: &Attack, loot: &[(&Entity, Attributes)]) -> Vec<(String, Attributes)> {
    let mut queries = Vec::new();
    for pattern in &attack.design.patterns {
        let parameters = &attack.design.access_plan(pattern.id).parameters;
        let mut seen: Vec<Attributes> = Vec::new();
        for known in loot.iter().map(|(_, known)| known.clone()).chain(attack.common_knowledge()) {
            let mut arguments = Attributes::new();
            for parameter in parameters {
                let value = known.get(&parameter.name).cloned().or(match parameter.name.as_str() {
                    "before" => Some(AttributeValue::S("2030-01-01".to_owned())),
                    "start" => Some(AttributeValue::S("2020-01-01T00:00:00.000Z".to_owned())),
                    "end" => Some(AttributeValue::S("2030-01-01T00:00:00.000Z".to_owned())),
                    _ => None,
                });
                arguments.extend(value.map(|value| (parameter.name.clone(), value)));
            }
            if arguments.len() == parameters.len() && !seen.contains(&arguments) {
                seen.push(arguments);
            }
        }
        assert!(!seen.is_empty(), "no arguments for `{}`", pattern.name);
        for arguments in seen {
            queries.push((pattern.name.clone(), as_own(attack, &arguments)));
            queries.push((pattern.name.clone(), without_tenant(attack, &arguments)));
            queries.push((pattern.name.clone(), arguments));
        }
    }
    queries
}

/// Whether a key without the tenant is taken by another tenant: the one thing that cannot be kept secret, and that the
/// design accepts.
fn takes_a_key(attack: &Attack, call: &Call) -> bool {
    let Call::Write(writes) = call else { return false };
    let (Write::Create { entity, .. } | Write::Put { entity, .. } | Write::Upsert { entity, .. }) = &writes[0] else {
        return false;
    };
    attack.design.accepted.iter().any(|accepted| accepted.code == "KF075" && accepted.subject == *entity)
}

async fn compare(attack: &Attack, calls: Vec<Call>) -> usize {
    let (mut real, mut control) = (attack.world(true).await, attack.world(false).await);
    let untouched = attack.victims_items(&real).await;
    let mut taken = 0;
    for call in calls {
        let (left, right) = (answer(attack, &real, call.clone()).await, answer(attack, &control, call.clone()).await);
        let writes = matches!(call, Call::Write(_) | Call::Delete(..));
        if left != right {
            assert!(takes_a_key(attack, &call), "{call:?}\nwith the victim: {left:?}\nwithout: {right:?}");
            let Err(Error::Exists { .. }) = left else {
                panic!("{call:?}\nwith the victim: {left:?}\nwithout: {right:?}")
            };
            taken += 1;
        }
        if writes {
            assert_eq!(attack.victims_items(&real).await, untouched, "{call:?}");
        }
        if writes && (left.is_ok() || right.is_ok()) {
            // Every attack starts from the same tables.
            (real, control) = (attack.world(true).await, attack.world(false).await);
        }
    }
    taken
}

async fn attack_items(attack: &Attack) -> usize {
    let side = attack.world(true).await;
    let mut taken = 0;
    for (entity, known) in attack.loot(&side).await {
        let mut all = calls(attack, entity, &known);
        all.extend(references(attack, entity, &known));
        taken += compare(attack, all).await;
    }
    taken
}

async fn attack_patterns(attack: &Attack) {
    let side = attack.world(true).await;
    let loot = attack.loot(&side).await;
    let mut calls = Vec::new();
    for (pattern, arguments) in queries(attack, &loot) {
        calls.push(Call::ExplainQuery(pattern.clone(), arguments.clone()));
        for options in options() {
            calls.push(Call::Query(pattern.clone(), arguments.clone(), options));
        }
    }
    assert_eq!(compare(attack, calls).await, 0);
}

/// Cursors of others lead nowhere, and are refused like a cursor that never was one.
async fn attack_with_cursors(attack: &Attack) {
    let side = attack.world(true).await;
    let loot = attack.loot(&side).await;
    let mut refused = 0;
    for (pattern, arguments) in queries(attack, &loot) {
        let first = QueryOptions { take: Some(1), ..QueryOptions::default() };
        for other in [&superuser(), &attack.member_of_victim] {
            let page = side.runtime.query(other, &pattern, arguments.clone(), &first).await;
            let Some(cursor) = page.ok().and_then(|page| page.cursor) else { continue };
            let with = |cursor: &str| QueryOptions { cursor: Some(cursor.to_owned()), ..QueryOptions::default() };
            let own = side.runtime.query(&attack.attacker, &pattern, arguments.clone(), &with(&cursor)).await;
            let none = side.runtime.query(&attack.attacker, &pattern, arguments.clone(), &with("AAAA")).await;
            assert!(own.is_err(), "{pattern} {arguments:?}: {own:?}");
            assert_eq!(own, none, "{pattern} {arguments:?}");
            refused += 1;
        }
    }
    assert!(refused > 0);
}

fn agencies() -> Attack {
    Attack::on("agencies", "01K9ZV0000000000000000AAAA", "01K9ZV0000000000000000BBBB", &[])
}

fn platform() -> Attack {
    let permissions = ["settings", "licenses", "workstreams", "users", "roles", "notifications"];
    let all: Vec<String> =
        permissions.iter().flat_map(|key| ["read", "write"].map(|action| format!("{key}.{action}"))).collect();
    Attack::on("platform", "northwind", "contoso", &all.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Anne is an admin of her own tenant, as her membership says; Ada of the victim's.
fn albums() -> Attack {
    let mut attack = Attack::on("albums", "01K9ZV0000000000000000TENA", "01K9ZV0000000000000000TENB", &[]);
    attack.attacker.subject = Some("01K9ZV0000000000000000ANNE".to_owned());
    attack.member_of_victim.subject = Some("01K9ZV00000000000000000ADA".to_owned());
    attack
}

#[tokio::test]
async fn items_of_agencies() {
    assert_eq!(attack_items(&agencies()).await, 0);
}

#[tokio::test]
async fn patterns_of_agencies() {
    attack_patterns(&agencies()).await;
}

#[tokio::test]
async fn cursors_of_agencies() {
    attack_with_cursors(&agencies()).await;
}

#[tokio::test]
async fn items_of_platform() {
    // Ids of users are keys of the whole platform: one that is taken cannot be used.
    assert!(attack_items(&platform()).await > 0);
}

#[tokio::test]
async fn patterns_of_platform() {
    attack_patterns(&platform()).await;
}

#[tokio::test]
async fn cursors_of_platform() {
    attack_with_cursors(&platform()).await;
}

#[tokio::test]
async fn items_of_albums() {
    assert_eq!(attack_items(&albums()).await, 0);
    assert_eq!(attack_items(&albums().without_tenant()).await, 0);
}

#[tokio::test]
async fn patterns_of_albums() {
    attack_patterns(&albums()).await;
    attack_patterns(&albums().without_tenant()).await;
}

#[tokio::test]
async fn cursors_of_albums() {
    attack_with_cursors(&albums()).await;
    attack_with_cursors(&albums().without_tenant()).await;
}
