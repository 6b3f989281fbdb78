//! A data folder as its files say, without a store: for checks, which change nothing, and for repairs, which read
//! behind damage.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::data_block;
use super::fault::{Fault, FaultLoss, unreadable};
use super::folder::journal_name;
use super::folder::{CURRENT, Folder, Journal, KEYSPACE_LIST, KEYSPACES, Keyspace, MARKER, is_ignored};
use super::journal_end::KnownCommits;
use super::journal_survey::{self, Hole};
use super::journals::TornCommit;
use super::lock::{FileLock, FolderLock};
use super::merge::MergedRows;
use super::table_file::{OpenTable, RowPart, TableFile};
use super::version::{self, TableReference};
use super::{Condition, MARKER_CONTENT, inspect_store, is_replaced, marks_keyspace};
use crate::store::fjall::commit_mark::CommitMark;
use crate::store::fjall::manifest::{Cut, Manifest};
use crate::store::fjall::synced_mark::{self, SYNCED};
use crate::store::{CorruptKind, KeyGap, KeyRange, OnRead, RowIterator, Snapshot, StoreError, TableFault};

/// The name of the keyspace that holds the engine's rows, and its number if the list of keyspaces is lost.
const ROWS: &[u8] = b"rows";
const ROWS_ID: u64 = 1;
/// Rows of this kind give the name of a keyspace by its number.
const KEYSPACE_NAME: u8 = b'n';

/// The files of a data folder, which stays locked and is not changed.
pub(crate) struct View {
    _locks: (FolderLock, FileLock),
    /// The tables of all keyspaces.
    files: Vec<TableFile>,
    /// The tables of the rows.
    tables: Vec<Arc<OpenTable>>,
    /// The rows that no table has yet, with their sequence numbers.
    journal: BTreeMap<Vec<u8>, (u64, Option<Vec<u8>>)>,
    journals: Vec<Journal>,
    /// What the other files know of the last commits.
    known: KnownCommits,
    /// The keyspace of the rows.
    rows_id: u64,
    gaps: Vec<HiddenRows>,
    /// All versions of rows in gaps from this sequence number on are in the journal; see [`Self::fill_gaps`].
    complete_from: Option<u64>,
    /// Commits that are lost, and are in no table.
    pub holes: Vec<Hole>,
    /// What is wrong with the files, except for the blocks of tables.
    pub faults: Vec<StoreError>,
    /// The last commit, if it was torn. Opening the folder cuts it off.
    pub torn: Option<StoreError>,
    /// What opening will cut off the newest journal.
    pending_cut: Option<TornCommit>,
    /// Whether the creation of the store was cut off. Opening repeats it.
    pub is_unfinished: bool,
    /// Whether a whole table, or the list of them, is lost.
    pub lacks_tables: bool,
    /// The sequence number of the first commit in the journals.
    first_sequence: Option<u64>,
    /// The highest number of a commit, in journals and tables.
    last_number: Option<u64>,
    /// Whether the tables with the numbers of commits are damaged.
    lacks_marks: bool,
    /// Whole tables whose recorded checksum is wrong, because of a short write.
    pub wrong_records: Vec<PathBuf>,
    /// Why the number of the last synced commit cannot be read.
    pub unreadable_synced: Option<StoreError>,
}

/// The newest readable version of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ViewedRow {
    pub key: Vec<u8>,
    /// `None` if the row is removed.
    pub value: Option<Vec<u8>>,
    /// Whether damage may hide a newer version.
    pub may_be_older: bool,
}

/// Rows that may be hidden by damage.
struct HiddenRows {
    keys: KeyGap,
    /// Hidden rows are not newer than this.
    highest_sequence: u64,
}

