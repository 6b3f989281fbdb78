//! What the journal costs, in the units that AWS counts: the figures of `docs/audit.md`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::journal_support::*;
use keyfold_api::journal::{Denial, JournalSettings};
use keyfold_dynamo::operation::*;
use keyfold_dynamo::table::{TableDescription, Tags};
use keyfold_dynamo::{Answer, Backend};
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

    /// What was used since it was asked last: by the design's table, and by the journal's.
    fn used(&self) -> (f64, f64) {
        let mut used = std::mem::take(&mut *self.used.lock().unwrap());
        (used.remove("agencies").unwrap_or_default(), used.remove("keyfold_journal").unwrap_or_default())
    }
}

macro_rules! metered {
    ($($method:ident, $input:ty;)*) => {
        $(fn $method(&self, mut input: $input) -> Answer<'_, WriteOutput> {
            Box::pin(async move {
                input.options.return_consumed_capacity = ReturnConsumedCapacity::Total;
                let output = self.inner.$method(input).await?;
                self.add(&output.consumed_capacity);
                Ok(output)
            })
        })*
    };
}

macro_rules! handed_on {
    ($($method:ident, $input:ty, $output:ty;)*) => {
        $(fn $method(&self, input: $input) -> Answer<'_, $output> {
            self.inner.$method(input)
        })*
    };
}

impl Backend for Metering {
    metered! {
        put_item, PutItemInput;
        update_item, UpdateItemInput;
        delete_item, DeleteItemInput;
    }

    fn transact_write_items(&self, mut input: TransactWriteItemsInput) -> Answer<'_, TransactWriteItemsOutput> {
        Box::pin(async move {
            input.return_consumed_capacity = ReturnConsumedCapacity::Total;
            let output = self.inner.transact_write_items(input).await?;
            self.add(&output.consumed_capacity);
            Ok(output)
        })
    }

    handed_on! {
        get_item, GetItemInput, GetItemOutput;
        query, QueryInput, PageOutput;
        scan, ScanInput, PageOutput;
        batch_get_item, BatchGetItemInput, BatchGetItemOutput;
        batch_write_item, BatchWriteItemInput, BatchWriteItemOutput;
        transact_get_items, TransactGetItemsInput, TransactGetItemsOutput;
        create_table, CreateTableInput, TableDescription;
        update_table, UpdateTableInput, TableDescription;
        delete_table, String, TableDescription;
        describe_table, String, TableDescription;
        list_tables, ListTablesInput, ListTablesOutput;
        describe_time_to_live, String, TimeToLiveDescription;
        update_time_to_live, UpdateTimeToLiveInput, UpdateTimeToLiveInput;
        describe_continuous_backups, String, ContinuousBackupsDescription;
    }

    fn describe_limits(&self) -> Answer<'_, LimitsDescription> {
        self.inner.describe_limits()
    }

    fn tag_resource(&self, arn: String, tags: Tags) -> Answer<'_, ()> {
        self.inner.tag_resource(arn, tags)
    }

    fn untag_resource(&self, arn: String, keys: Vec<String>) -> Answer<'_, ()> {
        self.inner.untag_resource(arn, keys)
    }

    fn list_tags_of_resource(&self, arn: String, next_token: Option<String>) -> Answer<'_, TagsPage> {
        self.inner.list_tags_of_resource(arn, next_token)
    }
}

async fn metered(idempotency: bool, audit: bool) -> (Office, Arc<Metering>) {
    let metering = Arc::new(Metering { inner: Engine::in_memory(Default::default()).unwrap(), used: Mutex::default() });
    let settings = JournalSettings { idempotency, audit, ..JournalSettings::default() };
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
        let create = create("Agency", &[("agencyId", "nw"), ("name", "Northwind")]);
        office.request(&ada, key, create).await.unwrap();
        let (agencies, journal) = metering.used();
        assert_eq!((agencies / 2.0, journal), expected, "create with answer {idempotency}, log {audit}");
        let rename = Write::Patch {
            entity: "Agency".to_owned(),
            attributes: attributes(&[("agencyId", "nw"), ("name", "Northwind Traders")]),
            options: PatchOptions::default(),
        };
        office.request(&ada, key.map(|_| "k2"), rename).await.unwrap();
        let (agencies, journal) = metering.used();
        assert_eq!((agencies / 2.0, journal), expected, "patch with answer {idempotency}, log {audit}");
    }
}

#[tokio::test]
async fn a_refusal_is_a_single_put() {
    let (office, metering) = metered(true, true).await;
    metering.used();
    let eve = member("ct", "eve", &[]);
    let design = office.runtime.design();
    let (verb, entity, identity, request_id) = ("delete", "Member", "bob", "r-2");
    office
        .journal
        .record_denial(Denial { design, principal: &eve, tenant: None, verb, entity, identity, request_id })
        .await;
    assert_eq!(metering.used(), (0.0, 3.0));
}
