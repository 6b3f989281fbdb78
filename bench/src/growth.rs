//! Keyfold alone, with more and more items: what must stay flat, and what must stay small.

use crate::{
    Outcome,
    http::{load::Throughput, server::Server, table, workload::Workload},
    process::{disk_bytes, peak_resident_megabytes, resident_megabytes},
    statistics::{markdown, median, thousands},
};
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// What to measure.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct GrowthOptions {
    #[arg(long, value_delimiter = ',', default_values_t = [10_000, 100_000, 1_000_000])]
    items: Vec<u64>,
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    #[arg(long, default_value_t = 64)]
    connections: usize,
    #[arg(long, default_value = "target/release/keyfold")]
    keyfold: PathBuf,
    /// Where the data folders are made.
    #[arg(long, default_value = "/tmp")]
    parent: PathBuf,
}

/// What was seen at one size.
#[derive(Debug, Default)]
struct Size {
    items: u64,
    workloads: Vec<(Workload, Throughput)>,
    load_seconds: f64,
    peak_megabytes: f64,
    idle_megabytes: f64,
    reopened_megabytes: f64,
    reopen_milliseconds: f64,
    disk_megabytes: f64,
}

/// Measures every size and prints the tables.
pub(crate) fn run(options: &GrowthOptions) -> Outcome<()> {
    let starts = (0..options.rounds).map(|_| start_up(options)).collect::<Outcome<Vec<f64>>>()?;
    println!("start on an empty folder to the first answer: {:.0} ms; target below 100 ms\n", median(&starts));
    let sizes = options.items.iter().map(|items| measure(*items, options)).collect::<Outcome<Vec<_>>>()?;
    println!("{}", operations(&sizes));
    println!("{}", footprint(&sizes));
    Ok(())
}

fn start_up(options: &GrowthOptions) -> Outcome<f64> {
    let folder = tempfile::tempdir_in(&options.parent)?;
    let start = Instant::now();
    let _server = Server::keyfold(&options.keyfold, folder.path())?;
    Ok(start.elapsed().as_secs_f64() * 1e3)
}

#[allow(clippy::cast_precision_loss)]
fn measure(items: u64, options: &GrowthOptions) -> Outcome<Size> {
    let folder = tempfile::tempdir_in(&options.parent)?;
    let server = Server::keyfold(&options.keyfold, folder.path())?;
    let process_id = server.process_id().ok_or("keyfold runs in no process of ours")?;
    let start = Instant::now();
    table::load(server.address, items)?;
    let load_seconds = start.elapsed().as_secs_f64();
    eprintln!("{items} items: loaded in {load_seconds:.1} s, {:.0} MB", resident_megabytes(process_id));

    let mut workloads = Vec::new();
    for workload in Workload::ALL {
        let rounds = (0..options.rounds as u64)
            .map(|round| {
                let mut pool = workload.pool(&server.address.to_string(), items.min(200_000), items, round + 1);
                let length = Duration::from_secs_f64(options.seconds);
                server.drive(options.connections, length, &mut pool)
            })
            .collect::<Outcome<Vec<Throughput>>>()?;
        let middle = |value: fn(&Throughput) -> f64| median(&rounds.iter().map(value).collect::<Vec<_>>());
        let throughput = Throughput {
            per_second: middle(|t| t.per_second),
            p50: middle(|t| t.p50),
            p99: middle(|t| t.p99),
            cpu: middle(|t| t.cpu),
        };
        eprintln!("{items} items, {}: {throughput:?}, {:.0} MB", workload.title(), resident_megabytes(process_id));
        workloads.push((workload, throughput));
    }
    let peak_megabytes = peak_resident_megabytes(process_id);
    std::thread::sleep(Duration::from_secs(15));
    let idle_megabytes = resident_megabytes(process_id);
    let disk_megabytes = disk_bytes(folder.path()) as f64 / 1e6;

    // Writes are under way until the kill, so that there is a journal to replay.
    let mut pool = Workload::PutItem.pool(&server.address.to_string(), items.min(20_000), items, 99);
    server.drive(options.connections, Duration::from_secs(1), &mut pool)?;
    drop(server);
    let (reopen_milliseconds, reopened_megabytes) = reopen(&options.keyfold, folder.path())?;
    Ok(Size {
        items,
        workloads,
        load_seconds,
        peak_megabytes,
        idle_megabytes,
        reopened_megabytes,
        reopen_milliseconds,
        disk_megabytes,
    })
}

/// Milliseconds from the start of the process to its first answer, and its memory once it rests.
fn reopen(keyfold: &Path, folder: &Path) -> Outcome<(f64, f64)> {
    let start = Instant::now();
    let server = Server::keyfold(keyfold, folder)?;
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    std::thread::sleep(Duration::from_secs(5));
    Ok((milliseconds, server.process_id().map_or(0.0, resident_megabytes)))
}

fn operations(sizes: &[Size]) -> String {
    let mut header = vec!["requests/s (p99 ms; server CPU µs)".to_owned()];
    header.extend(sizes.iter().map(|size| format!("{} items", size.items)));
    let rows: Vec<Vec<String>> = Workload::ALL
        .iter()
        .map(|workload| {
            let cells = sizes.iter().map(|size| {
                let found = size.workloads.iter().find(|(measured, _)| measured == workload);
                found
                    .map_or(String::new(), |(_, t)| format!("{} ({:.1}; {:.0})", thousands(t.per_second), t.p99, t.cpu))
            });
            std::iter::once(workload.title().to_owned()).chain(cells).collect()
        })
        .collect();
    markdown(&header.iter().map(String::as_str).collect::<Vec<_>>(), &rows)
}

fn footprint(sizes: &[Size]) -> String {
    let header =
        ["items", "load s", "peak MB under load", "idle MB", "open after kill ms", "MB after open", "disk MB", "met"];
    let rows: Vec<Vec<String>> = sizes
        .iter()
        .map(|size| {
            let met = size.peak_megabytes < 300.0 && size.idle_megabytes < 100.0 && size.reopen_milliseconds < 2000.0;
            vec![
                size.items.to_string(),
                format!("{:.1}", size.load_seconds),
                format!("{:.0}", size.peak_megabytes),
                format!("{:.0}", size.idle_megabytes),
                format!("{:.0}", size.reopen_milliseconds),
                format!("{:.0}", size.reopened_megabytes),
                format!("{:.0}", size.disk_megabytes),
                if met { "yes".to_owned() } else { "**no**".to_owned() },
            ]
        })
        .collect();
    markdown(&header, &rows)
}
