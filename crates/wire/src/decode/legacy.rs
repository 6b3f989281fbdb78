//! Parameters from before there were expressions. They are not supported yet, and refused rather than ignored.

use crate::failure::Failure;
use crate::json::Reader;

/// The legacy parameters of an operation, and the first one that a request uses.
pub(super) struct Legacy {
    known: &'static [&'static str],
    used: Option<&'static str>,
}

impl Legacy {
    pub(super) fn new(known: &'static [&'static str]) -> Self {
        Self { known, used: None }
    }

    /// Reads over a member that the operation does not know, and remembers it if it is a legacy parameter.
    pub(super) fn skip(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<(), Failure> {
        let known = self.known.iter().find(|candidate| **candidate == name);
        let Some(&parameter) = known else { return Ok(reader.skip()?) };
        if !reader.take_null()? {
            self.used.get_or_insert(parameter);
            reader.skip()?;
        }
        Ok(())
    }

    /// An error if the request used one.
    pub(super) fn refuse(&self) -> Result<(), Failure> {
        let Some(parameter) = self.used else { return Ok(()) };
        let instead = match parameter {
            "AttributesToGet" => "ProjectionExpression",
            "Expected" => "ConditionExpression",
            "AttributeUpdates" => "UpdateExpression",
            "KeyConditions" => "KeyConditionExpression",
            "QueryFilter" | "ScanFilter" => "FilterExpression",
            _ => "AND and OR in an expression",
        };
        Err(Failure::validation(format!(
            "The legacy parameter {parameter} is not supported by this server; use {instead} instead"
        )))
    }
}
