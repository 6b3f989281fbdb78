//! What the table says about callers, kept for a moment: otherwise every request would read it again.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::time::{Duration, Instant};

use keyfold_design::model::EntityId;
use keyfold_runtime::{Caller, Error, Runtime};
use parking_lot::Mutex;
use std::sync::Arc;

/// The most callers that are kept.
const MOST: usize = 10_000;

struct Entry {
    shown: Arc<Caller>,
    known: Arc<Caller>,
    until: Instant,
}

pub struct KnownCallers {
    /// The entities that say what groups and permissions callers have; empty where the table says nothing of them.
    sources: Vec<EntityId>,
    kept: Mutex<HashMap<u64, Entry>>,
    keep: Duration,
}

impl KnownCallers {
    pub fn new(runtime: &Runtime, keep: Duration) -> Self {
        let callers = &runtime.design().callers;
        let mut sources = Vec::new();
        if let Some(groups) = &callers.groups {
            sources.push(groups.membership);
            sources.extend(groups.permissions.as_ref().map(|(group, _)| *group));
        }
        if let Some(permissions) = &callers.permissions {
            sources.extend([permissions.caller, permissions.permission]);
        }
        Self { sources, kept: Mutex::new(HashMap::new()), keep }
    }

    /// The caller with their groups and permissions.
    pub async fn known(&self, runtime: &Runtime, shown: &Arc<Caller>) -> Result<Arc<Caller>, Error> {
        if self.sources.is_empty() || shown.subject.is_none() || shown.superuser {
            return Ok(Arc::clone(shown));
        }
        let place = place_of(shown);
        let now = Instant::now();
        let found = self
            .kept
            .lock()
            .get(&place)
            .filter(|entry| entry.shown == *shown && entry.until > now)
            .map(|entry| Arc::clone(&entry.known));
        if let Some(known) = found {
            return Ok(known);
        }
        let known = Arc::new(runtime.known(Caller::clone(shown)).await?);
        let mut kept = self.kept.lock();
        if kept.len() >= MOST {
            kept.retain(|_, entry| entry.until > now);
        }
        if kept.len() < MOST {
            kept.insert(place, Entry { shown: Arc::clone(shown), known: Arc::clone(&known), until: now + self.keep });
        }
        Ok(known)
    }

    /// After a change of what they come from, groups and permissions are read again.
    pub fn changed(&self, entities: impl IntoIterator<Item = EntityId>) {
        if entities.into_iter().any(|entity| self.sources.contains(&entity)) {
            self.kept.lock().clear();
        }
    }
}

fn place_of(caller: &Caller) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&caller.subject, &caller.tenant, &caller.roles, &caller.groups, &caller.permissions).hash(&mut hasher);
    hasher.finish()
}
