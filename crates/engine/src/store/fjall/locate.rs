//! Failures of opening a store, with the place and the remedy.

use std::error::Error;
use std::io;
use std::sync::Arc;

use keyfold_environment::error_chain;

use crate::store::{CorruptKind, StoreError, TableFault};

const REMEDY: &str = "list all damage with `keyfold engine check`; restore the folder from a backup, or salvage it with \
                      `keyfold engine repair`";

type Cause = Arc<dyn Error + Send + Sync>;

/// A cause, and what to do about it.
#[derive(Debug, thiserror::Error)]
#[error("{cause}; {remedy}")]
struct WithRemedy {
    cause: String,
    remedy: &'static str,
}

impl WithRemedy {
    fn of(cause: &(dyn Error + 'static), remedy: &'static str) -> Arc<Self> {
        Arc::new(Self { cause: error_chain(cause), remedy })
    }
}

/// Adds file and position to damage that the store has met while it was opened, and the remedy. `find` reads all files,
/// and is called only if the place is not known.
pub(crate) fn locate(error: StoreError, find: impl FnOnce() -> Result<Vec<TableFault>, StoreError>) -> StoreError {
    let StoreError::Corrupt { file: None, source, .. } = error else { return error };
    tracing::warn!("stored data is damaged; all tables are read to find the place, which can take minutes");
    let faults = find().unwrap_or_else(|error| {
        tracing::error!(%error, "the damaged data could not be located");
        Vec::new()
    });
    let first = faults.iter().find(|fault| fault.keys.is_some()).or(faults.first());
    StoreError::Corrupt {
        kind: CorruptKind::Damaged,
        file: first.map(|fault| fault.file.clone()),
        range: first.map(|fault| fault.bytes.clone()),
        source: WithRemedy::of(source.as_ref(), REMEDY),
    }
}

/// Adds the remedy to a failure of the operating system.
pub(crate) fn with_remedy(error: StoreError) -> StoreError {
    let cause = match error {
        StoreError::Full(cause) => {
            let remedy =
                "free disk space; opening needs 64 MiB for a journal, and as much as the journals for their rows";
            return StoreError::Full(WithRemedy::of(cause.as_ref(), remedy));
        }
        StoreError::OutOfDescriptors(cause) => {
            let remedy = "raise the limit of open files (`ulimit -n`, `LimitNOFILE`), or end what holds many";
            return StoreError::OutOfDescriptors(WithRemedy::of(cause.as_ref(), remedy));
        }
        StoreError::Other(cause) => cause,
        error => return error,
    };
    let remedy = match io_kind(cause.as_ref()) {
        Some(io::ErrorKind::PermissionDenied) => {
            "the user of this process needs to read and write every file of the data folder"
        }
        Some(
            io::ErrorKind::NotFound
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::IsADirectory
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::FileTooLarge,
        ) => REMEDY,
        _ => {
            "check the disk; if it does not recover, restore the folder from a backup, or salvage it with `keyfold \
              engine repair`"
        }
    };
    StoreError::Other(WithRemedy::of(cause.as_ref(), remedy))
}

/// The kind of the error of the operating system among the causes, which may be shared.
fn io_kind(error: &(dyn Error + 'static)) -> Option<io::ErrorKind> {
    let shared =
        |error: &'_ (dyn Error + 'static)| Some(error.downcast_ref::<Cause>()?.downcast_ref::<io::Error>()?.kind());
    let kind = |error: &'_ (dyn Error + 'static)| error.downcast_ref().map(io::Error::kind).or_else(|| shared(error));
    std::iter::successors(Some(error), |error| (*error).source()).find_map(kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::fjall::FjallStore;
    use crate::store::fjall::verify::failure;
    use crate::store::{KeyGap, StoreSettings};

    fn fault(file: &str, keys: Option<KeyGap>) -> TableFault {
        TableFault { file: file.into(), bytes: 7..9, keys }
    }

    #[test]
    fn damage_without_a_place_is_located() {
        let error = || StoreError::corrupt(io::Error::other("a checksum is wrong"));
        let remedy = "list all damage with `keyfold engine check`; restore the folder from a backup, or salvage it with \
                      `keyfold engine repair`";
        let found = locate(error(), || Ok(vec![fault("filter", None), fault("rows", Some(KeyGap::ANY))]));
        assert_eq!(error_chain(&found), format!("`rows` is damaged at bytes 7 to 9: a checksum is wrong; {remedy}"));
        let found = locate(error(), || Ok(Vec::new()));
        assert_eq!(error_chain(&found), format!("the stored data is damaged: a checksum is wrong; {remedy}"));
        assert_eq!(locate(StoreError::Locked, || panic!("it is not damaged")).kind(), "locked");
    }

    #[test]
    fn files_that_cannot_be_read_have_a_remedy() {
        let folder = tempfile::tempdir().unwrap();
        drop(FjallStore::open(folder.path(), StoreSettings::default()).unwrap());
        let journal = folder.path().join("0.jnl");
        std::fs::remove_file(&journal).unwrap();
        std::os::unix::fs::symlink("nothing", &journal).unwrap();
        let error = FjallStore::open(folder.path(), StoreSettings::default()).err().unwrap();
        let path = journal.display();
        assert_eq!(
            error_chain(&error),
            format!(
                "`{path}` is not a file of the store: the folder must hold the files of the store alone, and no links, \
                 pipes or folders in their place; move it away, or use another folder"
            )
        );
        let unreadable = failure::<io::Error>(&journal, "read")(io::Error::from_raw_os_error(2));
        assert_eq!(
            error_chain(&with_remedy(unreadable)),
            format!("`{path}` cannot be read: No such file or directory (os error 2); {REMEDY}")
        );
        let failed = |code| {
            let error = failure::<io::Error>(&journal, "written")(io::Error::from_raw_os_error(code));
            error_chain(&with_remedy(error))
        };
        let (full, descriptors) = (failed(28), failed(24));
        let begins =
            format!("the disk is full: `{path}` cannot be written: No space left on device (os error 28); free ");
        assert!(full.starts_with(&begins), "{full}");
        let begins = format!("no more files can be opened: `{path}` cannot be written: Too many open files");
        assert!(descriptors.starts_with(&begins), "{descriptors}");
        assert!(descriptors.contains("; raise the limit of open files"), "{descriptors}");
        let refused = with_remedy(io::Error::from(io::ErrorKind::PermissionDenied).into());
        assert!(error_chain(&refused).ends_with("needs to read and write every file of the data folder"), "{refused}");
    }
}
