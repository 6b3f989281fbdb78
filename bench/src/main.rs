//! Keyfold's benchmarks. Each compares with a floor or a peer measured in the same run: the ratios are the result.

mod authorization;
mod dataset;
mod design;
mod embedded;
mod growth;
mod http;
mod large_design;
mod maintenance;
mod process;
mod rest;
mod runtime;
mod statistics;
mod store;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use store::settings::StoreSettings;

/// The allocator of the `keyfold` binary.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// A benchmark that fails prints why and ends; there is nothing to recover.
pub(crate) type Outcome<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

#[derive(Parser)]
#[command(about = "Keyfold's benchmarks")]
struct Arguments {
    #[command(subcommand)]
    benchmark: Benchmark,
}

#[derive(Subcommand)]
enum Benchmark {
    /// Index rows that point to the item against index rows that carry it, on the bare store.
    IndexRows {
        #[arg(long, value_delimiter = ',', default_values_t = [20_000, 200_000])]
        items: Vec<u64>,
        #[arg(long, default_value_t = 5)]
        rounds: usize,
        #[arg(long, default_value = "default")]
        settings: String,
        /// Where the data folders are made.
        #[arg(long, default_value = "/tmp")]
        parent: PathBuf,
    },
    /// Settings of the bare store against each other.
    StoreSettings {
        #[arg(long, default_value_t = 300_000)]
        items: u64,
        #[arg(long, default_value_t = 1)]
        rounds: usize,
        #[arg(long, default_value = "/tmp")]
        parent: PathBuf,
        /// Settings, each as `name=value,name=value` or `default`.
        #[arg(required = true)]
        settings: Vec<String>,
    },
    /// Keyfold over HTTP against a bare server and DynamoDB Local.
    Http {
        #[command(flatten)]
        options: http::benchmark::HttpOptions,
    },
    /// Keyfold in-process against the bare store with the same rows.
    Embedded {
        #[command(flatten)]
        options: embedded::benchmark::EmbeddedOptions,
    },
    /// Checking designs, and what a design's model costs per item.
    Design {
        #[command(flatten)]
        options: design::DesignOptions,
    },
    /// The evaluator of `allow` rules against Cedar, per item.
    Authorization {
        #[command(flatten)]
        options: authorization::AuthorizationOptions,
    },
    /// What a design's runtime adds to the engine.
    Runtime {
        #[command(flatten)]
        options: runtime::RuntimeOptions,
    },
    /// The REST backend against a bare axum handler and the DynamoDB endpoint of the same process.
    Rest {
        #[command(flatten)]
        options: rest::benchmark::RestOptions,
    },
    /// Keyfold alone with more and more items: speed, memory, opening.
    Growth {
        #[command(flatten)]
        options: growth::GrowthOptions,
    },
    /// Expiry and the deletion of tables, with more and more items.
    Maintenance {
        #[command(flatten)]
        options: maintenance::MaintenanceOptions,
    },
    /// The bare server that answers 1 KB.
    #[command(hide = true)]
    Floor {
        #[arg(long)]
        port: u16,
    },
    /// The bare axum handler that answers the bytes of a file.
    #[command(hide = true)]
    AxumFloor {
        #[arg(long)]
        port: u16,
        #[arg(long)]
        answer: PathBuf,
    },
    /// One set of settings, in this process.
    #[command(hide = true)]
    StoreProbe {
        #[command(flatten)]
        probed: Probed,
    },
    /// Opens a store that a probe left behind.
    #[command(hide = true)]
    StoreReopen {
        #[command(flatten)]
        probed: Probed,
    },
}

#[derive(clap::Args)]
struct Probed {
    #[arg(long)]
    folder: PathBuf,
    #[arg(long)]
    settings: String,
    #[arg(long)]
    items: u64,
}

fn main() -> Outcome<()> {
    match Arguments::parse().benchmark {
        Benchmark::IndexRows { items, rounds, settings, parent } => {
            store::index_rows::run(&items, rounds, &StoreSettings::parse(&settings)?, &parent)
        }
        Benchmark::StoreSettings { items, rounds, parent, settings } => {
            store::sweep::run(&settings, rounds, items, &parent)
        }
        Benchmark::Http { options } => http::benchmark::run(&options),
        Benchmark::Embedded { options } => embedded::benchmark::run(&options),
        Benchmark::Design { options } => design::run(&options),
        Benchmark::Authorization { options } => authorization::run(&options),
        Benchmark::Runtime { options } => runtime::run(&options),
        Benchmark::Growth { options } => growth::run(&options),
        Benchmark::Maintenance { options } => maintenance::run(&options),
        Benchmark::Rest { options } => rest::benchmark::run(&options),
        Benchmark::Floor { port } => http::floor::serve(port),
        Benchmark::AxumFloor { port, answer } => rest::floor::serve(port, &answer),
        Benchmark::StoreProbe { probed } => {
            store::probe::run(&probed.folder, &StoreSettings::parse(&probed.settings)?, probed.items)
        }
        Benchmark::StoreReopen { probed } => {
            store::probe::reopen(&probed.folder, &StoreSettings::parse(&probed.settings)?, probed.items)
        }
    }
}