impl View {
    /// Locks the folder and reads the ends of its tables and its journals. Fails only if the folder is in use, or
    /// cannot be read at all.
    pub(crate) fn open(path: &Path) -> Result<Self, StoreError> {
        let locks = (FolderLock::take(path)?, FileLock::take(path)?);
        let folder = Folder::list(path)?.ok_or_else(|| Fault::Missing.of_file(path.join(MARKER)))?;
        let mut view = Self {
            _locks: locks,
            files: Vec::new(),
            tables: Vec::new(),
            journal: BTreeMap::new(),
            journals: Vec::new(),
            known: KnownCommits::default(),
            rows_id: ROWS_ID,
            gaps: Vec::new(),
            complete_from: None,
            holes: Vec::new(),
            faults: Vec::new(),
            torn: None,
            pending_cut: None,
            is_unfinished: false,
            lacks_tables: false,
            first_sequence: None,
            last_number: None,
            lacks_marks: false,
            wrong_records: Vec::new(),
            unreadable_synced: folder.unreadable_synced.clone(),
        };
        view.read_folder(&folder);
        view.read_tables(&folder)?;
        let manifest = folder.manifest.as_deref().and_then(|bytes| Manifest::parse(bytes).ok());
        view.judge_synced(&folder, manifest.as_ref());
        view.known = KnownCommits::of(&folder, manifest.as_ref(), view.last_number);
        view.read_journals(&folder);
        match inspect_store(&folder) {
            Ok(Condition::Unfinished { .. }) => view.set_unfinished(),
            Ok(Condition::Whole { torn, .. }) => {
                view.compare_files(&folder, None);
                view.pending_cut = torn;
            }
            Err(refused) => view.compare_files(&folder, Some(refused)),
        }
        Ok(view)
    }

    /// Whether a file with a fault holds nothing that the others do not: a file of somebody else, or a list whose
    /// entries are all found without it.
    pub(crate) fn is_replaceable(&self, fault: &StoreError) -> bool {
        let StoreError::Corrupt { kind, file: Some(file), .. } = fault else { return false };
        let is_list = file.ends_with(CURRENT) || version_number(file).is_some();
        *kind == CorruptKind::Foreign || file.ends_with(MARKER) || is_list && !self.lacks_tables
    }

    /// A number that is not one counts as unreadable.
    fn judge_synced(&mut self, folder: &Folder, manifest: Option<&Manifest>) {
        let content = folder.synced.as_deref().zip(manifest);
        if content.is_some_and(|(bytes, manifest)| synced_mark::is_damaged(bytes, manifest.identity)) {
            let cause =
                io::Error::new(io::ErrorKind::InvalidData, "it does not hold the number of a commit of this folder");
            self.unreadable_synced = Some(unreadable(&folder.path.join(SYNCED))(cause));
        }
    }

    /// Whether a copy of the folder needs a file: not what people and systems hide in it, nor a number of the last
    /// synced commit that cannot be read.
    pub(crate) fn is_needed(&self, file: &Path) -> bool {
        let name = file.file_name().unwrap_or_default();
        !is_ignored(name) && (name != SYNCED || self.unreadable_synced.is_none())
    }

    /// What keeps the folder closed although all files of the store may be sound.
    pub(crate) fn first_foreign(&self) -> Option<&StoreError> {
        self.faults.iter().find(|fault| fault_of(fault).is_some_and(Fault::is_foreign))
    }

    /// Adds why opening would refuse the folder, if it is about files that have no other fault: each file may be whole,
    /// and yet of another folder or of another moment than the others.
    fn compare_files(&mut self, folder: &Folder, refused: Option<StoreError>) {
        let lacks_last = self.lacks_recorded_commits(folder);
        let refused = refused.filter(|fault| !self.knows_file_of(fault));
        match refused.as_ref().and_then(fault_of).map(Fault::loss) {
            Some(FaultLoss::Commits) => {
                let is_about_the_oldest =
                    matches!(refused.as_ref().and_then(fault_of), Some(Fault::MissingOldest { .. }));
                let behind = self.first_sequence.filter(|_| is_about_the_oldest && !lacks_last);
                self.add_missing_commits(folder, behind);
            }
            Some(FaultLoss::Tables) => {
                self.lacks_tables = true;
                self.gaps.push(HiddenRows { keys: KeyGap::ANY, highest_sequence: u64::MAX });
            }
            Some(FaultLoss::Nothing) | None if lacks_last => self.add_missing_commits(folder, None),
            Some(FaultLoss::Nothing) | None => {}
        }
        self.faults.extend(refused);
    }

    /// Whether one of the faults says the same, or more, about the same file.
    fn knows_file_of(&self, fault: &StoreError) -> bool {
        let (StoreError::Corrupt { file, .. }, Some(refused)) = (fault, fault_of(fault)) else {
            return !self.faults.is_empty();
        };
        self.faults.iter().any(|known| {
            let is_same_file = matches!(known, StoreError::Corrupt { file: known, .. } if known == file);
            let says_as_much = |known: &Fault| known == refused || !known.is_foreign() && !refused.is_mismatch();
            is_same_file && fault_of(known).is_some_and(says_as_much)
        })
    }

