//! What a provider publishes, kept up to date: fetched when it is first needed, again when it is old, and on demand. It
//! stays in use for a while if it cannot be fetched again.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use keyfold_runtime::Clock;
use parking_lot::RwLock;

/// The minimum interval between fetches, however many tokens name unknown keys.
const MIN_INTERVAL_MS: u64 = 30_000;
/// The interval while nothing was fetched yet and nobody can sign in.
const FIRST_INTERVAL_MS: u64 = 2_000;
/// The maximum age, and so the time a withdrawn key stays valid while the provider is reachable.
const MAX_AGE_MS: u64 = 10 * 60_000;
/// The age after which keys no longer count that could not be fetched again.
const OUTDATED_AFTER_MS: u64 = 24 * 60 * 60_000;

type Fetch<T> = Box<dyn Fn() -> BoxFuture<'static, Result<T, String>> + Send + Sync>;

pub(super) struct Remote<T> {
    /// What is fetched, for messages.
    content: String,
    fetch: Fetch<T>,
    clock: Arc<dyn Clock>,
    state: RwLock<State<T>>,
    /// Held during a fetch, so that concurrent requests share one fetch.
    fetching: tokio::sync::Mutex<()>,
}

struct State<T> {
    value: Option<T>,
    tried_at_ms: Option<u64>,
    fetched_at_ms: Option<u64>,
}

impl<T: Clone + Send + Sync + 'static> Remote<T> {
    pub(super) fn new(
        content: String,
        clock: Arc<dyn Clock>,
        fetch: impl Fn() -> BoxFuture<'static, Result<T, String>> + Send + Sync + 'static,
    ) -> Arc<Self> {
        let state = RwLock::new(State { value: None, tried_at_ms: None, fetched_at_ms: None });
        Arc::new(Self { content, fetch: Box::new(fetch), clock, state, fetching: tokio::sync::Mutex::new(()) })
    }

    /// The current value. An old one stays in use during a fetch; only the first fetch is awaited.
    pub(super) async fn current(self: &Arc<Self>) -> Option<T> {
        if self.usable().is_none() {
            self.refresh().await;
        } else if self.is_due() {
            self.refresh_in_background();
        }
        self.usable()
    }

    /// The value, unless it was fetched too long ago: it may have been revoked since.
    pub(super) fn usable(&self) -> Option<T> {
        let state = self.state.read();
        if is_outdated(&state, self.clock.monotonic_ms()) { None } else { state.value.clone() }
    }

    /// Fetches it now, unless that was tried recently. It completes even if nobody waits for it any more: otherwise
    /// clients that leave at once could keep it from ever completing.
    pub(super) async fn refresh(self: &Arc<Self>) {
        let this = Arc::clone(self);
        if tokio::spawn(async move { this.fetch_now().await }).await.is_err() {
            tracing::error!("the fetch of {} ended early", self.content);
        }
    }

    async fn fetch_now(&self) {
        if was_tried_recently(&self.state.read(), self.clock.monotonic_ms()) && self.fetching.try_lock().is_ok() {
            return;
        }
        let _fetch_guard = self.fetching.lock().await;
        if was_tried_recently(&self.state.read(), self.clock.monotonic_ms()) {
            return;
        }
        self.state.write().tried_at_ms = Some(self.clock.monotonic_ms());
        match (self.fetch)().await {
            Ok(value) => {
                let mut state = self.state.write();
                state.fetched_at_ms = Some(self.clock.monotonic_ms());
                state.value = Some(value);
            }
            Err(cause) => tracing::warn!(cause, "cannot fetch {}; what was fetched before stays in use", self.content),
        }
    }

    fn refresh_in_background(self: &Arc<Self>) {
        let this = Arc::clone(self);
        tokio::spawn(async move { this.fetch_now().await });
    }

    fn is_due(&self) -> bool {
        let state = self.state.read();
        let now = self.clock.monotonic_ms();
        let is_old = state.fetched_at_ms.is_none_or(|then| now.saturating_sub(then) >= MAX_AGE_MS);
        is_old && !was_tried_recently(&state, now)
    }

    /// Why there is no value, if it was fetched once.
    pub(super) fn fault(self: &Arc<Self>) -> Option<String> {
        // Where nobody sends a token for a day, the keys are not outdated because of a fault.
        if self.state.read().fetched_at_ms.is_some() && self.is_due() {
            self.refresh_in_background();
        }
        let state = self.state.read();
        let has_failed = is_outdated(&state, self.clock.monotonic_ms()) && state.tried_at_ms > state.fetched_at_ms;
        has_failed.then(|| format!("{} could not be fetched for a day", self.content))
    }
}

/// Whether it was fetched, but too long ago.
fn is_outdated<T>(state: &State<T>, now: u64) -> bool {
    state.fetched_at_ms.is_some_and(|then| now.saturating_sub(then) >= OUTDATED_AFTER_MS)
}

fn was_tried_recently<T>(state: &State<T>, now: u64) -> bool {
    let interval = if state.value.is_some() && !is_outdated(state, now) { MIN_INTERVAL_MS } else { FIRST_INTERVAL_MS };
    state.tried_at_ms.is_some_and(|then| now.saturating_sub(then) < interval)
}
