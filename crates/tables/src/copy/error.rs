//! Failures of a copy.

use std::path::PathBuf;

use keyfold_dynamo::ServiceError;

use super::Side;
use super::progress_file::ProgressFileError;

#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error("table `{location}` not found")]
    NoSource { location: String },
    #[error("table `{location}` not found; nothing to compare with")]
    NoTarget { location: String },
    #[error("`{location}` is both source and target")]
    SameTable { location: String },
    #[error("the target `{location}` has different keys: {found}; the source has {wanted}")]
    OtherKeys { location: String, found: String, wanted: String },
    #[error("the target `{location}` is not empty")]
    NotEmpty { location: String },
    #[error("the target `{location}` was recreated since the copy began; delete the progress file `{}` to start again", progress_file.display())]
    TargetReplaced { location: String, progress_file: PathBuf },
    #[error("the target `{location}` was deleted since the copy began; delete the progress file `{}` to start again", progress_file.display())]
    TargetGone { location: String, progress_file: PathBuf },
    #[error("the target `{location}` is being deleted")]
    TargetDeleting { location: String },
    #[error(transparent)]
    ProgressFile(#[from] ProgressFileError),
    #[error("`{location}` cannot be read")]
    Reading { location: String, source: ServiceError },
    #[error("`{location}` cannot be written")]
    Writing { location: String, source: ServiceError },
    #[error("`{location}` throttles every write ({attempts} attempts in a row); the copy can be resumed later")]
    WritesThrottled { location: String, attempts: u32 },
    #[error("`{location}` throttles every read ({attempts} attempts in a row)")]
    ReadsThrottled { location: String, attempts: u32 },
    #[error("`{location}` rejects the item {key}")]
    ItemRejected { location: String, key: String, source: ServiceError },
    #[error("an item of `{location}` has no key attribute `{attribute}`")]
    IncompleteKey { location: String, attribute: String },
    #[error("an item of `{location}` cannot be decoded")]
    Undecodable { location: String },
    #[error("stopped; the copy can be resumed later")]
    Stopped,
    #[error("a segment of the copy ended unexpectedly")]
    SegmentLost,
}

impl CopyError {
    pub(super) fn reading(side: &Side, source: ServiceError) -> Self {
        Self::Reading { location: side.location.clone(), source }
    }

    pub(super) fn writing(side: &Side, source: ServiceError) -> Self {
        Self::Writing { location: side.location.clone(), source }
    }

    pub(super) fn undecodable(side: &Side) -> Self {
        Self::Undecodable { location: side.location.clone() }
    }
}
