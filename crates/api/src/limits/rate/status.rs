//! The `RateLimit` headers of a response, as in the IETF's draft on RateLimit header fields.

use std::fmt::Write;
use std::sync::Arc;

use http::HeaderMap;
use http::header::HeaderName;
use parking_lot::Mutex;

use super::quota::Rate;
use crate::response::header::insert_header;

pub(super) const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
pub(super) const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// The remaining requests of one limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RemainingQuota {
    pub name: &'static str,
    pub rate: Rate,
    pub remaining: u32,
    /// The seconds until the whole quota is available again.
    pub reset_seconds: u32,
}

/// The limits that a request was counted against; travels with it, and ends in the headers of its response.
#[derive(Debug, Clone, Default)]
pub(crate) struct RateLimitStatus(Arc<Mutex<Vec<RemainingQuota>>>);

impl RateLimitStatus {
    pub(crate) fn add(&self, quota: RemainingQuota) {
        self.0.lock().push(quota);
    }

    pub(crate) fn write_headers(&self, headers: &mut HeaderMap) {
        let limits = self.0.lock();
        if limits.is_empty() {
            return;
        }
        let (mut policy, mut limit) = (String::new(), String::new());
        for left in limits.iter() {
            let between = if policy.is_empty() { "" } else { ", " };
            let (requests, window) = (left.rate.requests, left.rate.window.duration().as_secs());
            let _ = write!(policy, "{between}\"{}\";q={requests};w={window}", left.name);
            let _ = write!(limit, "{between}\"{}\";r={};t={}", left.name, left.remaining, left.reset_seconds);
        }
        for (name, text) in [(POLICY, policy), (LIMIT, limit)] {
            insert_header(headers, name, &text);
        }
    }
}
