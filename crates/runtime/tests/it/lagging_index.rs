//! Global indexes that lag behind the table: what is decided by them must still be right.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::*;
use keyfold_design::Design;
use keyfold_dynamo::operation::*;
use keyfold_dynamo::{Backend, BackendFuture, ForwardingBackend, ServiceError};
use keyfold_environment::ManualClock;
use keyfold_runtime::scenario::{DataFile, ScenarioFile, Verdict, run_scenario};
use keyfold_runtime::{DeleteOptions, Error, PatchOptions, QueryOptions, Runtime};
use serde_json::json;
use tokio::sync::Mutex;

/// A table whose indexes are answered from a copy that is some writes behind.
struct Lagging {
    table: Arc<dyn Backend>,
    copy: Arc<dyn Backend>,
    behind: Mutex<VecDeque<Call>>,
    lag: AtomicUsize,
    /// Whether the copy catches up before a pattern is read, so that only the runtime's own reads lag.
    settles: bool,
}

impl Lagging {
    fn new(lag: usize, settles: bool) -> Self {
        Self { table: engine(), copy: engine(), behind: Mutex::default(), lag: AtomicUsize::new(lag), settles }
    }

    /// Brings the copy up to as many writes behind as it may be.
    async fn follow(&self, behind: &mut VecDeque<Call>, lag: usize) {
        while behind.len() > lag {
            match behind.pop_front().unwrap() {
                Call::Put(input) => drop(self.copy.put_item(input).await.unwrap()),
                Call::Update(input) => drop(self.copy.update_item(input).await.unwrap()),
                Call::Delete(input) => drop(self.copy.delete_item(input).await.unwrap()),
                Call::Transact(input) => drop(self.copy.transact_write_items(input).await.unwrap()),
                Call::BatchWrite(input) => drop(self.copy.batch_write_item(input).await.unwrap()),
                other => panic!("{} is not a write", other.name()),
            }
        }
    }

    async fn catch_up(&self) {
        self.follow(&mut *self.behind.lock().await, 0).await;
    }
}

macro_rules! written_later {
    ($($method:ident, $call:ident, $input:ty, $output:ty;)*) => {
        $(fn $method(&self, input: $input) -> BackendFuture<'_, $output> {
            Box::pin(async move {
                // Writes one at a time: the copy sees them in the same order.
                let mut behind = self.behind.lock().await;
                let output = self.table.$method(input.clone()).await?;
                behind.push_back(Call::$call(input));
                self.follow(&mut behind, self.lag.load(Ordering::SeqCst)).await;
                Ok(output)
            })
        })*
    };
}

impl ForwardingBackend for Lagging {
    fn inner(&self) -> &dyn Backend {
        self.table.as_ref()
    }

    written_later! {
        put_item, Put, PutItemInput, WriteOutput;
        update_item, Update, UpdateItemInput, WriteOutput;
        delete_item, Delete, DeleteItemInput, WriteOutput;
        transact_write_items, Transact, TransactWriteItemsInput, TransactWriteItemsOutput;
        batch_write_item, BatchWrite, BatchWriteItemInput, BatchWriteItemOutput;
    }

    fn query(&self, input: QueryInput) -> BackendFuture<'_, PageOutput> {
        match &input.page.index_name {
            Some(_) if input.page.consistent_read => Box::pin(async {
                Err(ServiceError::validation("Consistent reads are not supported on global secondary indexes"))
            }),
            // A page of a pattern asks what it cost; what the runtime looks up for itself does not.
            Some(_) if self.settles && input.page.return_consumed_capacity == ReturnConsumedCapacity::Total => {
                Box::pin(async {
                    self.catch_up().await;
                    self.copy.query(input).await
                })
            }
            Some(_) => self.copy.query(input),
            None => self.table.query(input),
        }
    }
}

struct Behind {
    design: Arc<Design>,
    backend: Arc<Lagging>,
    runtime: Runtime,
    clock: Arc<ManualClock>,
}

async fn behind(design: Arc<Design>, lag: usize, settles: bool) -> Behind {
    let backend = Arc::new(Lagging::new(lag, settles));
    let clock = Arc::new(ManualClock::default());
    let runtime = runtime_with_clock(&design, Arc::clone(&backend) as _, &clock);
    runtime.create_table().await.unwrap();
    runtime_on(&design, Arc::clone(&backend.copy)).create_table().await.unwrap();
    Behind { design, backend, runtime, clock }
}

