//! What the operating system says of a process: memory, processor time, disk use.

use std::{fs, path::Path, time::Duration};

/// Resident memory of a process in megabytes.
pub(crate) fn resident_megabytes(pid: u32) -> f64 {
    status_kilobytes(pid, "VmRSS:") / 1024.0
}

/// The highest resident memory a process ever had, in megabytes.
pub(crate) fn peak_resident_megabytes(pid: u32) -> f64 {
    status_kilobytes(pid, "VmHWM:") / 1024.0
}

fn status_kilobytes(pid: u32, field: &str) -> f64 {
    fs::read_to_string(format!("/proc/{pid}/status"))
        .unwrap_or_default()
        .lines()
        .find_map(|line| line.strip_prefix(field))
        .and_then(|rest| rest.split_whitespace().next()?.parse().ok())
        .unwrap_or(0.0)
}

/// Processor seconds used by the threads of a process whose name starts with `name`.
pub(crate) fn thread_cpu_seconds(pid: u32, name: &str) -> f64 {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return 0.0;
    };
    threads
        .flatten()
        .filter_map(|thread| fs::read_to_string(thread.path().join("stat")).ok())
        .filter(|stat| stat.split_once('(').is_some_and(|(_, rest)| rest.starts_with(name)))
        .filter_map(|stat| cpu_seconds_of(&stat))
        .sum()
}

/// Processor seconds a process has used, ended threads included.
pub(crate) fn process_cpu_seconds(pid: u32) -> f64 {
    fs::read_to_string(format!("/proc/{pid}/stat")).ok().and_then(|stat| cpu_seconds_of(&stat)).unwrap_or(0.0)
}

fn cpu_seconds_of(stat: &str) -> Option<f64> {
    // Fields 14 and 15 of the line are user and system time in ticks of 1/100 s; the name, field 2, may hold spaces.
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_whitespace().skip(11);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some((user + system) / 100.0)
}

/// Processor time of the calling thread: unlike the clock, it does not count what other processes took.
pub(crate) fn own_thread_cpu() -> Duration {
    cpu_from_schedstat(Path::new("/proc/thread-self/schedstat"))
}

/// Processor time of all living threads of this process.
pub(crate) fn own_process_cpu() -> Duration {
    let Ok(threads) = fs::read_dir("/proc/self/task") else {
        return Duration::ZERO;
    };
    threads.flatten().map(|thread| cpu_from_schedstat(&thread.path().join("schedstat"))).sum()
}

fn cpu_from_schedstat(file: &Path) -> Duration {
    let nanos =
        fs::read_to_string(file).ok().and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0);
    Duration::from_nanos(nanos)
}

/// Bytes allocated on disk below a folder (a preallocated but unwritten journal counts only what was written).
pub(crate) fn disk_bytes(folder: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    let Ok(entries) = fs::read_dir(folder) else {
        return 0;
    };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(meta) if meta.is_dir() => disk_bytes(&entry.path()),
            Ok(meta) => meta.blocks() * 512,
            Err(_) => 0,
        })
        .sum()
}
