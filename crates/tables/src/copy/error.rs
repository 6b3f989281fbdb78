//! Why a copy did not come to its end.

use std::path::PathBuf;

use keyfold_dynamo::ServiceError;

use super::Side;
use super::journal::JournalError;

#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error("there is no table `{place}`")]
    NoSource { place: String },
    #[error("there is no table `{place}` to compare with")]
    NoTarget { place: String },
    #[error("`{place}` is both source and target")]
    SameTable { place: String },
    #[error("the target `{place}` has other keys: {found}; the source has {wanted}")]
    OtherKeys { place: String, found: String, wanted: String },
    #[error("the target `{place}` is not empty")]
    NotEmpty { place: String },
    #[error("the target `{place}` was made anew since the copy began; delete the journal `{}` to begin again", journal.display())]
    TargetReplaced { place: String, journal: PathBuf },
    #[error("the target `{place}` has gone since the copy began; delete the journal `{}` to begin again", journal.display())]
    TargetGone { place: String, journal: PathBuf },
    #[error("the target `{place}` is being deleted")]
    TargetDeleting { place: String },
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("`{place}` cannot be read")]
    Reading { place: String, source: ServiceError },
    #[error("`{place}` cannot be written")]
    Writing { place: String, source: ServiceError },
    #[error("`{place}` puts off every write ({attempts} attempts in a row); the copy can go on later")]
    PutOff { place: String, attempts: u32 },
    #[error("`{place}` puts off every read ({attempts} attempts in a row)")]
    ReadsPutOff { place: String, attempts: u32 },
    #[error("`{place}` refuses the item {key}")]
    ItemRefused { place: String, key: String, source: ServiceError },
    #[error("an item of `{place}` cannot be decoded")]
    Undecodable { place: String },
    #[error("stopped; the copy can go on later")]
    Stopped,
    #[error("a segment of the copy ended unexpectedly")]
    Lost,
}

impl CopyError {
    pub(super) fn reading(side: &Side, source: ServiceError) -> Self {
        Self::Reading { place: side.place.clone(), source }
    }

    pub(super) fn writing(side: &Side, source: ServiceError) -> Self {
        Self::Writing { place: side.place.clone(), source }
    }

    pub(super) fn undecodable(side: &Side) -> Self {
        Self::Undecodable { place: side.place.clone() }
    }
}
