//! What the records hold of a person: entries of the audit log, and stored responses. It can be exported and erased.

use std::collections::HashSet;

use hmac::{Hmac, KeyInit as _, Mac as _};
use keyfold_design::Design;
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::operation::{PutItemInput, WriteOptions};
use keyfold_dynamo::{AttributeValue, Attributes, ServiceError, hexadecimal};
use keyfold_runtime::{Error, PersonItem, PersonRelation};
use serde_json::Value;
use sha2::Sha256;

use super::ChangeRecordError;
use super::audit_log::{ERASED, ExportedEntry, erase_identity, erase_subject, identity_of, names_item, tenant_of};
use super::idempotency::{Mark, StoredResponse, has_mark};
use super::record_item::key_text;
use super::record_table::{Items, RecordTable};
use super::table::{AUDIT_PREFIX, PARTITION, RESPONSE_PREFIX};

/// A person, as the records know them.
pub struct RecordedPerson {
    design: String,
    subject: String,
    /// The items that stand for the person, as entries of the audit log name them.
    items: HashSet<EntryItem>,
    /// Marks of the subject, and of all items of the person: stored responses with one of them are theirs.
    marks: HashSet<Mark>,
}

/// An item, as entries of the audit log name it.
#[derive(PartialEq, Eq, Hash)]
struct EntryItem {
    entity: String,
    identity: String,
    /// The tenant whose log has the entry, where it is a part of the identity. Otherwise no other tenant has such an
    /// item, and the entry may be in any log: that of a caller who was denied, for example.
    tenant: Option<String>,
}

impl RecordedPerson {
    /// A subject of a design with their items.
    pub fn new(design: &Design, subject: &str, items: &[PersonItem]) -> Self {
        let mut person = Self {
            design: design.name.clone(),
            subject: subject.to_owned(),
            items: HashSet::new(),
            marks: HashSet::from([Mark::of_subject(design, subject)]),
        };
        for PersonItem { record, relation } in items {
            let (entity, attributes) = (&design[record.entity], &record.attributes);
            let tenant = tenant_of(design, attributes);
            person.marks.insert(Mark::of_item(design, tenant.as_deref(), entity, attributes));
            if *relation == PersonRelation::Person {
                let implied = design.implied_tenant(entity);
                let is_part = entity.identity.iter().any(|name| Some(name.as_str()) == implied);
                let (entity, identity) = (entity.name.clone(), identity_of(design, entity, attributes));
                person.items.insert(EntryItem { entity, identity, tenant: tenant.filter(|_| is_part) });
            }
        }
        person
    }

    fn made(&self, entry: &Attributes) -> bool {
        text(entry, "subject") == Some(&self.subject)
    }

    fn is_in(&self, entry: &Attributes) -> bool {
        let named = |name: &str| text(entry, name).map(str::to_owned);
        let (Some(entity), Some(identity)) = (named("entity"), named("identity")) else { return false };
        let tenant = named("tenant");
        self.items.iter().any(|item| {
            let is_there = item.tenant.is_none() || item.tenant == tenant;
            item.entity == entity && is_there && (item.identity == identity || names_item(&identity, &item.identity))
        })
    }
}

/// What the records hold of a person.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PersonRecords {
    pub entries: Vec<ExportedEntry>,
    /// The keys of entries and stored responses that cannot be decoded.
    pub undecodable: Vec<String>,
    /// The bodies of stored responses: to requests of the person, and about their items. `null` stands for an empty
    /// body.
    pub responses: Vec<Value>,
    /// The number of responses that do not say whom they are about, as earlier versions stored them. They expire within
    /// a day.
    pub unmarked: u64,
}

/// The number of records that were changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ErasedRecords {
    pub entries: u64,
    pub responses: u64,
    /// The number of responses that do not say whom they are about, and were not changed. They expire within a day.
    pub unmarked: u64,
}

/// The name that takes the place of a subject's: without the secret, nobody can tell whose it is.
pub fn pseudonym(secret: &[u8], design: &str, subject: &str) -> Result<String, Error> {
    let keyed = Hmac::<Sha256>::new_from_slice(secret);
    let mut keyed = keyed.map_err(|cause| Error::Invalid(format!("the secret of pseudonyms: {cause}")))?;
    for part in [design, subject] {
        keyed.update(&(part.len() as u64).to_be_bytes());
        keyed.update(part.as_bytes());
    }
    let code: [u8; 32] = keyed.finalize().into_bytes().into();
    let (beginning, _) = code.split_at(16);
    Ok(hexadecimal(beginning))
}

