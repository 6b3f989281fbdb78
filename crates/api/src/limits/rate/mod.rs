//! Rate limits: by subject, by tenant, and by address for callers without a valid credential.

mod buckets;
mod peer;
mod quota;
mod rate_table;
mod shared_buckets;
mod status;

use std::fmt::Debug;
use std::hash::{BuildHasher, Hash, RandomState};

use http::request::Parts;
use keyfold_dynamo::hexadecimal;
use sha2::{Digest, Sha256};

use self::buckets::Buckets;
pub(crate) use self::peer::PeerAddress;
pub use self::quota::{BadRate, Rate};
pub use self::rate_table::RateTable;
use self::shared_buckets::SharedBuckets;
pub(crate) use self::status::RateLimitStatus;
use crate::identity::principal::Principal;
use crate::response::problem::{Problem, ProblemKind};

const SIGN_UPS: &str = "first-sign-ins";

/// The rate limits of callers; each is off if it is `None`, as all are by default.
#[derive(Debug, Clone, Default)]
pub struct RateLimits {
    /// For each subject.
    pub subject: Option<Rate>,
    /// For all subjects of a tenant together.
    pub tenant: Option<Rate>,
    /// For each IP address, for requests without a valid credential; an IPv6 address counts by its /64 network.
    pub address: Option<Rate>,
    /// For first sign-ins, which create users: for each IP address and issuer.
    pub sign_up: Option<Rate>,
    /// The number of proxies in front that append to `X-Forwarded-For`; 0, the default, ignores the header.
    pub proxies: usize,
    /// Where several processes count the requests of subjects, tenants and addresses together; `None`, the default,
    /// counts them in memory, for this process alone.
    pub table: Option<RateTable>,
}

/// The counts of one limit.
enum Counts {
    Own(Buckets),
    Shared(SharedBuckets),
}

/// Counts requests, and rejects those above a limit.
pub(crate) struct Gate {
    subject: Option<Counts>,
    tenant: Option<Counts>,
    address: Option<Counts>,
    sign_up: Option<Counts>,
    proxies: usize,
    /// Seeded per process, so that no client can choose names that share a bucket with another's.
    hasher: RandomState,
}

impl Gate {
    pub(crate) fn new(limits: &RateLimits) -> Self {
        let buckets = |name, rate: Option<Rate>| {
            rate.map(|rate| match &limits.table {
                None => Counts::Own(Buckets::new(name, rate)),
                Some(table) => Counts::Shared(SharedBuckets::new(name, rate, table.clone())),
            })
        };
        Self {
            subject: buckets("subject", limits.subject),
            tenant: buckets("tenant", limits.tenant),
            address: buckets("address", limits.address),
            sign_up: buckets(SIGN_UPS, limits.sign_up),
            proxies: limits.proxies,
            hasher: RandomState::new(),
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        [&self.subject, &self.tenant, &self.address, &self.sign_up].into_iter().all(Option::is_none)
    }

    /// What identifies the address of a request, within this process.
    pub(crate) fn address_key(&self, parts: &Parts) -> Option<u64> {
        peer::address_of(parts, self.proxies).map(|address| self.hasher.hash_one(address))
    }

    /// What identifies a subject, within this process.
    pub(crate) fn subject_key(&self, principal: &Principal) -> Option<u64> {
        Some(self.hasher.hash_one(person_of(principal)?))
    }

    /// Counts a request of a caller, or rejects it.
    pub(crate) async fn admit(&self, principal: &Principal, parts: &Parts) -> Result<(), Problem> {
        let Some(person) = person_of(principal) else { return self.admit_address(parts).await };
        self.take(&self.subject, person, parts).await
    }

    /// Counts a request of a tenant of a design, once the design has admitted the caller: otherwise anyone could use up
    /// the limit of any tenant, or see it.
    pub(crate) async fn admit_tenant(&self, design: &str, tenant: &str, parts: &Parts) -> Result<(), Problem> {
        self.take(&self.tenant, (design, tenant), parts).await
    }

    /// Counts a request of an address. Requests with an invalid credential are among them, so that guessing is slow.
    pub(crate) async fn admit_address(&self, parts: &Parts) -> Result<(), Problem> {
        match (&self.address, peer::address_of(parts, self.proxies)) {
            (Some(_), Some(address)) => self.take(&self.address, address, parts).await,
            _ => Ok(()),
        }
    }

    /// Counts the first sign-in of a person, who has a valid token of this issuer.
    pub(crate) async fn admit_sign_up(&self, issuer: &str, parts: &Parts) -> Result<(), Problem> {
        self.take(&self.sign_up, (issuer, peer::address_of(parts, self.proxies)), parts).await
    }

    async fn take(&self, counts: &Option<Counts>, caller: impl Hash + Debug, parts: &Parts) -> Result<(), Problem> {
        let outcome = match counts {
            None => return Ok(()),
            Some(Counts::Own(buckets)) => buckets.take(self.hasher.hash_one(caller)),
            Some(Counts::Shared(buckets)) => buckets.take(&shared_name(buckets.name(), caller)).await,
        };
        let limit = outcome.remaining.name;
        if let Some(status) = parts.extensions.get::<RateLimitStatus>() {
            status.add(outcome.remaining);
        }
        match outcome.wait_seconds {
            None => Ok(()),
            Some(seconds) => Err(Problem {
                retry_after: Some(seconds),
                ..Problem::new(ProblemKind::RATE_LIMITED, limit_reached(limit))
            }),
        }
    }
}

/// What distinguishes a subject from all others: two issuers may have the same.
fn person_of(principal: &Principal) -> Option<impl Hash + Debug> {
    let caller = &principal.caller;
    let issuer = caller.identity.as_ref().map(|identity| identity.issuer.as_str());
    caller.subject.as_deref().map(|subject| (principal.kind, issuer, subject))
}

fn limit_reached(name: &str) -> String {
    match name {
        SIGN_UPS => "the limit of first sign-ins from this address is reached".to_owned(),
        name => format!("the limit of this {name} is reached"),
    }
}

/// The name of a caller in the table, which is the same in every process. It does not tell who they are to whoever
/// reads the table, and has the same length for all.
fn shared_name(limit: &str, caller: impl Debug) -> String {
    let hash = Sha256::digest(format!("{limit} {caller:?}"));
    hexadecimal(&hash)
}
