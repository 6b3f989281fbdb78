//! The memory that this process may use: that of its container, if it has a limit, otherwise that of the machine.

use std::fs;
use std::path::Path;

/// What the requests and the responses of all endpoints may use at most: half of the memory, in four budgets.
const SHARES: u64 = 8;
/// The bounds of one budget.
const MIN_BUDGET: u64 = 32 << 20;
const MAX_BUDGET: u64 = 256 << 20;

/// In bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Memory(u64);

impl Memory {
    pub(crate) fn of_this_process() -> Self {
        Self::below(Path::new("/"))
    }

    /// Reads the files of the operating system below a folder.
    fn below(root: &Path) -> Self {
        let read = |path: &str| fs::read_to_string(root.join(path)).ok();
        let machine = read("proc/meminfo").and_then(|text| total_of_machine(&text));
        let cgroups = read("proc/self/cgroup").unwrap_or_default();
        let limits = cgroups.lines().filter_map(limit_files).flat_map(|(folder, path, file)| {
            // A limit of a group above applies as well. Inside a container, the path may begin outside of it.
            Path::new(path)
                .ancestors()
                .map(|group| folder.to_owned() + &group.display().to_string() + "/" + file)
                .collect::<Vec<_>>()
        });
        let limit = limits.filter_map(|path| read(&path)?.trim().parse::<u64>().ok()).min();
        // Without any of the files nothing is known, and nothing is limited.
        Self(machine.into_iter().chain(limit).min().unwrap_or(u64::MAX))
    }

    /// The memory for the large requests, and for the large responses, of each of some endpoints.
    pub(crate) fn budget(self, endpoints: u64) -> usize {
        let share = (self.0 / SHARES / endpoints.max(1)).clamp(MIN_BUDGET, MAX_BUDGET);
        usize::try_from(share).unwrap_or(usize::MAX)
    }
}

/// `MemTotal:       24622092 kB`
fn total_of_machine(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kibibytes| kibibytes.saturating_mul(1024))
}

/// Where the memory limit of a line of `/proc/self/cgroup` is: the folder of the hierarchy, the group, and the file.
fn limit_files(line: &str) -> Option<(&'static str, &str, &'static str)> {
    let (_, rest) = line.split_once(':')?;
    let (controllers, group) = rest.split_once(':')?;
    let group = group.trim_end_matches('/');
    match controllers {
        "" => Some(("sys/fs/cgroup", group, "memory.max")),
        "memory" => Some(("sys/fs/cgroup/memory", group, "memory.limit_in_bytes")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_files(files: &[(&str, &str)]) -> Memory {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Memory::below(root.path())
    }

    const MACHINE: (&str, &str) = ("proc/meminfo", "MemTotal:       8388608 kB\nMemFree: 1 kB\n");

    #[test]
    fn without_a_container_the_machine_counts() {
        assert_eq!(with_files(&[MACHINE]), Memory(8 << 30));
        let unlimited = ("sys/fs/cgroup/memory.max", "max\n");
        assert_eq!(with_files(&[MACHINE, ("proc/self/cgroup", "0::/\n"), unlimited]), Memory(8 << 30));
        assert_eq!(with_files(&[]), Memory(u64::MAX));
    }

    #[test]
    fn the_smallest_limit_of_a_group_or_one_above_counts() {
        let files = [
            MACHINE,
            ("proc/self/cgroup", "0::/system.slice/keyfold.service\n"),
            ("sys/fs/cgroup/system.slice/memory.max", "1073741824\n"),
            ("sys/fs/cgroup/system.slice/keyfold.service/memory.max", "max\n"),
        ];
        assert_eq!(with_files(&files), Memory(1 << 30));
    }

    #[test]
    fn a_container_sees_its_limit_at_the_root() {
        let files = [MACHINE, ("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/memory.max", "536870912\n")];
        assert_eq!(with_files(&files), Memory(512 << 20));
    }

    #[test]
    fn limits_of_the_first_version_of_cgroups_count() {
        let files = [
            MACHINE,
            ("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/docker/0123\n0::/\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "268435456\n"),
        ];
        assert_eq!(with_files(&files), Memory(256 << 20));
    }

    #[test]
    fn budgets_follow_from_the_memory() {
        assert_eq!(Memory(u64::MAX).budget(2), 256 << 20);
        assert_eq!(Memory(1 << 30).budget(1), 128 << 20);
        assert_eq!(Memory(1 << 30).budget(2), 64 << 20);
        assert_eq!(Memory(64 << 20).budget(2), 32 << 20);
    }
}
