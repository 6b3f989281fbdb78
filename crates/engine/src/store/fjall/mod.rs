//! The durable store: fjall, a log-structured merge tree with a journal. One keyspace holds the rows, a second the
//! number of the last commit.

mod backlog;
mod commit_log;
mod commit_mark;
mod disk;
mod error;
mod first_failure;
mod gaps;
mod internals;
mod locate;
mod manifest;
mod messages;
mod presence;
mod row_walk;
mod space;
mod synced_mark;
mod tick;
mod verify;
mod watched_files;
mod work;

use std::fs::{self, File};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ::fjall::compaction::Leveled;
use ::fjall::config::{CompressionPolicy, RestartIntervalPolicy};
use ::fjall::{CompressionType, Database, Keyspace, KeyspaceCreateOptions, PersistMode, Readable};

use byteview::ByteView;
use keyfold_environment::{Clock, SystemClock};
use parking_lot::Mutex;

use self::backlog::Backlog;
use self::commit_log::{CommitLog, Parts};
use self::commit_mark::CommitMark;
use self::disk::disk_space;
use self::first_failure::FirstFailure;
use self::gaps::Gaps;
pub(crate) use self::locate::{locate, with_remedy};
pub use self::manifest::Cut;
pub use self::messages::forward_log;
use self::presence::Presence;
use self::row_walk::{RowWalk, StoreState};
use self::space::Reclaimer;
use self::verify::FolderLock;
pub(crate) use self::verify::{View as FolderView, ViewSnapshot as FolderSnapshot};
use self::watched_files::WatchedFiles;
use self::work::{Rewriters, WorkWatch};
use super::{
    Change, DiskSpace, Durability, KeyRange, OnRead, Row, RowIterator, Snapshot, Store, StoreError, TableFault,
};
use crate::background_thread::BackgroundThread;

/// The settings that bound the store's memory and disk.
#[derive(Debug, Clone, Copy)]
pub struct StoreSettings {
    /// Blocks of the tables kept in memory.
    pub cache_bytes: u64,
    /// Writes held in memory before they go to a table. Kept with the folder once it is made.
    pub write_buffer_bytes: u64,
    /// Journals kept on disk before their writes must have gone to tables; what opening after a crash replays.
    pub journal_bytes: u64,
}

impl Default for StoreSettings {
    fn default() -> Self {
        Self { cache_bytes: 32 << 20, write_buffer_bytes: 16 << 20, journal_bytes: 256 << 20 }
    }
}

/// One of fjall's workers only flushes; with two, it spins while the other compacts. Four leave it work to do.
const WORKERS: usize = 4;

/// Tables that are kept open. The servers reserve descriptors for them, and for the tables being written and merged.
const OPEN_TABLES: usize = 256;

/// How many tables may lie over each other before they are merged: every read looks into all of them.
const UNSORTED_TABLES: u8 = 2;

/// Numbers of commits held in memory: those of about a hundred thousand commits.
const MARK_BUFFER_BYTES: u64 = 8 << 20;

/// How long between two looks whether flushes and merges have caught up.
const BACKPRESSURE_STEP: Duration = Duration::from_millis(1);

/// Hidden, so that what a crash leaves of it does not count as a foreign file.
const WRITABILITY_PROBE: &str = ".keyfold.writable";

/// An opening that takes longer is announced in the log.
const SLOW_OPENING: Duration = Duration::from_secs(5);

/// How long closing waits until all commits are in tables, and how long between two looks.
const FLUSH_DEADLINE: Duration = Duration::from_secs(10);
const FLUSH_STEP: Duration = Duration::from_millis(2);

