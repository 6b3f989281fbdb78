//! Ids that are made when a new item has none.

use keyfold_design::model::{Entity, Generator};
use keyfold_dynamo::operation::{ReturnValues, UpdateItemInput, WriteOptions};
use keyfold_dynamo::{AttributeValue, Attributes};

use super::Changes;
use crate::error::Error;
use crate::expression::AliasWriter;
use crate::runtime::Runtime;

impl Runtime {
    /// Fills in the ids that are absent. A number of a sequence is used up even if the write then fails: gaps are
    /// allowed, duplicates are not.
    pub(super) async fn generate_ids(&self, entity: &Entity, attributes: &mut Attributes) -> Result<(), Error> {
        for attribute in &entity.attributes {
            let Some(generator) = &attribute.generator else { continue };
            if attributes.contains_key(&attribute.name) || attribute.optional {
                continue;
            }
            let id = match generator {
                Generator::Ulid => AttributeValue::S(self.ulid()),
                Generator::Uuid => AttributeValue::S(self.uuid()),
                Generator::Sequence(name) => self.next_number(name).await?,
            };
            attributes.insert(attribute.name.clone(), id);
        }
        Ok(())
    }

    fn ulid(&self) -> String {
        let mut random = [0; 16];
        self.random.fill(&mut random);
        ulid::Ulid::from_parts(self.clock.now_ms(), u128::from_be_bytes(random)).to_string()
    }

    fn uuid(&self) -> String {
        let mut random = [0; 10];
        self.random.fill(&mut random);
        uuid::Builder::from_unix_timestamp_millis(self.clock.now_ms(), &random).into_uuid().to_string()
    }

    async fn next_number(&self, sequence: &str) -> Result<AttributeValue, Error> {
        let keeper = self
            .design
            .sequence_keeper()
            .ok_or_else(|| Error::Invalid(format!("no entity of the design keeps the sequence `{sequence}`")))?;
        let key = keeper.layout.key(|_| None)?.unwrap_or_default();
        let mut aliases = AliasWriter::default();
        let update_expression = Changes::count(sequence, 1).write(&mut aliases);
        let options = WriteOptions {
            aliases: aliases.into_aliases(),
            return_values: ReturnValues::UpdatedNew,
            ..WriteOptions::default()
        };
        let input = UpdateItemInput { table_name: self.table.clone(), key, update_expression, options };
        let output = self.patiently(|| self.backend.update_item(input.clone())).await?;
        output
            .attributes
            .and_then(|mut attributes| attributes.remove(sequence))
            .ok_or_else(|| Error::Unavailable(format!("the sequence `{sequence}` gave no number")))
    }
}
