//! The creation of a table, and what a process that was killed during it leaves to do.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::support::*;
use keyfold_dynamo::operation::UpdateTimeToLiveInput;
use keyfold_dynamo::table::{TableDescription, TableStatus, TimeToLiveStatus};
use keyfold_dynamo::{Backend, BackendFuture, ForwardingBackend, ServiceError};
use keyfold_runtime::Error;

const DESIGN: &str = "
design: tickets
table: {name: tickets, ttl: expiresAt}
entities:
  Ticket:
    PK: TICKET#<ticketId>
    SK: METADATA
    attributes:
      ticketId: string
      until: datetime
      expiresAt: expiry 1 days after until
patterns:
  ticket: PK = TICKET#<ticketId>
allow:
  - signed in: everything
";

/// Refuses to enable time to live as often as told, and reports the table as being created as often.
struct Interrupted {
    inner: Arc<dyn Backend>,
    refused: AtomicU32,
    creating: AtomicU32,
    enabled: AtomicU32,
}

fn take_one(left: &AtomicU32) -> bool {
    left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok()
}

impl ForwardingBackend for Interrupted {
    fn inner(&self) -> &dyn Backend {
        self.inner.as_ref()
    }

    fn update_time_to_live(&self, input: UpdateTimeToLiveInput) -> BackendFuture<'_, UpdateTimeToLiveInput> {
        if take_one(&self.refused) {
            return Box::pin(async { Err(ServiceError::Unavailable("killed".to_owned())) });
        }
        self.enabled.fetch_add(1, Ordering::SeqCst);
        self.inner.update_time_to_live(input)
    }

    fn describe_table(&self, table_name: String) -> BackendFuture<'_, TableDescription> {
        Box::pin(async move {
            let mut table = self.inner.describe_table(table_name).await?;
            if take_one(&self.creating) {
                table.status = TableStatus::Creating;
            }
            Ok(table)
        })
    }
}

#[tokio::test]
async fn an_interrupted_creation_is_completed_by_the_next() {
    let design = design(DESIGN);
    let backend = Arc::new(Interrupted {
        inner: engine(),
        refused: AtomicU32::new(1),
        creating: AtomicU32::new(0),
        enabled: AtomicU32::new(0),
    });
    let runtime = runtime_on(&design, Arc::clone(&backend) as _);
    let killed = runtime.create_table().await;
    assert!(matches!(killed, Err(Error::Unavailable(_))), "{killed:?}");
    // The table exists, so the second call creates nothing; it waits for the table and enables what is missing.
    backend.creating.store(3, Ordering::SeqCst);
    assert_eq!(runtime.create_table().await, Ok(false));
    assert_eq!(backend.creating.load(Ordering::SeqCst), 0);
    let expiry = backend.inner.describe_time_to_live("tickets".to_owned()).await.unwrap();
    assert_eq!((expiry.status, expiry.attribute_name.as_deref()), (TimeToLiveStatus::Enabled, Some("expiresAt")));
    // A third one has nothing to do: DynamoDB rejects a second request to enable it.
    assert_eq!(runtime.create_table().await, Ok(false));
    assert_eq!(backend.enabled.load(Ordering::SeqCst), 1);
}

/// An account that has as many tables as it may have.
struct FullAccount(Arc<dyn Backend>);

impl ForwardingBackend for FullAccount {
    fn inner(&self) -> &dyn Backend {
        self.0.as_ref()
    }

    fn before(&self, operation: &'static str) -> Result<(), ServiceError> {
        match operation {
            "create_table" => Err(ServiceError::LimitExceeded("too many tables".to_owned())),
            _ => Ok(()),
        }
    }
}

#[tokio::test]
async fn a_limit_on_tables_is_not_reported_as_throttling() {
    let runtime = runtime_on(&design(DESIGN), Arc::new(FullAccount(engine())));
    let error = runtime.create_table().await.unwrap_err();
    assert_eq!(error, Error::LimitExceeded("too many tables".to_owned()));
    assert_eq!(error.to_string(), "a limit on tables is exceeded: too many tables");
}
