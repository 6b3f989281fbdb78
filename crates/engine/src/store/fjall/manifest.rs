//! The engine's own record of a data folder: what the folder must hold at least. Written before a store is created,
//! when it is opened, when a journal is begun, and when the store is closed; not with each commit.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use keyfold_environment::{RandomError, SystemRandom, random_bytes};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// The name of the file in the data folder.
pub(super) const MANIFEST: &str = "keyfold.manifest";
/// Hidden, so that what a crash leaves of it does not count as a foreign file.
const UNFINISHED: &str = ".keyfold.manifest.new";

/// The version of this record.
const FORMAT: u32 = 1;

/// One line of JSON, and a line with its checksum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Manifest {
    format: u32,
    /// Random; every commit carries it.
    pub identity: u64,
    /// Whether the folder has never had commits without a number: an older version of the engine did not make it.
    #[serde(default)]
    pub numbered: bool,
    pub state: FolderState,
    /// The number of the last commit when this was written.
    pub commit: u64,
    /// No sequence number is higher before this is written again.
    pub ceiling: u64,
    /// The number of the newest journal.
    pub journal: u64,
    /// The version of the tables of each keyspace, by its folder. Newer versions follow without notice.
    pub versions: BTreeMap<String, u64>,
    /// Nobody has confirmed yet that they have taken note of these.
    pub cuts: Vec<Cut>,
}

/// Whether the store was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FolderState {
    /// Being created: there is no commit yet. Written before everything else, so that a creation that was cut off can
    /// be told from a folder whose files were removed.
    Creating,
    /// Closed: every commit is in a table, and there is none after the recorded one.
    Closed,
    /// Open, or killed. Every commit was synced before it was acknowledged, so that at most the last is torn.
    Open,
    /// Open, or killed, with commits after the recorded one that were acknowledged before they were synced.
    Relaxed,
}

/// The end of a journal that was cut off when the store was opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Cut {
    /// The name of the journal.
    pub journal: String,
    /// Where it ends since.
    pub position: u64,
    /// How many bytes were cut off.
    pub bytes: u64,
    /// How many whole commits were behind the torn one. They were acknowledged, but never synced; only relaxed commits
    /// are lost like this.
    pub commits_behind: u64,
}

impl fmt::Display for Cut {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { journal, position, bytes, commits_behind } = self;
        write!(out, "`{journal}` was cut off at byte {position} when it was opened: {bytes} bytes of ")?;
        match commits_behind {
            0 => out.write_str("a commit that a power failure or a full disk may have torn before it was acknowledged"),
            behind => {
                write!(out, "relaxed commits that were not synced before a power failure, {behind} of them whole")
            }
        }
    }
}

/// Why a manifest cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unusable {
    /// The checksum or the structure is wrong.
    Damaged,
    /// Another version of the engine wrote it.
    Format(u32),
}

impl Manifest {
    /// The manifest of a folder that has none, with a new identity.
    pub(super) fn new(state: FolderState, journal: u64) -> Result<Self, RandomError> {
        Ok(Self {
            format: FORMAT,
            identity: u64::from_le_bytes(random_bytes(&SystemRandom)?),
            state,
            numbered: state == FolderState::Creating,
            commit: 0,
            ceiling: u64::MAX,
            journal,
            versions: BTreeMap::new(),
            cuts: Vec::new(),
        })
    }

    /// Replaces the manifest of a folder. It is on disk when this returns.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        let json = serde_json::to_string(self)?;
        let unfinished = folder.join(UNFINISHED);
        let mut file = File::create(&unfinished)?;
        file.write_all(format!("{json}\n{:016x}\n", xxh3_64(json.as_bytes())).as_bytes())?;
        file.sync_all()?;
        fs::rename(&unfinished, folder.join(MANIFEST))?;
        File::open(folder)?.sync_all()
    }

    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Unusable> {
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        let text = std::str::from_utf8(bytes).map_err(|_| Unusable::Damaged)?;
        let (json, checksum) = text.split_once('\n').ok_or(Unusable::Damaged)?;
        if checksum != format!("{:016x}\n", xxh3_64(json.as_bytes())) {
            return Err(Unusable::Damaged);
        }
        let Format { format } = serde_json::from_str(json).map_err(|_| Unusable::Damaged)?;
        if format != FORMAT {
            return Err(Unusable::Format(format));
        }
        serde_json::from_str(json).map_err(|_| Unusable::Damaged)
    }
}
