//! One store with one set of settings, measured in a process of its own so that its memory is its own.

use super::{
    group_commit::{load, update},
    opened::OpenStore,
    rows::IndexRows,
    settings::StoreSettings,
};
use crate::{
    Outcome,
    dataset::Random,
    process::{disk_bytes, peak_resident_megabytes, resident_megabytes, thread_cpu_seconds},
    statistics::rate,
};
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// The names of what a probe prints, in order.
pub(crate) const MEASURES: [&str; 18] = [
    "load/s",
    "load p50",
    "load p99",
    "load p99.9",
    "load max",
    "load peak MB",
    "update/s",
    "update p99",
    "update max",
    "worker CPU s",
    "get/s x1",
    "get/s x2",
    "range20/s",
    "index20/s",
    "read MB",
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

    let mut loaded = load(&store, total, IndexRows::Pointing)?;
    numbers.push(loaded.writes_per_second);
    numbers.extend(loaded.latencies.milliseconds([0.5, 0.99, 0.999, 1.0]));
    numbers.push(peak_resident_megabytes(pid));

    let mut updated = update(&store, total / 4, total, IndexRows::Pointing)?;
    numbers.push(updated.writes_per_second);
    numbers.extend(updated.latencies.milliseconds([0.99, 1.0]));
    store.settle(Duration::from_secs(30));
    numbers.push(thread_cpu_seconds(pid, "fjall:worker"));

    numbers.push(reads_per_second(&store, 1, |store, random| store.point_read(random, total))?);
    numbers.push(reads_per_second(&store, 2, |store, random| store.point_read(random, total))?);
    numbers.push(reads_per_second(&store, 1, |store, random| store.range_read(random, total))?);
    numbers.push(reads_per_second(&store, 1, |store, random| store.index_read(random, total, IndexRows::Pointing))?);
    numbers.push(resident_megabytes(pid));
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
    store.point_read(&mut Random::new(1), total)?;
    let millis = start.elapsed().as_secs_f64() * 1e3;
    std::thread::sleep(Duration::from_secs(2));
    println!("{millis:.1} {:.1}", resident_megabytes(std::process::id()));
    Ok(())
}

fn reads_per_second(
    store: &OpenStore,
    threads: u64,
    read: impl Fn(&OpenStore, &mut Random) -> Outcome<usize> + Sync,
) -> Outcome<f64> {
    let run = |seed: u64, length: Duration| -> Outcome<u64> {
        let mut random = Random::new(seed);
        let start = Instant::now();
        let mut count = 0;
        while start.elapsed() < length {
            for _ in 0..16 {
                read(store, &mut random)?;
            }
            count += 16;
        }
        Ok(count)
    };
    run(99, Duration::from_millis(1500))?;
    let start = Instant::now();
    let count = std::thread::scope(|scope| -> Outcome<u64> {
        let run = &run;
        let handles: Vec<_> =
            (0..threads).map(|seed| scope.spawn(move || run(seed, Duration::from_millis(1500)))).collect();
        let mut count = 0;
        for handle in handles {
            count += handle.join().map_err(|_| "a reader panicked")??;
        }
        Ok(count)
    })?;
    Ok(rate(count, start.elapsed()))
}
