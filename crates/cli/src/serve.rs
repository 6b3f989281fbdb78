//! `keyfold serve`: designs as a running backend, over REST.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::{Context, bail};
use keyfold_api::identity::{ClaimSettings, Development, Identity, KeySettings, Person, TokenSettings, people_of};
use keyfold_api::journal::Journal;
use keyfold_api::{Api, Limits, Options, ServedDesign, Server};
use keyfold_dynamo::Backend;
use keyfold_runtime::scenario::load_data;
use keyfold_runtime::{Clock, SystemClock};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::backend::{BackendArguments, BackendPlace, OpenBackend};
use crate::design::{Place, cursor_secret, refuse_unfit};

#[derive(clap::Args)]
pub struct Arguments {
    /// The designs: files, or folders with a design.yaml, policies/*.cedar and sample data
    #[arg(value_name = "DESIGN", required = true)]
    designs: Vec<PathBuf>,
    #[command(flatten)]
    backend: BackendArguments,
    /// The address to listen on
    #[arg(long, env = "KEYFOLD_HOST", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// The port of the REST backend; 0 lets the system choose one
    #[arg(long, env = "KEYFOLD_PORT", default_value_t = 8080)]
    port: u16,
    /// The port of the DynamoDB endpoint beside it, on loopback, where the embedded engine is used; `none` for no such
    /// endpoint
    #[arg(long, env = "KEYFOLD_DYNAMODB_PORT", default_value = "8000", value_parser = port_or_none)]
    dynamodb_port: PortOrNone,
    /// Make tokens for sample people, print them, and load sample data into new tables. On loopback only, and not for
    /// production
    #[arg(long, conflicts_with_all = ["jwks", "token_secret"])]
    dev: bool,
    /// Where the keys are that tokens are checked with: an https:// address, or a file
    #[arg(long, value_name = "URL|FILE", env = "KEYFOLD_JWKS", conflicts_with = "token_secret", requires_all = ["issuer", "audience"])]
    jwks: Option<String>,
    /// A file with the secret that tokens are signed with
    #[arg(long, value_name = "FILE", env = "KEYFOLD_TOKEN_SECRET_FILE", requires_all = ["issuer", "audience"])]
    token_secret: Option<PathBuf>,
    /// Who has to have issued a token
    #[arg(long, env = "KEYFOLD_ISSUER")]
    issuer: Option<String>,
    /// Whom a token has to be for; one of several
    #[arg(long, env = "KEYFOLD_AUDIENCE", value_delimiter = ',')]
    audience: Vec<String>,
    /// The claim with the tenant; `a.b` is the claim b of the claim a
    #[arg(long, env = "KEYFOLD_TENANT_CLAIM", default_value = "tenant")]
    tenant_claim: String,
    /// The claims with the roles
    #[arg(long, env = "KEYFOLD_ROLE_CLAIMS", default_value = "roles", value_delimiter = ',')]
    role_claims: Vec<String>,
    /// The file with the hashed keys of machines
    #[arg(long, value_name = "FILE", env = "KEYFOLD_MACHINE_KEYS")]
    machine_keys: Option<PathBuf>,
    /// Refuse changes of items with a version that do not name one in If-Match
    #[arg(long, env = "KEYFOLD_DEMAND_VERSIONS")]
    demand_versions: bool,
}

#[derive(Debug, Clone, Copy)]
struct PortOrNone(Option<u16>);

fn port_or_none(text: &str) -> Result<PortOrNone, String> {
    match text {
        "none" => Ok(PortOrNone(None)),
        text => text.parse().map(|port| PortOrNone(Some(port))).map_err(|_| "a port, or `none`".to_owned()),
    }
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let backend = runtime.block_on(serve(arguments))?;
    drop(runtime);
    // The last owner: everything committed is on disk once the engine is closed.
    drop(backend);
    eprintln!("keyfold: stopped");
    Ok(ExitCode::SUCCESS)
}

async fn serve(arguments: &Arguments) -> anyhow::Result<Arc<dyn Backend>> {
    let development = match arguments.dev {
        true => Some(Development::start(arguments.host)?),
        false => None,
    };
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let tokens = match &development {
        Some(development) => Some(development.settings()),
        None => arguments.tokens()?,
    };
    if tokens.is_none() && arguments.machine_keys.is_none() {
        bail!("nobody could show who they are: give --dev, or --jwks, --token-secret or --machine-keys");
    }
    let identity = Identity::new(tokens, arguments.machine_keys.as_deref(), Arc::clone(&clock))?;
    let OpenBackend { backend, place } = arguments.backend.open().await?;
    let limits = Limits::default();
    let mut served = Vec::new();
    let mut people = Vec::new();
    for path in &arguments.designs {
        let one = open_design(path, &backend, &place, &limits).await?;
        let found = prepare(&one, path, &place, arguments.dev).await?;
        people.push((one.design().name.clone(), found));
        served.push(one);
    }
    let authenticator = Arc::new(identity);
    let demand_versions = arguments.demand_versions;
    let options = Options { designs: served, authenticator, limits, demand_versions, journal: Journal::off() };
    let api = Api::new(options)?;
    let server = Server::bind(api, SocketAddr::new(arguments.host, arguments.port)).await?;
    let endpoint = match (&place, arguments.dynamodb_port) {
        (BackendPlace::Folder(_), PortOrNone(Some(port))) => Some(dynamodb_endpoint(port).await?),
        _ => None,
    };
    announce(&server, endpoint.as_ref(), &place, &people);
    if let Some(development) = &development {
        tell_people(development, &people, clock.now_ms())?;
    }
    let stop = stop_signal()?;
    let beside = async {
        if let Some(endpoint) = endpoint {
            endpoint.serve(Arc::clone(&backend), stopped(stop.clone())).await;
        }
    };
    tokio::join!(server.serve(stopped(stop.clone())), beside);
    Ok(backend)
}

