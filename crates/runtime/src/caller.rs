//! The identity that makes a call.

use keyfold_design::Design;
use keyfold_design::constraint::CallerView;
use keyfold_design::model::Grantee;

/// The caller of a verb or pattern, as authenticated. Nothing of it comes from a request's
/// body.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caller {
    /// The subject; absent for callers without a token.
    pub subject: Option<String>,
    /// The tenant they act in.
    pub tenant: Option<String>,
    /// Roles from their token.
    pub roles: Vec<String>,
    /// The groups they are in, of the active tenant only.
    pub groups: Vec<String>,
    /// Permissions such as `licenses.write`, of the active tenant only.
    pub permissions: Vec<String>,
    /// Acts on the whole platform regardless of roles: the command line on local data.
    pub superuser: bool,
}

impl Caller {
    /// Someone who acts on the whole platform.
    pub fn operator(subject: impl Into<String>) -> Self {
        Self { subject: Some(subject.into()), superuser: true, ..Self::default() }
    }

    /// A member of a tenant.
    pub fn member(tenant: impl Into<String>, subject: impl Into<String>) -> Self {
        Self { subject: Some(subject.into()), tenant: Some(tenant.into()), ..Self::default() }
    }

    /// Whether the caller acts on the whole platform.
    pub fn is_operator(&self, design: &Design) -> bool {
        self.superuser || design.callers.operators.as_ref().is_some_and(|grantee| self.is_included_in(grantee))
    }

    /// Whether the caller is included, as far as this is decided without an item, a tenant or the design.
    pub(crate) fn is_included_in(&self, grantee: &Grantee) -> bool {
        match grantee {
            Grantee::Anyone => true,
            Grantee::SignedIn => self.subject.is_some(),
            Grantee::Role(role) => self.roles.iter().any(|own| own == role),
            Grantee::Group(group) => self.groups.iter().any(|own| own == group),
            Grantee::Permission(permission) => self.permissions.iter().any(|own| own == permission),
            Grantee::All(parts) => parts.iter().all(|part| self.is_included_in(part)),
            Grantee::Any(parts) => parts.iter().any(|part| self.is_included_in(part)),
            Grantee::Operators | Grantee::Members | Grantee::Owner => false,
        }
    }

    pub(crate) fn view(&self) -> CallerView<'_> {
        CallerView {
            subject: self.subject.as_deref(),
            tenant: self.tenant.as_deref(),
            roles: &self.roles,
            groups: &self.groups,
        }
    }
}
