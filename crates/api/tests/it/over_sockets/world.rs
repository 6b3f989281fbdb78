//! A server with the five designs on one engine, and callers who need no token to be believed.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};

use http::request::Parts;
use keyfold_api::change_records::{ChangeRecordSettings, ChangeRecords};
use keyfold_api::identity::sample_people;
use keyfold_api::{
    Api, Authenticating, Authenticator, CredentialKind, Limits, Options, Principal, ServedDesign, Server,
    Unauthenticated, Unservable,
};
use keyfold_design::Design;
use keyfold_design::model::EntityId;
use keyfold_dynamo::operation::{
    DeleteItemInput, GetItemInput, GetItemOutput, PageOutput, PutItemInput, QueryInput, ScanInput,
    TransactWriteItemsInput, TransactWriteItemsOutput, UpdateItemInput, WriteOutput,
};
use keyfold_dynamo::{Attributes, Backend, BackendFuture, ForwardingBackend};
use keyfold_engine::Engine;
use keyfold_environment::{Clock, ManualClock, SeededRandom};
use keyfold_policy::Policies;
use keyfold_runtime::scenario::{DataFile, load_data};
use keyfold_runtime::{AccessScope, Caller};
use tokio::sync::oneshot;

use crate::over_sockets::client::Client;

pub(super) const DESIGNS: [&str; 5] = ["agencies", "platform", "albums", "archive", "catalogue"];

pub(super) struct World {
    pub address: SocketAddr,
    pub client: Client,
    pub designs: Vec<(Arc<Design>, Arc<dyn Backend>)>,
    pub recorded: Arc<Recorded>,
    /// Stores the records of changes.
    pub clock: Arc<ManualClock>,
    stop: Option<oneshot::Sender<()>>,
    serving: tokio::task::JoinHandle<()>,
}

/// The engine, with the operations on the tables of designs. Those on the audit log alone are left out: some of them
/// are made in the background.
pub(super) struct Recorded {
    engine: Engine,
    operations: Mutex<Vec<&'static str>>,
}

impl Recorded {
    fn record<'t>(&self, operation: &'static str, tables: impl IntoIterator<Item = &'t str>) {
        let audit_log = ChangeRecordSettings::default().table;
        if tables.into_iter().any(|table| table != audit_log) {
            self.operations.lock().unwrap().push(operation);
        }
    }

    /// The operations since they were taken last.
    pub(super) fn take(&self) -> Vec<&'static str> {
        std::mem::take(&mut self.operations.lock().unwrap())
    }
}

macro_rules! recorded {
    ($($method:ident, $input:ty, $output:ty;)*) => {
        $(fn $method(&self, input: $input) -> BackendFuture<'_, $output> {
            self.record(stringify!($method), [input.table_name.as_str()]);
            self.engine.$method(input)
        })*
    };
}

impl ForwardingBackend for Recorded {
    fn inner(&self) -> &dyn Backend {
        &self.engine
    }

    recorded! {
        get_item, GetItemInput, GetItemOutput;
        query, QueryInput, PageOutput;
        scan, ScanInput, PageOutput;
        put_item, PutItemInput, WriteOutput;
        update_item, UpdateItemInput, WriteOutput;
        delete_item, DeleteItemInput, WriteOutput;
    }

    fn transact_write_items(&self, input: TransactWriteItemsInput) -> BackendFuture<'_, TransactWriteItemsOutput> {
        self.record("transact_write_items", input.writes.iter().map(|write| write.table_name.as_str()));
        self.engine.transact_write_items(input)
    }
}

/// A design, with its policy files and sample data.
struct Source {
    text: String,
    policies: Vec<(String, String)>,
    data: Option<DataFile>,
}

impl Source {
    fn shipped(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../designs").join(name);
        let text = std::fs::read_to_string(folder.join("design.yaml")).unwrap();
        let data = serde_saphyr::from_str(&std::fs::read_to_string(folder.join("data.yaml")).unwrap()).unwrap();
        Self { text, policies: Vec::new(), data: Some(data) }
    }
}

