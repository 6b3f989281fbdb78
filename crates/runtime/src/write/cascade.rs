//! Deletes, and what they do to those who refer to the item.
//!
//! An item that others may refer to is marked first: from then on nobody can create another that refers to it, so what
//! is found afterwards is all there is. A delete that fits a transaction happens in one. A larger one makes the item
//! invisible, removes those who refer in steps and the item at last; the same call goes on where it stopped.

use keyfold_design::model::{DeleteRule, Entity, OnDelete, Reference, Verb};
use keyfold_dynamo::limits::TRANSACTION_ACTIONS;
use keyfold_dynamo::{AttributeValue, Attributes};

use super::Changes;
use super::action::{Action, Effect, Guard, Meaning};
use super::execute::Failure;
use super::neighbours::target_of;
use super::plan::Plan;
use super::verbs::{DeleteOptions, Planned, Write, identity_of, not_found};
use crate::authorize::{Access, Authorized, authorize};
use crate::caller::Caller;
use crate::error::Error;
use crate::expression::Condition;
use crate::record::{DELETE_MARK, Record, describe_identity, entity_named};
use crate::retry;
use crate::runtime::Runtime;
use crate::tenancy::confinement;

/// A mark that only looks for those who refer is forgotten after so long: whoever set it is gone.
const STALE_MARK_MS: u64 = 30_000;

/// An item to be deleted, and how many of each counter were found to refer to it.
struct Doomed<'d> {
    entity: &'d Entity,
    record: Record,
    found: Vec<(String, u64)>,
}

impl Runtime {
    /// Removes an item that must exist.
    pub async fn delete(
        &self,
        caller: &Caller,
        entity: &str,
        identity: Attributes,
        options: DeleteOptions,
    ) -> Result<(), Error> {
        let known = entity_named(&self.design, entity)?;
        if !self.can_be_marked(known) {
            let write = Write::Delete { entity: entity.to_owned(), identity, options };
            return self.transact(caller, vec![write]).await.map(|_| ());
        }
        let access = Access { caller, verb: Verb::Delete, entity: known, pattern: None };
        let authorized = authorize(self.authorizer.as_ref(), access)?;
        for attempt in 0..retry::ATTEMPTS {
            match self.delete_referred(&authorized, identity.clone(), options).await {
                Ok(()) => return Ok(()),
                Err(Failure::Final(error)) => return Err(error),
                Err(Failure::Again(error)) if attempt + 1 == retry::ATTEMPTS => return Err(*error),
                Err(Failure::Again(_)) => {
                    let write = Write::Delete { entity: entity.to_owned(), identity: identity.clone(), options };
                    self.clear_stale_marks(&[write]).await?;
                    retry::wait(self.clock.as_ref(), self.random.as_ref(), attempt).await;
                }
            }
        }
        Err(Error::Throttled)
    }