    /// Whether the manifest, or the number of the last synced commit, names a newer journal or commit than there is.
    fn lacks_recorded_commits(&self, folder: &Folder) -> bool {
        let Some(manifest) = folder.manifest.as_deref().and_then(|bytes| Manifest::parse(bytes).ok()) else {
            return false;
        };
        let lacks_commit = match self.last_number {
            Some(last) => last < self.known.least(),
            // If their tables are damaged, the last number is not known.
            None => self.known.least() > 0 && !self.lacks_marks,
        };
        folder.newest_journal() < manifest.journal || lacks_commit
    }

    fn add_missing_commits(&mut self, folder: &Folder, behind: Option<u64>) {
        let journal = folder.path.join(journal_name(folder.newest_journal()));
        self.holes.push(Hole { journal, bytes: None, before: None, behind });
    }

    /// The store holds nothing, because its creation was cut off. Opening repeats it.
    fn set_unfinished(&mut self) {
        self.is_unfinished = true;
        self.faults.retain(|fault| fault_of(fault).is_none_or(Fault::is_foreign));
        self.holes.clear();
        self.lacks_tables = false;
    }

    fn read_folder(&mut self, folder: &Folder) {
        self.faults.extend(folder.unreadable.iter().cloned());
        self.faults.extend(folder.foreign.iter().map(|foreign| Fault::Foreign.of_file(foreign)));
        let marker = folder.path.join(MARKER);
        match folder.marker.as_deref() {
            None if folder.has_data() => self.faults.push(Fault::Missing.of_file(marker)),
            None => self.faults.push(Fault::Remains.of_file(marker)),
            Some(MARKER_CONTENT) => {}
            Some(_) => {
                let what = "it does not hold the format of the store that this version reads";
                self.faults.push(Fault::Structure { what }.of_file(marker));
            }
        }
        if folder.keyspaces.is_none() {
            self.faults.push(Fault::Missing.of_file(folder.path.join(KEYSPACES)));
        }
        if folder.journals.is_empty() {
            self.faults.push(Fault::Missing.of_file(folder.path.join("0.jnl")));
        }
    }

    fn read_tables(&mut self, folder: &Folder) -> Result<(), StoreError> {
        let mut names = BTreeMap::new();
        let mut by_keyspace = BTreeMap::new();
        for keyspace in folder.keyspaces() {
            // One that is not listed and has no files holds nothing: its creation was cut off.
            if !keyspace.has_current
                && keyspace.tables.is_empty()
                && !names.is_empty()
                && !names.contains_key(&keyspace.id)
            {
                continue;
            }
            let (mut files, mut is_certain) = self.current_tables(keyspace, oldest_version(folder, keyspace));
            let mut tables = Vec::new();
            for file in std::mem::take(&mut files) {
                match OpenTable::open(&file) {
                    Ok(table) => {
                        tables.push(Arc::new(table));
                        files.push(file);
                    }
                    // Its rows are lost as if it were missing.
                    Err(fault @ StoreError::Other(_)) => {
                        self.faults.push(fault);
                        self.add_lost_table(keyspace);
                        is_certain = false;
                    }
                    Err(error) => return Err(error),
                }
            }
            if keyspace.id == KEYSPACE_LIST {
                names = keyspace_names(&tables);
                self.rows_id = rows_keyspace(&names);
            }
            self.files.extend(files);
            by_keyspace.insert(keyspace.id, (tables, is_certain));
        }
        let is_missing =
            |id: &&u64| !by_keyspace.contains_key(id) && !is_replaced(&names, **id, folder.manifest.is_some());
        for id in names.keys().filter(is_missing) {
            let named_by = format!("{KEYSPACES}/{KEYSPACE_LIST}");
            self.faults.push(Fault::MissingReferenced { named_by }.of_file(folder.keyspace_path(*id)));
        }
        if !by_keyspace.contains_key(&KEYSPACE_LIST) && folder.keyspaces.is_some() {
            self.faults.push(Fault::Missing.of_file(folder.keyspace_path(KEYSPACE_LIST)));
        }
        for (id, (tables, _)) in &by_keyspace {
            if *id != KEYSPACE_LIST && !names.is_empty() && !names.contains_key(id) && !tables.is_empty() {
                self.faults.push(Fault::UnlistedKeyspace.of_file(folder.keyspace_path(*id)));
            }
        }
        // Without the list of keyspaces, all others may hold them.
        let is_other = |id: u64| id != KEYSPACE_LIST && id != self.rows_id;
        let holds_marks = |id: u64| marks_keyspace(&names).map_or(is_other(id), |marks| marks == id);
        let marks = by_keyspace.iter().filter(|(id, _)| holds_marks(**id)).map(|(_, tables)| tables);
        let numbers: Vec<LastNumber> = marks.clone().map(|(tables, _)| LastNumber::read(tables)).collect();
        self.last_number = numbers.iter().filter_map(|found| found.number).max();
        self.lacks_marks = numbers.is_empty()
            || numbers.iter().any(|found| !found.is_certain)
            || marks.clone().any(|(_, is_certain)| !is_certain);
        let (tables, is_certain) = by_keyspace.remove(&self.rows_id).unwrap_or_default();
        self.tables = tables;
        if !is_certain {
            self.lacks_tables = true;
            // Files that no version names may be older than the tables that were merged from them.
            let highest = if self.gaps.is_empty() { self.highest_sequence() } else { None };
            self.gaps.push(HiddenRows { keys: KeyGap::ANY, highest_sequence: highest.unwrap_or(u64::MAX) });
        }
        Ok(())
    }