impl Behind {
    async fn create(&self, entity: &str, value: serde_json::Value) {
        let input = attributes(&self.design, entity, value);
        self.runtime.create(&superuser(), entity, input).await.unwrap();
    }

    async fn delete(&self, entity: &str, value: serde_json::Value, cascade: bool) -> Result<(), Error> {
        let options = DeleteOptions { cascade, ..DeleteOptions::default() };
        self.runtime.delete(&superuser(), entity, attributes(&self.design, entity, value), options).await
    }

    async fn patch(&self, entity: &str, value: serde_json::Value) {
        let input = attributes(&self.design, entity, value);
        self.runtime.patch(&superuser(), entity, input, PatchOptions::default()).await.unwrap();
    }

    async fn keys(&self) -> Vec<String> {
        let table = table(self.backend.table.as_ref(), &self.design).await;
        for (key, item) in &table {
            assert!(!item.contains_key("kf_delete"), "a mark is left at {key}");
        }
        table.into_keys().collect()
    }
}

fn platform() -> Arc<Design> {
    design(&design_text("../../designs/platform/design.yaml"))
}

/// No lag is ever caught up with, unless a test says so.
const FOR_EVER: usize = usize::MAX;

async fn account(lag: usize) -> Behind {
    let world = behind(platform(), lag, false).await;
    for account in ["n", "c"] {
        world.create("Account", json!({"accountId": account, "name": account})).await;
    }
    world.create("Role", json!({"roleId": "r", "accountId": "n", "name": "Clerk"})).await;
    world.create("Role", json!({"roleId": "all", "name": "Everyone"})).await;
    world.create("Enterprise", json!({"enterpriseId": "e", "name": "Wide"})).await;
    world.create("Enterprise", json!({"enterpriseId": "f", "name": "Narrow"})).await;
    world
}

async fn user(world: &Behind, id: &str, account: &str, role: &str) {
    let user = json!({"userId": id, "accountId": account, "roleId": role, "email": "a@example.com", "firstName": "A", "lastName": "B"});
    world.create("User", user).await;
}

async fn license(world: &Behind) {
    let license = json!({"accountId": "n", "licenseId": "l", "enterpriseId": "e", "endDate": "2026-12-31", "seats": 3});
    world.create("License", license).await;
}

#[tokio::test]
async fn a_child_missing_from_a_lagging_index_prevents_the_delete() {
    let world = account(FOR_EVER).await;
    license(&world).await;
    assert_eq!(violated(world.delete("Enterprise", json!({"enterpriseId": "e"}), false).await), "License.enterpriseId");
    assert!(world.keys().await.contains(&"ENTERPRISE#e | METADATA".to_owned()));
    user(&world, "u", "c", "all").await;
    assert_eq!(violated(world.delete("Role", json!({"roleId": "all"}), false).await), "User.roleId");
}

#[tokio::test]
async fn a_deleted_child_in_a_lagging_index_does_not_prevent_the_delete() {
    let world = account(FOR_EVER).await;
    license(&world).await;
    world.backend.catch_up().await;
    world.delete("License", json!({"accountId": "n", "licenseId": "l"}), false).await.unwrap();
    // The copy still has it.
    let arguments = arguments(&world.design, "licenses by enterprise", json!({"enterpriseId": "e"}));
    let shown = world.runtime.query(&superuser(), "licenses by enterprise", arguments, &QueryOptions::default()).await;
    assert_eq!(shown.unwrap().records.len(), 1);
    world.delete("Enterprise", json!({"enterpriseId": "e"}), false).await.unwrap();
    assert!(!world.keys().await.contains(&"ENTERPRISE#e | METADATA".to_owned()));
}

#[tokio::test]
async fn a_cascade_keeps_a_child_that_has_moved_to_another_parent() {
    let world = account(FOR_EVER).await;
    license(&world).await;
    world.backend.catch_up().await;
    world.patch("License", json!({"accountId": "n", "licenseId": "l", "enterpriseId": "f"})).await;
    world.delete("Enterprise", json!({"enterpriseId": "e"}), false).await.unwrap();
    assert_eq!(violated(world.delete("Enterprise", json!({"enterpriseId": "f"}), false).await), "License.enterpriseId");
    let keys = world.keys().await;
    assert!(keys.contains(&"ACCOUNT#n | LICENSE#l".to_owned()));
    assert!(!keys.contains(&"ENTERPRISE#e | METADATA".to_owned()));
}

