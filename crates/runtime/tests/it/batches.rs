//! Many items at once: in groups where that is right, with what a group leaves retried, and outcomes in order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::support::watched::throttled;
use crate::support::*;
use keyfold_design::Design;
use keyfold_dynamo::operation::*;
use keyfold_dynamo::{Backend, BackendFuture, ForwardingBackend};
use keyfold_runtime::{Caller, DeleteOptions, Error, Runtime, Write};
use serde_json::{Value, json};

const DESIGN: &str = "
design: readings
table: readings
tenant: {attribute: siteId, entity: Site}
entities:
  Site:
    scope: tenant
    PK: SITE#<siteId>
    SK: METADATA
    attributes:
      siteId: string, made as ulid
      name: string, at most 100 characters
      version: version
  Reading:
    scope: tenant
    PK: SITE#<siteId>
    SK: READING#<at>
    attributes:
      siteId: string
      at: datetime
      value: number
      changedAt: modified at
patterns:
  site with readings: PK = SITE#<siteId> -> Site, Reading
callers:
  operators: role operator
  members: tenant
allow:
  - operators: everything
  - members: read Site, Reading
  - members: create, update, delete Reading
  - members: update Site
";

/// Takes some requests of each batch, and leaves the others.
struct Partial {
    inner: Arc<dyn Backend>,
    takes: AtomicUsize,
    /// As many batches are refused first.
    refuses: AtomicUsize,
    sizes: Mutex<Vec<usize>>,
    singles: AtomicUsize,
}

macro_rules! counted {
    ($($method:ident, $input:ty, $output:ty;)*) => {
        $(fn $method(&self, input: $input) -> BackendFuture<'_, $output> {
            self.singles.fetch_add(1, Ordering::SeqCst);
            self.inner.$method(input)
        })*
    };
}

impl Partial {
    fn refused(&self) -> bool {
        self.refuses.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok()
    }
}

impl ForwardingBackend for Partial {
    fn inner(&self) -> &dyn Backend {
        self.inner.as_ref()
    }

    counted! {
        get_item, GetItemInput, GetItemOutput;
        put_item, PutItemInput, WriteOutput;
        update_item, UpdateItemInput, WriteOutput;
        delete_item, DeleteItemInput, WriteOutput;
        query, QueryInput, PageOutput;
        transact_write_items, TransactWriteItemsInput, TransactWriteItemsOutput;
    }

    fn batch_get_item(&self, mut input: BatchGetItemInput) -> BackendFuture<'_, BatchGetItemOutput> {
        Box::pin(async move {
            if self.refused() {
                return Err(throttled());
            }
            let (table, keys) = &mut input.requests[0];
            self.sizes.lock().unwrap().push(keys.keys.len());
            let taken = self.takes.load(Ordering::SeqCst).min(keys.keys.len());
            let left = keys.keys.split_off(taken);
            let unprocessed = KeysAndAttributes { keys: left, ..keys.clone() };
            let table = table.clone();
            let mut output =
                if taken == 0 { BatchGetItemOutput::default() } else { self.inner.batch_get_item(input).await? };
            if !unprocessed.keys.is_empty() {
                output.unprocessed.push((table, unprocessed));
            }
            Ok(output)
        })
    }

    fn batch_write_item(&self, mut input: BatchWriteItemInput) -> BackendFuture<'_, BatchWriteItemOutput> {
        Box::pin(async move {
            if self.refused() {
                return Err(throttled());
            }
            let (table, requests) = &mut input.requests[0];
            self.sizes.lock().unwrap().push(requests.len());
            let taken = self.takes.load(Ordering::SeqCst).min(requests.len());
            let left = requests.split_off(taken);
            let table = table.clone();
            let mut output =
                if taken == 0 { BatchWriteItemOutput::default() } else { self.inner.batch_write_item(input).await? };
            if !left.is_empty() {
                output.unprocessed.push((table, left));
            }
            Ok(output)
        })
    }
}

struct Site {
    design: Arc<Design>,
    backend: Arc<Partial>,
    runtime: Runtime,
}

