//! What a table may be asked for that this server does not have. It is refused, since a table without it would not be
//! what was asked for; a request that switches it off is fine.

use super::shape::{self, Position};
use crate::failure::Failure;
use crate::json::Reader;

/// The first feature asked for that is not there.
#[derive(Default)]
pub(super) struct Unsupported {
    asked: Option<&'static str>,
}

impl Unsupported {
    /// Reads over a member that the operation does not know, and remembers it if it asks for a feature.
    pub(super) fn skip(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<(), Failure> {
        let asked = match name {
            "StreamSpecification" => switched_on(reader, "StreamSpecification", "StreamEnabled")?.then_some(STREAMS),
            "SSESpecification" => switched_on(reader, "SSESpecification", "Enabled")?.then_some(ENCRYPTION),
            "ReplicaUpdates" => not_empty(reader)?.then_some("ReplicaUpdates (global tables)"),
            "GlobalTableWitnessUpdates" => not_empty(reader)?.then_some("GlobalTableWitnessUpdates (global tables)"),
            "ResourcePolicy" => shape::string(reader)?.is_some().then_some("ResourcePolicy"),
            _ => {
                reader.skip()?;
                None
            }
        };
        self.asked = self.asked.or(asked);
        Ok(())
    }

    /// An error if a feature was asked for.
    pub(super) fn refuse(&self) -> Result<(), Failure> {
        match self.asked {
            None => Ok(()),
            Some(feature) => Err(Failure::validation(format!("{feature} is not supported by this server"))),
        }
    }
}

const STREAMS: &str = "StreamSpecification with StreamEnabled";
const ENCRYPTION: &str = "SSESpecification with Enabled";

fn switched_on(reader: &mut Reader<'_>, class: &str, switch: &str) -> Result<bool, Failure> {
    let mut on = false;
    shape::structure(reader, class, Position::Member, |name, reader| {
        if name == switch {
            on = shape::boolean(reader)?.unwrap_or_default();
            Ok(())
        } else {
            Ok(reader.skip()?)
        }
    })?;
    Ok(on)
}

fn not_empty(reader: &mut Reader<'_>) -> Result<bool, Failure> {
    let mut any = false;
    shape::list(reader, |reader| {
        any = true;
        Ok(reader.skip()?)
    })?;
    Ok(any)
}
