//! Sequences: counters from which ids are drawn.

use keyfold_dynamo::operation::{ReturnValues, UpdateItemInput, WriteOptions};
use keyfold_dynamo::{AttributeValue, Attributes, Number, ServiceError};

use super::Planner;
use crate::error::Error;
use crate::retry;
use crate::write::plan::AttributeChanges;

impl Planner<'_> {
    /// The number that the sequence would give now.
    pub(super) async fn preview_number(&self, sequence: &str) -> Result<AttributeValue, Error> {
        let one = Number::from(1_i64);
        let next = match self.last_number(sequence).await? {
            Some(last) => last.checked_add(&one).map_err(|_| Error::Invalid(format!("`{sequence}` is used up")))?,
            None => one,
        };
        Ok(AttributeValue::N(next))
    }

    /// The number that was drawn last.
    pub(super) async fn last_number(&self, sequence: &str) -> Result<Option<Number>, Error> {
        let stored = self.items.attributes_at_key(self.sequence_key(sequence)?).await?;
        Ok(stored.as_ref().and_then(|stored| stored.get(sequence)).and_then(AttributeValue::as_number).copied())
    }

    /// The key of the item that holds the sequences.
    pub(super) fn sequence_key(&self, sequence: &str) -> Result<Attributes, Error> {
        let unknown = || Error::Invalid(format!("no entity of the design holds the sequence `{sequence}`"));
        let keeper = self.design.sequence_keeper().ok_or_else(unknown)?;
        keeper.layout.key(|_| None)?.ok_or_else(unknown)
    }

    pub(super) async fn draw_number(&self, sequence: &str) -> Result<AttributeValue, Error> {
        let key = self.sequence_key(sequence)?;
        let update = AttributeChanges::count(sequence, 1).update()?;
        let options = WriteOptions { return_values: ReturnValues::UpdatedNew, ..WriteOptions::default() };
        let input = UpdateItemInput { table_name: self.items.table.to_owned(), key, update, options };
        let mut lost = 0;
        let output = loop {
            match self.items.retry.send(|| self.items.backend.update_item(input.clone())).await {
                // The number may have been drawn: another one leaves at most a gap.
                Err(ServiceError::OutcomeUnknown(_)) if lost < retry::ATTEMPTS => lost += 1,
                outcome => break outcome?,
            }
        };
        output
            .attributes
            .and_then(|mut attributes| attributes.remove(sequence))
            .ok_or_else(|| Error::Unavailable(format!("the sequence `{sequence}` gave no number")))
    }
}
