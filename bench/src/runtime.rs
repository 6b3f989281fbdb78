//! What a design's runtime adds to the engine: the same work by verbs and patterns, and by hand.

use crate::{Outcome, statistics::median};
use keyfold_design::Design;
use keyfold_dynamo::expression::{Condition, KeyCondition, SetAction, Update, ValueAction};
use keyfold_dynamo::operation::{
    BatchWriteItemInput, BatchWriteRequest, GetItemInput, PageOptions, QueryInput, UpdateItemInput, WriteOptions,
};
use keyfold_dynamo::{AttributeValue, Attributes, Backend as _, Number};
use keyfold_engine::Engine;
use keyfold_runtime::{Access, Authorizer, Caller, Decision, Options, PatchOptions, QueryOptions, Runtime};
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

const PLATFORM: &str = include_str!("../../designs/platform/design.yaml");
const ACCOUNTS: u64 = 1_000;
const LICENSES: u64 = 20;

/// What to measure.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct RuntimeOptions {
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Calls of each kind in each round.
    #[arg(long, default_value_t = 20_000)]
    calls: u64,
    /// An engine without a disk, where the time is all processor and threads.
    #[arg(long)]
    in_memory: bool,
    /// Where the data folder is made.
    #[arg(long, default_value = "/tmp")]
    parent: PathBuf,
}

/// Authorization is measured elsewhere.
struct Everything;

impl Authorizer for Everything {
    fn decide(&self, _: &Access<'_>) -> Decision {
        Decision::Allowed
    }

    fn decide_item(&self, _: &Access<'_>, _: &Attributes) -> bool {
        true
    }
}

