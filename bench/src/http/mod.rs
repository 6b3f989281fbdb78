//! Keyfold over HTTP, beside a bare server (the floor) and DynamoDB Local (the peer).

pub(crate) mod benchmark;
pub(crate) mod connection;
pub(crate) mod floor;
pub(crate) mod load;
pub(crate) mod report;
pub(crate) mod request;
pub(crate) mod server;
pub(crate) mod table;
pub(crate) mod workload;
