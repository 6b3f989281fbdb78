//! The settings of the store that the sweep varies, written as `name=value,name=value`.

use crate::Outcome;
use fjall::{
    CompressionType, Database, DatabaseBuilder, KeyspaceCreateOptions,
    compaction::Leveled,
    config::{
        BlockSizePolicy, BloomConstructionPolicy, CompressionPolicy, FilterPolicy, FilterPolicyEntry, HashRatioPolicy,
        PartitioningPolicy, PinningPolicy, RestartIntervalPolicy,
    },
};
use std::{path::Path, sync::Arc};

const MEBIBYTE: u64 = 1024 * 1024;

/// `None` leaves the store's own default.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoreSettings {
    cache: Option<u64>,
    memtable: Option<u64>,
    journal: Option<u64>,
    workers: Option<usize>,
    block: Option<u32>,
    table: Option<u64>,
    l0: Option<u8>,
    hash_ratio: Option<f32>,
    restart: Option<u8>,
    bloom_bits: Option<f32>,
    pin: Option<bool>,
    partition: Option<bool>,
    hits: Option<bool>,
    lz4: Option<bool>,
    files: Option<usize>,
}

impl StoreSettings {
    /// Sizes of cache, memtable, journal and table are mebibytes, the block size is kibibytes.
    pub(crate) fn parse(text: &str) -> Outcome<Self> {
        let mut settings = Self::default();
        for pair in text.split(',').filter(|pair| !pair.is_empty() && *pair != "default") {
            let (name, value) = pair.split_once('=').ok_or_else(|| format!("`{pair}` is not name=value"))?;
            match name {
                "cache" => settings.cache = Some(value.parse()?),
                "memtable" => settings.memtable = Some(value.parse()?),
                "journal" => settings.journal = Some(value.parse()?),
                "workers" => settings.workers = Some(value.parse()?),
                "block" => settings.block = Some(value.parse()?),
                "table" => settings.table = Some(value.parse()?),
                "l0" => settings.l0 = Some(value.parse()?),
                "hash" => settings.hash_ratio = Some(value.parse()?),
                "restart" => settings.restart = Some(value.parse()?),
                "bloom" => settings.bloom_bits = Some(value.parse()?),
                "pin" => settings.pin = Some(value.parse()?),
                "partition" => settings.partition = Some(value.parse()?),
                "hits" => settings.hits = Some(value.parse()?),
                "lz4" => settings.lz4 = Some(value.parse()?),
                "files" => settings.files = Some(value.parse()?),
                _ => return Err(format!("there is no setting `{name}`").into()),
            }
        }
        Ok(settings)
    }

    pub(crate) fn database(&self, folder: &Path) -> DatabaseBuilder<Database> {
        let mut builder = Database::builder(folder).journal_compression(CompressionType::None);
        if let Some(size) = self.cache {
            builder = builder.cache_size(size * MEBIBYTE);
        }
        if let Some(size) = self.journal {
            builder = builder.max_journaling_size(size * MEBIBYTE);
        }
        if let Some(count) = self.workers {
            builder = builder.worker_threads(count);
        }
        if let Some(count) = self.files {
            builder = builder.max_cached_files(Some(count));
        }
        builder
    }

    pub(crate) fn keyspace(&self) -> KeyspaceCreateOptions {
        let mut options = KeyspaceCreateOptions::default();
        if let Some(size) = self.memtable {
            options = options.max_memtable_size(size * MEBIBYTE);
        }
        if let Some(size) = self.block {
            options = options.data_block_size_policy(BlockSizePolicy::all(size * 1024));
        }
        if self.table.is_some() || self.l0.is_some() {
            let strategy = Leveled::default()
                .with_table_target_size(self.table.unwrap_or(64) * MEBIBYTE)
                .with_l0_threshold(self.l0.unwrap_or(4));
            options = options.compaction_strategy(Arc::new(strategy));
        }
        if let Some(ratio) = self.hash_ratio {
            options = options.data_block_hash_ratio_policy(HashRatioPolicy::all(ratio));
        }
        if let Some(interval) = self.restart {
            options = options.data_block_restart_interval_policy(RestartIntervalPolicy::all(interval));
        }
        if let Some(bits) = self.bloom_bits {
            let entry = FilterPolicyEntry::Bloom(BloomConstructionPolicy::BitsPerKey(bits));
            options = options.filter_policy(FilterPolicy::all(entry));
        }
        if let Some(pin) = self.pin {
            options = options
                .index_block_pinning_policy(PinningPolicy::all(pin))
                .filter_block_pinning_policy(PinningPolicy::all(pin));
        }
        if let Some(partition) = self.partition {
            options = options
                .index_block_partitioning_policy(PartitioningPolicy::all(partition))
                .filter_block_partitioning_policy(PartitioningPolicy::all(partition));
        }
        if let Some(hits) = self.hits {
            options = options.expect_point_read_hits(hits);
        }
        options.data_block_compression_policy(self.compression())
    }

    #[cfg(feature = "lz4")]
    fn compression(&self) -> CompressionPolicy {
        if self.lz4 == Some(true) {
            return CompressionPolicy::all(CompressionType::Lz4);
        }
        CompressionPolicy::all(CompressionType::None)
    }

    #[cfg(not(feature = "lz4"))]
    fn compression(&self) -> CompressionPolicy {
        CompressionPolicy::all(CompressionType::None)
    }
}
