//! Plans for the verbs: which actions, under which guards.

mod ancestry;
mod create;
mod dependent_items;
mod generated_ids;
mod guards;
mod merged_records;
mod new_state;
mod patch;
mod references;
mod replace;
mod sequences;
mod shared_sets;
mod target;
mod transition;

pub(crate) use generated_ids::Purpose;
pub(crate) use merged_records::as_left;
pub(crate) use references::target_of;
pub(crate) use target::WriteTarget;
pub(crate) use transition::require_updatable;
