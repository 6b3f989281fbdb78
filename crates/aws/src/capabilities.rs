//! The capabilities of a service with DynamoDB's protocol.

/// The capabilities that a client must know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capabilities {
    /// The name of the service, for people.
    pub service: &'static str,
    /// TransactWriteItems and TransactGetItems.
    pub transactions: bool,
}

impl Capabilities {
    /// Amazon DynamoDB, DynamoDB Local, Keyfold's own engine.
    pub const DYNAMODB: Self = Self { service: "DynamoDB", transactions: true };

    /// ScyllaDB's Alternator: conditional writes of one item, and no transactions.
    pub const ALTERNATOR: Self = Self { service: "Alternator", transactions: false };
}

impl Default for Capabilities {
    fn default() -> Self {
        Self::DYNAMODB
    }
}
