//! `keyfold serve`: designs as REST APIs.

mod announce;
mod change_records;
mod designs;
mod endpoint;
mod identity;
mod limits;
mod place;
mod ports;
mod roles;
mod tls;

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use keyfold_api::identity::Development;
use keyfold_api::{Api, Options, Server};
use keyfold_engine::Engine;
use keyfold_runtime::{Clock, SystemClock};

use self::endpoint::Endpoint;
use crate::backend::OpenBackend;
use crate::config::{Config, Flags, settings};
use crate::control::Control;
use crate::descriptors::Descriptors;
use crate::log_output::LogOutput;
use crate::memory::Memory;
use crate::private_files;
use crate::readiness;
use crate::reload::Reload;
use crate::stop::Stop;

/// The REST API and the DynamoDB endpoint share the descriptors of the process.
const ENDPOINTS: u64 = 2;

pub(crate) fn run(flags: &Flags) -> anyhow::Result<ExitCode> {
    let config = Config::read(flags)?;
    private_files::create_privately();
    let log = LogOutput::open(config.find(&settings::LOG_FILE)?.as_deref()).context("cannot open the log file")?;
    crate::logging::start_with(&config.get(&settings::LOG)?, config.get(&settings::LOG_FORMAT)?, &log);
    config.warn();
    let control = Control::start(&log, config.get(&settings::STORE_TIMEOUT)?)?;
    let descriptors = Descriptors::raise();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (stop, engine) = runtime.block_on(serve(&config, control, descriptors))?;
    Ok(stop.finish(runtime, engine))
}

async fn serve(
    config: &Config,
    control: Control,
    descriptors: Descriptors,
) -> anyhow::Result<(Stop, Option<Arc<Engine>>)> {
    let paths = config.find(&settings::DESIGNS)?.unwrap_or_default();
    if paths.is_empty() {
        bail!("no designs to serve: name them on the command line, or under `designs` in keyfold.yaml");
    }
    let host = config.get(&settings::HOST)?;
    let development = match config.get(&settings::DEV)? {
        true => Some(Development::start(host)?),
        false => None,
    };
    let tls = tls::from_config(config, host)?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let (identity, trusted_with) = identity::open(config, development.as_ref(), &clock)?;
    let place = place::from_config(config)?;
    let endpoint = Endpoint::from_config(config, &place, tls.as_ref())?;
    ports::require_free(config, endpoint.as_ref())?;
    let OpenBackend { backend, engine, place } = place.open_with(place::engine_options(config)?).await?;
    let mut limits = limits::open(config, &backend, &clock).await?;
    limits.connections = descriptors.connections(limits.connections, ENDPOINTS);
    let budget = Memory::of_this_process().budget(ENDPOINTS);
    (limits.bodies_bytes, limits.responses_bytes) = (budget, budget);
    let opening = designs::Opening { config, backend: &backend, place: &place, limits: &limits };
    let (served, people) = opening.all(&paths, development.is_some()).await?;
    roles::warn_of_shared(&served, &trusted_with);
    let authenticator = Arc::new(identity::for_designs(identity, config, &served, &clock)?);
    let credentials = endpoint.as_ref().and_then(Endpoint::access_keys);
    let reload = Reload { credentials, tls: tls.clone(), identity: Some(Arc::clone(&authenticator)) };
    let change_records = change_records::open(config, &backend, &place, &clock).await?;
    change_records::warn_of_unaudited(&change_records, &served);
    let require_versions = config.get(&settings::REQUIRE_VERSIONS)?;
    let public_docs = config.get(&settings::PUBLIC_DOCS)?;
    let readiness = engine.clone().map(readiness::source);
    let options =
        Options { designs: served, authenticator, limits, require_versions, change_records, public_docs, readiness };
    let api = Api::new(options)?;
    let scheme = tls::scheme(tls.as_deref());
    let mut server = Server::bind(api, SocketAddr::new(host, config.get(&settings::PORT)?)).await?;
    if let Some(tls) = tls {
        server = server.with_tls(tls);
    }
    let endpoint = endpoint::bind(endpoint, descriptors, engine.clone().map(readiness::source)).await?;
    announce::rest(&format!("{scheme}://{}", server.local_addr()), &place, &people);
    announce::dynamodb(scheme, endpoint.as_ref());
    if let Some(development) = &development {
        announce::people(development, &people, clock.now_ms())?;
    }
    let stop = control.supervise(engine.clone(), reload);
    let dynamodb = async {
        if let Some(endpoint) = endpoint {
            endpoint.server.serve(Arc::clone(&backend), stop.clone().wait()).await;
        }
    };
    tokio::join!(server.serve(stop.clone().wait()), dynamodb);
    Ok((stop, engine))
}
