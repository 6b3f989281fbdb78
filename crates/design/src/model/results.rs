//! The results of a pattern: their order, and whose items they are.

/// The order of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Least sort key first.
    Ascending,
    /// Greatest sort key first: `newest first`.
    Descending,
}

/// How a pattern keeps to the caller's tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TenantMode {
    /// All entities are global.
    Global,
    /// The partition key holds the tenant: the parameter is bound to the caller's.
    Pinned {
        /// The parameter in the partition key.
        parameter: String,
    },
    /// Items of other tenants are dropped for members; operators see all.
    Filtered,
    /// For operators only.
    AcrossTenants,
}
