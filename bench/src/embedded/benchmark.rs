//! The in-process comparison and its table.

use super::{
    bare::BareRows,
    engine,
    many_writers::{bare_puts, engine_puts},
};
use crate::{
    Outcome,
    dataset::PARTITION_ITEMS,
    process::own_thread_cpu,
    statistics::{markdown, median, rate, thousands},
};
use keyfold_dynamo::Backend as _;
use keyfold_engine::Engine;
use keyfold_environment::SplitMix64;
use pollster::block_on;
use std::{path::PathBuf, time::Duration};

/// What to measure.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct EmbeddedOptions {
    /// Data set sizes: the smallest lies in the store's write buffer, larger ones in its tables.
    #[arg(long, value_delimiter = ',', default_values_t = [20_000, 200_000])]
    items: Vec<u64>,
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Milliseconds each read is measured in each round.
    #[arg(long, default_value_t = 1000)]
    milliseconds: u64,
    /// Puts of each of the 64 threads in each round.
    #[arg(long, default_value_t = 500)]
    puts: u64,
    /// Where the data folders are made.
    #[arg(long, default_value = "/tmp")]
    parent: PathBuf,
}

/// Operations per second, one value for each round.
#[derive(Debug, Default)]
struct Rounds {
    get: [Vec<f64>; 2],
    query: [Vec<f64>; 2],
    index_query: Vec<f64>,
    put: [Vec<f64>; 2],
}

/// Measures every size and prints a table for each.
pub(crate) fn run(options: &EmbeddedOptions) -> Outcome<()> {
    for &total in &options.items {
        let rounds = compare(options, total)?;
        println!("\n{total} items, medians of {} rounds\n\n{}", options.rounds, report(&rounds));
    }
    Ok(())
}

/// Loads an engine, copies its folder and measures both, interleaved.
fn compare(options: &EmbeddedOptions, total: u64) -> Outcome<Rounds> {
    let folder = tempfile::tempdir_in(&options.parent)?;
    let (written, copy) = (folder.path().join("engine"), folder.path().join("bare"));
    let engine = engine::open(&written)?;
    engine::load(&engine, total)?;
    drop(engine);
    let bare = BareRows::copy_of(&written, &copy, usize::try_from(PARTITION_ITEMS)?)?;
    let engine = engine::open(&written)?;

    let length = Duration::from_millis(options.milliseconds);
    let mut rounds = Rounds::default();
    measure_reads(&engine, &bare, total, length, &mut Rounds::default())?;
    for round in 0..options.rounds {
        measure_reads(&engine, &bare, total, length, &mut rounds)?;
        eprintln!("reads, round {}: {rounds:?}", round + 1);
    }
    for round in 0..options.rounds as u64 {
        rounds.put[0].push(engine_puts(&engine, round, options.puts)?);
        rounds.put[1].push(bare_puts(&bare, round, options.puts)?);
        eprintln!("puts, round {}: {:?}", round + 1, rounds.put);
    }
    Ok(rounds)
}

fn measure_reads(engine: &Engine, bare: &BareRows, total: u64, length: Duration, rounds: &mut Rounds) -> Outcome<()> {
    let partitions = total / PARTITION_ITEMS;
    let [engine_get, bare_get] = &mut rounds.get;
    engine_get.push(timed(length, total, engine::get_input, |input| {
        let output = block_on(engine.get_item(input))?;
        require(usize::from(output.item.is_some()), 1)
    })?);
    bare_get.push(timed(length, total, index, |item| require(usize::from(bare.point_read(item)? > 0), 1))?);
    let [engine_query, bare_query] = &mut rounds.query;
    engine_query.push(timed(length, partitions, engine::query_input, |input| {
        require(block_on(engine.query(input))?.count, 20)
    })?);
    bare_query.push(timed(length, partitions, index, |partition| require(bare.range_read(partition)?, 20))?);
    rounds.index_query.push(timed(length, partitions, engine::index_query_input, |input| {
        require(block_on(engine.query(input))?.count, 20)
    })?);
    Ok(())
}

fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// A read that finds less than was written must not count as fast.
fn require(found: usize, written: usize) -> Outcome<()> {
    if found == written { Ok(()) } else { Err(format!("a read found {found} of {written}").into()) }
}

/// Calls per second of this thread's processor time: reads never wait, and other processes do not count. Inputs are
/// made outside the clock, a chunk at a time, for both sides.
fn timed<T>(length: Duration, bound: u64, input: impl Fn(u64) -> T, call: impl Fn(T) -> Outcome<()>) -> Outcome<f64> {
    let mut random = SplitMix64::new(bound);
    let (mut spent, mut count) = (Duration::ZERO, 0);
    while spent < length {
        let inputs: Vec<T> = (0..256).map(|_| input(random.below(bound))).collect();
        count += inputs.len() as u64;
        let start = own_thread_cpu();
        for input in inputs {
            call(input)?;
        }
        spent += own_thread_cpu() - start;
    }
    Ok(rate(count, spent))
}

fn report(rounds: &Rounds) -> String {
    let compared = [
        ("GetItem / point read", &rounds.get, 0.5),
        ("durable PutItem / group commit of the same rows, 64 threads", &rounds.put, 0.6),
        ("Query of 20 / range read of 20", &rounds.query, 0.4),
    ];
    let mut rows: Vec<Vec<String>> = compared
        .iter()
        .map(|(name, [keyfold, bare], target)| {
            let ratios: Vec<f64> = keyfold.iter().zip(bare).map(|(keyfold, bare)| keyfold / bare).collect();
            let ratio = median(&ratios);
            let met = if ratio >= *target { "yes" } else { "**no**" };
            vec![
                (*name).to_owned(),
                thousands(median(keyfold)),
                thousands(median(bare)),
                format!("{ratio:.2}"),
                target.to_string(),
                met.to_owned(),
            ]
        })
        .collect();
    let index = thousands(median(&rounds.index_query));
    rows.push(vec![
        "Query of 20 through a GSI".to_owned(),
        index,
        String::new(),
        String::new(),
        String::new(),
        String::new(),
    ]);
    markdown(&["", "Keyfold/s", "bare store/s", "ratio", "target", "met"], &rows)
}
