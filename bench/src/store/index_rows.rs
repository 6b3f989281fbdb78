//! Should an index row point to the item or carry the projected item? Both, side by side, on the bare store.

use super::{
    group_commit::{load, update},
    opened::OpenStore,
    rows::IndexRows,
    settings::StoreSettings,
};
use crate::{
    Outcome,
    process::{disk_bytes, own_process_cpu, own_thread_cpu},
    statistics::{markdown, median, rate, thousands},
};
use keyfold_environment::SplitMix64;
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// The measured numbers of one round of one kind.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    put_cpu: f64,
    query_cpu: f64,
    update_cpu: f64,
    puts: f64,
    put_p50: f64,
    put_p99: f64,
    updates: f64,
    update_p99: f64,
    queries: f64,
    megabytes: f64,
    megabytes_after_updates: f64,
}

/// A named column of a round.
type Measure = (&'static str, fn(&Round) -> f64, fn(f64) -> String);

const MEASURES: [Measure; 11] = [
    ("durable puts/s, 64 writers", |round| round.puts, thousands),
    ("put p50 (ms)", |round| round.put_p50, hundredths),
    ("put p99 (ms)", |round| round.put_p99, hundredths),
    ("CPU of a put, compaction included (µs)", |round| round.put_cpu, hundredths),
    ("queries of 20 through GSI2/s", |round| round.queries, thousands),
    ("CPU of a query (µs)", |round| round.query_cpu, hundredths),
    ("durable updates/s of one attribute, 64 writers", |round| round.updates, thousands),
    ("update p99 (ms)", |round| round.update_p99, hundredths),
    ("CPU of an update, compaction included (µs)", |round| round.update_cpu, hundredths),
    ("disk after load (MB)", |round| round.megabytes, |value| format!("{value:.0}")),
    ("disk after updates (MB)", |round| round.megabytes_after_updates, |value| format!("{value:.0}")),
];

fn hundredths(value: f64) -> String {
    format!("{value:.2}")
}

/// Runs the comparison for each data set size and prints a table.
pub(crate) fn run(sizes: &[u64], rounds: usize, settings: &StoreSettings, parent: &Path) -> Outcome<()> {
    for &total in sizes {
        let mut pointing = Vec::new();
        let mut carrying = Vec::new();
        for round in 0..rounds {
            pointing.push(measure(total, IndexRows::Pointing, settings, parent)?);
            carrying.push(measure(total, IndexRows::Carrying, settings, parent)?);
            eprintln!("{total} items, round {} of {rounds}", round + 1);
        }
        println!("\n{total} items of about 1 KB, three indexes, medians of {rounds} rounds\n");
        println!("{}", report(&pointing, &carrying));
    }
    Ok(())
}

fn report(pointing: &[Round], carrying: &[Round]) -> String {
    let rows: Vec<Vec<String>> = MEASURES
        .iter()
        .map(|(name, value, text)| {
            let of = |rounds: &[Round]| median(&rounds.iter().map(value).collect::<Vec<_>>());
            let (pointer, carrier) = (of(pointing), of(carrying));
            vec![(*name).to_owned(), text(pointer), text(carrier), format!("{:.2}", pointer / carrier)]
        })
        .collect();
    markdown(&["", "pointing", "containing", "pointing / containing"], &rows)
}

#[allow(clippy::cast_precision_loss)]
fn measure(total: u64, kind: IndexRows, settings: &StoreSettings, parent: &Path) -> Outcome<Round> {
    let folder = tempfile::tempdir_in(parent)?;
    let store = OpenStore::open(folder.path(), settings)?;
    let started = own_process_cpu();
    let mut loaded = load(&store, total, kind)?;
    let [put_p50, put_p99] = loaded.latencies.milliseconds([0.5, 0.99]);
    store.settle(Duration::from_secs(20));
    let put_cpu = (own_process_cpu() - started).as_secs_f64() * 1e6 / total as f64;
    let megabytes = disk_bytes(folder.path()) as f64 / 1e6;
    let (queries, query_cpu) = timed_queries(&store, total, kind)?;
    let updates = (total / 2).max(20_000);
    let started = own_process_cpu();
    let mut updated = update(&store, updates, total, kind)?;
    let [update_p99] = updated.latencies.milliseconds([0.99]);
    store.settle(Duration::from_secs(20));
    Ok(Round {
        put_cpu,
        query_cpu,
        update_cpu: (own_process_cpu() - started).as_secs_f64() * 1e6 / updates as f64,
        puts: loaded.writes_per_second,
        put_p50,
        put_p99,
        updates: updated.writes_per_second,
        update_p99,
        queries,
        megabytes,
        megabytes_after_updates: disk_bytes(folder.path()) as f64 / 1e6,
    })
}

/// Queries per second and microseconds of processor time of one.
#[allow(clippy::cast_precision_loss)]
fn timed_queries(store: &OpenStore, total: u64, kind: IndexRows) -> Outcome<(f64, f64)> {
    let mut random = SplitMix64::new(total);
    for _ in 0..2000 {
        store.index_read(&mut random, total, kind)?;
    }
    let (start, cpu) = (Instant::now(), own_thread_cpu());
    let mut count = 0;
    while start.elapsed() < Duration::from_secs(2) {
        store.index_read(&mut random, total, kind)?;
        count += 1;
    }
    let cpu = (own_thread_cpu() - cpu).as_secs_f64() * 1e6 / count as f64;
    Ok((rate(count, start.elapsed()), cpu))
}
