//! What a credential states about designs and roles, and what that grants in the designs of a server.

use std::collections::BTreeMap;
use std::sync::Arc;

use keyfold_runtime::{AccessScope, Caller, TokenIdentity};

use super::principal::Grants;

/// Between a design, or the server, and a role.
const SEPARATOR: char = ':';
/// In place of a design: the role belongs to the server.
const SERVER: &str = "server";

/// What a credential states.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct StatedGrants {
    pub subject: String,
    /// What a token says about a person, where the table says who that is.
    pub identity: Option<Arc<TokenIdentity>>,
    pub tenant: Option<String>,
    /// `DESIGN:ROLE`, `server:ROLE`, or a plain role.
    pub roles: Vec<String>,
    /// The designs that the credential is for; `None` if it names none.
    pub designs: Option<Vec<String>>,
    /// Tenants from claims of single designs.
    pub design_tenants: BTreeMap<String, String>,
    /// Roles from claims of single designs.
    pub design_roles: BTreeMap<String, Vec<String>>,
    /// What the credential may be used for; `None` for whatever the rules allow.
    pub scope: Option<Arc<AccessScope>>,
}

impl StatedGrants {
    /// The caller with everything that is stated, for servers that do not distinguish designs.
    pub(super) fn caller(&self) -> Caller {
        let (subject, tenant) = (Some(self.subject.clone()), self.tenant.clone());
        let (roles, identity, scope) = (self.roles.clone(), self.identity.clone(), self.scope.clone());
        Caller { subject, tenant, roles, identity, scope, ..Caller::default() }
    }

    /// What is stated by someone who is trusted with some designs alone, if any are named, and so not with the server.
    pub(super) fn limited_to(mut self, designs: &[String]) -> Self {
        if designs.is_empty() {
            return self;
        }
        self.designs = Some(match self.designs {
            Some(named) => named.into_iter().filter(|design| designs.contains(design)).collect(),
            // As for a server of one design: there is no other that the credential could be for.
            None if designs.len() == 1 => designs.to_vec(),
            None => Vec::new(),
        });
        self.roles.retain(|role| scoped(role, SERVER).is_none());
        self
    }

    /// What is granted in the served designs; `None` if they are not known.
    pub(super) fn grants(&self, served: &[String]) -> Option<Arc<Grants>> {
        if served.is_empty() {
            return None;
        }
        let is_meant = |design: &&String| match &self.designs {
            Some(designs) => designs.contains(design),
            // Only where there is one design is it clear which one a credential is for.
            None => served.len() == 1,
        };
        let callers = served.iter().filter(is_meant).map(|design| {
            let tenant = self.design_tenants.get(design).or(self.tenant.as_ref()).cloned();
            let caller = Caller { tenant, roles: self.roles_in(design, served), ..self.caller() };
            (design.clone(), Arc::new(caller))
        });
        let server_roles = self.roles.iter().filter_map(|role| scoped(role, SERVER)).map(str::to_owned).collect();
        Some(Arc::new(Grants { callers: callers.collect(), server_roles }))
    }

    /// The roles in a design: those that name it, and plain ones if the credential is for no other design.
    fn roles_in(&self, design: &str, served: &[String]) -> Vec<String> {
        let is_only_design = self.designs.as_ref().is_none_or(|designs| designs.len() == 1);
        let is_plain = |role: &str| {
            let names_scope = |scope: &str| scoped(role, scope).is_some();
            !names_scope(SERVER) && !served.iter().any(|design| names_scope(design))
        };
        let stated = self.roles.iter().filter_map(|role| match scoped(role, design) {
            Some(own) => Some(own),
            None => Some(role.as_str()).filter(|role| is_only_design && is_plain(role)),
        });
        let of_design = self.design_roles.get(design).into_iter().flatten().map(String::as_str);
        let mut roles: Vec<String> = Vec::new();
        for role in stated.chain(of_design) {
            if !roles.iter().any(|own| own == role) {
                roles.push(role.to_owned());
            }
        }
        roles
    }
}

/// The role within a scope; `None` if it is not of this scope.
fn scoped<'r>(role: &'r str, scope: &str) -> Option<&'r str> {
    role.strip_prefix(scope)?.strip_prefix(SEPARATOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn roles(stated: &StatedGrants, served: &[&str]) -> Vec<(String, Vec<String>)> {
        let grants = stated.grants(&names(served)).unwrap();
        grants.callers.iter().map(|(design, caller)| (design.clone(), caller.roles.clone())).collect()
    }

    fn stated(designs: Option<&[&str]>, roles: &[&str]) -> StatedGrants {
        StatedGrants {
            subject: "ada".to_owned(),
            roles: names(roles),
            designs: designs.map(names),
            ..Default::default()
        }
    }

    #[test]
    fn the_only_design_of_a_server_needs_no_name() {
        let plain = stated(None, &["admin", "x:y", "server:operator"]);
        assert_eq!(roles(&plain, &["shop"]), [("shop".to_owned(), names(&["admin", "x:y"]))]);
        assert_eq!(plain.grants(&names(&["shop"])).unwrap().server_roles, ["operator"]);
        assert_eq!(roles(&stated(Some(&["desk"]), &["admin"]), &["shop"]), []);
    }

    #[test]
    fn a_credential_that_names_no_design_is_for_none_of_several() {
        assert_eq!(roles(&stated(None, &["admin"]), &["shop", "desk"]), []);
    }

    #[test]
    fn plain_roles_count_in_credentials_for_one_design() {
        let both = ["shop", "desk"];
        assert_eq!(roles(&stated(Some(&["shop"]), &["admin"]), &both), [("shop".to_owned(), names(&["admin"]))]);
        let several = stated(Some(&both), &["admin", "desk:clerk", "shop:owner"]);
        let expected = [("desk".to_owned(), names(&["clerk"])), ("shop".to_owned(), names(&["owner"]))];
        assert_eq!(roles(&several, &both), expected);
    }

    #[test]
    fn whoever_is_limited_to_designs_states_nothing_about_others() {
        let both = ["shop", "desk"];
        let limited = |designs: Option<&[&str]>, to: &[&str]| {
            let roles_stated = ["admin", "desk:clerk", "shop:owner", "server:operator"];
            let stated = stated(designs, &roles_stated).limited_to(&names(to));
            let server_roles = stated.grants(&names(&both)).unwrap().server_roles.clone();
            (roles(&stated, &both), server_roles)
        };
        let of_shop = vec![("shop".to_owned(), names(&["admin", "owner"]))];
        assert_eq!(limited(None, &["shop"]), (of_shop.clone(), vec![]));
        assert_eq!(limited(Some(&both), &["shop"]), (of_shop, vec![]));
        assert_eq!(limited(Some(&["desk"]), &["shop"]), (vec![], vec![]));
        assert_eq!(limited(None, &both), (vec![], vec![]));
        assert_eq!(limited(None, &[]), (vec![], names(&["operator"])));
    }

    #[test]
    fn claims_of_a_design_count_in_that_design() {
        let mut both = stated(Some(&["shop", "desk"]), &["admin"]);
        both.design_roles.insert("desk".to_owned(), names(&["clerk"]));
        both.design_tenants.insert("desk".to_owned(), "t".to_owned());
        let grants = both.grants(&names(&["shop", "desk"])).unwrap();
        assert_eq!(
            (&grants.callers["desk"].roles, &grants.callers["desk"].tenant),
            (&names(&["clerk"]), &Some("t".to_owned()))
        );
        assert_eq!((&grants.callers["shop"].roles, &grants.callers["shop"].tenant), (&names(&[]), &None));
    }
}
