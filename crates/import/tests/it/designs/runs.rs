//! Drafts of the five shipped designs' tables run on these tables: every item is read by its identity as it is stored,
//! every access pattern finds the items that it is for, and an item that is written again is what it was, with all its
//! keys.

use std::collections::BTreeMap;
use std::sync::Arc;

use keyfold_design::Design;
use keyfold_design::access::{KeyArguments, KeyEquality, KeyValue};
use keyfold_design::model::{Entity, Pattern};
use keyfold_dynamo::Attributes;
use keyfold_import::{Sample, draft_from_items};
use keyfold_runtime::{Caller, QueryOptions, Runtime};

use crate::designs::world::{World, world};

/// The draft of a world's table, running on it.
struct Drafted {
    design: Arc<Design>,
    runtime: Runtime,
    caller: Caller,
}

impl Drafted {
    fn new(world: &World) -> Self {
        let sample = Sample { items: world.items.clone(), is_whole: true };
        let draft = draft_from_items(&world.facts, &sample, "a table").unwrap();
        let design = Arc::new(draft.design);
        Self { runtime: world.runtime(Arc::clone(&design)), design, caller: Caller::superuser("import") }
    }

    /// The entity of an item, and the item with what only its keys tell.
    fn entity(&self, item: &Attributes) -> (&Entity, Attributes) {
        let entity = &self.design[self.design.recognize(item).unwrap()];
        let mut known = entity.read_keys(item).unwrap();
        known.extend(item.clone());
        (entity, known)
    }

    async fn is_read(&self, item: &Attributes) {
        let (entity, known) = self.entity(item);
        let identity = entity.identity.iter().map(|name| (name.clone(), known[name].clone())).collect();
        let record = self.runtime.get(&self.caller, &entity.name, identity).await.unwrap().unwrap();
        let declared: Attributes = entity
            .attributes
            .iter()
            .filter_map(|attribute| Some((attribute.name.clone(), known.get(&attribute.name)?.clone())))
            .collect();
        assert_eq!(record.attributes, declared, "{}", entity.name);
        for attribute in &entity.attributes {
            if let Some(value) = known.get(&attribute.name) {
                attribute.check(value).unwrap_or_else(|violation| panic!("{}: {violation}", entity.name));
            }
        }
    }

    /// The arguments with which a pattern leads to an item, where it lies in the partition that the pattern reads.
    fn arguments(&self, pattern: &Pattern, known: &Attributes) -> Option<Attributes> {
        let plan = self.design.access_plan(pattern.id);
        let arguments: Attributes = plan
            .parameters
            .iter()
            .map(|parameter| Some((parameter.name.clone(), known.get(&parameter.name)?.clone())))
            .collect::<Option<_>>()?;
        let leads = |condition: &KeyEquality| {
            condition.value.render(KeyArguments::new(&arguments)).ok().flatten().as_ref()
                == known.get(&condition.attribute)
        };
        let stated = plan.equal.iter().filter(|key| key.value != KeyValue::Partition);
        let all_lead = stated.into_iter().all(leads);
        all_lead.then_some(arguments)
    }

    async fn is_found(&self, pattern: &Pattern, item: &Attributes) -> bool {
        let (entity, known) = self.entity(item);
        if !pattern.entities().any(|id| id == entity.id) {
            return false;
        }
        let Some(arguments) = self.arguments(pattern, &known) else { return false };
        let options = QueryOptions { take: Some(1_000), ..QueryOptions::default() };
        let page = self.runtime.query(&self.caller, &pattern.name, arguments, &options).await.unwrap();
        let is_it = |record: &keyfold_runtime::Record| {
            record.entity == entity.id
                && entity.identity.iter().all(|name| record.attributes.get(name) == known.get(name))
        };
        assert!(page.records.iter().any(is_it), "`{}` does not find {item:?}", pattern.name);
        true
    }
}

impl Drafted {
    /// Writes an item through the draft as it was read, without what the runtime keeps by itself.
    async fn is_written_again(&self, item: &Attributes) {
        let (entity, known) = self.entity(item);
        let given = entity
            .attributes
            .iter()
            .filter(|attribute| !attribute.value_type.is_kept_by_runtime() && attribute.same_as.is_none())
            .filter_map(|attribute| Some((attribute.name.clone(), known.get(&attribute.name)?.clone())))
            .collect();
        if let Err(error) = self.runtime.put(&self.caller, &entity.name, given).await {
            panic!("{}: {error}", entity.name);
        }
    }

    /// An item without what every write changes.
    fn lasting(&self, item: &Attributes) -> Attributes {
        let (entity, _) = self.entity(item);
        let is_kept =
            |name: &str| entity.attribute(name).is_some_and(|attribute| attribute.value_type.is_kept_by_runtime());
        item.iter().filter(|(name, _)| !is_kept(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}

async fn runs(name: &str) {
    let world = world(name).await;
    let drafted = Drafted::new(&world);
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for item in &world.items {
        drafted.is_read(item).await;
        for pattern in &drafted.design.patterns {
            *found.entry(&pattern.name).or_default() += usize::from(drafted.is_found(pattern, item).await);
        }
    }
    let idle: Vec<&&str> = found.iter().filter(|(_, count)| **count == 0).map(|(name, _)| name).collect();
    assert_eq!(idle, Vec::<&&str>::new(), "patterns that find nothing");
    for item in &world.items {
        drafted.is_written_again(item).await;
    }
    let lasting = |items: &[Attributes]| items.iter().map(|item| drafted.lasting(item)).collect::<Vec<_>>();
    assert_eq!(lasting(&world.scan().await), lasting(&world.items));
}

#[tokio::test]
async fn agencies() {
    runs("agencies").await;
}

#[tokio::test]
async fn platform() {
    runs("platform").await;
}

#[tokio::test]
async fn albums() {
    runs("albums").await;
}

#[tokio::test]
async fn archive() {
    runs("archive").await;
}

#[tokio::test]
async fn catalogue() {
    runs("catalogue").await;
}
