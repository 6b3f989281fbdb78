//! Runs every workload, interleaved, several rounds, and prints ratios.

use super::{
    backend::Backend,
    requests::{NewItems, ask, rest_bytes},
    sample::{self, Sample},
};
use crate::{
    Outcome,
    http::{
        load::{RequestSource, Throughput},
        request::request_bytes,
        server::Server,
        workload::RequestPool,
    },
    statistics::{markdown, median, thousands},
};
use std::{path::PathBuf, time::Duration};

const CONNECTIONS: usize = 64;

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct RestOptions {
    #[arg(long, default_value_t = 20_000)]
    items: u64,
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Seconds each workload is measured in each round.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// The `keyfold` binary to start.
    #[arg(long, default_value = "target/release/keyfold")]
    keyfold: PathBuf,
    /// Where the data folders are made.
    #[arg(long, default_value = "/tmp")]
    parent: PathBuf,
    /// How often the start of the backend is timed.
    #[arg(long, default_value_t = 9)]
    starts: usize,
}

/// What is measured, and beside what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Workload {
    BareAxum,
    Get,
    WireQuery,
    Query,
    QueryByItem,
    WirePut,
    Create,
    CreateWithRecords,
}

/// A line of the result: a workload, what it is beside, and the least ratio.
struct Compared {
    workload: Workload,
    title: &'static str,
    beside: Workload,
    beside_title: &'static str,
    target: Option<f64>,
}

const COMPARED: [Compared; 5] = [
    Compared {
        workload: Workload::Get,
        title: "GET of an item, authorized by role",
        beside: Workload::BareAxum,
        beside_title: "bare axum, same bytes",
        target: Some(0.5),
    },
    Compared {
        workload: Workload::Query,
        title: "pattern of 20, authorized per pattern",
        beside: Workload::WireQuery,
        beside_title: "Query over DynamoDB's protocol",
        target: Some(0.5),
    },
    Compared {
        workload: Workload::QueryByItem,
        title: "pattern of 20, authorized per item",
        beside: Workload::WireQuery,
        beside_title: "Query over DynamoDB's protocol",
        target: None,
    },
    Compared {
        workload: Workload::Create,
        title: "POST create",
        beside: Workload::WirePut,
        beside_title: "PutItem of the same item",
        target: Some(0.7),
    },
    Compared {
        workload: Workload::CreateWithRecords,
        title: "POST create with audit and Idempotency-Key",
        beside: Workload::WirePut,
        beside_title: "PutItem of the same item",
        target: None,
    },
];

/// In the order in which they run.
const ALL: [Workload; 8] = [
    Workload::BareAxum,
    Workload::Get,
    Workload::WireQuery,
    Workload::Query,
    Workload::QueryByItem,
    Workload::WirePut,
    Workload::Create,
    Workload::CreateWithRecords,
];

struct Bench {
    floor: Server,
    /// Without audit and idempotency.
    plain: Backend,
    plain_wire: Server,
    /// As the plain one, and what is put to its DynamoDB endpoint: each workload that writes has data of its own, and
    /// so pays for no other's merging of files.
    put: Backend,
    put_wire: Server,
    recorded: Backend,
    sample: Sample,
    items: u64,
}

pub(crate) fn run(options: &RestOptions) -> Outcome<()> {
    let folder = tempfile::tempdir_in(&options.parent)?;
    let data = folder.path().join("plain");
    let begin =
        |name, change_records| Backend::start(name, &options.keyfold, &folder.path().join(name), change_records);
    drop(Backend::start("keyfold", &options.keyfold, &data, false)?);
    let mut starts = Vec::new();
    let mut idle = Vec::new();
    for _ in 0..options.starts {
        let backend = Backend::start("keyfold", &options.keyfold, &data, false)?;
        starts.push(backend.started_in.as_secs_f64() * 1000.0);
        idle.push(backend.megabytes());
    }
    let plain = Backend::start("keyfold", &options.keyfold, &data, false)?;
    eprintln!("loading {} licenses", options.items);
    let sample = Sample::load(&plain, options.items)?;
    let put = begin("put", false)?;
    Sample::load(&put, options.items)?;
    let visitor = plain.token("catalogue", "signed in")?.to_owned();
    sample::load_comments(&plain, &visitor, VISITOR)?;
    let answer = folder.path().join("answer.json");
    let operator = plain.token("platform", "operator")?;
    std::fs::write(&answer, ask(plain.rest.address, "GET", &license_path(0), operator, "")?)?;
    let bench = Bench {
        floor: Server::of_this_binary("bare axum", &["axum-floor", "--answer", &answer.to_string_lossy()])?,
        plain_wire: Server::running("DynamoDB endpoint", plain.dynamodb),
        put_wire: Server::running("DynamoDB endpoint of the other", put.dynamodb),
        put,
        recorded: begin("recorded", true)?,
        plain,
        sample,
        items: options.items,
    };
    let length = Duration::from_secs_f64(options.seconds);
    let mut measured: Vec<(Workload, Throughput)> = Vec::new();
    for round in 0..=options.rounds {
        for workload in ALL {
            let throughput = bench.measure(workload, round, length)?;
            eprintln!("round {round}, {workload:?}: {throughput:?}");
            // The first round warms up.
            if round > 0 {
                measured.push((workload, throughput));
            }
        }
    }
    println!("{}", report(&measured));
    println!(
        "start with {} designs: {:.0} ms (median of {}; target 300); idle: {:.0} MB (target 80); after the load: {:.0} MB",
        super::backend::DESIGNS.len(),
        median(&starts),
        starts.len(),
        median(&idle),
        bench.plain.megabytes()
    );
    Ok(())
}

