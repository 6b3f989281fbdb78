//! Records what a response shows of entities with `audit reads`, before it is sent.

use keyfold_runtime::Page;

use crate::change_records::{ItemRead, ShownItem};
use crate::request::exchange::Exchange;
use crate::response::problem::Problem;

impl Exchange {
    /// Records a page of an access pattern in the audit log, with the items that it leaves out and names.
    pub(crate) async fn record_list(&self, pattern: &str, page: &Page) -> Result<(), Problem> {
        let misfits = page.problems.iter().filter_map(|problem| problem.item.as_ref());
        let misfits = misfits.map(|(entity, attributes)| ShownItem { entity: *entity, attributes });
        let items: Vec<ShownItem<'_>> = page.records.iter().map(ShownItem::from).chain(misfits).collect();
        self.record(Some(pattern), &items).await
    }

    /// Records each of these items as read, whatever the request was.
    pub(crate) async fn record_read(&self, items: &[ShownItem<'_>]) -> Result<(), Problem> {
        for item in items {
            self.record(None, std::slice::from_ref(item)).await?;
        }
        Ok(())
    }

    /// Records a read, where the design asks for it. A read that cannot be recorded fails.
    async fn record(&self, pattern: Option<&str>, items: &[ShownItem<'_>]) -> Result<(), Problem> {
        let read = ItemRead {
            design: self.served.design(),
            principal: &self.principal,
            tenant: self.operator_tenant()?,
            pattern,
            request_id: self.request_id(),
        };
        self.api.change_records.record_read(&read, items).await.map_err(|cause| {
            tracing::warn!(%cause, "a read cannot be recorded in the audit log");
            Problem::unavailable("the read cannot be recorded in the audit log; try again")
        })
    }
}
