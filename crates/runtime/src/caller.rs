//! The identity that makes a call.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use keyfold_design::constraint::CallerView;

use crate::access_scope::{AccessScope, ScopeArea};

/// The subjects of machines begin with it, and no others.
pub const MACHINE_SUBJECT: &str = "machine:";

/// The subjects of people who are no users of the table begin with it, where a design takes its callers from there:
/// what a token calls them may be the id of a user.
pub const TOKEN_SUBJECT: &str = "token:";

/// The caller of a verb or access pattern, as authenticated. Nothing of it comes from the body of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caller {
    /// The id of the person or machine, such as the `sub` of a token; absent for callers without a token.
    pub subject: Option<String>,
    /// The tenant that they act in; a caller without one sees only items that belong to all tenants.
    pub tenant: Option<String>,
    /// Roles from the token.
    pub roles: Vec<String>,
    /// The groups they are in, of the active tenant only.
    pub groups: Vec<String>,
    /// Permissions such as `licenses.write`, of the active tenant only.
    pub permissions: Vec<String>,
    /// Whether they act on the whole platform and no rule applies to them: the command line on local data.
    pub superuser: bool,
    /// What a token says about a person who has not been looked up in the table yet, or who is not in it; absent where
    /// the subject is their id.
    pub identity: Option<Arc<TokenIdentity>>,
    /// What their credential may be used for, within what the rules allow; absent where it is not restricted.
    pub scope: Option<Arc<AccessScope>>,
}

/// What a token says about a person.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct TokenIdentity {
    /// The `iss` of the token: a subject is unique per issuer.
    pub issuer: String,
    /// The subject, as the issuer states it.
    pub subject: String,
    /// Further claims, for the items of new users: `name`, `email`.
    pub claims: BTreeMap<String, String>,
    /// The claims of which the issuer says that it has verified them: the token has `email_verified` beside `email`.
    pub verified: BTreeSet<String>,
    /// Whether the issuer says so of the claim with the subject.
    pub has_verified_subject: bool,
}

impl Caller {
    /// A superuser: acts on the whole platform, and no rule and no policy applies to them. An operator, in contrast, is
    /// a caller with the role that `callers: {operators: …}` names, to whom rules apply.
    pub fn superuser(subject: impl Into<String>) -> Self {
        Self { subject: Some(subject.into()), superuser: true, ..Self::default() }
    }

    /// A member of a tenant, without roles, groups or permissions.
    pub fn member(tenant: impl Into<String>, subject: impl Into<String>) -> Self {
        Self { subject: Some(subject.into()), tenant: Some(tenant.into()), ..Self::default() }
    }

    /// Whether this is a program with a machine key, rather than a person.
    pub fn is_machine(&self) -> bool {
        self.subject.as_ref().is_some_and(|subject| subject.starts_with(MACHINE_SUBJECT))
    }

    /// Whether the scope of the credential includes something that a server offers besides items.
    pub fn is_in_scope(&self, area: ScopeArea) -> bool {
        self.scope.as_ref().is_none_or(|scope| scope.admits_area(area))
    }

    /// The caller as conditions of rules see them.
    pub(crate) fn view(&self) -> CallerView<'_> {
        CallerView {
            subject: self.subject.as_deref(),
            tenant: self.tenant.as_deref(),
            roles: &self.roles,
            groups: &self.groups,
        }
    }
}
