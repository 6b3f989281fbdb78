//! A request about the items of an entity, and the item that its address identifies.

use keyfold_design::model::{Entity, Resource, Scope};
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::Error;

use crate::address::scalar;
use crate::request::exchange::Exchange;
use crate::request::query_string;
use crate::response::problem::{Problem, ProblemKind};

pub(super) struct ItemRequest<'x> {
    pub exchange: &'x Exchange,
    pub entity: &'x Entity,
    pub resource: &'x Resource,
}

impl<'x> ItemRequest<'x> {
    pub(super) fn new(exchange: &'x Exchange, position: usize) -> Result<Self, Problem> {
        let resource = exchange.served.resources.get(position).ok_or_else(Problem::no_resource)?;
        let entity = &exchange.served.design()[resource.entity];
        Ok(Self { exchange, entity, resource })
    }

    /// Rejects parameters that are not those of an item's address.
    pub(super) fn only(&self, more: &[&str]) -> Result<(), Problem> {
        let mut known = more.to_vec();
        // The same for all entities, so that a client need not know which of them belong to tenants.
        if self.exchange.served.design().tenant.is_some() {
            known.push("tenant");
        }
        query_string::only(&self.exchange.query, &known)?;
        self.exchange.stated_tenant().map(|_| ())
    }

    /// The tenant of a new item, if the address names it and the body does not.
    pub(super) fn add_tenant(&self, attributes: &mut Attributes) -> Result<(), Problem> {
        let Some(name) = &self.resource.tenant else { return Ok(()) };
        let said = query_string::once(&self.exchange.query, "tenant")?.is_some();
        // An item that may be shared by all tenants is shared unless the request names a tenant.
        if !said && self.entity.scope == Scope::TenantOrGlobal {
            return Ok(());
        }
        let Some(value) = self.tenant(name)? else { return Ok(()) };
        self.join(attributes, Attributes::from([(name.clone(), value)]))
    }

    fn tenant(&self, name: &str) -> Result<Option<AttributeValue>, Problem> {
        let Some(tenant) = self.exchange.stated_tenant()? else { return Ok(None) };
        let value_type = self.entity.attribute(name).map(|attribute| &attribute.value_type);
        let value = value_type.and_then(|value_type| scalar(name, value_type, tenant));
        value.map(Some).ok_or_else(|| Problem::for_field(ProblemKind::BAD_PARAMETER, "tenant", "unknown tenant"))
    }

    /// The tenant of the item in the address, if the query states one. An item that belongs to a tenant is found in
    /// that tenant only, whether or not its identity has it; for items without a tenant it means nothing.
    pub(super) async fn is_in_stated_tenant(&self, identity: &Attributes) -> Result<bool, Problem> {
        let Some(stated) = query_string::once(&self.exchange.query, "tenant")? else { return Ok(true) };
        let Some(attribute) = self.exchange.served.design().tenant.as_ref().map(|tenant| &tenant.attribute) else {
            return Ok(true);
        };
        // An identity with the tenant is bound to it, see `bind`.
        if !self.entity.scope.has_tenant() || self.resource.found_by_tenant {
            return Ok(true);
        }
        if let Some(bound) = identity.get(attribute) {
            return Ok(bound.as_str() == Some(stated));
        }
        if !self.exchange.is_operator() {
            return Ok(self.exchange.caller.tenant.as_deref() == Some(stated));
        }
        let runtime = &self.exchange.served.runtime;
        match runtime.get_as_stored(&self.exchange.caller, &self.entity.name, identity.clone()).await {
            Ok(Some(record)) => Ok(match record.attributes.get(attribute) {
                Some(owner) => owner.as_str() == Some(stated),
                None => self.entity.scope == Scope::TenantOrGlobal,
            }),
            Ok(None) | Err(Error::ImpossibleIdentity(_)) => Ok(false),
            // Neither its tenant nor anything else can be told; the request itself reports what is wrong.
            Err(Error::Undecodable { .. }) => Ok(true),
            Err(error) => Err(self.exchange.problem(&[self.entity.id], error)),
        }
    }

    /// Puts the tenant of the query into the attributes of an item that is created or replaced.
    pub(super) fn add_stated_tenant(&self, attributes: &mut Attributes) -> Result<(), Problem> {
        match query_string::once(&self.exchange.query, "tenant")? {
            Some(_) => self.add_tenant(attributes),
            None => Ok(()),
        }
    }

    /// Puts the tenant into an identity that has it.
    pub(super) fn bind(&self, identity: &mut Attributes) -> Result<(), Problem> {
        let Some(name) = self.resource.tenant.as_ref().filter(|_| self.resource.found_by_tenant) else { return Ok(()) };
        match self.tenant(name)? {
            Some(tenant) => drop(identity.insert(name.clone(), tenant)),
            None if self.exchange.is_operator() && !identity.contains_key(name) => {
                let detail = format!("{} belongs to a tenant: state it with `?tenant=`", self.entity.name);
                return Err(Problem::for_field(ProblemKind::BAD_PARAMETER, "tenant", detail));
            }
            None => {}
        }
        Ok(())
    }

    /// Rejects a body that names another tenant than the caller's own.
    fn reject_other_tenant(&self, attributes: &Attributes) -> Result<(), Problem> {
        let Some((name, own)) = self.resource.tenant.as_ref().zip(self.exchange.caller.tenant.as_deref()) else {
            return Ok(());
        };
        match attributes.get(name) {
            Some(given) if !self.exchange.is_operator() && given.as_str() != Some(own) => {
                let detail = format!("`{name}` is the caller's own tenant and cannot be another");
                Err(Problem {
                    rule: Some(name.as_str().into()),
                    ..Problem::for_field(ProblemKind::CONSTRAINT, name, detail)
                })
            }
            _ => Ok(()),
        }
    }

    /// Puts the identity of the address into a body, which may repeat it and not contradict it.
    pub(super) fn join(&self, attributes: &mut Attributes, mut identity: Attributes) -> Result<(), Problem> {
        self.reject_other_tenant(attributes)?;
        if let Some(name) = self.resource.tenant.as_ref().filter(|_| self.resource.found_by_tenant)
            && let Some(given) = attributes.get(name)
        {
            identity.entry(name.clone()).or_insert_with(|| given.clone());
        }
        self.bind(&mut identity)?;
        for (name, value) in identity {
            match attributes.get(&name) {
                Some(given) if *given != value => {
                    let is_tenant = self.resource.tenant.as_ref() == Some(&name);
                    let in_query = is_tenant && query_string::once(&self.exchange.query, "tenant")?.is_some();
                    let place = if in_query { "query" } else { "path" };
                    let detail = format!("`{name}` in the body differs from the one in the {place}");
                    return Err(Problem::for_field(ProblemKind::INVALID, &name, detail));
                }
                Some(_) | None => drop(attributes.insert(name, value)),
            }
        }
        Ok(())
    }
}
