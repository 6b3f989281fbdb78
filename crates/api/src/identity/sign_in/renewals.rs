//! Refresh tokens that were used. Providers take each of them once: requests that arrive at the same time, with the
//! same session, share one renewal.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use super::provider::IssuedTokens;

/// How long the outcome is kept for requests that were sent with the session from before.
const KEPT_MS: u64 = 5 * 60_000;
/// How long a provider that failed, or takes the same refresh token again, is not asked again about a session.
const PAUSE_MS: u64 = 10_000;
/// The number of outcomes above which old ones are removed.
const CAPACITY: usize = 10_000;

/// The outcome of a renewal.
#[derive(Clone)]
pub(super) enum Renewal {
    Renewed(Arc<IssuedTokens>),
    /// The provider has ended the session.
    Ended,
    /// The provider cannot be reached.
    Failed,
}

type Slot = Arc<tokio::sync::Mutex<Option<(Renewal, u64)>>>;

#[derive(Default)]
pub(super) struct Renewals {
    /// By the hash of the refresh token, with the time at which each was made.
    slots: Mutex<HashMap<[u8; 32], (Slot, u64)>>,
}

impl Renewals {
    /// Renews with this refresh token, unless that was done already. It completes even if nobody waits for it any more:
    /// otherwise the new refresh token would be lost.
    pub(super) async fn once<F>(&self, refresh_token: &str, now_ms: u64, renew: F) -> Renewal
    where
        F: Future<Output = Renewal> + Send + 'static,
    {
        let slot = self.slot(Sha256::digest(refresh_token).into(), now_ms);
        let used = refresh_token.to_owned();
        let renewing = tokio::spawn(async move {
            let mut outcome = slot.lock().await;
            match &*outcome {
                Some((Renewal::Failed, at_ms)) if now_ms >= at_ms.saturating_add(PAUSE_MS) => {}
                // A refresh token that stays the same gives another token each time.
                Some((Renewal::Renewed(issued), at_ms))
                    if issued.refresh_token.as_ref().is_none_or(|next| *next == used)
                        && now_ms >= at_ms.saturating_add(PAUSE_MS) => {}
                Some((known, _)) => return known.clone(),
                None => {}
            }
            let renewed = renew.await;
            *outcome = Some((renewed.clone(), now_ms));
            renewed
        });
        renewing.await.unwrap_or(Renewal::Failed)
    }

    fn slot(&self, hash: [u8; 32], now_ms: u64) -> Slot {
        let mut slots = self.slots.lock();
        if slots.len() >= CAPACITY {
            slots.retain(|_, (_, at_ms)| at_ms.saturating_add(KEPT_MS) > now_ms);
        }
        match slots.get(&hash) {
            Some((slot, at_ms)) if at_ms.saturating_add(KEPT_MS) > now_ms => Arc::clone(slot),
            _ => {
                let slot = Slot::default();
                slots.insert(hash, (Arc::clone(&slot), now_ms));
                slot
            }
        }
    }
}
