//! Records what a response shows of entities with `audit reads`, before it is sent.

use std::borrow::Cow;

use keyfold_design::model::EntityId;
use keyfold_dynamo::Attributes;
use keyfold_runtime::{Error, Page, Record};

use crate::change_records::{ItemRead, ShownItem};
use crate::request::exchange::Exchange;
use crate::response::problem::Problem;

impl Exchange {
    /// Records a page of an access pattern in the audit log, with the items that it leaves out and names, or with their
    /// number if the pattern only counts.
    pub(crate) async fn record_list(&self, pattern: &str, page: &Page) -> Result<(), Problem> {
        let misfits = page.problems.iter().filter_map(|problem| problem.item.as_ref());
        let misfits = misfits.map(|(entity, attributes)| (*entity, Cow::Borrowed(attributes)));
        let items: Vec<(EntityId, Cow<'_, Attributes>)> = page.records.iter().map(named).chain(misfits).collect();
        let shown: Vec<ShownItem<'_>> = items.iter().map(|(entity, attributes)| shown(*entity, attributes)).collect();
        self.record(Some(pattern), &shown).await?;
        let read = self.item_read(Some(pattern))?;
        self.api.change_records.record_count(&read, &page.counted).await.map_err(unrecorded)
    }

    /// Records each of these items as read, whatever the request was.
    pub(crate) async fn record_read(&self, items: &[ShownItem<'_>]) -> Result<(), Problem> {
        for item in items {
            self.record(None, std::slice::from_ref(item)).await?;
        }
        Ok(())
    }

    /// Records each of these records as read, with an identity that the caller does not see.
    pub(crate) async fn record_records(&self, records: &[&Record]) -> Result<(), Problem> {
        let items: Vec<(EntityId, Cow<'_, Attributes>)> = records.iter().map(|record| named(record)).collect();
        let shown: Vec<ShownItem<'_>> = items.iter().map(|(entity, attributes)| shown(*entity, attributes)).collect();
        self.record_read(&shown).await
    }

    /// Records a read, where the design asks for it. A read that cannot be recorded fails.
    async fn record(&self, pattern: Option<&str>, items: &[ShownItem<'_>]) -> Result<(), Problem> {
        self.api.change_records.record_read(&self.item_read(pattern)?, items).await.map_err(unrecorded)
    }

    fn item_read<'a>(&'a self, pattern: Option<&'a str>) -> Result<ItemRead<'a>, Problem> {
        Ok(ItemRead {
            design: self.served.design(),
            principal: &self.principal,
            tenant: self.operator_tenant()?,
            pattern,
            request_id: self.request_id(),
        })
    }
}

fn named(record: &Record) -> (EntityId, Cow<'_, Attributes>) {
    (record.entity, record.identified())
}

fn shown(entity: EntityId, attributes: &Attributes) -> ShownItem<'_> {
    ShownItem { entity, attributes }
}

fn unrecorded(cause: Error) -> Problem {
    tracing::warn!(%cause, "a read cannot be recorded in the audit log");
    Problem::unavailable("the read cannot be recorded in the audit log; try again")
}
