//! Items of the table that name a caller.

use keyfold_design::model::{Entity, EntityId, ReferenceRange};
use keyfold_dynamo::{AttributeValue, Attributes};
use serde_json::Value;

use super::resolver::CallerResolver;
use crate::caller::Caller;
use crate::error::Error;
use crate::json;
use crate::record::Record;
use crate::tenancy::Confinement;

impl CallerResolver<'_> {
    /// The items of an entity with the value in the attribute, of the caller's tenant or shared by all tenants.
    pub(super) async fn items_with_value(
        &self,
        entity: EntityId,
        range: &ReferenceRange,
        attribute: &str,
        value: &str,
        caller: &Caller,
    ) -> Result<Vec<Record>, Error> {
        let declared = &self.design[entity];
        let Some(value) = typed_value(declared, attribute, value) else { return Ok(Vec::new()) };
        let mut target = Attributes::from([(attribute.to_owned(), value)]);
        if let (Some(design), Some(tenant)) = (&self.design.tenant, &caller.tenant) {
            target.insert(design.attribute.clone(), AttributeValue::S(tenant.clone()));
        }
        let mut found = self.items_equal_to(entity, range, &[attribute], &target, None).await?;
        let active = self.active_tenant(caller);
        found.retain(|record| active.sees(declared, &record.attributes));
        Ok(found)
    }

    /// The items of an entity in a range that have the target's values in these attributes, of whichever tenant.
    pub(super) async fn items_equal_to(
        &self,
        entity: EntityId,
        range: &ReferenceRange,
        attributes: &[&str],
        target: &Attributes,
        limit: Option<usize>,
    ) -> Result<Vec<Record>, Error> {
        let mapping: Vec<_> = attributes.iter().map(|name| ((*name).to_owned(), (*name).to_owned())).collect();
        // No item has a value that does not fit into a key.
        let Ok(requests) = self.items.range_requests(range, target) else { return Ok(Vec::new()) };
        let mut found = self.items.in_requests(&self.design[entity], range, &mapping, target, requests, limit).await?;
        found.retain(|record| !record.is_being_deleted());
        Ok(found)
    }

    /// The tenant in which the caller acts, operator or not: an admin of one tenant has no rights in another.
    pub(super) fn active_tenant(&self, caller: &Caller) -> Confinement {
        match (&self.design.tenant, &caller.tenant) {
            (None, _) => Confinement::None,
            (Some(design), Some(tenant)) => {
                Confinement::Tenant { attribute: design.attribute.clone(), tenant: tenant.clone() }
            }
            (Some(design), None) => Confinement::GlobalOnly { attribute: design.attribute.clone() },
        }
    }
}

/// A subject or role converted to the type of the attribute; `None` if no item can have it.
pub(super) fn typed_value(entity: &Entity, attribute: &str, value: &str) -> Option<AttributeValue> {
    let declared = entity.attribute(attribute)?;
    json::value_of(attribute, &declared.value_type, &Value::String(value.to_owned())).ok()
}

/// The value of an attribute that holds a string.
pub(super) fn string(attributes: &Attributes, name: &str) -> Option<String> {
    attributes.get(name).and_then(AttributeValue::as_str).map(str::to_owned)
}

/// Adds a name that the list does not have yet.
pub(super) fn add_once(list: &mut Vec<String>, name: String) {
    if !list.contains(&name) {
        list.push(name);
    }
}
