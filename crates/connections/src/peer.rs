//! The client of a connection.

use std::net::IpAddr;
use std::sync::Arc;

use crate::paced_body::PacedBody;
use crate::phase::PhaseCell;

/// The other end of a connection.
#[derive(Clone)]
pub struct Peer {
    pub address: IpAddr,
    phase: Arc<PhaseCell>,
}

impl Peer {
    pub(crate) fn new(address: IpAddr, phase: Arc<PhaseCell>) -> Self {
        Self { address, phase }
    }

    /// The body of a request, which the client must send at a minimum rate.
    pub fn pace<B>(&self, body: B) -> PacedBody<B> {
        PacedBody::new(body, self.phase.clone())
    }
}
