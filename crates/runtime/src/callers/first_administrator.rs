//! The first administrator of a design: the items that make a person one, written one after the other.

use std::collections::BTreeMap;

use keyfold_design::model::{NewItem, NewValue};
use keyfold_dynamo::operation::ScanInput;
use keyfold_dynamo::{AttributeValue, Attributes, ServiceError};
use serde_json::Value;

use crate::caller::TokenIdentity;
use crate::error::Error;
use crate::items::read_failure;
use crate::json;
use crate::record::Record;
use crate::runtime::Runtime;
use crate::write::Write;

/// The items of a first administrator, with the values of their parameters. Ids that the design generates are known
/// once the item that has them was written.
pub struct FirstAdministrator<'r> {
    runtime: &'r Runtime,
    values: BTreeMap<String, String>,
}

/// The next step towards a first administrator.
#[derive(Debug, Clone, PartialEq)]
pub enum AdministratorStep {
    /// The item is to be written. One that exists already may stay as it is, except for the last one.
    Write(Box<Write>),
    /// The person is a user already.
    Exists(Box<Record>),
}

impl<'r> FirstAdministrator<'r> {
    /// Rejects parameters that the design does not have, and missing ones.
    pub fn new(runtime: &'r Runtime, given: BTreeMap<String, String>) -> Result<Self, Error> {
        let this = Self { runtime, values: given };
        if this.items().is_empty() {
            return Err(Error::Invalid(format!(
                "the design `{}` does not say who its first administrator is: add `callers: {{first administrator: …}}`, \
                 or give a role to a person in the identity provider",
                runtime.design.name
            )));
        }
        let parameters = this.parameters();
        let listed = || parameters.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        if let Some(unknown) = this.values.keys().find(|name| !parameters.iter().any(|(known, _)| known == name)) {
            return Err(Error::Invalid(format!("unknown parameter `{unknown}`; expected: {}", listed())));
        }
        let missing = parameters.iter().filter(|(name, required)| *required && !this.values.contains_key(*name));
        let missing: Vec<String> = missing.map(|(name, _)| format!("`{name}`")).collect();
        if !missing.is_empty() {
            return Err(Error::Invalid(format!("missing: {}; expected: {}", missing.join(", "), listed())));
        }
        Ok(this)
    }

    /// The number of steps.
    pub fn steps(&self) -> usize {
        self.items().len()
    }

