//! The items of a person: those that stand for them, those that they own, and those that refer to the former.

use std::collections::{BTreeSet, HashSet};

use keyfold_design::Design;
use keyfold_dynamo::{AttributeValue, Attributes};

use super::{require_superuser, subject_attributes};
use crate::caller::Caller;
use crate::error::Error;
use crate::record::Record;
use crate::runtime::Runtime;
use crate::write::referenced_identity;

/// Why an item is among a person's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PersonRelation {
    /// It stands for the person.
    Person,
    /// The person owns it.
    Owner,
    /// It refers to an item that stands for the person.
    Reference,
}

impl PersonRelation {
    /// The name in exports, such as `person`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Owner => "owner",
            Self::Reference => "reference",
        }
    }
}

/// An item of a person.
#[derive(Debug, Clone, PartialEq)]
pub struct PersonItem {
    /// The item, with all its attributes.
    pub record: Record,
    /// Why it is among the person's.
    pub relation: PersonRelation,
}

/// The items of a person.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PersonItems {
    /// The items, those that stand for the person or that they own first.
    pub items: Vec<PersonItem>,
    /// An [`Error::Undecodable`] for each item of the table whose key does not fit its entity: it may be anyone's.
    pub undecodable: Vec<Error>,
}

/// Whom the items of a table belong to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PersonSubjects {
    /// Every subject that an item belongs to.
    pub subjects: BTreeSet<String>,
    /// An [`Error::Undecodable`] for each item of the table whose key does not fit its entity: it may be anyone's.
    pub undecodable: Vec<Error>,
}

impl Runtime {
    /// The items of a subject, of all tenants. Reads the whole table twice; only superusers may do so.
    pub async fn person_items(&self, caller: &Caller, subject: &str) -> Result<PersonItems, Error> {
        require_superuser(caller)?;
        let items = self.items();
        let mut found = PersonItems::default();
        let mut keys: HashSet<Attributes> = HashSet::new();
        let mut note = |scanned: Result<Record, Error>| match scanned {
            Ok(record) => {
                if let Some(relation) = own_relation(&self.design, &record, subject) {
                    keys.insert(items.stored_key(&record.stored));
                    found.items.push(PersonItem { record, relation });
                }
            }
            Err(undecodable) => found.undecodable.push(undecodable),
        };
        items.scan(&mut note).await?;
        let is_person = |item: &&PersonItem| item.relation == PersonRelation::Person;
        let persons: Vec<Record> = found.items.iter().filter(is_person).map(|item| item.record.clone()).collect();
        if persons.is_empty() {
            return Ok(found);
        }
        let mut note = |scanned: Result<Record, Error>| {
            // What cannot be decoded is known from the first time.
            if let Ok(record) = scanned
                && persons.iter().any(|person| refers_to(&self.design, &record, person))
                && keys.insert(items.stored_key(&record.stored))
            {
                found.items.push(PersonItem { record, relation: PersonRelation::Reference });
            }
        };
        items.scan(&mut note).await?;
        Ok(found)
    }

    /// Every subject that an item of the table belongs to. Reads the whole table; only superusers may do so.
    pub async fn person_subjects(&self, caller: &Caller) -> Result<PersonSubjects, Error> {
        require_superuser(caller)?;
        let mut found = PersonSubjects::default();
        let mut note = |scanned: Result<Record, Error>| match scanned {
            Ok(record) => {
                let names = subject_attributes(&self.design, &self.design[record.entity]);
                let values = names.iter().filter_map(|(name, _)| text(&record, name));
                found.subjects.extend(values.map(str::to_owned));
            }
            Err(undecodable) => found.undecodable.push(undecodable),
        };
        self.items().scan(&mut note).await?;
        Ok(found)
    }
}

/// What makes an item a subject's own.
fn own_relation(design: &Design, record: &Record, subject: &str) -> Option<PersonRelation> {
    let names = subject_attributes(design, &design[record.entity]);
    let own = names.into_iter().find(|(name, _)| text(record, name) == Some(subject));
    own.map(|(_, relation)| relation)
}

/// Whether an item refers to one that stands for a person.
fn refers_to(design: &Design, record: &Record, person: &Record) -> bool {
    let references = design[record.entity].references.iter();
    references.filter(|reference| reference.target == person.entity).any(|reference| {
        let is_same = |(name, value): (&String, &AttributeValue)| person.attributes.get(name) == Some(value);
        referenced_identity(reference, &record.attributes).is_some_and(|identity| identity.iter().all(is_same))
    })
}

fn text<'r>(record: &'r Record, name: &str) -> Option<&'r str> {
    record.attributes.get(name).and_then(AttributeValue::as_str)
}
