//! Plans for writes: which actions on which items, under which guards. A planner reads items, and writes nothing but
//! the numbers that it draws from sequences.

mod ancestry;
mod authorized_write;
mod blind_patch;
mod conditions;
mod create;
mod delete;
mod dependent_actions;
mod dependent_items;
mod generated_ids;
mod guards;
mod merged_records;
mod new_state;
mod patch;
mod permitted;
mod references;
mod replace;
mod sequences;
mod settable;
mod shared_sets;
mod stamps;
mod stored_item;
mod target;
mod transition;

use std::collections::BTreeSet;

use keyfold_design::Design;
use keyfold_design::model::PerEntity;
use keyfold_environment::{Clock, Random};

pub(crate) use self::ancestry::WrittenItem;
pub(crate) use self::authorized_write::AuthorizedWrite;
use self::dependent_items::Dependents;
use self::generated_ids::IdGenerator;
pub(crate) use self::guards::{Compared, Guards, tenant_condition, version_guard};
pub(crate) use self::merged_records::add_other_writes;
use self::new_state::NewState;
use self::patch::Patch;
pub(crate) use self::permitted::require_deletable;
use self::references::References;
pub(crate) use self::references::referenced_identity;
use self::sequences::Sequences;
pub(crate) use self::shared_sets::SharedSets;
pub(crate) use self::target::Targets;
use super::command::Write;
use super::plan::Plan;
use crate::authorize::{Authorizer, Reader};
use crate::caller::Caller;
use crate::error::Error;
use crate::items::Items;
use crate::record::Record;

/// Plans writes of a design.
#[derive(Clone, Copy)]
pub(crate) struct Planner<'r> {
    pub design: &'r Design,
    pub items: Items<'r>,
    pub authorizer: &'r dyn Authorizer,
    pub clock: &'r dyn Clock,
    pub random: &'r dyn Random,
    /// The attributes of each entity that are combined with others, in the order of the entities.
    pub combined_attributes: &'r PerEntity<BTreeSet<String>>,
}

/// The plan of one write, and the record that the write leaves.
pub(crate) struct PlannedWrite {
    pub plan: Plan,
    /// `None` if nothing is left, or if only the backend's response tells what.
    pub record: Option<Record>,
}

/// Each part of a plan has a planner of its own.
impl<'r> Planner<'r> {
    pub(crate) fn targets(&self) -> Targets<'r> {
        Targets { items: self.items, authorizer: self.authorizer }
    }

    pub(crate) fn guards(&self) -> Guards<'r> {
        Guards { items: self.items, combined_attributes: self.combined_attributes }
    }

    pub(crate) fn shared_sets(&self) -> SharedSets<'r> {
        SharedSets { items: self.items }
    }

    fn new_state<'a>(&'a self, reader: Reader<'a>) -> NewState<'a> {
        NewState { clock: self.clock, reader }
    }

    /// What a caller may read of the items that their writes concern.
    pub(crate) fn reader<'a>(&'a self, caller: &'a Caller) -> Reader<'a> {
        Reader { design: self.design, authorizer: self.authorizer, caller }
    }

    fn dependents(&self) -> Dependents<'r> {
        Dependents { items: self.items, clock: self.clock }
    }

    /// Makes a transaction conditional on the ancestors of items that it puts below each other.
    pub(crate) async fn plan_ancestors_within(
        &self,
        plan: &mut Plan,
        written: &[WrittenItem<'_>],
    ) -> Result<(), Error> {
        self.references().plan_ancestors_within(plan, written).await
    }

    fn references(&self) -> References<'r> {
        References { items: self.items }
    }

    fn sequences(&self) -> Sequences<'r> {
        Sequences { items: self.items }
    }

    fn ids(&self) -> IdGenerator<'r> {
        IdGenerator { sequences: self.sequences(), clock: self.clock, random: self.random }
    }
}

impl Planner<'_> {
    /// The plan of one write; `may_be_blind` if a patch may be sent without reading the stored item.
    pub(crate) async fn plan(&self, write: &AuthorizedWrite<'_>, may_be_blind: bool) -> Result<PlannedWrite, Error> {
        let AuthorizedWrite { write, authorized, generated_ids, is_correction } = write;
        match write {
            Write::Create { attributes, .. } => self.plan_create(authorized, attributes.clone(), generated_ids).await,
            // Boxed, since their futures are large and creates have to be fast.
            Write::Put { attributes, .. } => {
                Box::pin(self.plan_replace(authorized, attributes, generated_ids, false)).await
            }
            Write::Upsert { attributes, .. } => {
                Box::pin(self.plan_replace(authorized, attributes, generated_ids, true)).await
            }
            Write::Patch { attributes, options, .. } => {
                let patch = Patch { options, may_be_blind, is_correction: *is_correction };
                Box::pin(self.plan_patch(authorized, attributes.clone(), patch)).await
            }
            Write::Delete { identity, options, .. } => {
                Box::pin(self.plan_delete(authorized, identity.clone(), *options)).await
            }
        }
    }
}
