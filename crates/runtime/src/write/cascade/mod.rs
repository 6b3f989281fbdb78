//! Deletes, and what they do to those who refer to the item.
//!
//! An item that others may refer to is marked first: from then on nobody can create another that refers to it, so what
//! is found afterwards is all there is. A delete that fits a transaction happens in one. A larger one makes the item
//! invisible, removes those who refer in steps and the item at last; the same call goes on where it stopped.

mod marking;

use std::collections::{BTreeSet, HashMap, HashSet};

use keyfold_design::model::{DeleteRule, Entity, EntityId, OnDelete, Reference, Verb};
use keyfold_dynamo::item::codec;
use keyfold_dynamo::limits::TRANSACTION_ACTIONS;
use keyfold_dynamo::operation::TransactWrite;
use keyfold_dynamo::{AttributeValue, Attributes};

pub(crate) use self::marking::Marked;
use self::marking::deleting;
use crate::authorize::{Access, Authorized, authorize};
use crate::caller::Caller;
use crate::error::Error;
use crate::expression::Condition;
use crate::record::{DELETE_MARK, Record, describe_identity, entity_named};
use crate::retry;
use crate::runtime::Runtime;
use crate::write::executor::Failure;
use crate::write::plan::{Action, Effect, Guard, GuardFailure, Plan};
use crate::write::planner::target_of;
use crate::write::side_writes::{NoSideWrites, SideWrites};
use crate::write::verbs::{DeleteOptions, PlannedWrite, Write};

/// An item to be deleted, and how many of each counter were found to refer to it.
struct PendingDelete<'d> {
    entity: &'d Entity,
    record: Record,
    /// The mark it was given, where others may refer to it.
    mark: Option<AttributeValue>,
    found: Vec<(String, u64)>,
}

