//! Ids that are made when a new item has none.

use keyfold_design::model::{Entity, Generator};
use keyfold_dynamo::operation::{GetItemInput, ReturnValues, UpdateItemInput, WriteOptions};
use keyfold_dynamo::{AttributeValue, Attributes, Item, Number, ServiceError};
use keyfold_environment::random_bytes;

use crate::error::Error;
use crate::expression::AliasWriter;
use crate::retry;
use crate::runtime::Runtime;
use crate::write::plan::AttributeChanges;

/// What a write is prepared for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Write,
    /// Nothing is used up.
    Explain,
}

impl Runtime {
    /// Fills in the ids that are absent, and names them. A number of a sequence is used up even if the write then fails:
    /// gaps are allowed, duplicates are not.
    pub(crate) async fn generate_ids(
        &self,
        entity: &Entity,
        attributes: &mut Attributes,
        purpose: Purpose,
    ) -> Result<Vec<String>, Error> {
        let mut generated_ids = Vec::new();
        for attribute in &entity.attributes {
            let Some(generator) = &attribute.generator else { continue };
            if attributes.contains_key(&attribute.name) || attribute.optional {
                continue;
            }
            let id = match generator {
                Generator::Ulid => AttributeValue::S(self.ulid()?),
                Generator::Uuid => AttributeValue::S(self.uuid()?),
                Generator::Sequence(name) => match purpose {
                    Purpose::Write => self.next_number(name).await?,
                    Purpose::Explain => self.likely_number(name).await?,
                },
            };
            attributes.insert(attribute.name.clone(), id);
            generated_ids.push(attribute.name.clone());
        }
        Ok(generated_ids)
    }

    fn ulid(&self) -> Result<String, Error> {
        let random = u128::from_be_bytes(random_bytes(self.random.as_ref())?);
        Ok(ulid::Ulid::from_parts(self.clock.now_ms(), random).to_string())
    }

    fn uuid(&self) -> Result<String, Error> {
        let random = random_bytes(self.random.as_ref())?;
        Ok(uuid::Builder::from_unix_timestamp_millis(self.clock.now_ms(), &random).into_uuid().to_string())
    }

    /// What the sequence would give now.
    async fn likely_number(&self, sequence: &str) -> Result<AttributeValue, Error> {
        let last = self.last_number(sequence).await?.unwrap_or(Number::ZERO);
        Ok(AttributeValue::N(last.checked_add(&Number::from(1_u64)).unwrap_or(last)))
    }

    /// The number that was generated_ids last.
    pub(crate) async fn last_number(&self, sequence: &str) -> Result<Option<Number>, Error> {
        let input = GetItemInput {
            table_name: self.table.clone(),
            key: self.sequence_key(sequence)?,
            consistent_read: true,
            ..GetItemInput::default()
        };
        let found = self.get_item(input).await?.item.map(Item::into_attributes);
        let stored = found.transpose().map_err(ServiceError::from)?.unwrap_or_default();
        Ok(stored.get(sequence).and_then(AttributeValue::as_number).copied())
    }

    /// The key of the item that keeps the sequences.
    pub(crate) fn sequence_key(&self, sequence: &str) -> Result<Attributes, Error> {
        let keeper = self
            .design
            .sequence_keeper()
            .ok_or_else(|| Error::Invalid(format!("no entity of the design keeps the sequence `{sequence}`")))?;
        Ok(keeper.layout.key(|_| None)?.unwrap_or_default())
    }

    async fn next_number(&self, sequence: &str) -> Result<AttributeValue, Error> {
        let key = self.sequence_key(sequence)?;
        let mut aliases = AliasWriter::default();
        let update_expression = AttributeChanges::count(sequence, 1).write(&mut aliases);
        let options = WriteOptions {
            aliases: aliases.into_aliases(),
            return_values: ReturnValues::UpdatedNew,
            ..WriteOptions::default()
        };
        let input = UpdateItemInput { table_name: self.table.clone(), key, update_expression, options };
        let mut lost = 0;
        let output = loop {
            match self.patiently(|| self.backend.update_item(input.clone())).await {
                // Whether the number was generated_ids is not known: another one leaves at most a gap.
                Err(ServiceError::OutcomeUnknown(_)) if lost < retry::ATTEMPTS => lost += 1,
                answer => break answer?,
            }
        };
        output
            .attributes
            .and_then(|mut attributes| attributes.remove(sequence))
            .ok_or_else(|| Error::Unavailable(format!("the sequence `{sequence}` gave no number")))
    }
}
