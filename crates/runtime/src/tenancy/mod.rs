//! Tenancy: the items to which a caller is confined. The tenant comes from the caller, never from the body of a
//! request.

mod visibility;

use keyfold_design::Design;
use keyfold_design::model::{Entity, Scope};
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::caller::Caller;
use crate::error::Error;

/// The items to which a caller is confined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Confinement {
    /// The design has no tenants, or the caller acts on the whole platform.
    None,
    /// The tenant's attribute and its value.
    Tenant { attribute: String, tenant: String },
    /// A caller without a tenant sees items that belong to all tenants.
    GlobalOnly { attribute: String },
}

/// The confinement of a caller.
pub(crate) fn confinement(design: &Design, caller: &Caller) -> Confinement {
    let Some(tenant) = &design.tenant else { return Confinement::None };
    if caller.is_operator(design) {
        return Confinement::None;
    }
    let attribute = tenant.attribute.clone();
    match &caller.tenant {
        Some(tenant) => Confinement::Tenant { attribute, tenant: tenant.clone() },
        None => Confinement::GlobalOnly { attribute },
    }
}

impl Confinement {
    /// Binds the tenant of an identity. `false` if there can be no such item for this caller.
    pub(crate) fn bind_identity(&self, entity: &Entity, attributes: &mut Attributes) -> bool {
        if !entity.scope.has_tenant() {
            return true;
        }
        match self {
            Self::None => true,
            Self::GlobalOnly { .. } => entity.scope == Scope::TenantOrGlobal,
            Self::Tenant { attribute, tenant } => match attributes.get(attribute) {
                Some(given) => given.as_str() == Some(tenant),
                None => {
                    if entity.identity.iter().any(|name| name == attribute) {
                        attributes.insert(attribute.clone(), AttributeValue::S(tenant.clone()));
                    }
                    true
                }
            },
        }
    }

    /// Binds the tenant of a new item.
    pub(crate) fn bind_new(&self, entity: &Entity, attributes: &mut Attributes) -> Result<(), Error> {
        if !entity.scope.has_tenant() {
            return Ok(());
        }
        match self {
            Self::None => Ok(()),
            Self::GlobalOnly { .. } => self.require_writer(entity),
            Self::Tenant { attribute, tenant } => match attributes.get(attribute) {
                Some(given) if given.as_str() != Some(tenant) => Err(Error::constraint(
                    attribute.clone(),
                    Some(attribute),
                    format!("`{attribute}` is the caller's own tenant and cannot be another"),
                )),
                _ => {
                    attributes.insert(attribute.clone(), AttributeValue::S(tenant.clone()));
                    Ok(())
                }
            },
        }
    }

    /// Rejects writes to tenants' items by callers without a tenant.
    pub(crate) fn require_writer(&self, entity: &Entity) -> Result<(), Error> {
        match self {
            Self::GlobalOnly { .. } if entity.scope.has_tenant() => {
                Err(Error::NotAllowed(format!("{} belongs to a tenant", entity.name)))
            }
            _ => Ok(()),
        }
    }

    /// The text to which a cursor is bound. The prefix keeps tenants apart from the other kinds of callers.
    pub(crate) fn label(&self) -> String {
        match self {
            Self::None => "all tenants".to_owned(),
            Self::Tenant { tenant, .. } => format!("tenant {tenant}"),
            Self::GlobalOnly { .. } => "no tenant".to_owned(),
        }
    }
}