    fn items(&self) -> &'r [NewItem] {
        &self.runtime.design.callers.first_administrator
    }

    /// The parameters, each with whether it has to be given.
    fn parameters(&self) -> Vec<(&'r str, bool)> {
        let mut parameters: Vec<(&str, bool)> = Vec::new();
        for item in self.items() {
            let entity = &self.runtime.design[item.entity];
            for (name, value) in &item.attributes {
                let NewValue::Given(parameter) = value else { continue };
                let attribute = entity.attribute(name);
                // The design cannot generate the subject of a token.
                let members = &self.runtime.design.callers.members;
                let is_subject = self.runtime.design.callers.users.is_none()
                    && members.as_ref().is_some_and(|own| own.entity == item.entity && own.subject == *name);
                let is_required = attribute.is_none_or(|attribute| {
                    !attribute.optional && attribute.default.is_none() && (attribute.generator.is_none() || is_subject)
                });
                // An id that the first item generates is known to those after it.
                if !parameters.iter().any(|(known, _)| known == parameter) {
                    parameters.push((parameter, is_required));
                }
            }
        }
        parameters
    }

    /// Whether the table has such an administrator already: an item like the last one, in the same tenant.
    pub async fn exists(&self) -> Result<bool, Error> {
        let Some(item) = self.items().last() else { return Ok(false) };
        let (design, entity) = (&self.runtime.design, &self.runtime.design[item.entity]);
        let mut wanted = Attributes::new();
        for (name, value) in &item.attributes {
            let is_tenant =
                entity.scope.has_tenant() && design.tenant.as_ref().is_some_and(|own| own.attribute == *name);
            match value {
                NewValue::Fixed(value) => drop(wanted.insert(name.clone(), value.clone())),
                NewValue::Given(_) if !is_tenant => {}
                NewValue::Given(parameter) => match self.values.get(parameter) {
                    Some(tenant) => drop(wanted.insert(name.clone(), AttributeValue::S(tenant.clone()))),
                    // The tenant is a new one.
                    None => return Ok(false),
                },
            }
        }
        let mut input = ScanInput { table_name: self.runtime.table.clone(), ..ScanInput::default() };
        loop {
            let page = self.runtime.backend.scan(input.clone()).await.map_err(read_failure)?;
            let items = page.items.ok_or_else(|| Error::Unavailable("a scan returned no items".to_owned()))?;
            for stored in items {
                let stored = stored.into_attributes().map_err(ServiceError::from)?;
                if design.recognize(&stored) != Some(item.entity) {
                    continue;
                }
                // An item that cannot be read is nobody's right to anything.
                let Ok(record) = Record::read(entity, stored) else { continue };
                let is_like = wanted.iter().all(|(name, value)| record.attributes.get(name) == Some(value));
                if is_like && !record.is_being_deleted() {
                    return Ok(true);
                }
            }
            match page.last_evaluated_key {
                Some(key) => input.page.exclusive_start_key = Some(key),
                None => return Ok(false),
            }
        }
    }

    /// The step at a position, when those before it were carried out.
    pub async fn step(&self, position: usize) -> Result<AdministratorStep, Error> {
        let item = self.items().get(position).ok_or_else(|| Error::Invalid(format!("there is no step {position}")))?;
        let entity = &self.runtime.design[item.entity];
        if let Some(user) = self.known_user(item).await? {
            return Ok(AdministratorStep::Exists(Box::new(user)));
        }
        let mut attributes = Attributes::new();
        for (name, value) in &item.attributes {
            let value = match value {
                NewValue::Fixed(value) => value.clone(),
                NewValue::Given(parameter) => {
                    let Some(text) = self.values.get(parameter) else { continue };
                    let value_type = entity.attribute(name).map(|attribute| &attribute.value_type);
                    let Some(value_type) = value_type else { continue };
                    json::value_of(name, value_type, &Value::String(text.clone()))?
                }
            };
            attributes.insert(name.clone(), value);
        }
        Ok(AdministratorStep::Write(Box::new(Write::Create { entity: entity.name.clone(), attributes })))
    }

    /// The attribute in which an item that exists differs from the parameters of a step, among those that say who a
    /// person is; `None` if it is the same person. An item that stays as it is must not make someone else an
    /// administrator.
    pub fn differing_attribute(&self, position: usize, record: &Record) -> Option<String> {
        let item = self.items().get(position)?;
        let entity = &self.runtime.design[item.entity];
        let users = self.runtime.design.callers.users.as_ref().filter(|users| users.entity == item.entity);
        let lookups = users.map(|users| users.attributes()).unwrap_or_default();
        let differs = |(name, value): &&(String, NewValue)| {
            let NewValue::Given(parameter) = value else { return false };
            let stated = self.values.get(parameter);
            let decides = entity.identity.contains(name) || lookups.contains(&name.as_str());
            decides && stated.is_some_and(|stated| record.attributes.get(name).map(text_of).as_ref() != Some(stated))
        };
        item.attributes.iter().find(differs).map(|(name, _)| name.clone())
    }

    /// The stored item of a write that failed because it exists.
    pub async fn stored(&self, write: &Write) -> Result<Option<Record>, Error> {
        let entity = self.runtime.entity(write.entity())?;
        self.runtime.items().find(entity, write.attributes()).await
    }

    /// Takes over the ids of an item that a step wrote or found.
    pub fn take_over(&mut self, position: usize, record: &Record) {
        let Some(item) = self.items().get(position) else { return };
        for (name, value) in &item.attributes {
            if let (NewValue::Given(parameter), Some(value)) = (value, record.attributes.get(name)) {
                self.values.insert(parameter.clone(), text_of(value));
            }
        }
    }

    /// The user that the item would create, if the person has signed in before.
    async fn known_user(&self, item: &NewItem) -> Result<Option<Record>, Error> {
        let Some(source) = self.runtime.design.callers.users.as_ref().filter(|source| source.entity == item.entity)
        else {
            return Ok(None);
        };
        // The last item makes the administrator: it is written, or the person has to be changed instead.
        if self.items().last().is_some_and(|last| last.entity == item.entity) {
            return Ok(None);
        }
        let value_of = |wanted: &str| {
            let (_, value) = item.attributes.iter().find(|(name, _)| name == wanted)?;
            match value {
                NewValue::Given(parameter) => self.values.get(parameter).cloned(),
                NewValue::Fixed(value) => value.as_str().map(str::to_owned),
            }
        };
        let issuer = source.issuer.as_deref().and_then(value_of).unwrap_or_default();
        let Some(subject) = value_of(&source.subject) else { return Ok(None) };
        // The person who runs this has access to the data, and says who the administrator is.
        let identity = TokenIdentity { issuer, subject, has_verified_subject: true, ..TokenIdentity::default() };
        self.runtime.caller_resolver().user_of(source, &identity).await
    }
}

/// A value as a parameter states it.
fn text_of(value: &AttributeValue) -> String {
    match json::plain(value) {
        Value::String(text) => text,
        other => other.to_string(),
    }
}
