//! What idempotency and the audit log cost, in the units that AWS counts: the figures of `docs/audit.md`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::change_record_support::*;
use keyfold_api::change_records::{Act, ChangeRecordSettings};
use keyfold_dynamo::operation::*;
use keyfold_dynamo::{Backend, BackendFuture, ForwardingBackend};
use keyfold_engine::Engine;
use keyfold_runtime::{PatchOptions, Write};

/// Counts the units of writes, by table.
struct Metering {
    inner: Engine,
    used: Mutex<BTreeMap<String, f64>>,
}

impl Metering {
    fn add<'c>(&self, consumed: impl IntoIterator<Item = &'c ConsumedCapacity>) {
        let mut used = self.used.lock().unwrap();
        for consumed in consumed {
            *used.entry(consumed.table_name.clone()).or_default() += consumed.total.capacity;
        }
    }

    /// What was used since it was asked last: by the design's table, and by the table of the records.
    fn used(&self) -> (f64, f64) {
        let mut used = std::mem::take(&mut *self.used.lock().unwrap());
        (used.remove("agencies").unwrap_or_default(), used.remove("keyfold_audit").unwrap_or_default())
    }
}

macro_rules! metered {
    ($($method:ident, $input:ty;)*) => {
        $(fn $method(&self, mut input: $input) -> BackendFuture<'_, WriteOutput> {
            Box::pin(async move {
                input.options.return_consumed_capacity = ReturnConsumedCapacity::Total;
                let output = self.inner.$method(input).await?;
                self.add(&output.consumed_capacity);
                Ok(output)
            })
        })*
    };
}

impl ForwardingBackend for Metering {
    fn inner(&self) -> &dyn Backend {
        &self.inner
    }

    metered! {
        put_item, PutItemInput;
        update_item, UpdateItemInput;
        delete_item, DeleteItemInput;
    }

    fn transact_write_items(&self, mut input: TransactWriteItemsInput) -> BackendFuture<'_, TransactWriteItemsOutput> {
        Box::pin(async move {
            input.return_consumed_capacity = ReturnConsumedCapacity::Total;
            let output = self.inner.transact_write_items(input).await?;
            self.add(&output.consumed_capacity);
            Ok(output)
        })
    }
}

async fn metered(idempotency: bool, audit: bool) -> (Office, Arc<Metering>) {
    let metering = Arc::new(Metering { inner: Engine::in_memory(Default::default()).unwrap(), used: Mutex::default() });
    let settings = ChangeRecordSettings { idempotency, audit, ..ChangeRecordSettings::default() };
    let office = Office::on(Arc::clone(&metering) as _, settings).await;
    (office, metering)
}

/// An agency is in one index, which costs as much as the item itself.
#[tokio::test]
async fn a_change_costs_what_the_documents_say() {
    let ada = operator("ada");
    for (idempotency, audit, expected) in
        [(false, false, (1.0, 0.0)), (false, true, (2.0, 6.0)), (true, false, (2.0, 2.0)), (true, true, (2.0, 8.0))]
    {
        let (office, metering) = metered(idempotency, audit).await;
        let key = idempotency.then_some("k");
        // The first entry of a tenant since the start of a server notes where it is, with the next request.
        entry(office.begin(&ada, None, "x").await);
        metering.used();
        let create = create("Agency", &[("agencyId", "nw"), ("name", "Northwind")]);
        office.request(&ada, key, create).await.unwrap();
        let (agencies, change_records) = metering.used();
        assert_eq!((agencies / 2.0, change_records), expected, "create with answer {idempotency}, log {audit}");
        entry(office.begin(&ada, None, "x").await);
        metering.used();
        let rename = Write::Patch {
            entity: "Agency".to_owned(),
            attributes: attributes(&[("agencyId", "nw"), ("name", "Northwind Traders")]),
            options: PatchOptions::default(),
        };
        office.request(&ada, key.map(|_| "k2"), rename).await.unwrap();
        let (agencies, change_records) = metering.used();
        assert_eq!((agencies / 2.0, change_records), expected, "patch with answer {idempotency}, log {audit}");
    }
}

#[tokio::test]
async fn a_denial_costs_one_put() {
    let (office, metering) = metered(true, true).await;
    metering.used();
    let eve = member("ct", "eve", &[]);
    let design = office.runtime.design();
    // The first entry of a tenant since the start of a server notes where it is.
    for (verb, units) in [("patch", 4.0), ("delete", 3.0)] {
        let (entity, identity, request_id) = ("Member", "bob", "r-2");
        let denial = Act { design, principal: &eve, tenant: None, verb, entity, identity, request_id };
        office.change_records.record_denial(denial).await;
        assert_eq!(metering.used(), (0.0, units));
    }
}