    /// The references whose items stand in the way of a delete or go with it.
    pub(super) fn guarded_references<'d>(
        &'d self,
        entity: &'d Entity,
    ) -> impl Iterator<Item = (&'d Entity, &'d Reference)> {
        entity.referenced_by.iter().filter_map(|incoming| {
            let child = self.design.entity(incoming.child)?;
            let reference = child.references.get(incoming.reference)?;
            (reference.on_delete != OnDelete::Ignore).then_some((child, reference))
        })
    }

    fn refuse_delete(&self, entity: &Entity) -> Result<(), Error> {
        if entity.append_only || entity.delete == DeleteRule::Never {
            let message = format!("{} cannot be deleted", entity.name);
            return Err(Error::constraint("delete", None, message));
        }
        Ok(())
    }

    /// The delete of an item that nobody refers to, as part of any plan.
    pub(super) async fn plan_delete(
        &self,
        authorized: &Authorized<'_>,
        mut identity: Attributes,
        options: DeleteOptions,
    ) -> Result<Planned, Failure> {
        let entity = authorized.entity();
        self.refuse_delete(entity)?;
        if self.can_be_marked(entity) {
            return Err(Failure::Final(Error::Invalid(format!(
                "others refer to {}: it is deleted by a call of its own",
                entity.name
            ))));
        }
        let confined = confinement(&self.design, authorized.caller());
        let missing = not_found(entity, &identity);
        if !confined.bind_identity(entity, &mut identity) {
            return Err(Failure::Final(missing));
        }
        let identity = identity_of(entity, &identity)?;
        let mut guards = self.presence(entity, &identity, &confined);
        guards.extend(self.expected(entity, &identity, options.expected_version)?);
        let needs_item = authorized.reads_items()
            || !entity.is_found_by_key()
            || self.has_satellites(entity)
            || entity.references.iter().any(|reference| reference.counted_as.is_some());
        let mut plan = Plan::default();
        if !needs_item {
            let key = self.key_of(entity, &identity)?;
            plan.add(Action { key, effect: Effect::Delete, guards })?;
            return Ok(Planned { plan, record: None });
        }
        let old = self.find(entity, &identity).await?.filter(|old| confined.sees(entity, &old.attributes));
        let Some(old) = old else { return Err(Failure::Final(missing)) };
        authorized.require(&old.attributes)?;
        if !confined.may_change(entity, &old.attributes) {
            return Err(Failure::Final(Error::NotAllowed(format!("this {} belongs to all tenants", entity.name))));
        }
        guards.extend(self.unchanged(entity, &old));
        self.plan_removal(&mut plan, entity, &old, guards)?;
        Ok(Planned { plan, record: None })
    }

    /// An item with everything that goes with it.
    fn plan_removal(&self, plan: &mut Plan, entity: &Entity, old: &Record, guards: Vec<Guard>) -> Result<(), Error> {
        plan.add(Action { key: self.stored_key(&old.stored), effect: Effect::Delete, guards })?;
        self.plan_satellites(plan, entity, Some(&old.attributes), None)?;
        let mut counters = Plan::default();
        self.plan_references(&mut counters, entity, Some(&old.attributes), None)?;
        plan.extend(counters)
    }

    async fn delete_referred(
        &self,
        authorized: &Authorized<'_>,
        mut identity: Attributes,
        options: DeleteOptions,
    ) -> Result<(), Failure> {
        let entity = authorized.entity();
        self.refuse_delete(entity)?;
        let confined = confinement(&self.design, authorized.caller());
        let missing = not_found(entity, &identity);
        if !confined.bind_identity(entity, &mut identity) {
            return Err(Failure::Final(missing));
        }
        let identity = identity_of(entity, &identity)?;
        let old = self.find_even_going(entity, &identity).await?;
        let Some(old) = old.filter(|old| confined.sees(entity, &old.attributes)) else {
            return Err(Failure::Final(missing));
        };
        authorized.require(&old.attributes)?;
        if !confined.may_change(entity, &old.attributes) {
            return Err(Failure::Final(Error::NotAllowed(format!("this {} belongs to all tenants", entity.name))));
        }
        let expected = self.expected(entity, &identity, options.expected_version)?;
        let mut marked = Vec::new();
        let outcome = self.delete_marked(entity, old, expected, options.cascade, &mut marked).await;
        if outcome.is_err() {
            for (key, mark) in marked {
                self.unmark(key, mark).await?;
            }
        }
        outcome
    }

    async fn delete_marked(
        &self,
        entity: &Entity,
        old: Record,
        expected: Option<Guard>,
        cascade: bool,
        marked: &mut Vec<(Attributes, AttributeValue)>,
    ) -> Result<(), Failure> {
        let cascade = cascade && entity.delete == DeleteRule::CascadeWhenAsked;
        let root_key = self.stored_key(&old.stored);
        let going = old.is_going();
        let mut doomed = Vec::new();
        self.gather(entity, old, expected, cascade, &mut doomed, marked).await?;
        let mut plan = Plan::default();
        for item in &doomed {
            self.plan_doomed(&mut plan, item, &doomed)?;
        }
        if plan.actions.len() <= TRANSACTION_ACTIONS && !going {
            return self.execute(plan).await.map(|_| ());
        }
        self.delete_in_steps(&root_key, doomed, marked).await
    }

    /// Everything that goes with an item, those who refer before what they refer to. Each is marked before its own
    /// are looked for.
    async fn gather<'d>(
        &'d self,
        entity: &'d Entity,
        record: Record,
        expected: Option<Guard>,
        cascade: bool,
        doomed: &mut Vec<Doomed<'d>>,
        marked: &mut Vec<(Attributes, AttributeValue)>,
    ) -> Result<(), Failure> {
        if self.can_be_marked(entity) && !record.is_going() {
            marked.push(self.mark(entity, &record, expected).await?);
        }
        let mut found = Vec::new();
        for (child, reference) in self.guarded_references(entity) {
            let goes = reference.on_delete == OnDelete::Cascade || cascade;
            let limit = if goes { None } else { Some(1) };
            let children = self.referring(child, reference, &record.attributes, limit).await?;
            if !goes && !children.is_empty() {
                let message = format!(
                    "{} {} cannot be deleted: a {} refers to it with `{}`",
                    entity.name,
                    describe_identity(entity, &record.attributes),
                    child.name,
                    reference.attribute
                );
                let name = format!("{}.{}", child.name, reference.attribute);
                return Err(Failure::Final(Error::constraint(name, Some(&reference.attribute), message)));
            }
            if let Some(counter) = &reference.counted_as {
                found.push((counter.clone(), children.len() as u64));
            }
            for record in children {
                Box::pin(self.gather(child, record, None, cascade, doomed, marked)).await?;
            }
        }
        doomed.push(Doomed { entity, record, found });
        Ok(())
    }

    fn plan_doomed(&self, plan: &mut Plan, item: &Doomed<'_>, all: &[Doomed<'_>]) -> Result<(), Error> {
        let gone = || Meaning::Missing {
            entity: item.entity.name.clone(),
            identity: describe_identity(item.entity, &item.record.attributes),
        };
        let mut guards = vec![Guard::new(Condition::Exists(self.partition_key().to_owned()), gone())];
        for (counter, found) in &item.found {
            // A counter above what was found: an index has not caught up yet.
            guards.push(Guard::new(Condition::AtMost(counter.clone(), *found), Meaning::Changed));
        }
        let mut removal = Plan::default();
        self.plan_removal(&mut removal, item.entity, &item.record, guards)?;
        // A counter of an item that goes away in the same transaction need not be kept.
        let keys: Vec<Attributes> = all.iter().map(|other| self.stored_key(&other.record.stored)).collect();
        removal.actions.retain(|action| !matches!(action.effect, Effect::Update(_)) || !keys.contains(&action.key));
        plan.extend(removal)
    }

    /// More than a transaction takes: the item is invisible from now on, and goes last.
    async fn delete_in_steps(
        &self,
        root_key: &Attributes,
        doomed: Vec<Doomed<'_>>,
        marked: &mut Vec<(Attributes, AttributeValue)>,
    ) -> Result<(), Failure> {
        let mut changes = Changes::default();
        changes.set.insert(DELETE_MARK.to_owned(), AttributeValue::S("deleting".to_owned()));
        let exists = Condition::Exists(self.partition_key().to_owned());
        let mut plan = Plan::default();
        plan.add(Action {
            key: root_key.clone(),
            effect: Effect::Update(changes),
            guards: vec![Guard::new(exists, Meaning::Changed)],
        })?;
        self.execute(plan).await?;
        // From here on the marks stay: the call that is made again finds its way by them.
        marked.clear();
        let mut step = Plan::default();
        for item in &doomed {
            let mut removal = Plan::default();
            self.plan_step(&mut removal, item)?;
            if step.actions.len() + removal.actions.len() > TRANSACTION_ACTIONS {
                self.execute_stubbornly(std::mem::take(&mut step)).await?;
            }
            step.extend(removal)?;
        }
        self.execute_stubbornly(step).await
    }

    /// An item of a stepwise delete: whoever is deleted twice is deleted once.
    fn plan_step(&self, plan: &mut Plan, item: &Doomed<'_>) -> Result<(), Error> {
        let mut guards = Vec::new();
        for (counter, found) in &item.found {
            guards.push(Guard::new(Condition::AtMost(counter.clone(), *found), Meaning::Changed));
        }
        self.plan_removal(plan, item.entity, &item.record, guards)
    }

    async fn execute_stubbornly(&self, plan: Plan) -> Result<(), Failure> {
        let mut attempt = 0;
        loop {
            match self.execute(plan.clone()).await {
                Ok(_) => return Ok(()),
                Err(Failure::Again(_)) if attempt < retry::ATTEMPTS => {
                    retry::wait(self.clock.as_ref(), self.random.as_ref(), attempt).await;
                    attempt += 1;
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    async fn mark(
        &self,
        entity: &Entity,
        record: &Record,
        expected: Option<Guard>,
    ) -> Result<(Attributes, AttributeValue), Failure> {
        let mut token = [0; 8];
        self.random.fill(&mut token);
        let text = format!("checking {} {:016x}", self.clock.now_ms(), u64::from_be_bytes(token));
        let mark = AttributeValue::S(text);
        let mut changes = Changes::default();
        changes.set.insert(DELETE_MARK.to_owned(), mark.clone());
        let identity = describe_identity(entity, &record.attributes);
        let missing = Meaning::Missing { entity: entity.name.clone(), identity: identity.clone() };
        let busy = Meaning::Busy { entity: entity.name.clone(), identity };
        let mut guards = vec![
            Guard::new(Condition::Exists(self.partition_key().to_owned()), missing),
            Guard::new(Condition::Absent(DELETE_MARK.to_owned()), busy),
        ];
        guards.extend(expected);
        let key = self.stored_key(&record.stored);
        let mut plan = Plan::default();
        plan.add(Action { key: key.clone(), effect: Effect::Update(changes), guards })?;
        self.execute(plan).await?;
        Ok((key, mark))
    }

    async fn unmark(&self, key: Attributes, mark: AttributeValue) -> Result<(), Failure> {
        let mut changes = Changes::default();
        changes.remove.insert(DELETE_MARK.to_owned());
        let own = Condition::Equals(DELETE_MARK.to_owned(), mark);
        let mut plan = Plan::default();
        plan.add(Action { key, effect: Effect::Update(changes), guards: vec![Guard::new(own, Meaning::Changed)] })?;
        match self.execute(plan).await {
            // Not ours any more, or gone.
            Ok(_) | Err(Failure::Again(_)) => Ok(()),
            Err(failure) => Err(failure),
        }
    }

    /// Takes away marks whose process is gone, from the items that the writes touch.
    pub(super) async fn clear_stale_marks(&self, writes: &[Write]) -> Result<(), Error> {
        for write in writes {
            let entity = entity_named(&self.design, write.entity())?;
            let (Write::Create { attributes, .. }
            | Write::Put { attributes, .. }
            | Write::Upsert { attributes, .. }
            | Write::Patch { attributes, .. }
            | Write::Delete { identity: attributes, .. }) = write;
            let mut places = vec![(entity, attributes.clone())];
            for reference in &entity.references {
                if let (Some(target), Some(identity)) =
                    (self.design.entity(reference.target), target_of(reference, attributes))
                {
                    places.push((target, identity));
                }
            }
            for (entity, identity) in places.into_iter().filter(|(entity, _)| self.can_be_marked(entity)) {
                let Ok(Some(record)) = self.find_even_going(entity, &identity).await else { continue };
                let Some(mark) = record.stored.get(DELETE_MARK) else { continue };
                if self.is_stale(mark) {
                    let outcome = self.unmark(self.stored_key(&record.stored), mark.clone()).await;
                    if let Err(Failure::Final(error)) = outcome {
                        return Err(error);
                    }
                }
            }
        }
        Ok(())
    }

    fn is_stale(&self, mark: &AttributeValue) -> bool {
        let mut words = mark.as_str().unwrap_or_default().split(' ');
        words.next() == Some("checking")
            && words
                .next()
                .and_then(|set| set.parse::<u64>().ok())
                .is_none_or(|set| set.saturating_add(STALE_MARK_MS) < self.clock.now_ms())
    }
}
