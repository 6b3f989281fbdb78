//! Every item of the table.

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::operation::{PageOptions, ScanInput};

use super::{Items, read_failure};
use crate::error::Error;
use crate::record::Record;

impl Items<'_> {
    /// Reads the whole table, consistently. `visit` gets each item of an entity, or the error of one whose key does not
    /// fit its entity.
    pub(crate) async fn scan(&self, visit: &mut (dyn FnMut(Result<Record, Error>) + Send)) -> Result<(), Error> {
        let mut start = None;
        loop {
            let page = PageOptions { exclusive_start_key: start, consistent_read: true, ..PageOptions::default() };
            let input = ScanInput { table_name: self.table.to_owned(), page, ..ScanInput::default() };
            let output = self.retry.send(|| self.backend.scan(input.clone())).await.map_err(read_failure)?;
            for item in output.items.ok_or_else(|| Error::Unavailable("a scan returned no items".to_owned()))? {
                let stored = item.into_attributes().map_err(ServiceError::from)?;
                if let Some(entity) = self.design.recognize(&stored) {
                    visit(Record::read(&self.design[entity], stored));
                }
            }
            match output.last_evaluated_key {
                Some(key) => start = Some(key),
                None => return Ok(()),
            }
        }
    }
}
