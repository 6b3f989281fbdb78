//! One store with one set of settings, measured in a process of its own so that its memory is its own.

use super::{
    group_commit::{load, update},
    opened::OpenStore,
    rows::IndexRows,
    settings::StoreSettings,
};
use crate::{
    Outcome,
    process::{
        disk_bytes, own_process_cpu, own_thread_cpu, peak_resident_megabytes, resident_megabytes, thread_cpu_seconds,
    },
    statistics::rate,
};
use keyfold_environment::SplitMix64;
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// The names of what a probe prints, in order. Latencies are milliseconds of a group, CPU is microseconds for one
/// operation: of the whole process for writes, of the reading thread for reads.
pub(crate) const MEASURES: [&str; 19] = [
    "puts/s",
    "put p50",
    "put p99",
    "put p99.9",
    "put max",
    "put CPU",
    "updates/s",
    "update p99",
    "update max",
    "update CPU",
    "worker CPU s",
    "get CPU",
    "gets/s x2",
    "range20 CPU",
    "index20 CPU",
    "get MB",
    "idle MB",
    "peak MB",
    "disk MB",
];

/// Loads, updates, reads and rests; prints one line of numbers, then dies without closing the store.
#[allow(clippy::cast_precision_loss)]
pub(crate) fn run(folder: &Path, settings: &StoreSettings, total: u64) -> Outcome<()> {
    let pid = std::process::id();
    let store = OpenStore::open(folder, settings)?;
    let mut numbers = Vec::new();

    let cpu = own_process_cpu();
    let mut loaded = load(&store, total, IndexRows::Pointing)?;
    numbers.push(loaded.writes_per_second);
    numbers.extend(loaded.latencies.milliseconds([0.5, 0.99, 0.999, 1.0]));
    store.settle(Duration::from_secs(30));
    numbers.push((own_process_cpu() - cpu).as_secs_f64() * 1e6 / total as f64);

    let cpu = own_process_cpu();
    let mut updated = update(&store, total / 4, total, IndexRows::Pointing)?;
    numbers.push(updated.writes_per_second);
    numbers.extend(updated.latencies.milliseconds([0.99, 1.0]));
    store.settle(Duration::from_secs(30));
    numbers.push((own_process_cpu() - cpu).as_secs_f64() * 1e6 / (total / 4) as f64);
    numbers.push(thread_cpu_seconds(pid, "fjall:worker"));

    numbers.push(cpu_per_read(&store, |store, random| store.point_read(random, total))?);
    numbers.push(point_reads_per_second(&store, total)?);
    let after_gets = resident_megabytes(pid);
    numbers.push(cpu_per_read(&store, |store, random| store.range_read(random, total))?);
    numbers.push(cpu_per_read(&store, |store, random| store.index_read(random, total, IndexRows::Pointing))?);
    numbers.push(after_gets);
    std::thread::sleep(Duration::from_secs(2));
    numbers.push(resident_megabytes(pid));
    numbers.push(peak_resident_megabytes(pid));
    numbers.push(disk_bytes(folder) as f64 / 1e6);
    let line: Vec<String> = numbers.iter().map(|number| format!("{number:.3}")).collect();
    println!("{}", line.join(" "));
    // Ends like a kill: no destructor runs, so the next open is a recovery.
    std::process::abort()
}

/// Opens a store that was killed; prints the milliseconds until the first read and the memory then.
pub(crate) fn reopen(folder: &Path, settings: &StoreSettings, total: u64) -> Outcome<()> {
    let start = Instant::now();
    let store = OpenStore::open(folder, settings)?;
    store.point_read(&mut SplitMix64::new(1), total)?;
    let millis = start.elapsed().as_secs_f64() * 1e3;
    std::thread::sleep(Duration::from_secs(2));
    println!("{millis:.1} {:.1}", resident_megabytes(std::process::id()));
    Ok(())
}

/// Microseconds of processor time one read takes, warmed up.
fn cpu_per_read(store: &OpenStore, read: impl Fn(&OpenStore, &mut SplitMix64) -> Outcome<usize>) -> Outcome<f64> {
    let mut random = SplitMix64::new(99);
    let mut repeat = |length: Duration| -> Outcome<f64> {
        let (start, cpu) = (Instant::now(), own_thread_cpu());
        let mut count = 0.0;
        while start.elapsed() < length {
            for _ in 0..16 {
                read(store, &mut random)?;
            }
            count += 16.0;
        }
        Ok((own_thread_cpu() - cpu).as_secs_f64() * 1e6 / count)
    };
    repeat(Duration::from_millis(1500))?;
    repeat(Duration::from_millis(1500))
}

/// Point reads by two threads at once.
fn point_reads_per_second(store: &OpenStore, total: u64) -> Outcome<f64> {
    let start = Instant::now();
    let read = |seed: u64| -> Outcome<u64> {
        let mut random = SplitMix64::new(seed);
        let mut count = 0;
        while start.elapsed() < Duration::from_millis(1500) {
            for _ in 0..16 {
                store.point_read(&mut random, total)?;
            }
            count += 16;
        }
        Ok(count)
    };
    let count = std::thread::scope(|scope| -> Outcome<u64> {
        let read = &read;
        let threads: Vec<_> = (0..2).map(|seed| scope.spawn(move || read(seed))).collect();
        let mut count = 0;
        for thread in threads {
            count += thread.join().map_err(|_| "a reader panicked")??;
        }
        Ok(count)
    })?;
    Ok(rate(count, start.elapsed()))
}