async fn site(takes: usize) -> Site {
    let design = design(DESIGN);
    let backend = Arc::new(Partial {
        inner: engine(),
        takes: AtomicUsize::new(takes),
        refuses: AtomicUsize::new(0),
        sizes: Mutex::default(),
        singles: AtomicUsize::new(0),
    });
    let runtime = runtime_on(&design, Arc::clone(&backend) as _);
    runtime.create_table().await.unwrap();
    for id in ["n", "c"] {
        runtime
            .create(&superuser(), "Site", attributes(&design, "Site", json!({"siteId": id, "name": id})))
            .await
            .unwrap();
    }
    backend.singles.store(0, Ordering::SeqCst);
    Site { design, backend, runtime }
}

impl Site {
    fn put(&self, site: &str, second: usize, value: i64) -> Write {
        let value = json!({"siteId": site, "at": at(second), "value": value});
        Write::Put { entity: "Reading".to_owned(), attributes: attributes(&self.design, "Reading", value) }
    }

    fn delete(&self, site: &str, second: usize) -> Write {
        let identity = attributes(&self.design, "Reading", json!({"siteId": site, "at": at(second)}));
        Write::Delete { entity: "Reading".to_owned(), identity, options: DeleteOptions::default() }
    }

    fn identity(&self, site: &str, second: usize) -> (String, keyfold_dynamo::Attributes) {
        ("Reading".to_owned(), attributes(&self.design, "Reading", json!({"siteId": site, "at": at(second)})))
    }

    fn sizes(&self) -> Vec<usize> {
        std::mem::take(&mut self.backend.sizes.lock().unwrap())
    }

    async fn count(&self) -> usize {
        table(self.backend.inner.as_ref(), &self.design).await.keys().filter(|key| key.contains("READING")).count()
    }
}

fn at(second: usize) -> String {
    format!("2026-01-01T00:{:02}:{:02}.000Z", second / 60, second % 60)
}

fn value(record: &Option<keyfold_runtime::Record>) -> Option<String> {
    record.as_ref().map(|record| record.attributes["value"].as_number().unwrap().to_string())
}

#[tokio::test]
async fn writes_and_reads_are_sent_in_batches() {
    let site = site(usize::MAX).await;
    let writes = (0..60).map(|second| site.put("n", second, second as i64)).collect();
    let outcomes = site.runtime.batch_write(&superuser(), writes).await;
    assert_eq!(site.sizes(), [25, 25, 10]);
    assert_eq!(site.backend.singles.load(Ordering::SeqCst), 0);
    let values: Vec<Option<String>> = outcomes.iter().map(|outcome| value(outcome.as_ref().unwrap())).collect();
    assert_eq!(values, (0..60).map(|number| Some(number.to_string())).collect::<Vec<_>>());
    assert_eq!(site.count().await, 60);
    // In the order asked for, whatever the order of the answer; one that is not there and one twice.
    let mut wanted: Vec<_> = (0..130).rev().map(|second| site.identity("n", second % 65)).collect();
    wanted.push(("Site".to_owned(), attributes(&site.design, "Site", json!({"siteId": "n"}))));
    let records = site.runtime.batch_get(&superuser(), wanted).await.unwrap();
    assert_eq!(site.sizes(), [66]);
    for (record, second) in records.iter().zip((0..130).rev()) {
        let second = second % 65;
        assert_eq!(value(record), (second < 60).then(|| second.to_string()));
    }
    assert_eq!(records[130].as_ref().unwrap().attributes["name"].as_str(), Some("n"));
    // As single reads tell.
    let (entity, identity) = site.identity("n", 3);
    assert_eq!(site.runtime.get(&superuser(), &entity, identity).await.unwrap(), records[130 - 1 - 3]);
    let deletes = (0..60).map(|second| site.delete("n", second)).collect();
    assert!(site.runtime.batch_write(&superuser(), deletes).await.iter().all(|outcome| *outcome == Ok(None)));
    assert_eq!(site.count().await, 0);
}