    /// The tables of a keyspace, and whether they are all of them and no others.
    fn current_tables(&mut self, keyspace: &Keyspace, oldest_version: u64) -> (Vec<TableFile>, bool) {
        let file = |id: u64, checksum| TableFile { path: keyspace.table(id), checksum };
        let read = if keyspace.has_current {
            version::read(&keyspace.current()).map(|version| version.tables)
        } else {
            Err(Fault::Missing.of_file(keyspace.current()))
        };
        match read {
            Ok(references) => {
                let (found, missing): (Vec<TableReference>, Vec<TableReference>) =
                    references.into_iter().partition(|reference| keyspace.tables.contains(&reference.id));
                for reference in &missing {
                    let fault = Fault::MissingReferenced { named_by: "current".to_owned() };
                    self.faults.push(fault.of_file(keyspace.table(reference.id)));
                    self.add_lost_table(keyspace);
                }
                let files = found.iter().map(|reference| file(reference.id, Some(reference.checksum)));
                (files.collect(), missing.is_empty())
            }
            Err(fault) => {
                self.faults.push(fault);
                let is_certain = names_all_tables(keyspace, oldest_version);
                (keyspace.tables.iter().map(|id| file(*id, None)).collect(), is_certain)
            }
        }
    }

    /// Nothing says which rows a lost table had, or how new they were.
    fn add_lost_table(&mut self, keyspace: &Keyspace) {
        if keyspace.id == self.rows_id {
            self.gaps.push(HiddenRows { keys: KeyGap::ANY, highest_sequence: u64::MAX });
        }
    }

    fn read_journals(&mut self, folder: &Folder) {
        self.journals.clone_from(&folder.journals);
        self.add_journals();
        if folder.journals.is_empty() {
            self.holes.push(Hole { journal: folder.path.join("0.jnl"), bytes: None, before: None, behind: None });
        }
    }

    /// Reads the journals: the rows that no table has, and what is wrong.
    fn add_journals(&mut self) {
        let persisted = self.highest_sequence();
        let is_written = |sequence: u64| persisted.is_some_and(|persisted| sequence <= persisted);
        let survey =
            journal_survey::survey(&self.journals, &self.known, self.rows_id, &|sequence, _| !is_written(sequence));
        let is_in_tables = |hole: &Hole| hole.behind.is_some_and(|behind| is_written(behind.saturating_sub(1)));
        self.holes.extend(survey.holes.into_iter().filter(|hole| !is_in_tables(hole)));
        self.add_versions(survey.versions);
        for fault in survey.faults {
            if is_torn(&fault) {
                self.torn = Some(fault);
            } else {
                self.faults.push(fault);
            }
        }
        self.first_sequence = survey.first_sequence;
        self.last_number = self.last_number.max(survey.last_number);
    }

    fn highest_sequence(&self) -> Option<u64> {
        self.tables.iter().filter_map(|table| table.highest_sequence()).max()
    }

    /// The length of all tables.
    pub(crate) fn table_bytes(&self) -> u64 {
        self.files.iter().filter_map(|file| fs::metadata(&file.path).ok()).map(|metadata| metadata.len()).sum()
    }