/// The durable store.
pub struct FjallStore {
    database: Database,
    rows: Keyspace,
    /// The number of the last commit.
    marks: Keyspace,
    folder: PathBuf,
    presence: Presence,
    files: WatchedFiles,
    gaps: Arc<Gaps>,
    reclaimer: Reclaimer,
    rewriters: Rewriters,
    work: WorkWatch,
    has_waiting_writer: AtomicBool,
    /// Whether somebody has waited for the room of the next commit.
    has_room: AtomicBool,
    /// As the settings say. A folder that was made with a smaller buffer keeps it; then a large commit may have to wait
    /// in the store itself.
    write_buffer_bytes: u64,
    log: Mutex<CommitLog>,
    first_failure: FirstFailure,
    /// Whether a read has met damage since somebody asked.
    has_met_damage: Arc<AtomicBool>,
    /// Whether everything was brought to tables, and recorded.
    is_closed: AtomicBool,
    /// Messages of the process before the store was opened are not about it.
    errors_before: u64,
    /// Released last, once nothing of the store is open.
    lock: Arc<FolderLock>,
}

fn row(slice: ::fjall::Slice) -> Row {
    Row::from(ByteView::from(slice))
}

impl FjallStore {
    /// Whether a folder holds a store, even a damaged one or what is left of one.
    pub fn exists_in(path: &Path) -> bool {
        verify::has_store(path)
    }

    /// Opens or creates the store in a folder, replaying the journal after a crash. The folder is locked against a
    /// second process. A folder with damaged, missing or foreign files is refused with [`StoreError::Corrupt`] and
    /// stays as it is.
    pub fn open(path: &Path, settings: StoreSettings) -> Result<Self, StoreError> {
        // Without the thread, nothing is announced.
        let _announcement = announce_slow_opening(path).ok();
        Self::start(path, settings).map_err(|error| {
            let find = || find_damage(path, &mut |_| ControlFlow::Continue(()));
            with_remedy(locate(error, find))
        })
    }

    fn start(path: &Path, settings: StoreSettings) -> Result<Self, StoreError> {
        require_clock(&SystemClock)?;
        let errors_before = messages::count();
        let (lock, verified) = verify::prepare(path)?;
        // fjall's errors name no file.
        let failed = verify::failure::<::fjall::Error>(path, "opened");
        let database = open_database(path, settings).map_err(&failed)?;
        let rows = database.keyspace("rows", || {
            KeyspaceCreateOptions::default()
                .max_memtable_size(settings.write_buffer_bytes)
                .compaction_strategy(Arc::new(Leveled::default().with_l0_threshold(UNSORTED_TABLES)))
        });
        let rows = rows.map_err(&failed)?;
        let marks = database.keyspace(commit_mark::KEYSPACE, mark_options).map_err(&failed)?;
        sync_folders(path).map_err(verify::failure(path, "synced"))?;
        let presence = Presence::of(path).map_err(verify::failure(path, "read"))?;
        let parts = Parts { database: &database, rows: &rows, marks: &marks, presence: &presence };
        let log = CommitLog::begin(path, parts, verified)?;
        Ok(Self {
            files: WatchedFiles::of(path).map_err(verify::failure(path, "read"))?,
            gaps: Arc::default(),
            reclaimer: Reclaimer::default(),
            rewriters: Rewriters::default(),
            work: WorkWatch::start(),
            has_room: AtomicBool::default(),
            write_buffer_bytes: settings.write_buffer_bytes,
            has_waiting_writer: AtomicBool::default(),
            first_failure: FirstFailure::default(),
            has_met_damage: Arc::default(),
            log: Mutex::new(log),
            is_closed: AtomicBool::default(),
            database,
            rows,
            marks,
            folder: path.to_owned(),
            presence,
            errors_before,
            lock: Arc::new(lock),
        })
    }

    /// The ends of journals that were cut off when the store was opened, until somebody confirms them. Reads the files
    /// alone, and works while the store is open.
    pub fn unconfirmed_cuts(path: &Path) -> Result<Vec<Cut>, StoreError> {
        verify::unconfirmed_cuts(path)
    }