/// What is other than usual about a server.
pub(super) struct Setting {
    pub limits: Limits,
    pub require_versions: bool,
    pub change_records: Option<ChangeRecordSettings>,
    pub public_docs: bool,
    pub readiness: Option<keyfold_connections::ReadinessSource>,
    /// Believes callers if absent.
    pub authenticator: Option<Arc<dyn Authenticator>>,
    /// Whether the designs are served as in development mode, with the sample people.
    pub is_in_development: bool,
    /// The clock of the designs; one that stands still if absent.
    pub clock: Option<Arc<dyn Clock>>,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            require_versions: false,
            change_records: None,
            public_docs: true,
            readiness: None,
            authenticator: None,
            is_in_development: false,
            clock: None,
        }
    }
}

/// Believes `Authorization: Test subject=ada;tenant=northwind;role=admin`.
struct Believing;

impl Authenticator for Believing {
    fn authenticate<'a>(&'a self, parts: &'a Parts) -> Authenticating<'a> {
        Box::pin(async move {
            let Some(header) = parts.headers.get("authorization") else { return Ok(Principal::default()) };
            let text = header.to_str().unwrap();
            let Some(text) = text.strip_prefix("Test ") else {
                return Err(Unauthenticated { reason: "the token does not count".to_owned(), temporary: false });
            };
            Ok(Principal { caller: caller(text).into(), kind: CredentialKind::Token, ..Principal::default() })
        })
    }
}

/// `subject=ada;tenant=northwind;role=admin`; nobody for an empty text.
pub(super) fn caller(text: &str) -> Caller {
    let mut caller = Caller::default();
    for part in text.split(';').filter(|part| !part.is_empty()) {
        match part.split_once('=').unwrap() {
            ("subject", subject) => caller.subject = Some(subject.to_owned()),
            ("tenant", tenant) => caller.tenant = Some(tenant.to_owned()),
            ("role", role) => caller.roles.push(role.to_owned()),
            ("scope", scopes) => caller.scope = Some(Arc::new(AccessScope::parse(scopes.split(',')).unwrap())),
            other => panic!("{other:?}"),
        }
    }
    caller
}

/// The role that acts on the whole platform.
pub(super) fn operator(design: &str) -> &'static str {
    match design {
        "archive" => "subject=olga;role=admin",
        "catalogue" => "subject=olga;role=SuperAdmin",
        _ => "subject=olga;role=operator",
    }
}

impl World {
    pub(super) async fn start() -> Self {
        Self::with(&DESIGNS, Limits::default(), false).await
    }

    pub(super) async fn with(names: &[&str], limits: Limits, require_versions: bool) -> Self {
        Self::made(names, Setting { limits, require_versions, ..Setting::default() }).await
    }

    /// With idempotency and an audit log.
    pub(super) async fn with_change_records(names: &[&str], settings: ChangeRecordSettings) -> Self {
        Self::made(names, Setting { change_records: Some(settings), ..Setting::default() }).await
    }

    pub(super) async fn made(names: &[&str], setting: Setting) -> Self {
        Self::try_made(names, setting).await.unwrap()
    }

    /// Fails where the designs cannot be served with these settings.
    pub(super) async fn try_made(names: &[&str], setting: Setting) -> Result<Self, Unservable> {
        Self::serving(names.iter().map(|name| Source::shipped(name)).collect(), setting).await
    }

    /// With a design of a test, and policy files for it.
    pub(super) async fn custom(text: &str, policies: &[(&str, &str)], setting: Setting) -> Self {
        let policies = policies.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        Self::serving(vec![Source { text: text.to_owned(), policies, data: None }], setting).await.unwrap()
    }

