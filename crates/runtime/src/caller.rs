//! The identity that makes a call.

use keyfold_design::constraint::CallerView;

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
}

impl Caller {
    /// A superuser: acts on the whole platform, and no rule and no policy applies to them. An operator, in contrast, is a
    /// caller with the role that `callers: {operators: …}` names, to whom rules apply.
    pub fn superuser(subject: impl Into<String>) -> Self {
        Self { subject: Some(subject.into()), superuser: true, ..Self::default() }
    }

    /// A member of a tenant, without roles, groups or permissions.
    pub fn member(tenant: impl Into<String>, subject: impl Into<String>) -> Self {
        Self { subject: Some(subject.into()), tenant: Some(tenant.into()), ..Self::default() }
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