impl Arguments {
    fn tokens(&self) -> anyhow::Result<Option<TokenSettings>> {
        let keys = match (&self.jwks, &self.token_secret) {
            (Some(address), _) if address.contains("://") => {
                KeySettings::Url(address.parse().with_context(|| format!("`{address}` is no address"))?)
            }
            (Some(file), _) => KeySettings::File(file.into()),
            (None, Some(file)) => {
                let secret = std::fs::read(file).with_context(|| format!("`{}` cannot be read", file.display()))?;
                KeySettings::Secret(secret.trim_ascii_end().to_vec())
            }
            (None, None) => return Ok(None),
        };
        let claims = ClaimSettings {
            tenant: self.tenant_claim.clone(),
            roles: self.role_claims.clone(),
            ..ClaimSettings::default()
        };
        Ok(Some(TokenSettings {
            keys,
            issuer: self.issuer.clone().unwrap_or_default(),
            audience: self.audience.clone(),
            algorithms: Vec::new(),
            clock_skew_seconds: 30,
            claims,
        }))
    }
}

async fn open_design(
    path: &Path,
    backend: &Arc<dyn Backend>,
    place: &BackendPlace,
    limits: &Limits,
) -> anyhow::Result<ServedDesign> {
    let found = Place::open(path)?;
    refuse_unfit(&found.design, place)?;
    let policies = found.policies()?;
    for warning in policies.warnings() {
        eprintln!("keyfold: {}: {warning}", found.design.name);
    }
    for rule in policies.public_rules() {
        say!("keyfold: {}: open to everyone, also without a token: {rule}", found.design.name);
    }
    let mut options = keyfold_runtime::Options::standard(&found.design);
    options.cursor_secret = cursor_secret(place)?;
    Ok(ServedDesign::new(Arc::clone(&found.design), Arc::clone(backend), Arc::new(policies), options, limits)?)
}

/// Creates the table where there is none: on the embedded engine always, elsewhere nobody asked for that. In the development
/// mode a new table gets the sample data.
async fn prepare(served: &ServedDesign, path: &Path, place: &BackendPlace, dev: bool) -> anyhow::Result<Vec<Person>> {
    let data = Place::open(path)?.data()?;
    if let BackendPlace::Folder(_) = place {
        let created = served.runtime().create_table().await?;
        if let (true, true, Some(data)) = (created, dev, &data) {
            let count = load_data(served.runtime(), data, &|_| {}).await;
            let count = count.with_context(|| format!("the sample data of `{}` does not fit", served.design().name))?;
            say!("keyfold: {}: {count} sample items loaded", served.design().name);
        }
    }
    Ok(if dev { people_of(served.design(), data.as_ref()) } else { Vec::new() })
}

/// DynamoDB's protocol in front of the same engine, on loopback, for every caller.
async fn dynamodb_endpoint(port: u16) -> anyhow::Result<keyfold_wire::Server> {
    let mut request_id_seed = [0u8; 16];
    getrandom::fill(&mut request_id_seed).map_err(|error| anyhow::anyhow!("no randomness: {error}"))?;
    let config = keyfold_wire::Config {
        address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port),
        credentials: keyfold_wire::Credentials::AnyOnLoopback,
        limits: keyfold_wire::Limits::default(),
        region: "us-east-1".to_owned(),
        clock: Arc::new(SystemTime::now),
        request_id_seed,
    };
    Ok(keyfold_wire::Server::bind(config).await?)
}

fn announce(
    server: &Server,
    endpoint: Option<&keyfold_wire::Server>,
    place: &BackendPlace,
    designs: &[(String, Vec<Person>)],
) {
    let address = server.local_addr();
    say!("keyfold: REST backend at http://{address} on {place}");
    for (name, _) in designs {
        say!("         {name:<12} http://{address}/v1/{name}/docs");
    }
    if let Some(endpoint) = endpoint {
        say!("keyfold: DynamoDB endpoint at http://{}, for every caller on this machine", endpoint.local_addr());
    }
}

fn tell_people(development: &Development, designs: &[(String, Vec<Person>)], now_ms: u64) -> anyhow::Result<()> {
    say!("keyfold: development mode, on loopback only. Not for production: everyone who reads this can be anyone.");
    say!("         Tokens for 12 hours: curl -H \"Authorization: Bearer $TOKEN\" …");
    for (name, people) in designs {
        for person in people {
            say!("\n# {name}: {}\nTOKEN={}", person.says, development.token(person, now_ms)?);
        }
    }
    Ok(())
}

/// Becomes true when the process is asked to stop.
fn stop_signal() -> anyhow::Result<watch::Receiver<bool>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let (sender, receiver) = watch::channel(false);
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        eprintln!("keyfold: stopping; requests in flight may finish");
        sender.send_replace(true);
        // Kept until the end, so that nobody takes its going for a signal.
        std::future::pending::<()>().await;
    });
    Ok(receiver)
}

async fn stopped(mut stop: watch::Receiver<bool>) {
    // An error means that nobody can ask any more.
    let _ = stop.wait_for(|stop| *stop).await;
}
