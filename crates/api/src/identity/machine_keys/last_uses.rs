//! When each key was used last: in a file of its own, written at most once a minute per key, and shared by the servers
//! that share the key file.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use keyfold_environment::{read_plain_file, update_file};
use keyfold_runtime::Clock;
use parking_lot::Mutex;

use super::entry::time_text;

const MINUTE_MS: u64 = 60 * 1000;
/// Enough of a hash to tell keys apart.
const ID_DIGITS: usize = 16;

/// Times by the id of their key.
type Times = BTreeMap<String, String>;

pub(super) struct LastUses {
    path: PathBuf,
    clock: Arc<dyn Clock>,
    /// When the last use of a key was noted, in milliseconds.
    noted: Mutex<HashMap<String, u64>>,
    /// Uses that are to be written.
    pending: Mutex<Times>,
    /// Held while the file is written.
    writing: Mutex<()>,
    is_failing: AtomicBool,
}

/// The id of a key, by its hash in hexadecimal digits.
pub(super) fn key_id(hash: &str) -> String {
    hash.chars().take(ID_DIGITS).map(|digit| digit.to_ascii_lowercase()).collect()
}

impl LastUses {
    /// Next to the key file, with `.used` at the end of its name.
    pub(super) fn default_path(keys: &Path) -> PathBuf {
        let mut name = keys.file_name().unwrap_or_default().to_owned();
        name.push(".used");
        keys.with_file_name(name)
    }

    pub(super) fn new(path: PathBuf, clock: Arc<dyn Clock>) -> Arc<Self> {
        Arc::new(Self {
            path,
            clock,
            noted: Mutex::default(),
            pending: Mutex::default(),
            writing: Mutex::default(),
            is_failing: AtomicBool::new(false),
        })
    }

    /// What is stored; nothing if the file does not exist or is damaged.
    pub(super) fn read(path: &Path) -> io::Result<Times> {
        match read_plain_file(path) {
            Ok(content) => Ok(parse(&content)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Times::new()),
            Err(error) => Err(error),
        }
    }

    /// Notes a use of a key. The file is written in the background: no request waits for it.
    pub(super) fn note(self: &Arc<Self>, id: &str) {
        let now = self.clock.now_ms();
        {
            let mut noted = self.noted.lock();
            // Also where the clock was set back.
            if noted.get(id).is_some_and(|at| now.abs_diff(*at) < MINUTE_MS) {
                return;
            }
            noted.insert(id.to_owned(), now);
        }
        let Ok(at) = time_text(now) else { return };
        self.pending.lock().insert(id.to_owned(), at);
        if let Ok(executor) = tokio::runtime::Handle::try_current() {
            let uses = Arc::clone(self);
            executor.spawn_blocking(move || uses.write());
        }
    }

    fn write(&self) {
        let _writing = self.writing.lock();
        let pending = std::mem::take(&mut *self.pending.lock());
        if pending.is_empty() {
            return;
        }
        let written = update_file(&self.path, |content| {
            let mut times = parse(&content);
            for (id, at) in pending {
                // Times sort as their texts do. Another server may have noted a later use.
                let stored = times.entry(id).or_default();
                *stored = at.max(std::mem::take(stored));
            }
            let mut text = serde_json::to_string_pretty(&times)?;
            text.push('\n');
            Ok::<_, io::Error>(text.into_bytes())
        });
        match written {
            Ok(()) => self.is_failing.store(false, Ordering::Relaxed),
            Err(cause) if !self.is_failing.swap(true, Ordering::Relaxed) => {
                let path = self.path.display();
                tracing::warn!(%path, %cause, "the last use of machine keys cannot be recorded; see `machine-key-uses`");
            }
            Err(_) => {}
        }
    }
}

fn parse(content: &[u8]) -> Times {
    serde_json::from_slice(content).unwrap_or_default()
}