pub(crate) fn run(options: &RuntimeOptions) -> Outcome<()> {
    let (design, _) = Design::load("design.yaml", PLATFORM).map_err(|_| "platform does not check")?;
    let design = Arc::new(design);
    let folder = tempfile::tempdir_in(&options.parent)?;
    let settings = keyfold_engine::Options::default();
    let engine = Arc::new(match options.in_memory {
        true => Engine::in_memory(settings)?,
        false => Engine::open(folder.path(), settings)?,
    });
    let mut choices = Options::standard(&design)?;
    choices.authorizer = Arc::new(Everything);
    let runtime = Runtime::new(Arc::clone(&design), Arc::clone(&engine) as _, choices);
    let executor = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    executor.block_on(load(&runtime, &engine))?;
    let bench = Bench { runtime, engine, caller: Caller::superuser("bench") };
    let mut times = [const { [Vec::new(), Vec::new()] }; 3];
    for round in 0..options.rounds {
        // Every patch moves its license in the index: the two sides have licenses of their own, and the status flips.
        let status = if round % 2 == 0 { "expired" } else { "active" };
        executor.block_on(async {
            times[0][0].push(timed(options.calls, async |number| bench.get(number).await).await?);
            times[0][1].push(timed(options.calls, async |number| bench.get_by_hand(number).await).await?);
            let calls = (options.calls / 4).max(1);
            times[1][0].push(timed(calls, async |number| bench.query(number).await).await?);
            times[1][1].push(timed(calls, async |number| bench.query_by_hand(number).await).await?);
            times[2][0].push(timed(calls, async |number| bench.patch(number | 1, status).await).await?);
            times[2][1].push(timed(calls, async |number| bench.patch_by_hand(number & !1, status).await).await?);
            Outcome::Ok(())
        })?;
    }
    println!("| | runtime µs | by hand µs | ratio | at most | met |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let rows = [("get", 1.5), ("query of 20", 1.3), ("patch of two index keys", 1.3)];
    for ((what, most), [runtime, by_hand]) in rows.into_iter().zip(&times) {
        let ratios: Vec<f64> = runtime.iter().zip(by_hand).map(|(runtime, by_hand)| runtime / by_hand).collect();
        let ratio = median(&ratios);
        let met = if ratio <= most { "yes" } else { "**no**" };
        println!("| {what} | {:.2} | {:.2} | {ratio:.2} | {most} | {met} |", median(runtime), median(by_hand));
    }
    Ok(())
}

/// Microseconds a call.
async fn timed(calls: u64, call: impl AsyncFn(u64) -> Outcome<()>) -> Outcome<f64> {
    let start = Instant::now();
    for number in 0..calls {
        // A step that shares no factor with the number of items visits them out of order.
        call(number.wrapping_mul(7_919) % (ACCOUNTS * LICENSES)).await?;
    }
    Ok(start.elapsed().as_secs_f64() * 1e6 / calls as f64)
}

struct Bench {
    runtime: Runtime,
    engine: Arc<Engine>,
    caller: Caller,
}

impl Bench {
    async fn get(&self, number: u64) -> Outcome<()> {
        let record = self.runtime.get(&self.caller, "License", identity(number)).await?;
        black_box(record).map(|_| ()).ok_or_else(|| "no such license".into())
    }

    /// As an application would: the key, a consistent read, the attributes.
    async fn get_by_hand(&self, number: u64) -> Outcome<()> {
        let input = GetItemInput {
            table_name: "app_data".to_owned(),
            key: key(number),
            consistent_read: true,
            ..GetItemInput::default()
        };
        let item = self.engine.get_item(input).await?.item.ok_or("no such license")?;
        black_box(item.into_attributes()?);
        Ok(())
    }

    async fn query(&self, number: u64) -> Outcome<()> {
        let arguments = Attributes::from([("accountId".to_owned(), text(account(number)))]);
        let options = QueryOptions { take: Some(20), ..QueryOptions::default() };
        let page = self.runtime.query(&self.caller, "licenses by account", arguments, &options).await?;
        if page.records.len() == 20 { Ok(()) } else { Err("a page is not full".into()) }
    }

    async fn query_by_hand(&self, number: u64) -> Outcome<()> {
        let partition = KeyCondition::partition("PK", text(format!("ACCOUNT#{}", account(number))));
        let input = QueryInput {
            table_name: "app_data".to_owned(),
            key_condition: partition.and(Condition::begins_with("SK", text("LICENSE#".to_owned()))),
            forward: true,
            page: PageOptions { limit: Some(20), ..PageOptions::default() },
        };
        let items = self.engine.query(input).await?.items.ok_or("a query returned no items")?;
        let items: Vec<Attributes> = items.into_iter().map(|item| item.into_attributes()).collect::<Result<_, _>>()?;
        if black_box(items).len() == 20 { Ok(()) } else { Err("a page is not full".into()) }
    }

    async fn patch(&self, number: u64, status: &str) -> Outcome<()> {
        let mut changes = identity(number);
        changes.insert("status".to_owned(), text(status.to_owned()));
        changes.insert("endDate".to_owned(), text("2026-03-15".to_owned()));
        black_box(self.runtime.patch(&self.caller, "License", changes, PatchOptions::default()).await?);
        Ok(())
    }

    /// As careful code does it: read, compute both keys, write under the version that was read.
    async fn patch_by_hand(&self, number: u64, status: &str) -> Outcome<()> {
        let input = GetItemInput {
            table_name: "app_data".to_owned(),
            key: key(number),
            consistent_read: true,
            ..GetItemInput::default()
        };
        let old = self.engine.get_item(input).await?.item.ok_or("no such license")?.into_attributes()?;
        let version = old.get("version").cloned().ok_or("no version")?;
        let set = [
            ("status", status.to_owned()),
            ("endDate", "2026-03-15".to_owned()),
            ("GSI3PK", format!("LICENSE#STATUS#{status}")),
            ("GSI3SK", format!("2026-03-15#{}", license(number))),
            ("updatedAt", "2026-11-15T08:00:00.000Z".to_owned()),
        ];
        let set = set.map(|(name, value)| SetAction::value(name, text(value)));
        let add = ValueAction::new("version", AttributeValue::N(Number::parse("1")?));
        let exists = Condition::attribute_exists("PK");
        let input = UpdateItemInput {
            table_name: "app_data".to_owned(),
            key: key(number),
            update: Some(Update::new(set.into(), Vec::new(), vec![add], Vec::new())?),
            options: WriteOptions {
                condition: Condition::all([exists, Condition::equals("version", version)]),
                return_values: keyfold_dynamo::operation::ReturnValues::AllNew,
                ..WriteOptions::default()
            },
        };
        black_box(self.engine.update_item(input).await?);
        Ok(())
    }
}

async fn load(runtime: &Runtime, engine: &Engine) -> Outcome<()> {
    runtime.create_table().await?;
    let entity = runtime.design().entity_named("License").ok_or("there is no License")?;
    for start in (0..ACCOUNTS * LICENSES).step_by(25) {
        let puts = (start..start + 25)
            .map(|number| {
                let mut item = identity(number);
                item.extend([
                    ("enterpriseId".to_owned(), text(format!("ent-{}", number % 100))),
                    ("status".to_owned(), text("active".to_owned())),
                    ("endDate".to_owned(), text(format!("2026-0{}-15", 1 + number % 9))),
                    ("seats".to_owned(), AttributeValue::N(Number::parse("25")?)),
                    ("note".to_owned(), text("x".repeat(700))),
                    ("createdAt".to_owned(), text("2026-01-01T00:00:00.000Z".to_owned())),
                    ("updatedAt".to_owned(), text("2026-01-01T00:00:00.000Z".to_owned())),
                    ("version".to_owned(), AttributeValue::N(Number::parse("1")?)),
                ]);
                let computed = entity.layout.compute(|name| item.get(name))?;
                item.extend(computed);
                Ok(BatchWriteRequest::Put { item })
            })
            .collect::<Outcome<Vec<_>>>()?;
        let input = BatchWriteItemInput { requests: vec![("app_data".to_owned(), puts)], ..Default::default() };
        engine.batch_write_item(input).await?;
    }
    Ok(())
}

fn account(number: u64) -> String {
    format!("acc-{:05}", number / LICENSES)
}

fn license(number: u64) -> String {
    format!("lic-{number:07}")
}

fn identity(number: u64) -> Attributes {
    Attributes::from([("accountId".to_owned(), text(account(number))), ("licenseId".to_owned(), text(license(number)))])
}

fn key(number: u64) -> Attributes {
    Attributes::from([
        ("PK".to_owned(), text(format!("ACCOUNT#{}", account(number)))),
        ("SK".to_owned(), text(format!("LICENSE#{}", license(number)))),
    ])
}

fn text(text: String) -> AttributeValue {
    AttributeValue::S(text)
}
