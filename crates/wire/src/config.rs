//! What a server is started with.

use std::collections::HashMap;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::SystemTime;

use crate::limits::Limits;

/// Where the time comes from.
pub type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

#[derive(Clone)]
pub struct Config {
    pub address: SocketAddr,
    pub credentials: Credentials,
    pub limits: Limits,
    /// The region that requests must be signed for, and that the server tells as its own.
    pub region: String,
    pub clock: Clock,
    /// Random bytes; request ids follow from them.
    pub request_id_seed: [u8; 16],
}

/// Whose requests are answered.
#[derive(Clone)]
pub enum Credentials {
    /// Everybody's, signed or not. For development: a server with this setting listens on loopback only.
    AnyOnLoopback,
    /// Those signed with one of these pairs of access key and secret key.
    Configured(HashMap<String, String>),
}

/// Tells no secret.
impl fmt::Debug for Credentials {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AnyOnLoopback => out.write_str("AnyOnLoopback"),
            Self::Configured(pairs) => out.debug_tuple("Configured").field(&pairs.len()).finish(),
        }
    }
}
