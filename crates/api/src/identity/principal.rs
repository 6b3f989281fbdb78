//! The caller of a request, by their credential.

use std::collections::BTreeMap;
use std::sync::Arc;

use keyfold_runtime::Caller;

/// The headers that identify the caller, on which a response depends.
pub(crate) const CALLER_HEADERS: &str = "authorization, x-api-key, cookie, keyfold-tenant";

/// The caller of a request, with the kind of their credential.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Principal {
    /// Subject, tenant and roles; groups and permissions of the table are added per design.
    pub caller: Arc<Caller>,
    /// When the credential expires, in milliseconds since the epoch; `None` if it does not.
    pub expires_at_ms: Option<u64>,
    pub kind: CredentialKind,
    /// The SHA-256 of the machine key; `None` for every other credential.
    pub key_hash: Option<[u8; 32]>,
    /// The caller in each design; `None` if they are the same in every design, as anonymous callers are.
    pub grants: Option<Arc<Grants>>,
}

/// What a credential grants: roles belong to a design, or to the server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grants {
    /// The caller in each design that the credential is for.
    pub callers: BTreeMap<String, Arc<Caller>>,
    /// Roles for what belongs to no design, such as metrics.
    pub server_roles: Vec<String>,
}

impl Principal {
    /// The principal in a design; an error if the credential is not for it.
    pub(crate) fn in_design(self, design: &str) -> Result<Self, Unauthenticated> {
        let Some(grants) = &self.grants else { return Ok(self) };
        match grants.callers.get(design) {
            Some(caller) => Ok(Self { caller: Arc::clone(caller), ..self }),
            None => {
                let credential = if self.kind == CredentialKind::Key { "key" } else { "token" };
                let reason = format!("the {credential} is not for the design `{design}`");
                Err(Unauthenticated { reason, temporary: false })
            }
        }
    }

    /// Whether the credential is for a design.
    pub(crate) fn is_for(&self, design: &str) -> bool {
        self.grants.as_ref().is_none_or(|grants| grants.callers.contains_key(design))
    }

    pub(crate) fn has_server_role(&self, role: &str) -> bool {
        self.grants.as_ref().is_some_and(|grants| grants.server_roles.iter().any(|own| own == role))
    }
}

/// The kind of a credential.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum CredentialKind {
    /// None.
    #[default]
    Anonymous,
    /// A signed token.
    Token,
    /// A machine key.
    Key,
    /// Access to the data themselves: a command on the machine of an operator.
    Command,
}

/// The credential is not valid: 401, whatever the request is for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Unauthenticated {
    /// The reason sent to the client; contains nothing that helps to forge a credential.
    pub reason: String,
    /// The credential could not be verified: 503, and a retry may succeed.
    pub temporary: bool,
}
