//! Erases what an item says of a person.

use keyfold_design::model::Attribute;
use keyfold_dynamo::{AttributeValue, Attributes};

use super::PersonItem;
use super::placeholder::placeholder;
use super::require_superuser;
use crate::caller::Caller;
use crate::error::Error;
use crate::runtime::Runtime;
use crate::write::DeleteOptions;

impl Runtime {
    /// Erases the personal attributes of an item; `false` if it has none. Optional ones are removed, and required ones
    /// get a value that says nothing of a person; `tag` distinguishes the values of unique attributes. An item whose
    /// identity is personal is deleted.
    ///
    /// The change is planned as every other one, so that lookups, derived items and index keys follow. It is possible
    /// where no other call changes the item: attributes that are `fixed`, and items that are `append only`. Only
    /// superusers may make it.
    pub async fn erase_personal_data(&self, caller: &Caller, item: &PersonItem, tag: &str) -> Result<bool, Error> {
        require_superuser(caller)?;
        let entity = &self.design[item.record.entity];
        if !entity.is_written_directly() {
            // It follows its source.
            return Ok(false);
        }
        let mut changes = Attributes::new();
        let mut is_identity = false;
        let is_own =
            |attribute: &&Attribute| attribute.personal && attribute.same_as.is_none() && attribute.computed.is_none();
        for attribute in entity.attributes.iter().filter(is_own) {
            let Some(value) = item.record.attributes.get(&attribute.name) else { continue };
            is_identity |= entity.identity.contains(&attribute.name);
            let erased = if attribute.optional { Some(AttributeValue::Null) } else { placeholder(attribute, tag) };
            let erased = erased.ok_or_else(|| {
                let name = &attribute.name;
                Error::Invalid(format!("no value can take the place of `{name}`: make it optional, or delete the item"))
            })?;
            if erased != *value {
                changes.insert(attribute.name.clone(), erased);
            }
        }
        if changes.is_empty() {
            return Ok(false);
        }
        let tenant = self.design.tenant.as_ref().map(|tenant| &tenant.attribute);
        let identifies = |name: &String| entity.identity.contains(name) || Some(name) == tenant;
        let identity = item.record.attributes.iter().filter(|(name, _)| identifies(name));
        let identity: Attributes = identity.map(|(name, value)| (name.clone(), value.clone())).collect();
        if is_identity {
            self.delete(caller, &entity.name, identity, DeleteOptions::default()).await?;
        } else {
            changes.extend(identity);
            self.correct(caller, &entity.name, changes).await?;
        }
        Ok(true)
    }
}
