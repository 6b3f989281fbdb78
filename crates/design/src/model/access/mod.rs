//! What each access pattern means, as data: the key conditions of its queries, the partitions it reads, whose items it
//! returns, where they come from and what a cursor is made of.
//!
//! A plan is computed once, when a design is built. The runtime executes it; `explain`, the documents, OpenAPI and the
//! generators render it. None of them works out a bound, a filter or an extra read by itself.

mod further_read;
mod key_condition;
mod paging;
mod partitions;
mod plan;
mod tenant;

pub use super::sort_range::SortRange;
pub use further_read::{FurtherRead, PartitionSearch, SortPrefix};
pub use key_condition::{KeyArguments, KeyEquality, KeyValue, RenderedSort, SortBound, above_separator, end_of_prefix};
pub use paging::{DEFAULT_PAGE_SIZE, READ_AHEAD, ReadAhead};
pub use partitions::PartitionSet;
pub use plan::{AccessParameter, AccessPlan, AccessResult, ItemSource, OtherItems};
pub use tenant::TenantCondition;

/// The attribute of Keyfold's own that marks an item while it is being deleted; readers never see it.
pub const DELETION_MARK: &str = "kf_delete";

/// The mark of an item that counts as deleted: patterns leave it out.
pub const DELETING: &str = "deleting";
