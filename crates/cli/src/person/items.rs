//! The items of a person: those that stand for them, those that they own, and those that refer to the former.

use std::collections::{BTreeSet, HashSet};

use anyhow::bail;
use keyfold_api::change_records::identity_of;
use keyfold_design::Design;
use keyfold_design::model::{CallerItemKey, Entity, EntityId};
use keyfold_dynamo::operation::ScanInput;
use keyfold_dynamo::{AttributeValue, Attributes, Backend, Item, ServiceError};

/// Why an item is among a person's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Person,
    Owner,
    Reference,
}

impl Relation {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Owner => "owner",
            Self::Reference => "reference",
        }
    }
}

/// An item of a person.
pub(super) struct PersonItem {
    pub entity: EntityId,
    pub attributes: Attributes,
    /// As the table has it, without what only its keys hold.
    pub stored: Attributes,
    pub relation: Relation,
}

impl PersonItem {
    /// The attributes that identify the item, with its tenant.
    pub(super) fn identity(&self, design: &Design) -> Attributes {
        let entity = &design[self.entity];
        let tenant = design.tenant.as_ref().map(|tenant| tenant.attribute.as_str());
        let is_part = |name: &str| entity.identity.iter().any(|own| own == name) || Some(name) == tenant;
        let parts = self.attributes.iter().filter(|(name, _)| is_part(name));
        parts.map(|(name, value)| (name.clone(), value.clone())).collect()
    }
}

/// The attributes of an entity that hold the subject of a person, and what that makes of its items.
fn subject_attributes<'d>(design: &'d Design, entity: &'d Entity) -> Vec<(&'d str, Relation)> {
    let required = design.callers.requirements.iter().flat_map(|requirement| &requirement.alternatives);
    let persons = required.filter(|item| item.entity == entity.id).filter_map(|item| match &item.found_by {
        CallerItemKey::Subject { attribute, .. } => Some((attribute.as_str(), Relation::Person)),
        CallerItemKey::Tenant => None,
    });
    persons.chain(entity.owner.as_deref().map(|owner| (owner, Relation::Owner))).collect()
}

/// Rejects a design that does not say which items are whose.
pub(super) fn require_persons(design: &Design) -> anyhow::Result<()> {
    if design.entities.iter().all(|entity| subject_attributes(design, entity).is_empty()) {
        bail!(
            "the design `{}` does not say which items belong to a subject: state `owner:` on entities, or `callers: {{requires: …}}`",
            design.name
        );
    }
    Ok(())
}

/// Reads the whole table of a design.
async fn scan(
    backend: &dyn Backend,
    design: &Design,
    visit: &mut (dyn FnMut(&Entity, Attributes, Attributes) + Send),
) -> Result<(), ServiceError> {
    let mut start = None;
    loop {
        let mut input = ScanInput { table_name: design.table.name.clone(), ..ScanInput::default() };
        input.page.exclusive_start_key = start;
        input.page.consistent_read = true;
        let page = backend.scan(input).await?;
        for item in page.items.into_iter().flatten() {
            let stored = Item::into_attributes(item)?;
            let Some(entity) = design.recognize(&stored).map(|id| &design[id]) else { continue };
            let mut attributes = stored.clone();
            for (name, value) in entity.read_keys(&stored).unwrap_or_default() {
                attributes.entry(name).or_insert(value);
            }
            visit(entity, attributes, stored);
        }
        match page.last_evaluated_key {
            Some(key) => start = Some(key),
            None => return Ok(()),
        }
    }
}

fn is_text(value: Option<&AttributeValue>, text: &str) -> bool {
    value.and_then(AttributeValue::as_str) == Some(text)
}

/// The items of a subject.
pub(super) async fn find(
    backend: &dyn Backend,
    design: &Design,
    subject: &str,
) -> Result<Vec<PersonItem>, ServiceError> {
    let mut found: Vec<PersonItem> = Vec::new();
    let mut note = |entity: &Entity, attributes: Attributes, stored: Attributes| {
        let of_subject = subject_attributes(design, entity);
        let own = of_subject.into_iter().find(|(name, _)| is_text(attributes.get(*name), subject));
        if let Some((_, relation)) = own {
            found.push(PersonItem { entity: entity.id, attributes, stored, relation });
        }
    };
    scan(backend, design, &mut note).await?;
    let mut referring = Vec::new();
    let mut note = |entity: &Entity, attributes: Attributes, stored: Attributes| {
        let refers = found.iter().filter(|item| item.relation == Relation::Person).any(|person| {
            entity.references.iter().filter(|reference| reference.target == person.entity).any(|reference| {
                let is_same = |(theirs, own): &(String, String)| {
                    attributes.get(own).is_some_and(|value| person.attributes.get(theirs) == Some(value))
                };
                reference.mapping.iter().all(is_same)
            })
        });
        let is_found = || found.iter().any(|item| item.entity == entity.id && item.attributes == attributes);
        if refers && !is_found() {
            referring.push(PersonItem { entity: entity.id, attributes, stored, relation: Relation::Reference });
        }
    };
    scan(backend, design, &mut note).await?;
    found.extend(referring);
    Ok(found)
}

/// Every subject that an item of the table belongs to.
pub(super) async fn subjects(backend: &dyn Backend, design: &Design) -> Result<BTreeSet<String>, ServiceError> {
    let mut subjects = BTreeSet::new();
    let mut note = |entity: &Entity, attributes: Attributes, _: Attributes| {
        let names = subject_attributes(design, entity).into_iter();
        let values = names.filter_map(|(name, _)| attributes.get(name).and_then(AttributeValue::as_str));
        subjects.extend(values.map(str::to_owned));
    };
    scan(backend, design, &mut note).await?;
    Ok(subjects)
}

/// The items that stand for the person, as the audit log names them.
pub(super) fn identities(design: &Design, items: &[PersonItem]) -> HashSet<(String, String)> {
    let persons = items.iter().filter(|item| item.relation == Relation::Person);
    persons
        .map(|item| {
            let entity = &design[item.entity];
            (entity.name.clone(), identity_of(design, entity, &item.attributes))
        })
        .collect()
}

/// Texts that are about the person: the subject, and the values of personal attributes.
pub(super) fn texts(design: &Design, subject: &str, items: &[PersonItem]) -> HashSet<String> {
    let mut texts = HashSet::from([subject.to_owned()]);
    for item in items {
        for attribute in design[item.entity].attributes.iter().filter(|attribute| attribute.personal) {
            match item.attributes.get(&attribute.name) {
                Some(AttributeValue::S(text)) => texts.extend([text.clone()]),
                Some(AttributeValue::N(number)) => texts.extend([number.to_string()]),
                _ => {}
            }
        }
    }
    texts
}
