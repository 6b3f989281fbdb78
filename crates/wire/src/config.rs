//! The configuration of a server.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use keyfold_connections::{ReadinessSource, Tls};
use keyfold_environment::{Clock, Random, RandomError, SystemClock, random_bytes};
use tokio::runtime::Handle;

use crate::limits::Limits;
use crate::signature::AccessKeys;

/// What a server needs to know before it listens.
#[derive(Clone)]
pub struct Config {
    /// The address to listen on; with port 0, the operating system chooses one.
    pub address: SocketAddr,
    /// Whose requests are accepted.
    pub credentials: Credentials,
    /// Host names that unsigned requests may use, besides `localhost` and addresses of the loopback interface; none by
    /// default.
    pub allowed_hosts: Vec<String>,
    /// The certificate; `None` serves plain HTTP.
    pub tls: Option<Arc<Tls>>,
    /// Sizes and durations.
    pub limits: Limits,
    /// The region that requests must be signed for, and that the server reports as its own; `us-east-1` by default.
    pub region: String,
    /// Decides whether a signature is recent; the system's clock by default.
    pub clock: Arc<dyn Clock>,
    /// Answers `GET /healthz` and `/readyz`, and `/metrics` for operators; `None` serves no probes. In development mode
    /// every caller is an operator.
    pub readiness: Option<ReadinessSource>,
    /// An address on loopback that serves the probes to operators; `None` if there is no need for it.
    pub operator_address: Option<SocketAddr>,
    /// The executor of that address; `None` for the one that the server is bound on. With one of its own, the probes
    /// respond while requests wait for a disk.
    pub operator_runtime: Option<Handle>,
    /// Random bytes; request ids follow from them.
    pub request_id_seed: [u8; 16],
}

impl Config {
    /// The default limits, the region `us-east-1`, the system's clock, and request ids that follow from random bytes.
    pub fn new(address: SocketAddr, credentials: Credentials, random: &dyn Random) -> Result<Self, RandomError> {
        Ok(Self {
            address,
            credentials,
            allowed_hosts: Vec::new(),
            tls: None,
            limits: Limits::default(),
            region: "us-east-1".to_owned(),
            clock: Arc::new(SystemClock),
            readiness: None,
            operator_address: None,
            operator_runtime: None,
            request_id_seed: random_bytes(random)?,
        })
    }
}

/// Whose requests are accepted.
#[derive(Clone)]
pub enum Credentials {
    /// All requests, signed or not. For development: a server with this setting listens on loopback only.
    AnyOnLoopback,
    /// Requests signed with one of these pairs of access key and secret key.
    Configured(AccessKeys),
}

/// Shows no secrets.
impl fmt::Debug for Credentials {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AnyOnLoopback => out.write_str("AnyOnLoopback"),
            Self::Configured(keys) => out.debug_tuple("Configured").field(keys).finish(),
        }
    }
}
