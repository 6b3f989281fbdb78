//! A data folder that no engine has open: for checks, statistics and repairs, which never change it.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use keyfold_environment::error_chain;

use crate::OpenError;
use crate::catalog::TableDefinition;
use crate::check::{Checker, Finding, OnDamage};
use crate::row_place::gap_text;
use crate::stat::{Stat, stat_of};
use crate::store::{FjallStore, FolderSnapshot, FolderView, RESTORE, StoreError, TableFault, folder_bytes};

/// A data folder. It stays locked against engines until this is dropped.
pub struct DataFolder {
    pub(crate) path: PathBuf,
    pub(crate) view: FolderView,
}

/// How much of the work is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// Bytes or items that were read.
    pub done: u64,
    /// Bytes or items to read.
    pub total: u64,
}

/// A part of a check, or of a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Copying all files; counted in bytes.
    Copy,
    /// Reading the table files; counted in bytes.
    Files,
    /// Comparing items with what is derived from them; counted in items.
    Items,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckReport {
    /// The faults; empty if the folder is sound.
    pub findings: Vec<Finding>,
    /// What an operator should know, although it is not a fault.
    pub notes: Vec<String>,
    /// The number of tables.
    pub tables: usize,
}

impl DataFolder {
    /// Locks a folder and reads what is necessary to find its rows, from damaged files too.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref().to_owned();
        let view = FolderView::open(&path)?;
        Ok(Self { path, view })
    }

    /// The sizes as of the last commit; nothing is scanned.
    pub fn stat(mut self) -> Result<Stat, OpenError> {
        self.view.cut_torn_end();
        if !self.view.faults.is_empty() {
            return Err(self.view.faults.swap_remove(0).into());
        }
        let disk_bytes = folder_bytes(&self.path).map_err(StoreError::from)?;
        stat_of(&FolderSnapshot(Arc::new(self.view)), disk_bytes)
    }

    /// Reads all files, and all rows, and compares what must agree. Goes on after a fault.
    pub fn check(mut self, on_progress: &mut dyn FnMut(Progress)) -> Result<CheckReport, StoreError> {
        let damage = self.read_all(on_progress)?;
        let mut notes: Vec<String> = self.view.cut_torn_end().into_iter().collect();
        let faults = std::mem::take(&mut self.view.faults);
        let mut findings: Vec<Finding> =
            faults.iter().map(|fault| Finding::DamagedFile { text: text(fault) }).collect();
        notes.extend(self.view.torn.iter().map(text));
        // A manifest that cannot be read is among the faults.
        let cuts = FjallStore::unconfirmed_cuts(&self.path).unwrap_or_default();
        if self.view.is_unfinished {
            notes.push(
                "the creation of the store was not finished; it holds nothing, and the next start repeats it"
                    .to_owned(),
            );
        }
        notes.extend(cuts.iter().map(|cut| format!("{cut}; not confirmed yet")));
        notes.extend(self.view.wrong_records.iter().map(|file| wrong_record(&self.path, file)));
        notes.extend(self.view.unreadable_synced.iter().map(|error| {
            format!(
                "{}; without it, the loss of the last commits may go unnoticed; the next start replaces it",
                text(error)
            )
        }));
        let lacks_rows = self.view.lacks_tables || !self.view.holes.is_empty();
        let on_damage = if findings.is_empty() && damage.is_empty() { OnDamage::Fail } else { OnDamage::Skip };
        let snapshot = FolderSnapshot(Arc::new(self.view));
        let tables = definitions(&snapshot)?;
        findings.extend(damage.iter().map(|fault| damaged_block(&self.path, &tables, fault)));
        if lacks_rows {
            notes.push("the rows were not compared with each other, because commits or tables are lost".to_owned());
        } else {
            let mut on_items =
                |done: u64, total: u64| on_progress(Progress { stage: Stage::Items, done: done.min(total), total });
            let mut checker = Checker::new(&snapshot, on_damage, &mut on_items);
            checker.check_rows()?;
            findings.append(&mut checker.findings);
            notes.append(&mut checker.notes);
        }
        Ok(CheckReport { findings, notes, tables: tables.len() })
    }

    /// Reads every table file.
    pub(crate) fn read_all(&mut self, on_progress: &mut dyn FnMut(Progress)) -> Result<Vec<TableFault>, StoreError> {
        let (mut done, total) = (0, self.view.table_bytes());
        self.view.check_tables(&mut |bytes| {
            done += bytes;
            on_progress(Progress { stage: Stage::Files, done: done.min(total), total });
            ControlFlow::Continue(())
        })
    }
}

/// The definitions of tables that can be read.
pub(crate) fn definitions(snapshot: &FolderSnapshot) -> Result<Vec<TableDefinition>, StoreError> {
    let mut tables = Vec::new();
    for row in snapshot.0.rows(crate::rows::layout::all_table_records()) {
        match row {
            Ok(row) => tables.extend(row.value.and_then(|value| crate::catalog::decode_definition(&value).ok())),
            Err(StoreError::Corrupt { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(tables)
}

fn wrong_record(folder: &Path, file: &Path) -> String {
    format!(
        "`{}` is whole, but the store recorded a wrong checksum of it, because the disk took only a part of a large \
         write (a short write); nothing is lost, and the note ends when the file is merged with others",
        file.strip_prefix(folder).unwrap_or(file).display()
    )
}

fn damaged_block(folder: &Path, tables: &[TableDefinition], fault: &TableFault) -> Finding {
    let file = fault.file.strip_prefix(folder).unwrap_or(&fault.file).to_owned();
    let rows = fault.keys.as_ref().map(|keys| gap_text(tables, keys));
    Finding::DamagedBlock { file, bytes: fault.bytes.clone(), rows }
}

/// An error with its causes. What to do about it depends on the command.
pub(crate) fn text(error: &StoreError) -> String {
    let text = error_chain(error);
    text.split_once(&format!("; {RESTORE}")).map_or(text.as_str(), |(cause, _)| cause).to_owned()
}