    /// Forgets the ends of journals that were cut off, and gives them. No process may have the store open.
    pub fn confirm_cuts(path: &Path) -> Result<Vec<Cut>, StoreError> {
        verify::confirm_cuts(path)
    }

    fn free_bytes(&self) -> io::Result<u64> {
        Ok(disk_space(&self.folder)?.free_bytes)
    }

    fn parts(&self) -> Parts<'_> {
        Parts { database: &self.database, rows: &self.rows, marks: &self.marks, presence: &self.presence }
    }

    /// Brings all commits to tables, so that nothing depends on the journals, and records that the store was closed.
    fn bring_to_tables(&self) -> Result<(), StoreError> {
        // After a failure nothing is flushed any more.
        self.probe()?;
        let keyspaces = [&self.rows, &self.marks];
        for keyspace in keyspaces {
            internals::begin_flush(keyspace)?;
        }
        let is_flushed = || keyspaces.iter().all(|keyspace| internals::unflushed_buffers(keyspace) == 0);
        let deadline = Instant::now() + FLUSH_DEADLINE;
        while !is_flushed() {
            self.probe()?;
            if Instant::now() >= deadline {
                tracing::warn!("the last commits were not brought to tables in time; the next start replays them");
                return self.sync();
            }
            std::thread::sleep(FLUSH_STEP);
        }
        self.sync()?;
        self.log.lock().close(self.parts())
    }
}

impl Drop for FjallStore {
    fn drop(&mut self) {
        if let Err(error) = self.close() {
            tracing::error!(kind = error.kind(), %error, "the store was not closed");
        }
    }
}

/// Keys are written out and blocks are not compressed, because the tables are read before fjall is started.
fn mark_options() -> KeyspaceCreateOptions {
    KeyspaceCreateOptions::default()
        .max_memtable_size(MARK_BUFFER_BYTES)
        .data_block_restart_interval_policy(RestartIntervalPolicy::all(1))
        .data_block_compression_policy(CompressionPolicy::disabled())
}

impl FjallStore {
    fn is_behind(&self, most: Backlog) -> bool {
        most.is_exceeded_by(&self.rows) || most.is_exceeded_by(&self.marks)
    }

    /// Waits while flushes or merges are too far behind, unless they have failed.
    fn wait_for_workers(&self, most: Backlog) -> Result<(), StoreError> {
        if !self.is_behind(most) {
            return Ok(());
        }
        self.has_waiting_writer.store(true, Ordering::SeqCst);
        let mut outcome = Ok(());
        while outcome.is_ok() && self.is_behind(most) {
            outcome = self.require_workers();
            std::thread::sleep(BACKPRESSURE_STEP);
        }
        self.has_waiting_writer.store(false, Ordering::SeqCst);
        outcome
    }

    /// Fails if the store has stopped. Writes nothing to disk.
    fn require_workers(&self) -> Result<(), StoreError> {
        internals::require_workers(&self.database).map_err(|error| {
            let error = self.failed_write(error);
            if error.is_unexplained() {
                // The commit that failed may not have said yet why.
                drop(self.log.lock());
            }
            self.first_failure.explain(error)
        })
    }

    fn failed_write(&self, error: ::fjall::Error) -> StoreError {
        let error = verify::failure(&self.folder, "written")(error);
        let explained = messages::explain(error, self.errors_before, &self.folder).during_write();
        self.first_failure.explain(explained)
    }

    /// The error of a durable commit: of its write, or of the sync that follows. Errors of the operating system do not
    /// tell which; the journal does. If it cannot be read, the worse of the two counts.
    fn failed_commit(&self, error: ::fjall::Error, mark: CommitMark) -> StoreError {
        let error = self.failed_write(error);
        let is_written = || verify::is_in_journal(&self.folder, keyspace_number(&self.marks), mark).unwrap_or(true);
        match error {
            StoreError::Full(_) | StoreError::ReadOnlyDisk(_) | StoreError::OutOfDescriptors(_) if is_written() => {
                self.first_failure.explain(error.during_sync())
            }
            error => error,
        }
    }

