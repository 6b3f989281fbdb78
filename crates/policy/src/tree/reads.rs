//! The parts of the caller, the item and the request that a condition reads.

use std::collections::BTreeSet;

use cedar_policy::pst::{Expr, PrincipalConstraint, Var};

use super::children;

/// An attribute of the principal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CallerPart {
    Subject,
    Tenant,
    Roles,
    Groups,
    Permissions,
}

impl CallerPart {
    pub(crate) const ALL: [Self; 5] = [Self::Subject, Self::Tenant, Self::Roles, Self::Groups, Self::Permissions];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Subject => "subject",
            Self::Tenant => "tenant",
            Self::Roles => "roles",
            Self::Groups => "groups",
            Self::Permissions => "permissions",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Reads {
    /// Attributes of the item.
    pub item: BTreeSet<String>,
    /// Attributes of the caller.
    pub caller: BTreeSet<CallerPart>,
    /// The caller as a whole, which the subject identifies.
    pub identity: bool,
    /// The name of the access pattern.
    pub pattern: bool,
    /// The conditions of exported rules, which are never passed to policy files.
    pub holds: bool,
    /// The item or the request as a whole, or an unknown kind of expression: such a condition cannot be analysed.
    pub opaque: bool,
}

impl Reads {
    pub(crate) fn in_expression(part: &Expr) -> Self {
        let mut reads = Self::default();
        reads.visit(part);
        reads
    }

    /// Whether the outcome may depend on the item.
    pub(crate) fn needs_item(&self) -> bool {
        !self.item.is_empty() || self.opaque
    }

    pub(crate) fn add_scope(&mut self, scope: &PrincipalConstraint) {
        self.identity |= !matches!(scope, PrincipalConstraint::Any | PrincipalConstraint::Is(_));
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.item.extend(other.item);
        self.caller.extend(other.caller);
        self.identity |= other.identity;
        self.pattern |= other.pattern;
        self.holds |= other.holds;
        self.opaque |= other.opaque;
    }

    fn visit(&mut self, part: &Expr) {
        match part {
            Expr::GetAttr { expr, attr } => match expr.as_ref() {
                Expr::Var(of) => self.attribute(of, attr),
                _ => self.visit(expr),
            },
            Expr::HasAttr { expr, attrs } => match expr.as_ref() {
                Expr::Var(of) => self.attribute(of, &attrs.head),
                _ => self.visit(expr),
            },
            // A type is known before anything is read.
            Expr::Is { expr, in_expr: None, .. } if matches!(expr.as_ref(), Expr::Var(_)) => {}
            Expr::Var(Var::Principal) => self.identity = true,
            Expr::Var(Var::Action) => {}
            Expr::Var(Var::Resource | Var::Context) => self.opaque = true,
            other => match children(other) {
                Some(parts) => parts.into_iter().for_each(|part| self.visit(part)),
                None => self.opaque = true,
            },
        }
    }

    fn attribute(&mut self, of: &Var, name: &str) {
        match of {
            Var::Resource => {
                self.item.insert(name.to_owned());
            }
            Var::Principal => match CallerPart::named(name) {
                Some(part) => drop(self.caller.insert(part)),
                None => self.opaque = true,
            },
            Var::Context => match name {
                "holds" => self.holds = true,
                "pattern" => self.pattern = true,
                _ => self.opaque = true,
            },
            Var::Action => self.opaque = true,
        }
    }
}
