//! `keyfold engine serve`

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::{ArgGroup, Args, ValueEnum};
use keyfold_engine::store::{Durability, StoreSettings};
use keyfold_engine::{Engine, Options};
use keyfold_environment::{SystemClock, SystemRandom};
use keyfold_wire::{AccessKeys, Config, Credentials, Limits, Server, Tls};

use crate::control::Control;
use crate::descriptors::Descriptors;
use crate::endpoint_tls;
use crate::log_output::LogOutput;
use crate::logging::{self, LogFormat};
use crate::memory::Memory;
use crate::private_files;
use crate::readiness;
use crate::reload::{Reload, access_keys};
use crate::stop::Stop;

#[derive(Args)]
#[command(group(ArgGroup::new("storage").args(["data", "in_memory"]).required(true)))]
pub(crate) struct Arguments {
    /// Data folder; created if missing
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Store nothing on disk; all data is lost when the process ends
    #[arg(long)]
    in_memory: bool,
    /// Port to listen on; 0 lets the system choose one
    #[arg(long, default_value_t = 8000)]
    port: u16,
    /// Port on 127.0.0.1 for metrics, and for health and readiness with their causes; 0 lets the system choose one
    #[arg(long, value_name = "PORT")]
    metrics_port: Option<u16>,
    /// Address to listen on; any address other than loopback requires --credentials, and --tls-certificate or
    /// --plain-http
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// File with one line `ACCESS_KEY_ID SECRET_KEY [read-only] [tables=NAME,…]` per caller; reloaded when it changes.
    /// Requests must be signed with one of these keys. Without it the server runs in development mode: it accepts every
    /// caller, on loopback only
    #[arg(long, value_name = "FILE")]
    credentials: Option<PathBuf>,
    /// Another host name that requests may use, if they need no signature; repeatable. Without it only `localhost` and
    /// addresses of the loopback interface
    #[arg(long, value_name = "NAME", conflicts_with = "credentials")]
    allowed_host: Vec<String>,
    /// TLS certificate chain, PEM; reloaded when it changes
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_certificate: Option<PathBuf>,
    /// Private key of the certificate, PEM
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    tls_key: Option<PathBuf>,
    /// Allow plain HTTP on addresses other than loopback, behind a proxy that terminates TLS
    #[arg(long, conflicts_with = "tls_certificate")]
    plain_http: bool,
    /// File to append the log to, instead of standard error; SIGHUP reopens it
    #[arg(long, value_name = "FILE")]
    log_file: Option<PathBuf>,
    /// Region in signatures and ARNs
    #[arg(long, default_value = "us-east-1")]
    region: String,
    /// When a write is acknowledged
    #[arg(long, value_enum, default_value_t = DurabilityChoice::Durable)]
    durability: DurabilityChoice,
    /// Block cache, in MiB
    #[arg(long, value_name = "MIB", default_value_t = StoreSettings::default().cache_bytes >> 20)]
    cache: u64,
    /// Free disk space below which only reads and deletes are accepted, in MiB; at most a tenth of the disk, or more if
    /// the store needs it; 0 for none
    #[arg(long, value_name = "MIB", default_value_t = Options::default().disk_reserve_bytes >> 20)]
    disk_reserve: u64,
    /// Time after which a store is given up that does not respond, cannot be reopened or cannot be closed, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = Options::default().unresponsive_after.as_secs())]
    store_timeout: u64,
    /// Memory for writes that are in the write-ahead log but not yet in a table file, in MiB; several of these buffers
    /// can be in use at once. Fixed when the data folder is created
    #[arg(long, value_name = "MIB", default_value_t = StoreSettings::default().write_buffer_bytes >> 20)]
    write_buffer: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DurabilityChoice {
    /// Once it is on disk: survives a power failure
    Durable,
    /// Once the operating system has it: survives a process crash, but a power failure can lose the last writes. For
    /// tests
    Relaxed,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    private_files::create_privately();
    let log = LogOutput::open(arguments.log_file.as_deref()).context("cannot open the log file")?;
    logging::start_with(&logging::environment_filter(), LogFormat::Text, &log);
    let control = Control::start(&log, Duration::from_secs(arguments.store_timeout))?;
    let descriptors = Descriptors::raise();
    let credentials = match &arguments.credentials {
        Some(file) => Credentials::Configured(AccessKeys::open(file, Arc::new(SystemClock))?),
        None => Credentials::AnyOnLoopback,
    };
    let tls = tls(arguments)?;
    let engine = Arc::new(open_engine(arguments)?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let serving = Arc::clone(&engine);
    let stop = runtime.block_on(serve(arguments, Access { credentials, tls }, control, descriptors, serving))?;
    Ok(stop.finish(runtime, Some(engine)))
}

fn open_engine(arguments: &Arguments) -> anyhow::Result<Engine> {
    let options = Options {
        durability: match arguments.durability {
            DurabilityChoice::Durable => Durability::Durable,
            DurabilityChoice::Relaxed => Durability::Relaxed,
        },
        store: StoreSettings {
            cache_bytes: arguments.cache << 20,
            write_buffer_bytes: arguments.write_buffer << 20,
            ..StoreSettings::default()
        },
        disk_reserve_bytes: arguments.disk_reserve << 20,
        unresponsive_after: Duration::from_secs(arguments.store_timeout),
        region: arguments.region.clone(),
        ..Options::default()
    };
    match &arguments.data {
        Some(folder) => super::open(folder, options),
        None => Engine::in_memory(options).context("cannot start an in-memory engine"),
    }
}

/// Who can reach the server, and how.
struct Access {
    credentials: Credentials,
    tls: Option<Arc<Tls>>,
}

/// The certificate. Items must not be sent unencrypted.
fn tls(arguments: &Arguments) -> anyhow::Result<Option<Arc<Tls>>> {
    let tls = match (&arguments.tls_certificate, &arguments.tls_key) {
        (Some(certificate), Some(key)) => Some(endpoint_tls::open(certificate, key)?),
        _ => None,
    };
    // Without credentials, an address other than loopback is refused anyway, and for that reason.
    if arguments.credentials.is_some() {
        endpoint_tls::require("items", arguments.host, tls.is_some(), arguments.plain_http)?;
    }
    Ok(tls)
}

async fn serve(
    arguments: &Arguments,
    access: Access,
    control: Control,
    descriptors: Descriptors,
    engine: Arc<Engine>,
) -> anyhow::Result<Stop> {
    let Access { credentials, tls } = access;
    let development = matches!(credentials, Credentials::AnyOnLoopback);
    let reload = Reload { credentials: access_keys(&credentials), tls: tls.clone(), identity: None };
    let config = Config::new(SocketAddr::new(arguments.host, arguments.port), credentials, &SystemRandom)?;
    let connections = descriptors.connections(config.limits.connections, 1);
    let budget = Memory::of_this_process().budget(1);
    let limits = Limits { connections, bodies_bytes: budget, responses_bytes: budget, ..Limits::default() };
    let readiness = Some(readiness::source(Arc::clone(&engine)));
    let operator_address = arguments.metrics_port.map(|port| SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port));
    let region = arguments.region.clone();
    let allowed_hosts = arguments.allowed_host.clone();
    let config = Config { region, allowed_hosts, limits, readiness, tls, ..config };
    let server = Server::bind(Config { operator_address, operator_runtime: Some(control.runtime()), ..config }).await?;
    let stop = control.supervise(Some(Arc::clone(&engine)), reload);
    announce(arguments, &server, development);
    server.serve(engine, stop.clone().wait()).await;
    Ok(stop)
}

fn announce(arguments: &Arguments, server: &Server, development: bool) {
    let data = arguments.data.as_ref().map_or("memory only".to_owned(), |folder| folder.display().to_string());
    let scheme = if arguments.tls_certificate.is_some() { "https" } else { "http" };
    say!("keyfold: DynamoDB endpoint at {scheme}://{} (data: {data})", server.local_addr());
    if let Some(address) = server.operator_addr() {
        say!("keyfold: metrics at http://{address}/metrics, open to every caller on this machine");
    }
    if development {
        say!("keyfold: development mode: every caller is accepted, on loopback only. Not for production:");
        say!("         use --credentials FILE to require signed requests");
    }
    if arguments.durability == DurabilityChoice::Relaxed {
        say!("keyfold: relaxed durability: a power failure can lose the last acknowledged writes");
    }
}
