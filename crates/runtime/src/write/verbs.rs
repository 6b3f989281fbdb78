//! The verbs that write.

use keyfold_design::model::{Entity, IndexKey, Stamp, TenantBinding, Verb};
use keyfold_dynamo::operation::GetItemInput;
use keyfold_dynamo::{AttributeValue, Attributes, Item, Number};

use super::Changes;
use super::action::{Action, Effect, Guard, Meaning};
use super::execute::{Failure, shared};
use super::plan::Plan;
use crate::authorize::{Access, Authorized, authorize};
use crate::caller::Caller;
use crate::error::Error;
use crate::expression::Condition;
use crate::record::{DELETE_MARK, Record, describe_identity, entity_named};
use crate::retry;
use crate::runtime::Runtime;
use crate::tenancy::{Confinement, confinement};

/// One write of a transaction.
#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    /// The item must not exist.
    Create { entity: String, attributes: Attributes },
    /// Creates the item or replaces it; when and by whom it was created stays.
    Put { entity: String, attributes: Attributes },
    /// Creates the item or changes what is given.
    Upsert { entity: String, attributes: Attributes },
    /// Changes an item that must exist; `NULL` takes an attribute away. Identity and changes together.
    Patch { entity: String, attributes: Attributes, options: PatchOptions },
    /// Removes an item that must exist.
    Delete { entity: String, identity: Attributes, options: DeleteOptions },
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PatchOptions {
    /// The version that the caller has seen.
    pub expected_version: Option<u64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeleteOptions {
    pub expected_version: Option<u64>,
    /// Deletes those who refer as well, where the entity's delete rule asks for that.
    pub cascade: bool,
}

impl Write {
    pub(super) fn entity(&self) -> &str {
        match self {
            Self::Create { entity, .. }
            | Self::Put { entity, .. }
            | Self::Upsert { entity, .. }
            | Self::Patch { entity, .. }
            | Self::Delete { entity, .. } => entity,
        }
    }

    fn verb(&self) -> Verb {
        match self {
            Self::Create { .. } => Verb::Create,
            Self::Put { .. } | Self::Upsert { .. } | Self::Patch { .. } => Verb::Update,
            Self::Delete { .. } => Verb::Delete,
        }
    }
}

/// The outcome of planning one write: its actions, and the item it leaves.
pub(super) struct Planned {
    pub plan: Plan,
    /// `None` where only the backend's answer tells, or where nothing is left.
    pub record: Option<Record>,
}

impl Runtime {
    pub async fn create(&self, caller: &Caller, entity: &str, attributes: Attributes) -> Result<Record, Error> {
        self.write_one(caller, Write::Create { entity: entity.to_owned(), attributes }).await
    }

    pub async fn put(&self, caller: &Caller, entity: &str, attributes: Attributes) -> Result<Record, Error> {
        self.write_one(caller, Write::Put { entity: entity.to_owned(), attributes }).await
    }

    pub async fn upsert(&self, caller: &Caller, entity: &str, attributes: Attributes) -> Result<Record, Error> {
        self.write_one(caller, Write::Upsert { entity: entity.to_owned(), attributes }).await
    }

    pub async fn patch(
        &self,
        caller: &Caller,
        entity: &str,
        attributes: Attributes,
        options: PatchOptions,
    ) -> Result<Record, Error> {
        self.write_one(caller, Write::Patch { entity: entity.to_owned(), attributes, options }).await
    }

    async fn write_one(&self, caller: &Caller, write: Write) -> Result<Record, Error> {
        let records = self.transact(caller, vec![write]).await?;
        records.into_iter().next().flatten().ok_or_else(|| Error::Unavailable("the write gave no item".to_owned()))
    }

    /// Several writes, all or nothing; each item as it is then, `None` for deletes.
    pub async fn transact(&self, caller: &Caller, mut writes: Vec<Write>) -> Result<Vec<Option<Record>>, Error> {
        for write in &mut writes {
            self.prepare(caller, write).await?;
        }
        for attempt in 0..retry::ATTEMPTS {
            match self.attempt(caller, &writes).await {
                Ok(records) => return Ok(records),
                Err(failure) => self.recover(failure, attempt).await?,
            }
        }
        Err(Error::Throttled)
    }

    /// The actions of writes, and how many items were read to plan them. Nothing is written.
    pub(crate) async fn plan_only(
        &self,
        caller: &Caller,
        mut writes: Vec<Write>,
    ) -> Result<(usize, Vec<Action>), Error> {
        let mut plan = Plan::default();
        let mut reads = 0;
        let alone = writes.len() == 1;
        for write in &mut writes {
            self.prepare(caller, write).await?;
            let planned = self.plan_write(caller, write, alone).await.map_err(Failure::into_error)?;
            let blind = matches!(write, Write::Create { .. }) || planned.record.is_none();
            reads += usize::from(!blind);
            plan.extend(planned.plan)?;
        }
        Ok((reads, plan.actions))
    }

    /// What is done once, however often the write is planned: ids are drawn and the tenant is bound.
    async fn prepare(&self, caller: &Caller, write: &mut Write) -> Result<(), Error> {
        let entity = entity_named(&self.design, write.entity())?;
        if !entity.is_written_directly() || entity.keeps_sequences {
            return Err(Error::Invalid(format!("{} is kept by Keyfold and cannot be written", entity.name)));
        }
        // Asked before anything is drawn or read: nobody learns anything from a write they may not make.
        authorize(self.authorizer.as_ref(), Access { caller, verb: write.verb(), entity, pattern: None })?;
        if let Write::Create { attributes, .. } | Write::Put { attributes, .. } | Write::Upsert { attributes, .. } =
            write
        {
            self.refuse_foreign(entity, attributes)?;
            attributes.retain(|_, value| *value != AttributeValue::Null);
            confinement(&self.design, caller).bind_new(entity, attributes)?;
            self.generate_ids(entity, attributes).await?;
        }
        Ok(())
    }

    async fn attempt(&self, caller: &Caller, writes: &[Write]) -> Result<Vec<Option<Record>>, Failure> {
        let mut plan = Plan::default();
        let mut records = Vec::with_capacity(writes.len());
        for write in writes {
            let planned = self.plan_write(caller, write, writes.len() == 1).await?;
            plan.extend(planned.plan)?;
            records.push(planned.record);
        }
        let answer = self.execute(plan).await?;
        if let (Some(stored), [None], [write]) = (answer, records.as_slice(), writes) {
            let entity = entity_named(&self.design, write.entity())?;
            records = vec![Some(Record::read(entity, stored)?)];
        }
        Ok(records)
    }

    /// The actions of one write.
    pub(super) async fn plan_write(&self, caller: &Caller, write: &Write, alone: bool) -> Result<Planned, Failure> {
        let entity = entity_named(&self.design, write.entity())?;
        let access = Access { caller, verb: write.verb(), entity, pattern: None };
        let authorized = authorize(self.authorizer.as_ref(), access)?;
        match write {
            Write::Create { attributes, .. } => Ok(self.plan_create(&authorized, attributes.clone())?),
            Write::Put { attributes, .. } => self.plan_replace(&authorized, attributes, false).await,
            Write::Upsert { attributes, .. } => self.plan_replace(&authorized, attributes, true).await,
            Write::Patch { attributes, options, .. } => {
                self.plan_patch(&authorized, attributes.clone(), *options, alone).await
            }
            Write::Delete { identity, options, .. } => self.plan_delete(&authorized, identity.clone(), *options).await,
        }
    }

    fn plan_create(&self, authorized: &Authorized<'_>, mut attributes: Attributes) -> Result<Planned, Error> {
        let entity = authorized.entity();
        self.fill_new(entity, &mut attributes);
        self.stamp(entity, &mut attributes, None, authorized.caller().subject.as_deref());
        self.check_item(entity, &attributes)?;
        authorized.require(&attributes)?;
        let item = self.stored_form(entity, &attributes)?;
        let key = self.key_of(entity, &attributes)?;
        let identity = describe_identity(entity, &attributes);
        let free = Condition::NotExists(self.partition_key().to_owned());
        let meaning = Meaning::Present { entity: entity.name.clone(), identity };
        let mut plan = Plan::default();
        plan.add(Action { key, effect: Effect::Put(item.clone()), guards: vec![Guard::new(free, meaning)] })?;
        self.plan_satellites(&mut plan, entity, None, Some(&attributes))?;
        self.plan_references(&mut plan, entity, None, Some(&attributes))?;
        Ok(Planned { plan, record: Some(Record::read(entity, item)?) })
    }

    /// Put and upsert: what is stored decides whether the item is created or changed.
    async fn plan_replace(
        &self,
        authorized: &Authorized<'_>,
        given: &Attributes,
        merge: bool,
    ) -> Result<Planned, Failure> {
        let entity = authorized.entity();
        let confined = confinement(&self.design, authorized.caller());
        let Some(old) = self.find(entity, given).await? else {
            // An item that is not there is created, which takes the right to do so.
            let access = Access { caller: authorized.caller(), verb: Verb::Create, entity, pattern: None };
            let created = authorize(self.authorizer.as_ref(), access)?;
            return Ok(self.plan_create(&created, given.clone())?);
        };
        if !confined.sees(entity, &old.attributes) || !confined.may_change(entity, &old.attributes) {
            // Another tenant's item has the same key: to this caller it is a key that cannot be used.
            return Err(Failure::Final(exists(entity, given)));
        }
        refuse_change(entity)?;
        let mut new = if merge { old.attributes.clone() } else { self.kept_attributes(entity, &old.attributes) };
        new.extend(given.clone());
        if !merge {
            self.fill_new(entity, &mut new);
        }
        Ok(self.plan_change(authorized, old, new, None)?)
    }

    /// What a put does not replace: counters, since those who refer are still there.
    fn kept_attributes(&self, entity: &Entity, old: &Attributes) -> Attributes {
        old.iter()
            .filter(|(name, _)| self.is_counter(entity, name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    async fn plan_patch(
        &self,
        authorized: &Authorized<'_>,
        mut given: Attributes,
        options: PatchOptions,
        alone: bool,
    ) -> Result<Planned, Failure> {
        let entity = authorized.entity();
        self.refuse_foreign(entity, &given)?;
        refuse_change(entity)?;
        let confined = confinement(&self.design, authorized.caller());
        let missing = not_found(entity, &given);
        if !confined.bind_identity(entity, &mut given) {
            return Err(Failure::Final(missing));
        }
        let identity = identity_of(entity, &given)?;
        if alone
            && !authorized.reads_items()
            && let Some(plan) = self.plan_blind_patch(authorized, &confined, &identity, &given, options)?
        {
            return Ok(Planned { plan, record: None });
        }
        let old = self.find(entity, &identity).await?.filter(|old| confined.sees(entity, &old.attributes));
        let Some(old) = old else { return Err(Failure::Final(missing)) };
        authorized.require(&old.attributes)?;
        if !confined.may_change(entity, &old.attributes) {
            return Err(Failure::Final(shared(&entity.name)));
        }
        let mut new = old.attributes.clone();
        new.extend(given);
        Ok(self.plan_change(authorized, old, new, options.expected_version)?)
    }

    /// A patch that needs nothing of the stored item: every key and rule it touches follows from what is given.
    fn plan_blind_patch(
        &self,
        authorized: &Authorized<'_>,
        confined: &Confinement,
        identity: &Attributes,
        given: &Attributes,
        options: PatchOptions,
    ) -> Result<Option<Plan>, Error> {
        let entity = authorized.entity();
        let changed = |name: &str| given.contains_key(name) && !identity.contains_key(name);
        let known = |name: &str| given.contains_key(name) || identity.contains_key(name);
        if !entity.is_found_by_key() || self.needs_old_item(entity, changed, known) {
            return Ok(None);
        }
        let mut attributes = given.clone();
        self.derive_attributes(entity, &mut attributes);
        for attribute in &entity.attributes {
            match given.get(&attribute.name) {
                Some(AttributeValue::Null) if !attribute.may_be_absent() => {
                    return Err(Error::constraint(
                        attribute.name.clone(),
                        Some(&attribute.name),
                        format!("`{}` of {} is required", attribute.name, entity.name),
                    ));
                }
                Some(AttributeValue::Null) | None => {}
                Some(value) => attribute.check(value)?,
            }
        }
        let mut changes = Changes::default();
        let layout = &entity.layout;
        let whole = layout.compute(|name| attributes.get(name))?;
        for computed in
            layout.computed.iter().filter(|computed| computed.template.attributes().into_iter().any(changed))
        {
            // The other half of an index key is not known here. Where the item is in the index anyway, it stays as it is.
            let mut indexes = layout.index_keys.iter().filter(|key| computed.indexes.contains(&key.index));
            let comes_and_goes = !computed.indexes.is_empty() && indexes.all(IndexKey::is_sparse);
            let value = if comes_and_goes {
                whole.get(&computed.name).cloned()
            } else {
                computed.template.render(|name| attributes.get(name))?
            };
            match value {
                Some(value) => drop(changes.set.insert(computed.name.clone(), value)),
                None => drop(changes.remove.insert(computed.name.clone())),
            }
        }
        for (name, value) in attributes.iter().filter(|(name, _)| !identity.contains_key(*name)) {
            match value {
                AttributeValue::Null => drop(changes.remove.insert(name.clone())),
                value => drop(changes.set.insert(name.clone(), value.clone())),
            }
        }
        self.stamp_changes(entity, &mut changes, authorized.caller());
        let key = self.key_of(entity, identity)?;
        let mut guards = self.presence(entity, identity, confined);
        guards.extend(self.expected(entity, identity, options.expected_version)?);
        let mut plan = Plan::default();
        plan.add(Action { key, effect: Effect::Update(changes), guards })?;
        Ok(Some(plan))
    }

    /// Whether a patch cannot be made without looking at the stored item.
    fn needs_old_item(
        &self,
        entity: &Entity,
        changed: impl Fn(&str) -> bool + Copy,
        known: impl Fn(&str) -> bool + Copy,
    ) -> bool {
        let half_known =
            |names: &[&str]| names.iter().any(|name| changed(name)) && !names.iter().all(|name| known(name));
        let keys = entity.layout.index_keys.iter().any(|index_key| {
            // An entry that may be absent comes and goes as a whole.
            if index_key.is_sparse() {
                let names: Vec<&str> = index_key.parts().flat_map(|part| part.template.attributes()).collect();
                half_known(&names)
            } else {
                index_key.parts().any(|part| half_known(&part.template.attributes()))
            }
        });
        keys || entity.layout.computed.iter().any(|computed| half_known(&computed.template.attributes()))
            || entity.layout.key_attributes().into_iter().any(changed)
            || entity.attributes.iter().any(|attribute| {
                let follows = match &attribute.value_type {
                    keyfold_design::model::AttributeType::Expiry(Some(expiry)) => changed(&expiry.after),
                    _ => attribute.same_as.as_ref().is_some_and(|other| changed(other)),
                };
                follows || (attribute.fixed && changed(&attribute.name))
            })
            || entity.must_hold.iter().any(|rule| rule.expression.variables().iter().any(|name| changed(name)))
            || entity
                .references
                .iter()
                .any(|reference| changed(&reference.attribute) || reference.mapping.iter().any(|(_, own)| changed(own)))
            || self.satellites_depend_on(entity, changed)
    }

    fn stamp_changes(&self, entity: &Entity, changes: &mut Changes, caller: &Caller) {
        if let Some(attribute) = entity.stamp(Stamp::ModifiedAt) {
            let now = AttributeValue::S(crate::clock::timestamp(self.clock.now_ms()));
            changes.set.insert(attribute.name.clone(), now);
        }
        if let (Some(attribute), Some(subject)) = (entity.stamp(Stamp::ModifiedBy), &caller.subject) {
            changes.set.insert(attribute.name.clone(), AttributeValue::S(subject.clone()));
        }
        if let Some(attribute) = entity.version() {
            changes.add_number(&attribute.name, 1);
        }
    }

    /// From a stored item to a new state of it, under the version that was read.
    fn plan_change(
        &self,
        authorized: &Authorized<'_>,
        old: Record,
        mut new: Attributes,
        expected_version: Option<u64>,
    ) -> Result<Planned, Error> {
        let entity = authorized.entity();
        new.retain(|_, value| *value != AttributeValue::Null);
        for attribute in entity.attributes.iter().filter(|attribute| attribute.fixed) {
            let before = old.attributes.get(&attribute.name);
            if before.is_some() && before != new.get(&attribute.name) {
                return Err(Error::constraint(
                    attribute.name.clone(),
                    Some(&attribute.name),
                    format!("`{}` of {} cannot change once it is set", attribute.name, entity.name),
                ));
            }
        }
        self.stamp(entity, &mut new, Some(&old.attributes), authorized.caller().subject.as_deref());
        self.check_item(entity, &new)?;
        authorized.require(&new)?;
        let mut item = self.stored_form(entity, &new)?;
        self.keep_unknown(entity, &old.stored, &mut item);
        let old_key = self.stored_key(&old.stored);
        let new_key = self.key_of(entity, &new)?;
        let confined = confinement(&self.design, authorized.caller());
        let mut guards = self.presence(entity, &old.attributes, &confined);
        guards.extend(self.expected(entity, &old.attributes, expected_version)?);
        guards.extend(self.unchanged(entity, &old));
        let mut plan = Plan::default();
        if old_key == new_key {
            let changes = Changes::between(&old.stored, &item, |name| self.design.is_table_key(name));
            plan.add(Action { key: old_key, effect: Effect::Update(changes), guards })?;
        } else {
            plan.add(Action { key: old_key, effect: Effect::Delete, guards })?;
            let free = Condition::NotExists(self.partition_key().to_owned());
            let meaning = Meaning::Present { entity: entity.name.clone(), identity: describe_identity(entity, &new) };
            plan.add(Action {
                key: new_key,
                effect: Effect::Put(item.clone()),
                guards: vec![Guard::new(free, meaning)],
            })?;
        }
        self.plan_satellites(&mut plan, entity, Some(&old.attributes), Some(&new))?;
        self.plan_references(&mut plan, entity, Some(&old.attributes), Some(&new))?;
        Ok(Planned { plan, record: Some(Record::read(entity, item)?) })
    }

    /// Attributes that the design does not know stay with the item.
    fn keep_unknown(&self, entity: &Entity, stored: &Attributes, item: &mut Attributes) {
        for (name, value) in stored {
            let computed = entity.layout.computed_names().any(|computed| computed == name);
            if entity.attribute(name).is_none() && !computed && !item.contains_key(name) {
                item.insert(name.clone(), value.clone());
            }
        }
    }

    /// The item is there, belongs to the caller's tenant and is not being deleted.
    pub(super) fn presence(&self, entity: &Entity, identity: &Attributes, confined: &Confinement) -> Vec<Guard> {
        let missing =
            || Meaning::Missing { entity: entity.name.clone(), identity: describe_identity(entity, identity) };
        let mut guards = vec![Guard::new(Condition::Exists(self.partition_key().to_owned()), missing())];
        if let (Confinement::Tenant { attribute, .. }, TenantBinding::StoredOptionally) = (confined, entity.tenant) {
            let shared = Meaning::Shared { entity: entity.name.clone() };
            guards.push(Guard::new(Condition::Exists(attribute.clone()), shared));
        }
        guards.extend(confined.guard(entity).map(|condition| Guard::new(condition, missing())));
        if self.can_be_marked(entity) {
            let busy = Meaning::Busy { entity: entity.name.clone(), identity: describe_identity(entity, identity) };
            guards.push(Guard::new(Condition::Absent(DELETE_MARK.to_owned()), busy));
        }
        guards
    }

    /// The version that the caller has seen.
    pub(super) fn expected(
        &self,
        entity: &Entity,
        identity: &Attributes,
        version: Option<u64>,
    ) -> Result<Option<Guard>, Error> {
        let Some(version) = version else { return Ok(None) };
        let attribute = entity.version().ok_or_else(|| {
            Error::Invalid(format!("{} has no version to compare; the design can declare one", entity.name))
        })?;
        let number = Number::parse(&version.to_string()).unwrap_or(Number::ZERO);
        let meaning =
            Meaning::Unexpected { entity: entity.name.clone(), identity: describe_identity(entity, identity) };
        Ok(Some(Guard::new(Condition::Equals(attribute.name.clone(), AttributeValue::N(number)), meaning)))
    }

    /// The item is as it was read: its version, or for an item without one the values read.
    pub(super) fn unchanged(&self, entity: &Entity, old: &Record) -> Vec<Guard> {
        let guard = |name: &str| {
            let condition = match old.stored.get(name) {
                Some(value) => Condition::Equals(name.to_owned(), value.clone()),
                None => Condition::Absent(name.to_owned()),
            };
            Guard::new(condition, Meaning::Changed)
        };
        match entity.version() {
            Some(version) if old.stored.contains_key(&version.name) => vec![guard(&version.name)],
            version => {
                let declared = entity.attributes.iter().filter(|attribute| {
                    // Counters change while others come and go, and nothing is computed from them.
                    attribute.is_stored() && !self.is_counter(entity, &attribute.name)
                });
                let names = declared.map(|attribute| attribute.name.as_str()).filter(|name| {
                    !self.design.is_table_key(name) && version.is_none_or(|version| version.name != *name)
                });
                names.chain(version.map(|version| version.name.as_str())).map(guard).collect()
            }
        }
    }

    /// The newest item of an identity, whoever it belongs to; one that is being deleted counts as gone.
    pub(crate) async fn find(&self, entity: &Entity, attributes: &Attributes) -> Result<Option<Record>, Error> {
        Ok(self.find_even_going(entity, attributes).await?.filter(|record| !record.is_going()))
    }

    pub(super) async fn find_even_going(
        &self,
        entity: &Entity,
        attributes: &Attributes,
    ) -> Result<Option<Record>, Error> {
        if !entity.is_found_by_key() {
            return self.find_by_partition(entity, attributes).await;
        }
        let input = GetItemInput {
            table_name: self.table.clone(),
            key: self.key_of(entity, attributes)?,
            consistent_read: true,
            ..GetItemInput::default()
        };
        let output = self.backend.get_item(input).await?;
        let stored = output.item.map(Item::into_attributes).transpose().map_err(keyfold_dynamo::ServiceError::from)?;
        stored.map(|stored| Record::read(entity, stored)).transpose()
    }

    /// The base key of an item.
    pub(crate) fn key_of(&self, entity: &Entity, attributes: &Attributes) -> Result<Attributes, Error> {
        let key = entity.layout.key(|name| attributes.get(name).filter(|value| **value != AttributeValue::Null))?;
        key.ok_or_else(|| {
            let missing: Vec<&str> =
                entity.layout.key_attributes().into_iter().filter(|name| !attributes.contains_key(*name)).collect();
            Error::Invalid(format!("the key of {} needs {}", entity.name, missing.join(", ")))
        })
    }

    pub(super) fn stored_key(&self, stored: &Attributes) -> Attributes {
        let is_key = |name: &String| self.design.is_table_key(name);
        stored.iter().filter(|(name, _)| is_key(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}

fn refuse_change(entity: &Entity) -> Result<(), Error> {
    if entity.append_only {
        let message = format!("{} is append-only: items cannot be changed", entity.name);
        return Err(Error::constraint("append only", None, message));
    }
    Ok(())
}

/// What identifies an item, out of a larger input.
pub(super) fn identity_of(entity: &Entity, given: &Attributes) -> Result<Attributes, Error> {
    let mut identity = Attributes::new();
    for name in &entity.identity {
        match given.get(name) {
            Some(value) if *value != AttributeValue::Null => identity.insert(name.clone(), value.clone()),
            _ => {
                return Err(Error::Invalid(format!("{} is identified by {}", entity.name, entity.identity.join(", "))));
            }
        };
    }
    Ok(identity)
}

pub(crate) fn not_found(entity: &Entity, identity: &Attributes) -> Error {
    Error::NotFound { entity: entity.name.clone(), identity: describe_identity(entity, identity) }
}

fn exists(entity: &Entity, identity: &Attributes) -> Error {
    Error::Exists { entity: entity.name.clone(), identity: describe_identity(entity, identity) }
}