    /// The error of a sync. Every commit was written before, so that the sync alone can fail.
    fn failed_sync(&self, error: ::fjall::Error) -> StoreError {
        self.first_failure.explain(self.failed_write(error).during_sync())
    }

    /// Takes note of damage that a read has met.
    fn note_damage(&self, error: ::fjall::Error) -> StoreError {
        note_damage(&self.has_met_damage, error.into())
    }
}

/// Logs that the folder is still being opened, if that takes long, until the thread is dropped.
fn announce_slow_opening(folder: &Path) -> io::Result<BackgroundThread> {
    let folder = folder.to_owned();
    BackgroundThread::start_after("keyfold-open", SLOW_OPENING, move || {
        tracing::warn!(
            folder = %folder.display(),
            "opening the data takes longer than {} s: its files are verified, and its journals are replayed",
            SLOW_OPENING.as_secs()
        );
    })
}

/// Tables and lists hold the time of their creation, as the time since 1970.
fn require_clock(clock: &dyn Clock) -> Result<(), StoreError> {
    match clock.now_ms() {
        0 => Err(StoreError::other(io::Error::other(
            "the clock of this machine shows a time before 1970; set it, and start again",
        ))),
        _ => Ok(()),
    }
}

/// The number of a keyspace, which is the name of its folder.
fn keyspace_number(keyspace: &Keyspace) -> Option<u64> {
    keyspace.path().file_name()?.to_str()?.parse().ok()
}

fn open_database(path: &Path, settings: StoreSettings) -> Result<Database, ::fjall::Error> {
    Database::builder(path)
        .cache_size(settings.cache_bytes)
        .max_journaling_size(settings.journal_bytes.max(64 << 20))
        .journal_compression(CompressionType::None)
        .worker_threads(WORKERS)
        .max_cached_files(Some(OPEN_TABLES))
        .open()
}

/// The journals hold every commit that is not in a table.
fn sync_journals(folder: &Path) -> Result<(), StoreError> {
    let sync = |journal: PathBuf| {
        let synced = File::open(&journal).and_then(|file| file.sync_all());
        synced.map_err(|error| verify::failure(&journal, "synced")(error).during_sync())
    };
    verify::journal_paths(folder).map_err(verify::failure(folder, "read"))?.into_iter().try_for_each(sync)
}

/// A new folder is on disk only once the folder that holds it was synced. fjall leaves that open for the folders of
/// its keyspaces, and knows nothing of the folder that holds the data's own.
fn sync_folders(path: &Path) -> io::Result<()> {
    File::open(path.join(verify::KEYSPACES))?.sync_all()?;
    File::open(path)?.sync_all()?;
    match path.canonicalize()?.parent() {
        Some(parent) => File::open(parent)?.sync_all(),
        None => Ok(()),
    }
}

impl Store for FjallStore {
    fn get(&self, key: &[u8]) -> Result<Option<Row>, StoreError> {
        Ok(self.rows.get(key).map_err(|error| self.note_damage(error))?.map(row))
    }

    fn snapshot(&self) -> Box<dyn Snapshot> {
        let (snapshot, moment) = self.gaps.snapshot(|| self.database.snapshot());
        let (rows, gaps, lock) = (self.rows.clone(), Arc::clone(&self.gaps), Arc::clone(&self.lock));
        let has_met_damage = Arc::clone(&self.has_met_damage);
        Box::new(FjallSnapshot(Arc::new(StoreState { snapshot, moment, rows, gaps, has_met_damage, _lock: lock })))
    }

    fn wait_for_room(&self, changes: &mut dyn Iterator<Item = &Change>) {
        // Where a merge that hangs cannot be told from a slow one, the commit waits, and its time counts.
        if self.work.is_watched() {
            // A store that has stopped says so at the commit.
            let waited = self.wait_for_workers(Backlog::most(changes, self.write_buffer_bytes));
            self.has_room.store(waited.is_ok(), Ordering::SeqCst);
        }
    }