    /// Reads every table of every keyspace, and finds what is damaged. `on_read` is told about every piece that was
    /// read.
    pub(crate) fn check_tables(&mut self, on_read: &mut OnRead<'_>) -> Result<Vec<TableFault>, StoreError> {
        let mut faults = Vec::new();
        for file in &self.files {
            let checked = file.check(on_read)?;
            faults.extend(checked.faults);
            if checked.has_wrong_record {
                self.wrong_records.push(file.path.clone());
            }
        }
        for fault in &faults {
            let table = self.tables.iter().find(|table| table.path == fault.file);
            if let (Some(table), Some(keys)) = (table, &fault.keys) {
                let properties = table.properties.as_ref().filter(|_| *keys != KeyGap::ANY);
                let highest_sequence = properties.map_or(u64::MAX, |found| found.highest_sequence);
                self.gaps.push(HiddenRows { keys: keys.clone(), highest_sequence });
            }
        }
        Ok(faults)
    }

    /// Reads as if the end of the newest journal were cut off already, as opening does. Says what is cut off.
    pub(crate) fn cut_torn_end(&mut self) -> Option<String> {
        let pending = self.pending_cut.take()?;
        let (path, end) = pending.place();
        if let Some(journal) = self.journals.iter_mut().find(|journal| journal.path == path) {
            journal.end = Some(end);
        }
        self.faults.retain(|fault| !matches!(fault, StoreError::Corrupt { file: Some(file), .. } if file == path));
        self.holes.retain(|hole| hole.journal != path);
        self.torn = None;
        self.journal.clear();
        self.add_journals();
        let Cut { journal, position, bytes, commits_behind } = pending.record();
        Some(match commits_behind {
            0 => format!(
                "`{journal}` is damaged at bytes {position} to {}: a power failure or a full disk may have torn the \
                 last commit before it was acknowledged; opening cuts it off",
                position + bytes
            ),
            behind => format!(
                "`{journal}` has a hole at byte {position}: relaxed commits were not synced before a power failure; opening cuts \
                 off {bytes} bytes, with {behind} whole commits"
            ),
        })
    }

    /// Whether a hole is the end of the newest journal, which opening cuts off.
    pub(crate) fn is_torn_end(&self, hole: &Hole) -> bool {
        self.torn.as_ref().is_some_and(|torn| hole.is_cause_of(torn))
    }

    /// Takes rows that tables have lost from the journals, as far as they are still there. A version that is newer than
    /// the oldest commit there is then the newest one: a newer one would be there as well.
    pub(crate) fn fill_gaps(&mut self) {
        let is_in_gap = |_: u64, key: &[u8]| self.gaps.iter().any(|gap| gap.keys.contains(key));
        let survey = journal_survey::survey(&self.journals, &self.known, self.rows_id, &is_in_gap);
        self.complete_from = survey.complete_from;
        self.add_versions(survey.versions);
    }

    /// Keeps the newest version of each row.
    fn add_versions(&mut self, versions: Vec<data_block::RowVersion>) {
        for version in versions {
            let is_newer = self.journal.get(&version.key).is_none_or(|(sequence, _)| *sequence <= version.sequence);
            if is_newer {
                self.journal.insert(version.key, (version.sequence, version.value));
            }
        }
    }

    /// Whether damage may hide a newer version of a row.
    fn may_hide_newer(&self, key: &[u8], sequence: u64) -> bool {
        let is_newest = self.complete_from.is_some_and(|complete_from| sequence >= complete_from);
        !is_newest && self.gaps.iter().any(|gap| gap.highest_sequence > sequence && gap.keys.contains(key))
            || self.holes.iter().any(|hole| hole.behind.is_none_or(|behind| behind.saturating_sub(1) > sequence))
    }

    /// The rows of a range, in the order of their keys. Damage is an error, and does not end them.
    pub(crate) fn rows(
        self: &Arc<Self>,
        range: KeyRange,
    ) -> impl Iterator<Item = Result<ViewedRow, StoreError>> + use<> {
        let view = Arc::clone(self);
        MergedRows::new(&self.tables, &self.journal, range).map(move |row| {
            let data_block::RowVersion { key, sequence, value } = row?;
            let may_be_older = view.may_hide_newer(&key, sequence);
            Ok(ViewedRow { key, value, may_be_older })
        })
    }
}

fn is_torn(fault: &StoreError) -> bool {
    fault_of(fault) == Some(&Fault::LastCommit)
}

