//! Why two actions on one item cannot be merged.

use super::GuardFailure;

/// Why two actions on one item cannot be merged.
pub(crate) enum MergeError {
    Incompatible,
    /// One puts an item for which the other's guard does not hold.
    GuardFails(GuardFailure),
}
