//! What the records hold of a person: entries of the audit log, and stored responses. It can be exported and erased.

use std::collections::HashSet;

use hmac::{Hmac, KeyInit as _, Mac as _};
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::operation::{PutItemInput, WriteOptions};
use keyfold_dynamo::{AttributeValue, Attributes, ServiceError, hexadecimal};
use keyfold_runtime::Error;
use serde_json::Value;
use sha2::Sha256;

use super::ChangeRecordError;
use super::audit_log::{ERASED, ExportedEntry, erase_identity, erase_subject};
use super::audit_table::{AuditTable, Items};
use super::idempotency::{RESPONSE_PREFIX, StoredResponse};
use super::table::{AUDIT_PREFIX, PARTITION};

/// A person, as the records know them.
pub struct RecordedPerson<'a> {
    pub design: &'a str,
    pub subject: &'a str,
    /// The items that stand for the person: their entities, and their identities as in the audit log.
    pub items: &'a HashSet<(String, String)>,
    /// Texts that are about the person: ids, and values of personal attributes. A stored response with one of them is
    /// theirs, whoever made the request.
    pub texts: &'a HashSet<String>,
}

/// The number of records that were changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ErasedRecords {
    pub entries: u64,
    pub responses: u64,
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
    Ok(hexadecimal(code.get(..16).unwrap_or_default()))
}

impl AuditTable {
    /// The entries about a person, and the bodies of stored responses with data of them.
    pub async fn records_of(
        &self,
        person: &RecordedPerson<'_>,
    ) -> Result<(Vec<ExportedEntry>, Vec<Value>), ChangeRecordError> {
        let entries = self.entries_of(person).await?;
        let responses = self.responses_of(person).await?;
        let body = |item: &Attributes| {
            let body = StoredResponse::from_item(item).map(|response| response.body);
            body.and_then(|body| serde_json::from_slice(&body).ok()).unwrap_or(Value::Null)
        };
        Ok((entries.iter().filter_map(ExportedEntry::read).collect(), responses.iter().map(body).collect()))
    }

    /// Replaces the person by a pseudonym in the audit log, and removes the content of their stored responses. The responses
    /// remain without it: a retry of their request must not be executed again.
    pub async fn erase_records_of(
        &self,
        person: &RecordedPerson<'_>,
        pseudonym: &str,
    ) -> Result<ErasedRecords, ChangeRecordError> {
        let mut erased = ErasedRecords::default();
        for mut entry in self.entries_of(person).await? {
            if is_by(&entry, person) {
                erase_subject(&mut entry, pseudonym);
            }
            if is_about(&entry, person) {
                erase_identity(&mut entry, pseudonym);
            }
            erased.entries += u64::from(self.replace(entry).await?);
        }
        for mut response in self.responses_of(person).await? {
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

    async fn entries_of(&self, person: &RecordedPerson<'_>) -> Result<Vec<Attributes>, ChangeRecordError> {
        let mut found = Vec::new();
        let mut note = |entry: Attributes| {
            if is_by(&entry, person) || is_about(&entry, person) {
                found.push(entry);
            }
            Ok(())
        };
        self.read(Items::Scanned(&format!("{AUDIT_PREFIX}{}#", person.design)), None, &mut note).await?;
        Ok(found)
    }

    async fn responses_of(&self, person: &RecordedPerson<'_>) -> Result<Vec<Attributes>, ChangeRecordError> {
        let mut found = Vec::new();
        let mut note = |item: Attributes| {
            // What cannot be decoded may be anyone's.
            if StoredResponse::from_item(&item).is_none_or(|response| mentions(&response, person.texts)) {
                found.push(item);
            }
            Ok(())
        };
        self.read(Items::Scanned(RESPONSE_PREFIX), None, &mut note).await?;
        Ok(found)
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

fn is_by(entry: &Attributes, person: &RecordedPerson<'_>) -> bool {
    text(entry, "subject") == Some(person.subject)
}

fn is_about(entry: &Attributes, person: &RecordedPerson<'_>) -> bool {
    let (Some(entity), Some(identity)) = (text(entry, "entity"), text(entry, "identity")) else { return false };
    person.items.contains(&(entity.to_owned(), identity.to_owned()))
}

/// Whether a response has one of the texts, as a value of its body or as a part of a header.
fn mentions(response: &StoredResponse, texts: &HashSet<String>) -> bool {
    let is_in_header = |(_, value): &(http::HeaderName, std::borrow::Cow<'static, str>)| {
        let decoded = percent_encoding::percent_decode_str(value).decode_utf8_lossy();
        decoded.split(['/', '?', '"']).any(|part| texts.contains(part))
    };
    let body: Option<Value> = serde_json::from_slice(&response.body).ok();
    response.headers.iter().any(is_in_header) || body.is_some_and(|body| has_text(&body, texts))
}

fn has_text(value: &Value, texts: &HashSet<String>) -> bool {
    match value {
        Value::String(text) => texts.contains(text),
        Value::Number(number) => texts.contains(&number.to_string()),
        Value::Array(items) => items.iter().any(|item| has_text(item, texts)),
        Value::Object(members) => members.values().any(|member| has_text(member, texts)),
        Value::Null | Value::Bool(_) => false,
    }
}