fn fault_of(error: &StoreError) -> Option<&Fault> {
    match error {
        StoreError::Corrupt { source, .. } => source.downcast_ref(),
        _ => None,
    }
}

fn keyspace_names(list: &[Arc<OpenTable>]) -> BTreeMap<u64, Vec<u8>> {
    let mut names = BTreeMap::new();
    for part in list.iter().flat_map(|table| table.rows()) {
        let Ok(RowPart::Rows { versions, .. }) = part else { continue };
        for version in versions {
            let Some((&KEYSPACE_NAME, id)) = version.key.split_first() else { continue };
            if let (Ok(id), Some(name)) = (id.try_into(), version.value) {
                names.insert(u64::from_be_bytes(id), name);
            }
        }
    }
    names
}

/// The highest number of a commit in the tables that hold them.
struct LastNumber {
    /// `None` if there is none.
    number: Option<u64>,
    /// Whether all rows of the tables can be read.
    is_certain: bool,
}

impl LastNumber {
    fn read(tables: &[Arc<OpenTable>]) -> Self {
        let mut found = Self { number: None, is_certain: true };
        for part in tables.iter().flat_map(|table| table.rows()) {
            match part {
                Ok(RowPart::Rows { versions, .. }) => {
                    let marks = versions.iter().filter_map(|version| CommitMark::decode(version.value.as_deref()?));
                    found.number = found.number.max(marks.map(|mark| mark.number).max());
                }
                Ok(RowPart::Gap { .. }) | Err(_) => found.is_certain = false,
            }
        }
        found
    }
}

fn rows_keyspace(names: &BTreeMap<u64, Vec<u8>>) -> u64 {
    names.iter().find(|(_, name)| *name == ROWS).map_or(ROWS_ID, |(id, _)| *id)
}

/// The current version of a keyspace is not older than this: `current` names it, or the manifest has recorded it.
fn oldest_version(folder: &Folder, keyspace: &Keyspace) -> u64 {
    let named = version::number_in(&keyspace.current());
    let manifest = folder.manifest.as_deref().and_then(|bytes| Manifest::parse(bytes).ok());
    let recorded = manifest.and_then(|manifest| manifest.versions.get(&keyspace.id.to_string()).copied());
    named.max(recorded).unwrap_or_default()
}

/// Whether the newest version file names exactly the tables that exist, and is not older than the current version: then
/// they are the current ones, although `current` is lost or its checksum wrong. An older version names tables that may
/// have been merged or dropped since.
fn names_all_tables(keyspace: &Keyspace, oldest_version: u64) -> bool {
    let stored: BTreeSet<u64> = keyspace.tables.iter().copied().collect();
    let files = fs::read_dir(&keyspace.path).into_iter().flatten().flatten();
    let newest = files.filter_map(|file| Some((version_number(&file.path())?, file.path()))).max();
    newest
        .filter(|(number, _)| *number >= oldest_version)
        .and_then(|(_, file)| version::read_tables(&file))
        .is_some_and(|tables| tables.iter().map(|table| table.id).collect::<BTreeSet<_>>() == stored)
}

fn version_number(path: &Path) -> Option<u64> {
    path.file_name()?.to_str()?.strip_prefix('v')?.parse().ok()
}

/// Damage may hide a newer version of the row.
#[derive(Debug, thiserror::Error)]
#[error("damage may hide a newer version of this row")]
struct HiddenVersion;

/// A view as the engine reads it. Rows whose newest version may be hidden are errors.
pub(crate) struct ViewSnapshot(pub Arc<View>);

impl Snapshot for ViewSnapshot {
    fn get(&self, key: &[u8]) -> Result<Option<crate::store::Row>, StoreError> {
        let key = std::ops::Bound::Included(key.to_vec());
        match self.range((key.clone(), key), false).next() {
            None => Ok(None),
            Some(row) => row.map(|(_, value)| Some(value)),
        }
    }

    fn range(&self, range: KeyRange, reverse: bool) -> RowIterator {
        let rows = self.0.rows(range).filter_map(|row| match row {
            // A removal that may be older hides nothing that could be read.
            Ok(row) if row.may_be_older => row.value.map(|_| Err(StoreError::corrupt(HiddenVersion))),
            Ok(row) => row.value.map(|value| Ok((row.key.into(), value.into()))),
            Err(error) => Some(Err(error)),
        });
        if reverse { Box::new(rows.collect::<Vec<_>>().into_iter().rev()) } else { Box::new(rows) }
    }
}
