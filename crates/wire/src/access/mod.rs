//! What callers may do, and under which names they may reach the server.

mod hosts;
mod permissions;

pub(crate) use hosts::AllowedHosts;
pub(crate) use permissions::{Permissions, TablePattern};