#[tokio::test]
async fn a_cascade_waits_for_children_that_no_index_shows_yet() {
    let world = account(FOR_EVER).await;
    world.backend.catch_up().await;
    user(&world, "u1", "n", "r").await;
    user(&world, "u2", "n", "all").await;
    let before = world.keys().await;
    let waited = world.delete("Account", json!({"accountId": "n"}), true).await;
    assert!(matches!(waited, Err(Error::Conflict { .. })), "{waited:?}");
    assert_eq!(world.keys().await, before, "nothing is deleted as long as something may be missing");
    world.backend.catch_up().await;
    world.delete("Account", json!({"accountId": "n"}), true).await.unwrap();
    let left = world.keys().await;
    let wanted = ["ACCOUNT#c | METADATA", "ENTERPRISE#e | METADATA", "ENTERPRISE#f | METADATA", "ROLE#all | METADATA"];
    assert_eq!(left, wanted);
    let role = attributes(&world.design, "Role", json!({"roleId": "all"}));
    let role = world.runtime.get(&superuser(), "Role", role).await.unwrap().unwrap();
    assert_eq!(role.attributes["userCount"].as_number().unwrap().to_string(), "0");
}

#[tokio::test]
async fn a_large_cascade_does_not_begin_before_all_children_are_shown() {
    let world = account(FOR_EVER).await;
    for number in 0..130 {
        user(&world, &format!("u{number}"), "n", "r").await;
    }
    world.backend.catch_up().await;
    user(&world, "late", "n", "r").await;
    let before = world.keys().await;
    let waited = world.delete("Account", json!({"accountId": "n"}), true).await;
    assert!(matches!(waited, Err(Error::Conflict { .. })), "{waited:?}");
    assert_eq!(world.keys().await, before, "nothing is deleted as long as something may be missing");
    world.backend.catch_up().await;
    world.delete("Account", json!({"accountId": "n"}), true).await.unwrap();
    assert!(world.keys().await.iter().all(|key| !key.starts_with("USER#") && !key.contains("ACCOUNT#n")));
}

#[tokio::test]
async fn a_cascade_succeeds_once_the_index_is_there() {
    for lag in [1, 2, 5, 9] {
        let world = account(lag).await;
        for number in 0..4 {
            user(&world, &format!("u{number}"), "n", "r").await;
        }
        license(&world).await;
        world
            .delete("Account", json!({"accountId": "n"}), true)
            .await
            .unwrap_or_else(|error| panic!("lag {lag}: {error}"));
        assert!(
            world.keys().await.iter().all(|key| !key.starts_with("USER#") && !key.contains("ACCOUNT#n")),
            "lag {lag}"
        );
    }
}

/// All scenarios of the designs' own items: the patterns they ask are settled first, and whatever the runtime decides
/// by an index is decided by one that is behind.
#[tokio::test]
async fn scenarios_hold_on_indexes_that_lag() {
    for (name, at_least) in [("agencies", 14), ("platform", 65), ("albums", 45), ("archive", 85), ("catalogue", 65)] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../designs").join(name);
        let read = |path: &Path| std::fs::read_to_string(path).unwrap();
        let design = design(&read(&folder.join("design.yaml")));
        let data: DataFile = serde_saphyr::from_str(&read(&folder.join("data.yaml"))).unwrap();
        let mut played = 0;
        for entry in std::fs::read_dir(folder.join("scenarios")).unwrap() {
            let file: ScenarioFile = serde_saphyr::from_str(&read(&entry.unwrap().path())).unwrap();
            for scenario in &file.scenarios {
                // Of items that others wrote, and nobody counted, only the index knows whom they refer to.
                if !scenario.written.is_empty() {
                    continue;
                }
                played += 1;
                for lag in [1, 4, 8] {
                    let world = behind(Arc::clone(&design), lag, true).await;
                    match run_scenario(&world.runtime, &world.clock, Some(&data), scenario).await {
                        Ok(Verdict::Held) => {}
                        Ok(Verdict::Broken { step, difference }) => {
                            panic!("{name}: {}, lag {lag}, step {step}: {difference}", scenario.name);
                        }
                        Err(error) => panic!("{name}: {}, lag {lag}: {error}", scenario.name),
                    }
                }
            }
        }
        assert!(played >= at_least, "only {played} scenarios of {name}");
    }
}