impl RecordTable {
    /// The entries about a person, and the bodies of their stored responses.
    pub async fn records_of(&self, person: &RecordedPerson) -> Result<PersonRecords, ChangeRecordError> {
        let mut entries = Vec::new();
        let mut undecodable = Vec::new();
        for entry in self.entries_of(person).await? {
            match ExportedEntry::read(&entry) {
                Some(entry) => entries.push(entry),
                None => undecodable.push(key_text(&entry)),
            }
        }
        let (stored, unmarked) = self.responses_of(person).await?;
        let mut responses = Vec::new();
        for item in stored {
            match StoredResponse::from_item(&item).and_then(|response| response.json()) {
                Some(body) => responses.push(body),
                None => undecodable.push(key_text(&item)),
            }
        }
        Ok(PersonRecords { entries, undecodable, responses, unmarked })
    }

    /// Replaces the person by a pseudonym in the audit log, and removes the content of their stored responses. The
    /// responses remain without it: a retry of their request must not be executed again.
    pub async fn erase_records_of(
        &self,
        person: &RecordedPerson,
        pseudonym: &str,
    ) -> Result<ErasedRecords, ChangeRecordError> {
        let mut erased = ErasedRecords::default();
        for mut entry in self.entries_of(person).await? {
            let (is_by, is_about) = (person.made(&entry), person.is_in(&entry));
            if is_by {
                erase_subject(&mut entry, pseudonym)?;
            }
            if is_about {
                erase_identity(&mut entry, pseudonym)?;
            }
            erased.entries += u64::from(self.replace(entry).await?);
        }
        let (responses, unmarked) = self.responses_of(person).await?;
        erased.unmarked = unmarked;
        for mut response in responses {
            StoredResponse::remove_content(&mut response);
            erased.responses += u64::from(self.replace(response).await?);
        }
        Ok(erased)
    }

    /// All subjects in the audit log of a design.
    pub async fn subjects(&self, design: &str) -> Result<HashSet<String>, ChangeRecordError> {
        let mut subjects = HashSet::new();
        let mut note = |entry: Attributes| {
            subjects.extend(text(&entry, "subject").filter(|name| !name.starts_with(ERASED)).map(str::to_owned));
            Ok(())
        };
        self.read(Items::Scanned(&format!("{AUDIT_PREFIX}{design}#")), None, &mut note).await?;
        Ok(subjects)
    }

    async fn entries_of(&self, person: &RecordedPerson) -> Result<Vec<Attributes>, ChangeRecordError> {
        let mut found = Vec::new();
        let mut note = |entry: Attributes| {
            if person.made(&entry) || person.is_in(&entry) {
                found.push(entry);
            }
            Ok(())
        };
        self.read(Items::Scanned(&format!("{AUDIT_PREFIX}{}#", person.design)), None, &mut note).await?;
        Ok(found)
    }

    /// The responses of a person, and the number of those that may be anyone's.
    async fn responses_of(&self, person: &RecordedPerson) -> Result<(Vec<Attributes>, u64), ChangeRecordError> {
        let mut found = Vec::new();
        let mut unmarked = 0;
        let mut note = |item: Attributes| {
            match has_mark(&item, &person.marks) {
                Some(true) => found.push(item),
                Some(false) => {}
                None => unmarked += u64::from(StoredResponse::has_content(&item)),
            }
            Ok(())
        };
        self.read(Items::Scanned(RESPONSE_PREFIX), None, &mut note).await?;
        Ok((found, unmarked))
    }

    /// `false` if the item has expired in the meantime.
    async fn replace(&self, item: Attributes) -> Result<bool, ChangeRecordError> {
        let options =
            WriteOptions { condition: Some(Condition::attribute_exists(PARTITION)), ..WriteOptions::default() };
        match self.backend.put_item(PutItemInput { table_name: self.name.clone(), item, options }).await {
            Ok(_) => Ok(true),
            Err(ServiceError::ConditionalCheckFailed { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

fn text<'i>(item: &'i Attributes, name: &str) -> Option<&'i str> {
    item.get(name).and_then(AttributeValue::as_str)
}
