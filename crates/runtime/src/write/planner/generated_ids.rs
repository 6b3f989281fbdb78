//! Ids that are generated for new items.

use keyfold_design::model::{AttributeType, Entity, Generator};
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_environment::{Clock, Random, random_bytes};

use super::sequences::Sequences;
use crate::error::Error;

/// Generates the ids of new items.
#[derive(Clone, Copy)]
pub(super) struct IdGenerator<'r> {
    pub sequences: Sequences<'r>,
    pub clock: &'r dyn Clock,
    pub random: &'r dyn Random,
}

impl IdGenerator<'_> {
    /// Generates the ids that are absent, and returns their names. A number of a sequence is used up even if the write
    /// then fails: gaps are allowed, duplicates are not.
    pub(crate) async fn generate(&self, entity: &Entity, attributes: &mut Attributes) -> Result<Vec<String>, Error> {
        let mut generated_ids = Vec::new();
        for attribute in &entity.attributes {
            let Some(generator) = &attribute.generator else { continue };
            if attributes.contains_key(&attribute.name) || attribute.optional {
                continue;
            }
            let id = match generator {
                Generator::Ulid => AttributeValue::S(self.ulid()?),
                Generator::Uuid => AttributeValue::S(self.uuid()?),
                Generator::Sequence(name) => {
                    let number = self.sequences.draw(name).await?;
                    match attribute.value_type {
                        AttributeType::String => AttributeValue::S(number.to_string()),
                        _ => AttributeValue::N(number),
                    }
                }
            };
            attributes.insert(attribute.name.clone(), id);
            generated_ids.push(attribute.name.clone());
        }
        Ok(generated_ids)
    }

    fn ulid(&self) -> Result<String, Error> {
        let random = u128::from_be_bytes(random_bytes(self.random)?);
        Ok(ulid::Ulid::from_parts(self.clock.now_ms(), random).to_string())
    }

    fn uuid(&self) -> Result<String, Error> {
        let random = random_bytes(self.random)?;
        Ok(uuid::Builder::from_unix_timestamp_millis(self.clock.now_ms(), &random).into_uuid().to_string())
    }
}