    async fn serving(sources: Vec<Source>, setting: Setting) -> Result<Self, Unservable> {
        let Setting {
            limits,
            require_versions,
            change_records,
            public_docs,
            readiness,
            authenticator,
            is_in_development,
            clock: design_clock,
        } = setting;
        let engine = keyfold_engine::Options { sweep_interval: None, ..Default::default() };
        let engine = Engine::in_memory(engine).unwrap();
        let recorded = Arc::new(Recorded { engine, operations: Mutex::default() });
        let backend: Arc<dyn Backend> = Arc::clone(&recorded) as _;
        let clock = Arc::new(ManualClock::default());
        let random = Arc::new(SeededRandom::default());
        let mut designs = Vec::new();
        let mut served = Vec::new();
        for Source { text, policies, data } in sources {
            let design = Arc::new(Design::load("design.yaml", &text).unwrap().0);
            let policies = Arc::new(Policies::compile(&design, &text, &policies).unwrap());
            let options = keyfold_runtime::Options {
                clock: design_clock.clone().unwrap_or_else(|| Arc::new(ManualClock::default())),
                random: Arc::clone(&random) as _,
                cursor_secret: vec![7; 32],
                ..keyfold_runtime::Options::standard(&design).unwrap()
            };
            let mut one =
                ServedDesign::new(Arc::clone(&design), Arc::clone(&backend), policies, options, &limits).unwrap();
            one.runtime().create_table().await.unwrap();
            if is_in_development {
                one.develop(&sample_people(&design, data.as_ref()));
            }
            if let Some(data) = data {
                load_data(one.runtime(), &data, &|_| {}).await.unwrap();
            }
            designs.push((design, Arc::clone(&backend)));
            served.push(one);
        }
        let change_records = match change_records {
            Some(settings) => ChangeRecords::open(backend, settings, Arc::clone(&clock) as _, random).await.unwrap(),
            None => ChangeRecords::off(),
        };
        let authenticator = authenticator.unwrap_or_else(|| Arc::new(Believing));
        let api = Api::new(Options {
            designs: served,
            authenticator,
            limits,
            require_versions,
            change_records,
            public_docs,
            readiness,
        })?;
        let server = Server::bind(api, "127.0.0.1:0".parse().unwrap()).await.unwrap();
        let address = server.local_addr();
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(server.serve(async move {
            let _ = stopped.await;
        }));
        Ok(Self { address, client: Client::new(address), designs, recorded, clock, stop: Some(stop), serving })
    }

    /// Asks the server to stop; it has when the answer is there.
    pub(super) async fn stop(mut self) {
        let _ = self.stop.take().unwrap().send(());
        self.serving.await.unwrap();
    }

    pub(super) fn ask_to_stop(&mut self) {
        let _ = self.stop.take().unwrap().send(());
    }

    pub(super) fn design(&self, name: &str) -> &(Arc<Design>, Arc<dyn Backend>) {
        self.designs.iter().find(|(design, _)| design.name == name).unwrap()
    }

    /// Every stored item of a design, as it is stored.
    pub(super) async fn stored(&self, name: &str) -> Vec<Attributes> {
        self.table(&self.design(name).0.table.name).await
    }

    /// The stored responses and the entries of the audit log.
    pub(super) async fn change_records(&self) -> Vec<Attributes> {
        let mut items = self.table(&ChangeRecordSettings::default().table).await;
        items.retain(|item| !item["PK"].as_str().unwrap().starts_with("CHAIN"));
        items
    }

    async fn table(&self, name: &str) -> Vec<Attributes> {
        let input = ScanInput { table_name: name.to_owned(), ..ScanInput::default() };
        let backend = &self.designs[0].1;
        let page = backend.scan(input).await.unwrap();
        assert_eq!(page.last_evaluated_key, None);
        page.items.unwrap().iter().map(|item| item.attributes().unwrap().clone()).collect()
    }

    /// Undoes what was done to a design's table.
    pub(super) async fn put_back(&self, name: &str, items: &[Attributes]) {
        let (design, backend) = self.design(name);
        let table_name = &design.table.name;
        let is_key = |name: &String| design.is_table_key(name);
        let key = |item: &Attributes| -> Attributes {
            item.iter().filter(|(name, _)| is_key(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        let now = self.stored(name).await;
        for item in now.iter().filter(|item| !items.iter().any(|other| key(other) == key(item))) {
            let input = DeleteItemInput { table_name: table_name.clone(), key: key(item), ..Default::default() };
            backend.delete_item(input).await.unwrap();
        }
        for item in items.iter().filter(|item| !now.contains(item)) {
            let input = PutItemInput { table_name: table_name.clone(), item: item.clone(), ..Default::default() };
            backend.put_item(input).await.unwrap();
        }
        assert_eq!(self.stored(name).await, items);
    }

    /// Every stored item that is an entity's, with what its keys tell.
    pub(super) async fn items(&self, name: &str) -> Vec<(EntityId, Attributes)> {
        let design = Arc::clone(&self.design(name).0);
        let mut items = Vec::new();
        for stored in self.stored(name).await {
            let Some(id) = design.recognize(&stored) else { continue };
            let entity = &design[id];
            let mut attributes = stored.clone();
            for (name, value) in entity.read_keys(&stored).unwrap() {
                attributes.entry(name).or_insert(value);
            }
            items.push((id, attributes));
        }
        items
    }
}
