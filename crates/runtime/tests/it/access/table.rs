//! The table of a design with its sample data, beside one with nothing but what a caller may read.

use std::collections::BTreeSet;
use std::sync::Arc;

use keyfold_design::Design;
use keyfold_design::model::{Entity, Verb};
use keyfold_dynamo::operation::PutItemInput;
use keyfold_dynamo::{AttributeValue, Attributes, Backend};
use keyfold_environment::{ManualClock, SeededRandom};
use keyfold_runtime::scenario::{DataFile, load_data};
use keyfold_runtime::{Caller, DesignRules, Options, Record, Runtime, Write};

use crate::access::rules::Asked;
use crate::support::*;

/// A design with its sample data, who calls it, and its rules.
pub(super) struct Case {
    pub design: Arc<Design>,
    /// The whole table.
    pub items: Vec<Attributes>,
    pub callers: Vec<Caller>,
    pub allows: fn(&Asked<'_>) -> bool,
    /// Attributes that only the owner of an item and operators see, by entity.
    pub secrets: &'static [(&'static str, &'static str)],
    pub is_operator: fn(&Caller) -> bool,
}

impl Case {
    pub(super) async fn of(
        name: &str,
        callers: Vec<Caller>,
        allows: fn(&Asked<'_>) -> bool,
        is_operator: fn(&Caller) -> bool,
        secrets: &'static [(&'static str, &'static str)],
    ) -> Self {
        let design = design(&design_text(&format!("../../designs/{name}/design.yaml")));
        let side = Side::with(&design, &[]).await;
        let data: DataFile = serde_saphyr::from_str(&design_text(&format!("../../designs/{name}/data.yaml"))).unwrap();
        load_data(&side.runtime, &data, &|_| {}).await.unwrap();
        let items = table(side.backend.as_ref(), &design).await.into_values().collect();
        let declared: usize = design
            .entities
            .iter()
            .map(|entity| entity.attributes.iter().filter(|attribute| attribute.visible_to.is_some()).count())
            .sum();
        assert_eq!(declared, secrets.len());
        Self { design, items, callers, allows, secrets, is_operator }
    }

    /// The entity of an item, and what it tells.
    pub(super) fn known(&self, item: &Attributes) -> Option<(&Entity, Attributes)> {
        let entity = &self.design[self.design.recognize(item)?];
        let mut known: Attributes = entity.read_keys(item).unwrap().into_iter().collect();
        let computed = |name: &str| entity.layout.computed_names().any(|computed| computed == name);
        let told = item.iter().filter(|(name, _)| entity.attribute(name).is_some() || entity.open && !computed(name));
        known.extend(told.map(|(name, value)| (name.clone(), value.clone())));
        Some((entity, known))
    }

    /// The item that a lookup leads to.
    pub(super) fn behind(&self, lookup: &Attributes) -> (&Entity, Attributes) {
        let (entity, unique) = self.design.recognize_lookup(lookup).unwrap();
        let entity = &self.design[entity];
        let mut known: Attributes =
            entity.unique(unique).unwrap().layout.read_keys(lookup).unwrap().into_iter().collect();
        known.extend(lookup.clone());
        let identity = identity_of(entity, &known);
        let mut entities = self.entities();
        entities.find(|(other, item)| other.id == entity.id && identity_of(entity, item) == identity).unwrap()
    }

    pub(super) fn owns(&self, caller: &Caller, entity: &Entity, item: &Attributes) -> bool {
        let owner = entity.owner.as_ref().and_then(|owner| item.get(owner)).and_then(AttributeValue::as_str);
        owner.is_some() && owner == caller.subject.as_deref()
    }

    pub(super) fn allows(&self, caller: &Caller, verb: Verb, entity: &Entity, item: &Attributes) -> bool {
        let tenant = self.design.tenant.as_ref().and_then(|tenant| item.get(&tenant.attribute));
        let own_tenant = tenant.and_then(AttributeValue::as_str).is_some_and(|of| caller.tenant.as_deref() == Some(of));
        let owns = self.owns(caller, entity, item);
        (self.allows)(&Asked { caller, verb, entity: &entity.name, owns, own_tenant })
    }

    /// Whether there can be an item that the caller may do this to.
    pub(super) fn allows_some(&self, caller: &Caller, verb: Verb, entity: &Entity) -> bool {
        let owns = entity.owner.is_some() && caller.subject.is_some();
        let own_tenant = entity.scope.has_tenant() && caller.tenant.is_some();
        (self.allows)(&Asked { caller, verb, entity: &entity.name, owns, own_tenant })
    }

    pub(super) fn reads(&self, caller: &Caller, entity: &Entity, item: &Attributes) -> bool {
        [Verb::Get, Verb::List].into_iter().any(|verb| self.allows(caller, verb, entity, item))
    }

    /// The attributes of an item without those that the caller must not see.
    pub(super) fn seen(&self, caller: &Caller, entity: &Entity, mut item: Attributes) -> Attributes {
        let entitled = self.owns(caller, entity, &item) || (self.is_operator)(caller);
        for (_, secret) in self.secrets.iter().filter(|(of, _)| *of == entity.name && !entitled) {
            item.remove(*secret);
        }
        item
    }

    /// What the caller may read, as it lies in the table. Numbers are drawn by callers who may create.
    pub(super) fn readable(&self, caller: &Caller) -> Vec<Attributes> {
        let reads = |item: &&Attributes| {
            let (entity, known) = self.known(item).unwrap_or_else(|| self.behind(item));
            entity.keeps_sequences || self.reads(caller, entity, &known)
        };
        self.items.iter().filter(reads).cloned().collect()
    }

    /// The values that the caller must never be shown.
    pub(super) fn secret_values(&self, caller: &Caller) -> BTreeSet<String> {
        let mut values = BTreeSet::new();
        for (entity, known) in self.entities() {
            let seen = self.seen(caller, entity, known.clone());
            let hidden = known.iter().filter(|(name, _)| !seen.contains_key(*name));
            values.extend(hidden.map(|(_, value)| value.as_str().unwrap().to_owned()));
        }
        values
    }

    pub(super) fn entities(&self) -> impl Iterator<Item = (&Entity, Attributes)> {
        self.items.iter().filter_map(|item| self.known(item))
    }
}

pub(super) struct Side {
    pub backend: Arc<dyn Backend>,
    pub runtime: Runtime,
}

impl Side {
    pub(super) async fn with(design: &Arc<Design>, items: &[Attributes]) -> Self {
        let backend = engine();
        let options = Options {
            authorizer: Arc::new(DesignRules::new(Arc::clone(design))),
            clock: Arc::new(ManualClock::default()),
            random: Arc::new(SeededRandom::default()),
            cursor_secret: vec![7; 32],
            table_name: None,
        };
        let runtime = Runtime::new(Arc::clone(design), Arc::clone(&backend), options);
        runtime.create_table().await.unwrap();
        for item in items {
            let input =
                PutItemInput { table_name: design.table.name.clone(), item: item.clone(), ..PutItemInput::default() };
            backend.put_item(input).await.unwrap();
        }
        Self { backend, runtime }
    }
}

/// The table as it is, beside one with nothing but what the caller may read.
pub(super) struct Sides<'c> {
    pub case: &'c Case,
    pub caller: &'c Caller,
    pub readable: Vec<Attributes>,
    pub real: Side,
    pub control: Side,
    pub secrets: BTreeSet<String>,
    /// A write that this caller may make.
    pub harmless: Option<Write>,
}

impl<'c> Sides<'c> {
    pub(super) async fn of(case: &'c Case, caller: &'c Caller) -> Self {
        let readable = case.readable(caller);
        let real = Side::with(&case.design, &case.items).await;
        let control = Side::with(&case.design, &readable).await;
        Self { case, caller, readable, real, control, secrets: case.secret_values(caller), harmless: None }
    }