/// The person of `catalogue` who is only signed in.
const VISITOR: &str = "visitor";

fn license_path(number: u64) -> String {
    let account = sample::account(number / sample::PER_PARTITION);
    format!("/v1/platform/licenses/{}?tenant={account}", sample::license(number))
}

impl Bench {
    fn measure(&self, workload: Workload, round: usize, length: Duration) -> Outcome<Throughput> {
        let mut source = self.source(workload, round)?;
        let server = match workload {
            Workload::BareAxum => &self.floor,
            Workload::WireQuery => &self.plain_wire,
            Workload::WirePut => &self.put_wire,
            Workload::Get | Workload::Query | Workload::QueryByItem | Workload::Create => &self.plain.rest,
            Workload::CreateWithRecords => &self.recorded.rest,
        };
        let measured = server.drive(CONNECTIONS, length, source.as_mut());
        // What a workload leaves to be done is not for the next one to wait for.
        for backend in [&self.plain, &self.put, &self.recorded] {
            backend.rest.settle();
        }
        measured.map_err(|error| format!("{workload:?}: {error}").into())
    }

    fn source(&self, workload: Workload, round: usize) -> Outcome<Box<dyn RequestSource>> {
        let seed = round as u64 + 1;
        let operator = self.plain.token("platform", "operator")?;
        let partitions = self.items / sample::PER_PARTITION;
        Ok(match workload {
            Workload::BareAxum | Workload::Get => {
                let get = |number| rest_bytes("GET", &license_path(number), operator, "");
                Box::new(RequestPool::new((0..self.items).map(get).collect(), seed, b"{"))
            }
            Workload::Query => {
                let page = |partition| {
                    let account = sample::account(partition);
                    let path = format!("/v1/platform/patterns/licenses-by-account?accountId={account}&take=25");
                    rest_bytes("GET", &path, operator, "")
                };
                Box::new(RequestPool::new((0..partitions).map(page).collect(), seed, b"\"count\":20"))
            }
            Workload::WireQuery => {
                let query = |partition| {
                    let body = format!(
                        "{{\"TableName\":\"{}\",\"KeyConditionExpression\":\"PK = :pk and begins_with(SK, :sk)\",\
                         \"ExpressionAttributeValues\":{{\":pk\":{{\"S\":\"ACCOUNT#{}\"}},\":sk\":{{\"S\":\"LICENSE#\"}}}}}}",
                        sample::TABLE,
                        sample::account(partition)
                    );
                    request_bytes("127.0.0.1", "Query", &body)
                };
                Box::new(RequestPool::new((0..partitions).map(query).collect(), seed, b"\"Count\":20"))
            }
            Workload::QueryByItem => {
                let token = self.plain.token("catalogue", "signed in")?;
                let path = format!("/v1/catalogue/patterns/my-comments?user={VISITOR}&take=25");
                Box::new(RequestPool::new(vec![rest_bytes("GET", &path, token, "")], seed, b"\"count\":20"))
            }
            Workload::WirePut => {
                let prefix = format!("wir{round:02}");
                Box::new(NewItems::dynamodb("127.0.0.1", sample::TABLE, &self.sample.product, &prefix))
            }
            Workload::Create => {
                let prefix = format!("res{round:02}");
                Box::new(NewItems::rest(PRODUCTS, operator, &self.sample.product_body, "", &prefix))
            }
            Workload::CreateWithRecords => {
                let key = format!("Idempotency-Key: {}\r\n", super::requests::NAME);
                let operator = self.recorded.token("platform", "operator")?;
                let prefix = format!("jou{round:02}");
                Box::new(NewItems::rest(PRODUCTS, operator, &self.sample.product_body, &key, &prefix))
            }
        })
    }
}

const PRODUCTS: &str = "/v1/platform/products";

fn report(measured: &[(Workload, Throughput)]) -> String {
    let middle = |workload: Workload, value: fn(&Throughput) -> f64| {
        let values = measured.iter().filter(|(other, _)| *other == workload).map(|(_, throughput)| value(throughput));
        median(&values.collect::<Vec<_>>())
    };
    let rows: Vec<Vec<String>> = COMPARED
        .iter()
        .map(|line| {
            let own = middle(line.workload, |throughput| throughput.per_second);
            let other = middle(line.beside, |throughput| throughput.per_second);
            let ratio = own / other;
            let met = line.target.map(|least| if ratio >= least { "yes" } else { "**no**" });
            vec![
                line.title.to_owned(),
                thousands(own),
                format!("{:.2}", middle(line.workload, |throughput| throughput.p50)),
                format!("{:.2}", middle(line.workload, |throughput| throughput.p99)),
                format!("{:.0}", middle(line.workload, |throughput| throughput.cpu)),
                format!("{}: {}", line.beside_title, thousands(other)),
                format!("{ratio:.2}"),
                line.target.map(|least| format!("{least} ×")).unwrap_or_default(),
                met.unwrap_or_default().to_owned(),
            ]
        })
        .collect();
    let header = ["", "requests/s", "p50 ms", "p99 ms", "CPU µs", "reference, requests/s", "ratio", "target", "met"];
    markdown(&header, &rows)
}