#[tokio::test]
async fn unprocessed_writes_are_sent_again() {
    let site = site(10).await;
    let writes: Vec<Write> = (0..30).map(|second| site.put("n", second, second as i64)).collect();
    let outcomes = site.runtime.batch_write(&superuser(), writes.clone()).await;
    assert!(outcomes.iter().all(Result::is_ok));
    assert_eq!(site.sizes(), [25, 15, 5, 5]);
    assert_eq!(site.count().await, 30);
    let wanted: Vec<_> = (0..30).map(|second| site.identity("n", second)).collect();
    let records = site.runtime.batch_get(&superuser(), wanted.clone()).await.unwrap();
    assert_eq!(site.sizes(), [30, 20, 10]);
    assert!(records.iter().enumerate().all(|(number, record)| value(record) == Some(number.to_string())));
    // A throttled request as well.
    site.backend.refuses.store(3, Ordering::SeqCst);
    assert!(site.runtime.batch_write(&superuser(), writes.clone()).await.iter().all(Result::is_ok));
    site.backend.refuses.store(3, Ordering::SeqCst);
    assert!(site.runtime.batch_get(&superuser(), wanted.clone()).await.is_ok());
    // But not for ever.
    site.sizes();
    site.backend.takes.store(0, Ordering::SeqCst);
    let outcomes = site.runtime.batch_write(&superuser(), writes[..5].to_vec()).await;
    assert!(outcomes.iter().all(|outcome| *outcome == Err(Error::Throttled)), "{outcomes:?}");
    assert_eq!(site.sizes(), vec![5; 10]);
    assert_eq!(site.runtime.batch_get(&superuser(), wanted).await, Err(Error::Throttled));
    assert_eq!(site.sizes(), vec![30; 10]);
}

#[tokio::test]
async fn writes_that_need_a_transaction_are_sent_one_by_one() {
    let site = site(usize::MAX).await;
    let put =
        |value: Value| Write::Put { entity: "Site".to_owned(), attributes: attributes(&site.design, "Site", value) };
    let writes = vec![
        site.put("n", 1, 1),
        // It has a version, which is counted.
        put(json!({"siteId": "n", "name": "North"})),
        site.put("n", 2, 2),
        put(json!({"siteId": "n", "name": ""  , "size": 3})),
        site.put("n", 3, 3),
        Write::Create { entity: "Reading".to_owned(), attributes: site.identity("n", 1).1 },
    ];
    let outcomes = site.runtime.batch_write(&superuser(), writes).await;
    let kinds: Vec<&str> =
        outcomes.iter().map(|outcome| outcome.as_ref().map_or_else(Error::kind, |_| "fine")).collect();
    assert_eq!(kinds, ["fine", "fine", "fine", "constraint", "fine", "constraint"]);
    let north = outcomes[1].as_ref().unwrap().as_ref().unwrap();
    assert_eq!(north.attributes["version"].as_number().unwrap().to_string(), "2");
    assert_eq!(site.count().await, 3);
}

#[tokio::test]
async fn writes_of_one_item_come_in_order() {
    let site = site(usize::MAX).await;
    let writes =
        vec![site.put("n", 1, 1), site.put("n", 1, 2), site.delete("n", 1), site.put("n", 1, 4), site.delete("n", 2)];
    let outcomes = site.runtime.batch_write(&superuser(), writes).await;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    assert_eq!(site.sizes(), [1, 1, 1, 2]);
    let records = site.runtime.batch_get(&superuser(), vec![site.identity("n", 1)]).await.unwrap();
    assert_eq!(value(&records[0]), Some("4".to_owned()));
}

#[tokio::test]
async fn members_stay_within_their_tenant() {
    let site = site(usize::MAX).await;
    let outcomes = site.runtime.batch_write(&superuser(), vec![site.put("n", 1, 1), site.put("c", 1, 7)]).await;
    assert!(outcomes.iter().all(Result::is_ok));
    let before = table(site.backend.inner.as_ref(), &site.design).await;
    let member = Caller::member("c", "mallory");
    let attack = vec![site.put("n", 1, 9), site.put("n", 2, 9), site.delete("n", 1), site.delete("n", 2)];
    let outcomes = site.runtime.batch_write(&member, attack).await;
    let kinds: Vec<&str> =
        outcomes.iter().map(|outcome| outcome.as_ref().map_or_else(Error::kind, |_| "fine")).collect();
    // What is there and what is not look the same.
    assert_eq!(kinds, ["constraint", "constraint", "fine", "fine"]);
    assert_eq!(outcomes[2], outcomes[3]);
    assert_eq!(table(site.backend.inner.as_ref(), &site.design).await, before);
    let wanted = vec![site.identity("n", 1), site.identity("n", 2), site.identity("c", 1)];
    let records = site.runtime.batch_get(&member, wanted).await.unwrap();
    assert_eq!(records.iter().map(value).collect::<Vec<_>>(), [None, None, Some("7".to_owned())]);
    let nobody = site.runtime.batch_write(&Caller::default(), vec![site.put("c", 1, 9)]).await;
    assert!(matches!(nobody[0], Err(Error::NotAllowed(_))), "{nobody:?}");
}
