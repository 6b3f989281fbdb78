//! The verdict of policy files, before the rules of the design are considered.

/// The verdict of the policy files about an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No policy applies: the rules of the design decide.
    Silent,
    Permitted,
    /// Overrides every permit and every rule.
    Forbidden,
}
