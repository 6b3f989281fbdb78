//! Rate limits: by subject, by tenant, and by address for callers without a valid credential.

mod buckets;
mod peer;
mod quota;
mod status;

use std::hash::{BuildHasher, RandomState};

use http::request::Parts;

use self::buckets::Buckets;
pub(crate) use self::peer::Peer;
pub use self::quota::{BadRate, Rate};
pub(crate) use self::status::RateLimitStatus;
use crate::identity::principal::Principal;
use crate::response::problem::{Kind, Problem};

/// The rates that callers are held to; `None` where there is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RateLimits {
    /// Of each subject.
    pub subject: Option<Rate>,
    /// Of all subjects of a tenant together.
    pub tenant: Option<Rate>,
    /// Of an address, for callers without a valid credential.
    pub address: Option<Rate>,
    /// The number of proxies in front that add to `X-Forwarded-For`.
    pub proxies: usize,
}

/// Counts requests.
pub(crate) struct Gate {
    subject: Option<Buckets>,
    tenant: Option<Buckets>,
    address: Option<Buckets>,
    proxies: usize,
    /// Buckets are named by hashes that are this process's own: nobody can choose whom to share one with.
    hasher: RandomState,
}

impl Gate {
    pub(crate) fn new(limits: &RateLimits) -> Self {
        let buckets = |name, rate: Option<Rate>| rate.map(|rate| Buckets::new(name, rate));
        Self {
            subject: buckets("subject", limits.subject),
            tenant: buckets("tenant", limits.tenant),
            address: buckets("address", limits.address),
            proxies: limits.proxies,
            hasher: RandomState::new(),
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.subject.is_none() && self.tenant.is_none() && self.address.is_none()
    }

    /// Counts a request of a caller, or rejects it.
    pub(crate) fn admit(&self, principal: &Principal, parts: &Parts) -> Result<(), Problem> {
        let caller = &principal.caller;
        let Some(subject) = &caller.subject else { return self.admit_address(parts) };
        self.take(&self.subject, self.hasher.hash_one((principal.kind, subject)), parts)?;
        match &caller.tenant {
            Some(tenant) => self.take(&self.tenant, self.hasher.hash_one(tenant), parts),
            None => Ok(()),
        }
    }

    /// Counts a request of an address. Requests with an invalid credential are among them, so that guessing is slow.
    pub(crate) fn admit_address(&self, parts: &Parts) -> Result<(), Problem> {
        match (&self.address, peer::address_of(parts, self.proxies)) {
            (Some(_), Some(address)) => self.take(&self.address, self.hasher.hash_one(address), parts),
            _ => Ok(()),
        }
    }

    fn take(&self, buckets: &Option<Buckets>, key: u64, parts: &Parts) -> Result<(), Problem> {
        let Some(buckets) = buckets else { return Ok(()) };
        let outcome = buckets.take(key);
        if let Some(status) = parts.extensions.get::<RateLimitStatus>() {
            status.add(outcome.remaining);
        }
        match outcome.wait_seconds {
            None => Ok(()),
            Some(seconds) => Err(Problem {
                retry_after: Some(seconds),
                ..Problem::new(Kind::RATE_LIMITED, format!("the limit of this {} is reached", buckets.name))
            }),
        }
    }
}
