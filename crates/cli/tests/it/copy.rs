//! `keyfold copy`, as people use it, and killed while it works.
//!
//! `KEYFOLD_DYNAMODB_LOCAL_URL` names a running DynamoDB Local for the test that is otherwise ignored.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use keyfold_aws::{Aws, Options as AwsOptions};
use keyfold_dynamo::operation::{
    BatchWriteItemInput, BatchWriteRequest, CreateTableInput, DeleteItemInput, PutItemInput, ScanInput,
    UpdateTimeToLiveInput,
};
use keyfold_dynamo::table::{
    AttributeDefinition, BillingMode, IndexSpec, KeyRole, KeySchemaElement, KeyType, ProjectionSpec, ProjectionType,
    TimeToLiveStatus,
};
use keyfold_dynamo::{AttributeValue, Attributes, Backend, Number};
use keyfold_engine::store::Durability;
use keyfold_engine::{Engine, Options};
use tempfile::TempDir;

use crate::crash::server::Launch;
use crate::private_files::set_mode;

const ITEMS: u64 = 20_000;

/// A folder to work in, with a source `a/orders`.
struct Workshop {
    folder: TempDir,
    executor: tokio::runtime::Runtime,
}

impl Workshop {
    fn new(items: u64) -> Self {
        let executor = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let workshop = Self { folder: tempfile::tempdir().unwrap(), executor };
        let engine = workshop.engine("a");
        workshop.executor.block_on(async {
            engine.create_table(orders()).await.unwrap();
            let input = UpdateTimeToLiveInput {
                table_name: "orders".to_owned(),
                enabled: true,
                attribute_name: "until".to_owned(),
            };
            engine.update_time_to_live(input).await.unwrap();
            let all: Vec<u64> = (0..items).collect();
            for some in all.chunks(25) {
                let puts = some.iter().map(|number| BatchWriteRequest::Put { item: item(*number) }).collect();
                let input = BatchWriteItemInput { requests: vec![("orders".to_owned(), puts)], ..Default::default() };
                assert!(engine.batch_write_item(input).await.unwrap().unprocessed.is_empty());
            }
        });
        workshop
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn engine(&self, name: &str) -> Arc<Engine> {
        let options = Options { durability: Durability::Relaxed, ..Options::default() };
        let engine = Arc::new(Engine::open(self.path(name), options).unwrap());
        // As the binary makes it; otherwise it would warn.
        set_mode(&self.path(name), 0o700);
        engine
    }

    fn command(&self, from: &str, to: &str, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_keyfold"));
        command.args(["copy", "--from", from, "--to", to]).args(more).current_dir(self.folder.path());
        command.env("AWS_EC2_METADATA_DISABLED", "true");
        command
    }

    fn copy(&self, from: &str, to: &str, more: &[&str]) -> Output {
        self.command(from, to, more).output().unwrap()
    }

    fn everything(&self, backend: &dyn Backend, table: &str) -> BTreeMap<String, Attributes> {
        self.executor.block_on(everything(backend, table))
    }
}

fn orders() -> CreateTableInput {
    let definition = |name: &str, key_type| AttributeDefinition { name: name.to_owned(), key_type };
    let element = |name: &str, role| KeySchemaElement { name: name.to_owned(), role };
    let by_score = IndexSpec {
        name: "byScore".to_owned(),
        key_schema: vec![element("owner", KeyRole::Hash), element("score", KeyRole::Range)],
        projection: ProjectionSpec { projection_type: Some(ProjectionType::KeysOnly), non_key_attributes: None },
        throughput: None,
        on_demand: None,
    };
    CreateTableInput {
        table_name: "orders".to_owned(),
        attribute_definitions: vec![
            definition("PK", KeyType::S),
            definition("SK", KeyType::B),
            definition("owner", KeyType::S),
            definition("score", KeyType::N),
        ],
        key_schema: vec![element("PK", KeyRole::Hash), element("SK", KeyRole::Range)],
        global_indexes: Some(vec![by_score]),
        billing_mode: Some(BillingMode::PayPerRequest),
        ..CreateTableInput::default()
    }
}

fn item(number: u64) -> Attributes {
    let nested = Attributes::from([("list".to_owned(), AttributeValue::L(vec![AttributeValue::Null]))]);
    let half = Number::parse(&format!("-{number}.5E-20")).unwrap();
    Attributes::from([
        ("PK".to_owned(), AttributeValue::S(format!("ACCOUNT#{}", number % 211))),
        ("SK".to_owned(), AttributeValue::B(number.to_be_bytes().to_vec())),
        ("owner".to_owned(), AttributeValue::S(format!("owner {} \u{e9}\n", number % 11))),
        ("score".to_owned(), AttributeValue::N(half)),
        ("numbers".to_owned(), AttributeValue::Ns([number.into(), (number + 1).into()].into())),
        ("bytes".to_owned(), AttributeValue::Bs([vec![], vec![255, 0]].into())),
        ("map".to_owned(), AttributeValue::M(nested)),
        ("empty".to_owned(), AttributeValue::S(String::new())),
    ])
}

async fn everything(backend: &dyn Backend, table: &str) -> BTreeMap<String, Attributes> {
    let mut all = BTreeMap::new();
    let mut scan = ScanInput { table_name: table.to_owned(), ..ScanInput::default() };
    loop {
        let page = backend.scan(scan.clone()).await.unwrap();
        for item in page.items.unwrap() {
            let item = item.into_attributes().unwrap();
            let key = format!("{:?} {:?}", item["PK"], item["SK"]);
            assert!(all.insert(key, item).is_none(), "an item came twice");
        }
        scan.page.exclusive_start_key = page.last_evaluated_key;
        if scan.page.exclusive_start_key.is_none() {
            return all;
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_table_is_copied_and_verified() {
    let workshop = Workshop::new(500);
    let output = workshop.copy("a/orders", "b/moved", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let place = workshop.folder.path().display();
    assert_eq!(
        text(&output.stdout),
        format!(
            "table `{place}/b/moved` created like `{place}/a/orders`\n\
             copied 500 items ({})\n\
             verified: both tables hold the same 500 items\n\
             time to live enabled on the target, as on the source\n",
            size_of(500)
        )
    );
    let (a, b) = (workshop.engine("a"), workshop.engine("b"));
    assert_eq!(workshop.everything(a.as_ref(), "orders"), workshop.everything(b.as_ref(), "moved"));
    assert_eq!(workshop.everything(b.as_ref(), "moved").len(), 500);
    let left: Vec<_> =
        std::fs::read_dir(workshop.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "only the two folders are there: {left:?}");
}

fn size_of(items: u64) -> indicatif::HumanBytes {
    indicatif::HumanBytes((0..items).map(|number| keyfold_dynamo::value::item_size(&item(number)) as u64).sum())
}

#[test]
fn impossible_copies_are_reported() {
    let workshop = Workshop::new(10);
    let refused = |from: &str, to: &str, more: &[&str]| {
        let output = workshop.copy(from, to, more);
        (output.status.code().unwrap(), text(&output.stderr))
    };
    let place = workshop.folder.path().display();
    assert_eq!(refused("x/orders", "b/moved", &[]), (1, "error: folder `x` not found\n".to_owned()));
    assert_eq!(refused("a/nothing", "b/moved", &[]), (1, format!("error: table `{place}/a/nothing` not found\n")));
    assert_eq!(
        refused("a/orders", "./a/orders", &[]),
        (1, format!("error: `{place}/a/orders` is both source and target\n"))
    );
    assert_eq!(
        refused("a/orders", "b/moved", &["--verify-only"]),
        (1, format!("error: table `{place}/b/moved` not found; nothing to compare with\n"))
    );
    assert_eq!(workshop.copy("a/orders", "a/moved", &[]).status.code(), Some(0));
    let (code, told) = refused("a/orders", "a/moved", &[]);
    assert_eq!(code, 1);
    let expected = format!("error: the target `{place}/a/moved` is not empty\nuse --merge to copy into it\n");
    assert!(told.ends_with(&expected), "{told}");
    assert_eq!(workshop.copy("a/orders", "a/moved", &["--merge"]).status.code(), Some(0));
}

#[test]
fn differences_are_reported_by_key_and_repaired() {
    let workshop = Workshop::new(100);
    assert_eq!(workshop.copy("a/orders", "b/moved", &[]).status.code(), Some(0));
    let engine = workshop.engine("b");
    workshop.executor.block_on(async {
        let mut key = item(7);
        key.retain(|name, _| name == "PK" || name == "SK");
        let delete = DeleteItemInput { table_name: "moved".to_owned(), key, ..DeleteItemInput::default() };
        engine.delete_item(delete).await.unwrap();
        let mut other = item(8);
        other.remove("map");
        let put = PutItemInput { table_name: "moved".to_owned(), item: other, ..PutItemInput::default() };
        engine.put_item(put).await.unwrap();
    });
    drop(engine);
    let output = workshop.copy("a/orders", "b/moved", &["--verify-only"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        text(&output.stdout),
        "PK=\"ACCOUNT#7\", SK=base64 AAAAAAAAAAc=: missing in the target\n\
         PK=\"ACCOUNT#8\", SK=base64 AAAAAAAAAAg=: differs in map\n\
         the tables differ: 2 differences; run the same command with --repair to fix\n"
    );
    let output = workshop.copy("a/orders", "b/moved", &["--verify-only", "--repair"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout), "2 differences fixed\nverified: both tables hold the same 100 items\n");
}

/// Kills the copy whenever its progress file has become so many lines longer; how often it was killed.
fn kill_again_and_again(workshop: &Workshop, from: &str, to: &str, more: &[&str]) -> (u32, Output) {
    let progress_file = workshop.path("progress");
    let arguments = [&["--progress-file", "progress"], more].concat();
    let mut kills = 0;
    loop {
        let before = lines(&progress_file);
        let mut command = workshop.command(from, to, &arguments);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        if kills < 4 && died_after(&mut process, &progress_file, before + 5) {
            kills += 1;
            continue;
        }
        return (kills, process.wait_with_output().unwrap());
    }
}

/// Kills a process once a file has so many lines; whether it was alive then.
fn died_after(process: &mut Child, progress_file: &Path, wanted: usize) -> bool {
    let started = Instant::now();
    loop {
        if process.try_wait().unwrap().is_some() {
            return false;
        }
        if lines(progress_file) >= wanted {
            process.kill().unwrap();
            return process.wait().unwrap().code().is_none();
        }
        assert!(started.elapsed() < Duration::from_secs(120), "the copy does not get on");
        std::thread::sleep(Duration::from_micros(200));
    }
}

fn lines(file: &Path) -> usize {
    std::fs::read(file).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
}

#[test]
fn a_killed_copy_goes_on() {
    let workshop = Workshop::new(ITEMS);
    let (kills, output) = kill_again_and_again(&workshop, "a/orders", "b/moved", &["--segments", "4"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(kills >= 2, "the copy was killed {kills} times only");
    let told = text(&output.stdout);
    assert!(told.starts_with("resuming an earlier run: "), "{told}");
    let expected = format!(
        "copied {ITEMS} items ({})\nverified: both tables hold the same {ITEMS} items\n\
         time to live enabled on the target, as on the source\n",
        size_of(ITEMS)
    );
    assert!(told.ends_with(&expected), "{told}");
    let (a, b) = (workshop.engine("a"), workshop.engine("b"));
    let moved = workshop.everything(b.as_ref(), "moved");
    assert_eq!(moved.len() as u64, ITEMS);
    assert_eq!(moved, workshop.everything(a.as_ref(), "orders"));
    let expiry = workshop.executor.block_on(b.describe_time_to_live("moved".to_owned())).unwrap();
    assert_eq!((expiry.status, expiry.attribute_name.as_deref()), (TimeToLiveStatus::Enabled, Some("until")));
}

#[test]
fn an_interrupted_copy_ends_in_order_and_goes_on() {
    let workshop = Workshop::new(ITEMS);
    let arguments = ["--progress-file", "progress", "--segments", "2"];
    let mut command = workshop.command("a/orders", "b/moved", &arguments);
    let process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let progress_file = workshop.path("progress");
    while lines(&progress_file) < 5 {
        std::thread::sleep(Duration::from_micros(200));
    }
    assert!(Command::new("kill").args(["-INT", &process.id().to_string()]).status().unwrap().success());
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stderr);
    let expected =
        "error: stopped; the copy can be resumed later\nrun the same command again to resume from `progress`\n";
    assert!(told.ends_with(expected), "{told}");
    let refused = workshop.copy("a/orders", "b/moved", &["--progress-file", "progress", "--segments", "3"]);
    assert_eq!(refused.status.code(), Some(1));
    let reason = "belongs to another copy: that one has 2 segments, this one 3";
    assert!(text(&refused.stderr).contains(reason), "{}", text(&refused.stderr));
    let output = workshop.copy("a/orders", "b/moved", &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains(&format!("copied {ITEMS} items ({})\n", size_of(ITEMS))));
}

/// Through the wire and back, with copies that are killed on the way.
fn there_and_back(workshop: &Workshop, url: &str, table: &str) {
    let there = format!("{url}/{table}");
    let (kills, output) = kill_again_and_again(workshop, "a/orders", &there, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(kills >= 2, "the copy was killed {kills} times only");
    let (_, output) = kill_again_and_again(workshop, &there, "back/orders", &["--segments", "3"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let told = text(&output.stdout);
    assert!(told.contains(&format!("\nverified: both tables hold the same {ITEMS} items\n")), "{told}");
    let (a, back) = (workshop.engine("a"), workshop.engine("back"));
    let returned = workshop.everything(back.as_ref(), "orders");
    assert_eq!(returned.len() as u64, ITEMS);
    assert_eq!(returned, workshop.everything(a.as_ref(), "orders"));
    let [before, after] = [&a, &back].map(|engine| {
        let described = workshop.executor.block_on(engine.describe_table("orders".to_owned())).unwrap();
        let [index] = &described.global_indexes[..] else { panic!("{described:?}") };
        let index = (index.name.clone(), index.key_schema.clone(), index.projection.clone(), index.item_count);
        (described.key_schema, described.billing_mode, described.size_bytes, index)
    });
    assert_eq!(before, after);
    let expiry = workshop.executor.block_on(back.describe_time_to_live("orders".to_owned())).unwrap();
    assert_eq!(expiry.attribute_name.as_deref(), Some("until"));
}

#[test]
fn a_table_moves_to_a_server_and_back() {
    let workshop = Workshop::new(ITEMS);
    let (data, output) = (workshop.path("served"), workshop.path("output"));
    let options = ["--durability", "relaxed"];
    let mut server = Launch { data: &data, output: &output, options: &options, watch: None }.start();
    server.wait_until_ready();
    there_and_back(&workshop, server.url(), "moved");
}

#[test]
#[ignore = "needs DynamoDB Local at KEYFOLD_DYNAMODB_LOCAL_URL"]
fn a_table_moves_to_dynamodb_local_and_back() {
    let url = std::env::var("KEYFOLD_DYNAMODB_LOCAL_URL").expect("KEYFOLD_DYNAMODB_LOCAL_URL");
    let workshop = Workshop::new(ITEMS);
    let table = format!("keyfold-copy-{}", std::process::id());
    let local =
        workshop.executor.block_on(Aws::connect(AwsOptions { endpoint: Some(url.clone()), ..AwsOptions::default() }));
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| there_and_back(&workshop, &url, &table)));
    let _ = workshop.executor.block_on(local.delete_table(table));
    if let Err(failure) = outcome {
        std::panic::resume_unwind(failure);
    }
}