    fn commit(&self, changes: Vec<Change>, durability: Durability) -> Result<(), StoreError> {
        if changes.is_empty() {
            return Ok(());
        }
        if self.is_closed.load(Ordering::SeqCst) {
            return Err(StoreError::other(io::Error::other("the store is closed")));
        }
        let mode = match durability {
            Durability::Durable => PersistMode::SyncData,
            Durability::Relaxed => PersistMode::Buffer,
        };
        let most = Backlog::most(&mut changes.iter(), self.write_buffer_bytes);
        let has_room = self.has_room.swap(false, Ordering::SeqCst);
        self.wait_for_workers(if has_room { most.since_room() } else { most })?;
        let mut log = self.log.lock();
        let mark = log.next_mark(self.parts(), durability)?;
        self.gaps.begin_commit(changes.iter().filter_map(|change| match change {
            Change::Put(key, _) => Some(key.as_slice()),
            Change::Remove(_) => None,
        }));
        let mut batch = self.database.batch().durability(Some(mode));
        batch.insert(&self.marks, commit_mark::KEY, mark.encode());
        for change in changes {
            match change {
                Change::Put(key, value) => batch.insert(&self.rows, key, value),
                Change::Remove(key) => batch.remove(&self.rows, key),
            }
        }
        batch.commit().map_err(|error| match durability {
            Durability::Durable => self.failed_commit(error, mark),
            Durability::Relaxed => self.failed_write(error),
        })?;
        self.gaps.end_commit();
        log.add(mark, self.parts(), durability);
        Ok(())
    }

    fn sync(&self) -> Result<(), StoreError> {
        // Others learn why the store has stopped once the lock is free.
        let _log = self.log.lock();
        self.database.persist(PersistMode::SyncAll).map_err(|error| self.failed_sync(error))
    }

    fn close(&self) -> Result<(), StoreError> {
        if self.is_closed.swap(true, Ordering::SeqCst) {
            return Ok(());
        }
        match self.bring_to_tables() {
            Err(error) if !error.is_final() || error.is_unexplained() => {
                sync_journals(&self.folder)?;
                if error.is_unexplained() {
                    return Err(error);
                }
                tracing::warn!(%error, "the last commits were not brought to tables; the next start replays them");
                // The next start finds the same damage, and may find the same full disk.
                if matches!(error, StoreError::Stopped(_) | StoreError::OutOfDescriptors(_)) {
                    Ok(())
                } else {
                    Err(error)
                }
            }
            outcome => outcome,
        }
    }

    fn drop_range(&self, range: &KeyRange) -> Result<(), StoreError> {
        self.rewriters.run(|| space::drop_range(&self.database, &self.rows, range))
    }

    fn reclaim(&self, removed_bytes: u64) -> Result<bool, StoreError> {
        self.rewriters.run(|| self.reclaimer.reclaim(&self.database, &self.rows, removed_bytes, || self.free_bytes()))
    }

    fn is_worth_rewriting(&self, removed_bytes: u64) -> Result<bool, StoreError> {
        self.reclaimer.is_worth_rewriting(&self.rows, removed_bytes, || self.free_bytes())
    }

    fn bytes_freed_by_reopening(&self) -> Result<u64, StoreError> {
        if self.probe().is_ok() {
            return Ok(verify::replaceable_bytes(&self.folder)?);
        }
        self.unfinished_bytes()
    }

    fn work_progress(&self) -> Option<u64> {
        let writers_wait = self.has_waiting_writer.load(Ordering::SeqCst);
        self.work.progress(&self.database, [&self.rows, &self.marks], &self.rewriters, writers_wait)
    }

