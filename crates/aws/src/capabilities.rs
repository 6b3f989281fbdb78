//! What a service that speaks DynamoDB's protocol can do.

/// What a client has to know of its service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capabilities {
    /// The name people know the service by.
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
