//! Rate limits: by subject, by tenant, and by address for callers without a valid credential.

mod buckets;
mod peer;
mod quota;
mod status;

use std::hash::{BuildHasher, RandomState};

use http::request::Parts;

use self::buckets::Buckets;
pub(crate) use self::peer::PeerAddress;
pub use self::quota::{BadRate, Rate};
pub(crate) use self::status::RateLimitStatus;
use crate::identity::principal::Principal;
use crate::response::problem::{Problem, ProblemKind};

/// The rate limits of callers; each is off if it is `None`, as all are by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RateLimits {
    /// For each subject.
    pub subject: Option<Rate>,
    /// For all subjects of a tenant together.
    pub tenant: Option<Rate>,
    /// For each IP address, for requests without a valid credential; an IPv6 address counts by its /64 network.
    pub address: Option<Rate>,
    /// The number of proxies in front that append to `X-Forwarded-For`; 0, the default, ignores the header.
    pub proxies: usize,
}

/// Counts requests, and rejects those above a limit.
pub(crate) struct Gate {
    subject: Option<Buckets>,
    tenant: Option<Buckets>,
    address: Option<Buckets>,
    proxies: usize,
    /// Seeded per process, so that no client can choose names that share a bucket with another's.
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
                ..Problem::new(ProblemKind::RATE_LIMITED, format!("the limit of this {} is reached", buckets.name))
            }),
        }
    }
}