    fn unfinished_bytes(&self) -> Result<u64, StoreError> {
        Ok(work::unfinished_bytes([&self.rows, &self.marks])?)
    }

    fn has_met_damage(&self) -> bool {
        self.has_met_damage.swap(false, Ordering::SeqCst)
    }

    fn is_disk_read_only(&self) -> bool {
        // Flags of the mount do not tell: a file system that became read-only because of an error may keep them.
        let file = self.folder.join(WRITABILITY_PROBE);
        let written = fs::write(&file, [0]);
        // It may not have been made.
        let _ = fs::remove_file(&file);
        written.is_err_and(|error| error.kind() == io::ErrorKind::ReadOnlyFilesystem)
    }

    fn disk_bytes(&self) -> Result<u64, StoreError> {
        Ok(folder_bytes(&self.folder)?)
    }

    fn probe(&self) -> Result<(), StoreError> {
        self.presence.check()?;
        let files = self.files.check(&self.database, [&self.rows, &self.marks]);
        if matches!(files, Err(StoreError::FileRemoved { .. })) {
            // The whole folder may have gone in between.
            self.presence.check()?;
        }
        files?;
        self.require_workers()
    }

    fn find_damage(&self, on_read: &mut OnRead<'_>) -> Result<Vec<TableFault>, StoreError> {
        find_damage(&self.folder, on_read)
    }

    fn disk_space(&self) -> Result<Option<DiskSpace>, StoreError> {
        let needed_bytes = space::needed_bytes(&self.database, &self.rows, &self.marks);
        Ok(Some(DiskSpace { needed_bytes, ..disk_space(&self.folder)? }))
    }
}

/// Reads all tables of a folder, and finds what is damaged.
fn find_damage(folder: &Path, on_read: &mut OnRead<'_>) -> Result<Vec<TableFault>, StoreError> {
    let (mut faults, mut is_stopped) = (Vec::new(), false);
    for file in verify::TableFile::list(folder)? {
        let checked = file.check(&mut |bytes| {
            let flow = on_read(bytes);
            is_stopped = flow.is_break();
            flow
        })?;
        faults.extend(checked.faults);
        if is_stopped {
            break;
        }
    }
    Ok(faults)
}

/// Takes note of damage that a read has met.
fn note_damage(has_met_damage: &AtomicBool, error: StoreError) -> StoreError {
    if matches!(error, StoreError::Corrupt { .. }) {
        has_met_damage.store(true, Ordering::SeqCst);
    }
    error
}

/// The lengths of all files of a folder, journals included. Files that vanish meanwhile do not count.
pub(crate) fn folder_bytes(folder: &Path) -> io::Result<u64> {
    let mut total = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let length = match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => folder_bytes(&entry.path()),
            Ok(metadata) => Ok(metadata.len()),
            Err(error) => Err(error),
        };
        total += match length {
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            length => length?,
        };
    }
    Ok(total)
}

struct FjallSnapshot(Arc<StoreState>);

impl Snapshot for FjallSnapshot {
    fn get(&self, key: &[u8]) -> Result<Option<Row>, StoreError> {
        let found = self.0.snapshot.get(&self.0.rows, key);
        Ok(found.map_err(|error| note_damage(&self.0.has_met_damage, error.into()))?.map(row))
    }

    fn range(&self, range: KeyRange, reverse: bool) -> RowIterator {
        Box::new(RowWalk::new(Arc::clone(&self.0), range, reverse))
    }
}

#[cfg(test)]
mod tests {
    use keyfold_environment::ManualClock;

    use super::*;

    /// The tables could not be written: their files hold the time.
    #[test]
    fn a_clock_before_1970_is_refused() {
        let error = require_clock(&ManualClock::at_second(0)).unwrap_err();
        assert_eq!(error.to_string(), "the clock of this machine shows a time before 1970; set it, and start again");
        require_clock(&ManualClock::at_second(1)).unwrap();
    }
}
