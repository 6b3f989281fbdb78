//! Background work on more and more items: expiry and the deletion of tables must cost the same for each item.

use crate::{
    Outcome,
    embedded::engine::{create_table, license},
    http::workload::TABLE,
    process::{disk_bytes, own_process_cpu},
    statistics::{markdown, thousands},
};
use keyfold_dynamo::{
    AttributeValue, Backend as _, Number,
    operation::{BatchWriteItemInput, BatchWriteRequest, UpdateTimeToLiveInput},
};
use keyfold_engine::{Clock as _, Engine, Options, SystemClock, store::Durability};
use pollster::block_on;
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

const EXPIRES: &str = "expires";
/// Items expired in one sweep at least, per second: 500,000 in 20 s without indexes, in 60 s with three.
const EXPIRY_TARGETS: [(usize, f64); 2] = [(0, 25_000.0), (3, 8_333.0)];
/// Rows of a deleted table that are gone per second.
const DELETION_TARGET: f64 = 50_000.0;
/// Threads that load the table.
const LOADERS: u64 = 4;

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct MaintenanceOptions {
    #[arg(long, value_delimiter = ',', default_values_t = [100_000, 500_000, 1_000_000])]
    items: Vec<u64>,
    /// Where the data folders are made.
    #[arg(long, default_value = "/tmp")]
    parent: PathBuf,
}

/// One measurement.
struct Work {
    rows: u64,
    elapsed: Duration,
    cpu: Duration,
    disk_before: u64,
    disk_after: u64,
}

impl Work {
    #[allow(clippy::cast_precision_loss)]
    fn per_second(&self) -> f64 {
        self.rows as f64 / self.elapsed.as_secs_f64()
    }

    #[allow(clippy::cast_precision_loss)]
    fn cells(&self, items: u64, title: String, target: f64) -> Vec<String> {
        vec![
            items.to_string(),
            title,
            format!("{:.1}", self.elapsed.as_secs_f64()),
            thousands(self.per_second()),
            format!("{:.1}", self.cpu.as_secs_f64() * 1e6 / self.rows as f64),
            format!("{:.0}", self.disk_before as f64 / 1e6),
            format!("{:.0}", self.disk_after as f64 / 1e6),
            thousands(target),
            if self.per_second() >= target { "yes" } else { "no" }.to_owned(),
        ]
    }
}

/// Measures every size and prints the table.
pub(crate) fn run(options: &MaintenanceOptions) -> Outcome<()> {
    let mut rows = Vec::new();
    for items in &options.items {
        for (indexes, target) in EXPIRY_TARGETS {
            let work = expire(*items, indexes, &options.parent)?;
            rows.push(work.cells(*items, format!("expiry, {indexes} indexes"), target));
            eprintln!("{:?}", rows.last());
        }
        let work = delete(*items, &options.parent)?;
        rows.push(work.cells(*items, "deletion of the table, 3 indexes".to_owned(), DELETION_TARGET));
        eprintln!("{:?}", rows.last());
    }
    let header = ["items", "work", "s", "rows/s", "CPU µs per row", "disk MB before", "after", "target/s", "met"];
    println!("{}", markdown(&header, &rows));
    Ok(())
}

/// Everything is due when the engine is opened.
fn expire(items: u64, indexes: usize, parent: &Path) -> Outcome<Work> {
    let folder = tempfile::tempdir_in(parent)?;
    load(folder.path(), items, indexes, SystemClock.now_ms() / 1000 - 60)?;
    measure(folder.path(), items, |engine| Ok(engine.run_maintenance()?))
}

/// The rows of the items and of three indexes.
fn delete(items: u64, parent: &Path) -> Outcome<Work> {
    let folder = tempfile::tempdir_in(parent)?;
    load(folder.path(), items, 3, SystemClock.now_ms() / 1000 + 86_400)?;
    // Items, index rows and expiries.
    measure(folder.path(), 5 * items, |engine| {
        block_on(engine.delete_table(TABLE.to_owned()))?;
        Ok(engine.run_maintenance()?)
    })
}

fn measure(folder: &Path, rows: u64, work: impl FnOnce(&Engine) -> Outcome<()>) -> Outcome<Work> {
    let disk_before = disk_bytes(folder);
    let (start, cpu) = (Instant::now(), own_process_cpu());
    let engine = Engine::open(folder, Options::default())?;
    work(&engine)?;
    let (elapsed, cpu) = (start.elapsed(), own_process_cpu().saturating_sub(cpu));
    if let Some(left) = engine.stat()?.tables.first().filter(|table| table.table.items > 0) {
        return Err(format!("{} items are left", left.table.items).into());
    }
    Ok(Work { rows, elapsed, cpu, disk_before, disk_after: disk_bytes(folder) })
}

fn load(folder: &Path, items: u64, indexes: usize, expires: u64) -> Outcome<()> {
    let options = Options { durability: Durability::Relaxed, sweep_interval: None, ..Options::default() };
    let engine = Engine::open(folder, options)?;
    let mut table = create_table();
    if let Some(list) = &mut table.global_indexes {
        list.truncate(indexes);
    }
    table.global_indexes = table.global_indexes.filter(|list| !list.is_empty());
    table.attribute_definitions.truncate(2 + 2 * indexes);
    block_on(engine.create_table(table))?;
    let attribute_name = EXPIRES.to_owned();
    block_on(engine.update_time_to_live(UpdateTimeToLiveInput {
        table_name: TABLE.to_owned(),
        enabled: true,
        attribute_name,
    }))?;
    engine.run_maintenance()?;
    let expires = AttributeValue::N(Number::parse(&expires.to_string())?);
    std::thread::scope(|scope| {
        let loaders: Vec<_> = (0..LOADERS)
            .map(|loader| {
                scope.spawn({
                    let (engine, expires) = (&engine, &expires);
                    move || load_part(engine, items, loader, expires)
                })
            })
            .collect();
        loaders.into_iter().try_for_each(|loader| loader.join().map_err(|_| "a loader panicked")?)
    })
}

fn load_part(engine: &Engine, items: u64, loader: u64, expires: &AttributeValue) -> Outcome<()> {
    for start in (0..items).step_by(25).skip(loader as usize).step_by(LOADERS as usize) {
        let puts = (start..(start + 25).min(items)).map(|number| {
            let mut item = license(number, items)?;
            item.insert(EXPIRES.to_owned(), expires.clone());
            Ok(BatchWriteRequest::Put { item })
        });
        let requests = vec![(TABLE.to_owned(), puts.collect::<Outcome<Vec<_>>>()?)];
        block_on(engine.batch_write_item(BatchWriteItemInput { requests, ..Default::default() }))?;
    }
    Ok(())
}