/// What goes with an item, while it is being found.
struct Gathered<'d> {
    /// Whether the caller asks for those who refer to be deleted as well.
    cascade: bool,
    /// An earlier call has made the item invisible: its marks are taken over.
    resumed: bool,
    doomed: Vec<PendingDelete<'d>>,
    marked: Vec<Marked>,
    /// An item can be reached by several references.
    seen: HashSet<Vec<u8>>,
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
        self.delete_with(caller, entity, identity, options, &NoSideWrites).await
    }

    /// The same as [`Runtime::delete`], with writes to other tables in the transaction; where the delete takes several
    /// steps, they are part of the last.
    pub async fn delete_with(
        &self,
        caller: &Caller,
        entity: &str,
        identity: Attributes,
        options: DeleteOptions,
        side_writes: &dyn SideWrites,
    ) -> Result<(), Error> {
        let known = entity_named(&self.design, entity)?;
        if !self.can_be_marked(known) {
            let write = Write::Delete { entity: entity.to_owned(), identity, options };
            return self.transact_with(caller, vec![write], side_writes).await.map(|_| ());
        }
        let access = Access { caller, verb: Verb::Delete, entity: known, pattern: None };
        let authorized = authorize(self.authorizer.as_ref(), access)?;
        for attempt in 0..retry::ATTEMPTS {
            let last = side_writes.writes(&[None]);
            match self.delete_referred(&authorized, identity.clone(), options, last).await {
                Ok(()) => return Ok(()),
                Err(failure) => {
                    self.recover(failure, attempt).await.map_err(|error| self.with_visible_item(caller, error))?;
                }
            }
        }
        Err(Error::Throttled)
    }

    /// The references whose items stand in the way of a delete or go with it.
    pub(crate) fn guarded_references<'d>(
        &'d self,
        entity: &'d Entity,
    ) -> impl Iterator<Item = (&'d Entity, &'d Reference)> {
        entity.referenced_by.iter().filter_map(|incoming| {
            let child = self.design.entity(incoming.child)?;
            let reference = child.references.get(incoming.reference)?;
            (reference.on_delete != OnDelete::Ignore).then_some((child, reference))
        })
    }

    fn require_deletable(&self, entity: &Entity) -> Result<(), Error> {
        if entity.append_only || entity.delete == DeleteRule::Never {
            let message = format!("{} cannot be deleted", entity.name);
            return Err(Error::constraint("delete", None, message));
        }
        Ok(())
    }

    /// The delete of an item that nobody refers to, as part of any plan.
    pub(crate) async fn plan_delete(
        &self,
        authorized: &Authorized<'_>,
        mut identity: Attributes,
        options: DeleteOptions,
    ) -> Result<PlannedWrite, Failure> {
        let entity = authorized.entity();
        self.require_deletable(entity)?;
        if self.can_be_marked(entity) {
            return Err(Failure::Final(Error::Invalid(format!(
                "others refer to {}: it is deleted by a call of its own",
                entity.name
            ))));
        }
        let target = self.bind_target(authorized, &mut identity)?;
        let mut guards = self.presence(entity, &target.identity, &target.confined);
        guards.extend(self.expected(entity, &target.identity, options.expected_version)?);
        let needs_item = authorized.reads_items()
            || !entity.is_found_by_key()
            || self.has_dependent_items(entity)
            || entity.references.iter().any(|reference| reference.counted_as.is_some());
        let mut plan = Plan::default();
        if !needs_item {
            let key = self.key_of(entity, &target.identity)?;
            plan.add(Action { key, effect: Effect::Delete, guards })?;
            return Ok(PlannedWrite { plan, record: None });
        }
        let found = self.find(entity, &target.identity).await?;
        let old = self.require_changeable(authorized, target, found)?;
        guards.extend(self.unchanged(entity, &old));
        self.plan_removal(&mut plan, entity, &old, guards).await?;
        Ok(PlannedWrite { plan, record: None })
    }

    /// An item with everything that goes with it.
    async fn plan_removal(
        &self,
        plan: &mut Plan,
        entity: &Entity,
        old: &Record,
        guards: Vec<Guard>,
    ) -> Result<(), Error> {
        plan.add(Action { key: self.stored_key(&old.stored), effect: Effect::Delete, guards })?;
        self.plan_dependent_items(plan, entity, Some(&old.attributes), None)?;
        let mut counters = Plan::default();
        self.plan_references(&mut counters, entity, Some(&old.attributes), None).await?;
        plan.extend(counters)
    }

    async fn delete_referred(
        &self,
        authorized: &Authorized<'_>,
        mut identity: Attributes,
        options: DeleteOptions,
        side_writes: Vec<TransactWrite>,
    ) -> Result<(), Failure> {
        let entity = authorized.entity();
        self.require_deletable(entity)?;
        let target = self.bind_target(authorized, &mut identity)?;
        let expected = self.expected(entity, &target.identity, options.expected_version)?;
        let found = self.find_stored(entity, &target.identity).await?;
        let old = self.require_changeable(authorized, target, found)?;
        let mut gathering = Gathered {
            // What is going already was asked for.
            cascade: old.is_being_deleted() || options.cascade && entity.delete == DeleteRule::CascadeWhenAsked,
            resumed: old.is_being_deleted(),
            doomed: Vec::new(),
            marked: Vec::new(),
            seen: HashSet::new(),
        };
        let outcome = self.delete_gathered(entity, old, expected, side_writes, &mut gathering).await;
        if outcome.is_err() {
            self.unmark(gathering.marked).await;
        }
        outcome
    }

    async fn delete_gathered<'d>(
        &'d self,
        entity: &'d Entity,
        old: Record,
        expected: Option<Guard>,
        side_writes: Vec<TransactWrite>,
        gathering: &mut Gathered<'d>,
    ) -> Result<(), Failure> {
        self.gather(entity, old, expected, gathering).await?;
        self.put_in_order(gathering);
        if gathering.resumed || gathering.doomed.len() > TRANSACTION_ACTIONS {
            return self.delete_in_steps(gathering, side_writes).await;
        }
        let mut plan = Plan::default();
        let keys: Vec<Attributes> = gathering.doomed.iter().map(|item| self.stored_key(&item.record.stored)).collect();
        for item in &gathering.doomed {
            let mut removal = Plan::default();
            self.plan_pending_delete(&mut removal, item).await?;
            // A counter of an item that goes away in the same transaction need not be kept.
            removal.actions.retain(|action| !matches!(action.effect, Effect::Update(_)) || !keys.contains(&action.key));
            plan.extend(removal)?;
        }
        if plan.actions.len() + side_writes.len() > TRANSACTION_ACTIONS {
            return self.delete_in_steps(gathering, side_writes).await;
        }
        plan.side_writes = side_writes;
        self.execute(plan).await.map(|_| ())
    }

    /// Everything that goes with an item. Each is marked before its own are looked for.
    async fn gather<'d>(
        &'d self,
        entity: &'d Entity,
        mut record: Record,
        expected: Option<Guard>,
        gathering: &mut Gathered<'d>,
    ) -> Result<(), Failure> {
        let key = self.stored_key(&record.stored);
        if !gathering.seen.insert(codec::encode(&key)) {
            return Ok(());
        }
        let mut mark = None;
        if self.can_be_marked(entity) {
            if record.is_being_deleted() {
                mark = Some(deleting());
            } else {
                let (marked, own) = self.mark(entity, &record, expected, gathering.resumed).await?;
                gathering.marked.push((key, own.clone()));
                record = marked;
                mark = Some(own);
            }
        }
        for (child, reference) in self.guarded_references(entity) {
            let goes = reference.on_delete == OnDelete::Cascade || gathering.cascade;
            if !goes && self.is_counted(entity, reference, &record) {
                return Err(Failure::Final(referred(entity, &record, child, reference)));
            }
            let limit = if goes { None } else { Some(1) };
            let children = self.referring(child, reference, &record.attributes, limit).await?;
            if !goes && !children.is_empty() {
                return Err(Failure::Final(referred(entity, &record, child, reference)));
            }
            for record in children {
                Box::pin(self.gather(child, record, None, gathering)).await?;
            }
        }
        gathering.doomed.push(PendingDelete { entity, record, mark, found: Vec::new() });
        Ok(())
    }

    /// Those who refer before what they refer to, by whichever reference they were found, and each counter with how many
    /// of those who go it counts.
    fn put_in_order(&self, gathering: &mut Gathered<'_>) {
        let places: HashMap<PlaceName, usize> = gathering
            .doomed
            .iter()
            .enumerate()
            .map(|(place, item)| (place_name(item.entity, &item.record.attributes), place))
            .collect();
        let mut targets: Vec<Vec<usize>> = vec![Vec::new(); gathering.doomed.len()];
        let mut waiting_for = vec![0_usize; gathering.doomed.len()];
        let mut counted: Vec<(usize, String)> = Vec::new();
        for (item, targets) in gathering.doomed.iter().zip(&mut targets) {
            for reference in &item.entity.references {
                let target = self.design.entity(reference.target);
                let Some((target, identity)) = target.zip(target_of(reference, &item.record.attributes)) else {
                    continue;
                };
                let Some(place) = places.get(&place_name(target, &identity)) else { continue };
                targets.push(*place);
                if let Some(count) = waiting_for.get_mut(*place) {
                    *count += 1;
                }
                counted.extend(reference.counted_as.clone().map(|counter| (*place, counter)));
            }
        }
        for item in &mut gathering.doomed {
            item.found = self.counters(item.entity).into_iter().map(|counter| (counter, 0)).collect();
        }
        for (place, counter) in counted {
            let found = gathering.doomed.get_mut(place).map(|item| &mut item.found);
            let count = found.and_then(|found| found.iter_mut().find(|(name, _)| *name == counter));
            if let Some((_, count)) = count {
                *count += 1;
            }
        }
        let mut free: Vec<usize> =
            waiting_for.iter().enumerate().filter(|(_, count)| **count == 0).map(|(place, _)| place).collect();
        let mut rank = vec![usize::MAX; gathering.doomed.len()];
        let mut next = 0;
        while let Some(place) = free.pop() {
            if let Some(rank) = rank.get_mut(place) {
                *rank = next;
            }
            next += 1;
            for target in targets.get(place).into_iter().flatten() {
                if let Some(count) = waiting_for.get_mut(*target) {
                    *count -= 1;
                    if *count == 0 {
                        free.push(*target);
                    }
                }
            }
        }
        let mut ranked: Vec<(usize, PendingDelete<'_>)> = rank.into_iter().zip(gathering.doomed.drain(..)).collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        gathering.doomed.extend(ranked.into_iter().map(|(_, item)| item));
    }

    /// The counters of those who stand in the way of a delete or go with it.
    fn counters(&self, entity: &Entity) -> BTreeSet<String> {
        self.guarded_references(entity).filter_map(|(_, reference)| reference.counted_as.clone()).collect()
    }

    /// Whether the item's counter says that someone refers, which no index has to be asked for.
    fn is_counted(&self, entity: &Entity, reference: &Reference, record: &Record) -> bool {
        let Some(counter) = &reference.counted_as else { return false };
        let sharing = self.guarded_references(entity).filter(|(_, other)| other.counted_as.as_ref() == Some(counter));
        let counted = record.stored.get(counter).and_then(AttributeValue::as_number);
        sharing.count() == 1 && counted.is_some_and(|count| *count > keyfold_dynamo::Number::ZERO)
    }

    /// An item with what goes with it, as it was found: otherwise another look is needed.
    async fn plan_pending_delete(&self, plan: &mut Plan, item: &PendingDelete<'_>) -> Result<(), Error> {
        let mut guards =
            vec![Guard::new(Condition::Exists(self.partition_key().to_owned()), GuardFailure::ChangedSinceRead)];
        match &item.mark {
            // Nobody changes what is marked.
            Some(mark) => {
                guards.push(Guard::new(
                    Condition::Equals(DELETE_MARK.to_owned(), mark.clone()),
                    GuardFailure::ChangedSinceRead,
                ));
            }
            None => guards.extend(self.unchanged(item.entity, &item.record)),
        }
        for (counter, found) in &item.found {
            // A counter above what was found: an index has not caught up yet.
            guards.push(Guard::new(Condition::AtMost(counter.clone(), *found), GuardFailure::ChangedSinceRead));
        }
        self.plan_removal(plan, item.entity, &item.record, guards).await
    }

    /// More than a transaction takes: the item is invisible from now on, and goes last.
    async fn delete_in_steps(
        &self,
        gathering: &mut Gathered<'_>,
        side_writes: Vec<TransactWrite>,
    ) -> Result<(), Failure> {
        // The item itself first, which was the first to be marked: by it the call that is made again finds its way.
        if let (Some(root), false) = (gathering.marked.first(), gathering.resumed) {
            self.hide(std::slice::from_ref(root)).await?;
            gathering.marked.remove(0);
        }
        let marked = std::mem::take(&mut gathering.marked);
        self.hide(&marked).await?;
        let mut step = Plan::default();
        for item in &mut gathering.doomed {
            item.mark = item.mark.take().map(|_| deleting());
            let mut removal = Plan::default();
            self.plan_pending_delete(&mut removal, item).await?;
            if step.actions.len() + removal.actions.len() + side_writes.len() > TRANSACTION_ACTIONS {
                self.execute_step(std::mem::take(&mut step)).await?;
            }
            step.extend(removal)?;
        }
        step.side_writes = side_writes;
        self.execute_step(step).await
    }

    /// A step is sent again while the table is throttled; for anything else another look is needed.
    async fn execute_step(&self, step: Plan) -> Result<(), Failure> {
        let mut attempt = 0;
        loop {
            match self.execute(step.clone()).await {
                Ok(_) => return Ok(()),
                Err(Failure::Again(error)) if *error == Error::Throttled && attempt < retry::ATTEMPTS => {
                    retry::wait(self.clock.as_ref(), self.random.as_ref(), attempt).await;
                    attempt += 1;
                }
                Err(failure) => return Err(failure),
            }
        }
    }
}

/// An item, by its entity and what identifies it.
type PlaceName = (EntityId, Vec<u8>);

fn place_name(entity: &Entity, attributes: &Attributes) -> PlaceName {
    let identity = entity.identity.iter().filter_map(|name| attributes.get_key_value(name));
    (entity.id, codec::encode(&identity.map(|(name, value)| (name.clone(), value.clone())).collect()))
}

/// Why an item cannot be deleted.
fn referred(entity: &Entity, record: &Record, child: &Entity, reference: &Reference) -> Error {
    let message = format!(
        "{} {} cannot be deleted: a {} refers to it with `{}`",
        entity.name,
        describe_identity(entity, &record.attributes),
        child.name,
        reference.attribute
    );
    Error::constraint(format!("{}.{}", child.name, reference.attribute), Some(&reference.attribute), message)
}
