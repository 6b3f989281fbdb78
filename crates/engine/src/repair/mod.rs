//! The repair of a damaged data folder: every row that can be read goes to a new folder, and what is lost is listed.
//!
//! The newest readable version of each item is kept. Where damage may hide a newer version, or the deletion of the
//! item, the item is listed as one that may be older: nothing old or deleted comes back silently. Index rows, expiries
//! and counts are made anew from the items.

mod inference;
mod loss;
mod rebuild;
mod records;

pub use self::loss::{Loss, UncertainItem};

use std::io;
use std::path::Path;
use std::sync::Arc;

use self::rebuild::Rebuild;
use crate::OpenError;
use crate::data_folder::{DataFolder, Progress, definitions, text};
use crate::new_folder::{Draft, NewFolderError};
use crate::row_place::gap_text;
use crate::store::{FjallStore, FolderSnapshot, FolderView, StoreError, StoreSettings};

/// The result of a repair.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RepairReport {
    /// The tables of the new folder, by name.
    pub tables: Vec<RepairedTable>,
    /// What could not be salvaged.
    pub losses: Vec<Loss>,
}

/// A table of the new folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepairedTable {
    /// Its name.
    pub name: String,
    /// The number of items.
    pub items: u64,
    /// How many of them may be older than the last write, or deleted.
    pub uncertain: u64,
    /// Whether the definition itself may be older, or the table deleted.
    pub is_uncertain: bool,
}

/// Why a folder could not be repaired.
#[derive(Debug, thiserror::Error)]
pub enum RepairError {
    /// The new folder cannot be made, or is not sound.
    #[error(transparent)]
    New(#[from] NewFolderError),
    /// The old folder cannot be read, or the new one not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Another version of Keyfold wrote the data.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The list of items that may be older cannot be written.
    #[error("the list of items that may be older cannot be written")]
    List(#[source] io::Error),
}

impl DataFolder {
    /// Writes everything that can be read to a new folder, which must not exist, or be empty. `list` gets every item
    /// that may be older than its last write. The old folder is not changed.
    pub fn repair(
        mut self,
        to: &Path,
        list: &mut dyn FnMut(UncertainItem) -> io::Result<()>,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<RepairReport, RepairError> {
        let draft = Draft::of(to, &self.path)?;
        let damage = self.read_all(on_progress)?;
        self.view.fill_gaps();
        let mut losses = file_losses(&self.view);
        let view = Arc::new(self.view);
        let tables = definitions(&FolderSnapshot(Arc::clone(&view)))?;
        losses.extend(damage.iter().map(|fault| Loss::Rows {
            file: fault.file.clone(),
            bytes: fault.bytes.clone(),
            rows: fault.keys.as_ref().map(|keys| gap_text(&tables, keys)),
        }));
        let mut report = write(&view, draft.path(), list)?;
        draft.finish(&mut |_| {})?;
        losses.append(&mut report.losses);
        Ok(RepairReport { losses, ..report })
    }
}

/// What the files lack, except for blocks of tables.
fn file_losses(view: &FolderView) -> Vec<Loss> {
    let holes = view.holes.iter().map(|hole| Loss::Commits {
        journal: hole.journal.clone(),
        bytes: hole.bytes.clone(),
        at_most: hole.behind.zip(hole.before).map(|(behind, before)| behind.saturating_sub(before + 1)),
        was_acknowledged: !view.is_torn_end(hole),
    });
    // A hole says more than the fault of its bytes.
    let others = view.faults.iter().filter(|fault| !view.holes.iter().any(|hole| hole.is_cause_of(fault)));
    let loss = |fault: &StoreError| match view.is_replaceable(fault) {
        true => Loss::Replaceable { text: text(fault) },
        false => Loss::File { text: text(fault) },
    };
    holes.chain(others.map(loss)).collect()
}

fn write(
    view: &Arc<FolderView>,
    draft: &Path,
    list: &mut dyn FnMut(UncertainItem) -> io::Result<()>,
) -> Result<RepairReport, RepairError> {
    let store = FjallStore::open(draft, StoreSettings::default())?;
    let mut rebuild = Rebuild::new(&store, view, list);
    rebuild.records()?;
    rebuild.items()?;
    rebuild.finish()
}
