//! The integration tests of `cli`, one module for each behaviour.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod admin;
mod audit_log;
mod backups;
mod check_designs;
mod copy;
mod crash;
mod crash_kill;
mod crash_power_loss;
mod damaged_blocks;
mod damaged_folders;
mod data_folders;
mod descriptors;
mod designs_on_backends;
mod disk_faults;
mod embedded_store;
#[path = "../../../engine/tests/it/folder_files.rs"]
mod folder_files;
mod generate;
mod hanging_disk;
mod import;
mod mounted_disk;
mod personal_data;
mod places;
mod private_files;
mod probes;
mod read_only_disk;
mod run_designs;
mod serve;
mod signals;
mod slow_readers;
mod small_disk;
mod stopped_process;
mod table_plan;
