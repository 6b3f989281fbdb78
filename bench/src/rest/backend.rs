//! `keyfold serve` in a process of its own, with the tokens that its development mode prints.

use super::requests::ask;
use crate::{
    Outcome,
    http::server::{Server, free_port},
    process::resident_megabytes,
};
use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// The designs that are served.
pub(crate) const DESIGNS: [&str; 5] = ["agencies", "albums", "archive", "catalogue", "platform"];

#[derive(Debug)]
pub(crate) struct Backend {
    pub(crate) rest: Server,
    /// The DynamoDB endpoint of the same process.
    pub(crate) dynamodb: SocketAddr,
    /// By design and what is said of the person.
    tokens: BTreeMap<(String, String), String>,
    /// From the start of the process to its first answer.
    pub(crate) started_in: Duration,
}

impl Backend {
    /// Starts it on a data folder; sample data is loaded where that is new.
    pub(crate) fn start(name: &'static str, binary: &Path, data: &Path, change_records: bool) -> Outcome<Self> {
        let (port, dynamodb_port) = (free_port()?, free_port()?);
        let switch = if change_records { "on" } else { "off" };
        let mut command = Command::new(binary);
        command.arg("serve").args(DESIGNS.map(|design| format!("designs/{design}"))).arg("--data").arg(data);
        command.args(["--dev", "--audit", switch, "--idempotency", switch]);
        command.args(["--port", &port.to_string(), "--dynamodb-port", &dynamodb_port.to_string()]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let start = Instant::now();
        let mut process = command.spawn().map_err(|error| format!("cannot start {name}: {error}"))?;
        let printed = process.stdout.take().ok_or("no output")?;
        let rest = Server::started(name, process, port);
        let deadline = Duration::from_secs(60);
        while ask(rest.address, "GET", "/healthz", "", "").is_err() {
            if start.elapsed() > deadline {
                return Err(format!("{name} did not answer within {deadline:?}").into());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let started_in = start.elapsed();
        let tokens = tokens_of(printed);
        let dynamodb = SocketAddr::from(([127, 0, 0, 1], dynamodb_port));
        Ok(Self { rest, dynamodb, tokens, started_in })
    }

    /// The token of the first person of a design of whom the development mode says this.
    pub(crate) fn token(&self, design: &str, says: &str) -> Outcome<&str> {
        let found = self.tokens.iter().find(|((of, person), _)| of == design && person.contains(says));
        found.map(|(_, token)| token.as_str()).ok_or_else(|| format!("no token for `{says}` of {design}").into())
    }

    pub(crate) fn megabytes(&self) -> f64 {
        self.rest.process_id().map_or(0.0, resident_megabytes)
    }
}

/// Reads `# design: who` and `TOKEN=…` lines until those of every design are there; the last lines come in one go.
fn tokens_of(printed: impl std::io::Read + Send + 'static) -> BTreeMap<(String, String), String> {
    let (sender, receiver) = std::sync::mpsc::channel();
    // Goes on reading until the process ends, which a full pipe would stop.
    std::thread::spawn(move || {
        let mut person = None;
        for line in BufReader::new(printed).lines().map_while(Result::ok) {
            if let Some((design, says)) = line.strip_prefix("# ").and_then(|line| line.split_once(": ")) {
                person = Some((design.to_owned(), says.to_owned()));
            } else if let (Some(token), Some(person)) = (line.strip_prefix("TOKEN="), person.take()) {
                let _ = sender.send((person, token.to_owned()));
            }
        }
    });
    let mut tokens = BTreeMap::new();
    while let Ok((person, token)) = receiver.recv_timeout(Duration::from_millis(500)) {
        tokens.insert(person, token);
    }
    tokens
}
