//! A short-lived cache of what the design's table says about callers: who they are, their memberships, groups and
//! permissions, and that they have the items that the design requires of them.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use keyfold_design::model::EntityId;
use keyfold_environment::Clock;
use keyfold_runtime::{Caller, Error, Runtime};
use parking_lot::Mutex;

/// The maximum number of cached callers.
const CAPACITY: usize = 10_000;

/// A caller who loses an item that the design requires is locked out after this time, whatever the setting.
const MAX_STATE_LIFETIME_MS: u64 = 1_000;

struct CachedCaller {
    /// The caller as authenticated.
    principal: Arc<Caller>,
    /// The caller with groups and permissions.
    resolved: Arc<Caller>,
    /// On the monotonic clock.
    expires_ms: u64,
}

pub(crate) struct CallerCache {
    /// The entities that define callers, their groups and permissions, and their state; empty if the design has none.
    sources: Vec<EntityId>,
    cached: Mutex<HashMap<u64, CachedCaller>>,
    lifetime_ms: u64,
    clock: Arc<dyn Clock>,
}

impl CallerCache {
    pub(crate) fn new(runtime: &Runtime, lifetime: Duration, clock: Arc<dyn Clock>) -> Self {
        let callers = &runtime.design().callers;
        let mut sources = Vec::new();
        if let Some(groups) = &callers.groups {
            sources.push(groups.membership);
            sources.extend(groups.permissions.as_ref().map(|(group, _)| *group));
        }
        if let Some(permissions) = &callers.permissions {
            sources.extend([permissions.caller, permissions.permission]);
        }
        let required = callers.requirements.iter().flat_map(|requirement| &requirement.alternatives);
        sources.extend(required.map(|item| item.entity));
        sources.extend(callers.users.as_ref().map(|users| users.entity));
        sources.extend(callers.members.as_ref().map(|members| members.entity));
        let mut lifetime_ms = u64::try_from(lifetime.as_millis()).unwrap_or(u64::MAX);
        if !callers.requirements.is_empty() || callers.users.is_some() || callers.members.is_some() {
            lifetime_ms = lifetime_ms.min(MAX_STATE_LIFETIME_MS);
        }
        Self { sources, cached: Mutex::new(HashMap::new()), lifetime_ms, clock }
    }

    /// The caller with their groups and permissions; an error for one without the items that the design requires.
    /// Errors are not cached.
    pub(crate) async fn resolve(&self, runtime: &Runtime, principal: &Arc<Caller>) -> Result<Arc<Caller>, Error> {
        if self.sources.is_empty() || principal.subject.is_none() || principal.superuser {
            return Ok(Arc::clone(principal));
        }
        let hash = hash_of(principal);
        let now = self.clock.monotonic_ms();
        let found = self
            .cached
            .lock()
            .get(&hash)
            .filter(|entry| entry.principal == *principal && entry.expires_ms > now)
            .map(|entry| Arc::clone(&entry.resolved));
        if let Some(resolved) = found {
            return Ok(resolved);
        }
        let resolved = Arc::new(runtime.resolve_caller(Caller::clone(principal)).await?);
        let mut cached = self.cached.lock();
        if cached.len() >= CAPACITY {
            cached.retain(|_, entry| entry.expires_ms > now);
        }
        if cached.len() < CAPACITY {
            let entry = CachedCaller {
                principal: Arc::clone(principal),
                resolved: Arc::clone(&resolved),
                expires_ms: now.saturating_add(self.lifetime_ms),
            };
            cached.insert(hash, entry);
        }
        Ok(resolved)
    }

    /// Clears the cache after a change of an entity that says something about callers.
    pub(crate) fn invalidate(&self, entities: impl IntoIterator<Item = EntityId>) {
        if entities.into_iter().any(|entity| self.sources.contains(&entity)) {
            self.cached.lock().clear();
        }
    }
}

fn hash_of(caller: &Caller) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&caller.subject, &caller.tenant, &caller.roles, &caller.groups, &caller.permissions).hash(&mut hasher);
    caller.identity.hash(&mut hasher);
    hasher.finish()
}