    pub(super) async fn begin_again(&mut self) {
        self.real = Side::with(&self.case.design, &self.case.items).await;
        self.control = Side::with(&self.case.design, &self.readable).await;
    }

    /// Asserts that nothing was written, apart from numbers that were drawn for what was refused.
    pub(super) async fn assert_untouched(&self, place: &dyn Fn() -> String) {
        let design = &self.case.design;
        let drawn = |item: &&Attributes| {
            design.recognize(item).map(|id| &design[id]).is_some_and(|entity| entity.keeps_sequences)
        };
        let table = table(self.real.backend.as_ref(), design).await;
        let left: Vec<&Attributes> = table.values().filter(|item| !drawn(item)).collect();
        let right: Vec<&Attributes> = self.case.items.iter().filter(|item| !drawn(item)).collect();
        assert_eq!(left, right, "{}", place());
    }

    /// Asserts that an answer says nothing that the caller must not see.
    pub(super) fn keeps_secrets(&self, answer: &str, place: &dyn Fn() -> String) {
        for secret in &self.secrets {
            assert!(!answer.contains(secret.as_str()), "`{secret}` is told: {}\n{answer}", place());
        }
    }
}

pub(super) fn identity_of(entity: &Entity, attributes: &Attributes) -> Attributes {
    entity.identity.iter().map(|name| (name.clone(), attributes[name].clone())).collect()
}

/// A value like the given one that nobody has.
pub(super) fn never(value: &AttributeValue) -> AttributeValue {
    match value {
        AttributeValue::S(ulid) if ulid.len() == 26 => AttributeValue::S(format!("{}VER", &ulid[..23])),
        AttributeValue::S(uuid) if uuid.len() == 36 => AttributeValue::S(format!("{}fed", &uuid[..33])),
        AttributeValue::S(text) => AttributeValue::S(format!("{text}-never")),
        AttributeValue::N(number) => {
            AttributeValue::N(number.checked_add(&keyfold_dynamo::Number::from(900_u64)).unwrap())
        }
        other => other.clone(),
    }
}

pub(super) fn seen(design: &Design, record: &Record) -> (String, Attributes) {
    (design[record.entity].name.clone(), record.attributes.clone())
}
