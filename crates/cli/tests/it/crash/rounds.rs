//! Round after round on one data folder: write, crash, restart, audit.

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use keyfold_conformance::Endpoint;
use keyfold_power_loss::{RolledBack, Watch, roll_back, roll_back_in_part};
use serde_json::json;

use super::audit::{Findings, audit};
use super::ledger::{Ledger, shared_items};
use super::randomness::Random;
use super::server::{Launch, Server, check};
use super::table::{self, TABLE};

/// What a crash takes away.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Crash {
    /// The process: what the kernel has, it keeps.
    Process,
    /// The power: what was not synced is gone.
    Power,
    /// The power, when the disk had already written some of what was not synced, in any order.
    PowerAmidWriting,
}

pub(crate) struct Rounds {
    crash: Crash,
    options: Vec<&'static str>,
    random: Random,
    ledger: Ledger,
    /// Holds the data folder, the server's output and the power-loss log.
    space: tempfile::TempDir,
    /// How many servers were started.
    starts: usize,
    rolled_back: RolledBack,
}

/// Whether the long form of a test was asked for.
pub(crate) fn is_long_run() -> bool {
    std::env::var("KEYFOLD_LONG").is_ok_and(|value| value == "1")
}

impl Rounds {
    pub(crate) fn new(crash: Crash, options: &[&'static str], seed: u64) -> Self {
        let mut random = Random::new(seed);
        let rounds = Self {
            crash,
            options: options.to_vec(),
            ledger: Ledger::new(&mut random),
            random,
            space: tempfile::tempdir().expect("a temporary folder"),
            starts: 0,
            rolled_back: RolledBack::default(),
        };
        std::fs::create_dir(rounds.data()).expect("the data folder");
        rounds
    }

    /// Plays all rounds and asserts after each that nothing is wrong.
    pub(crate) fn play(&mut self, count: usize) {
        let mut total = 0;
        for round in 0..count {
            let acknowledged = self.write_and_crash(round);
            total += acknowledged;
            if self.random.below(4) == 0 {
                self.crash_while_opening();
            }
            // Checking recovers the store as opening does, so most rounds leave that to the server.
            if self.random.below(4) == 0 {
                check(&self.data());
            }
            let findings = self.restart_and_audit();
            assert!(findings.is_clean(), "after round {round} of {count}: {}", described(&findings));
        }
        assert!(total > 0, "nothing was written");
        println!("{count} rounds, {total} acknowledged writes, {} starts, {:?}", self.starts, self.rolled_back);
        self.stop_and_check();
    }

    /// Starts later servers with other options.
    pub(crate) fn serve_with(&mut self, options: &[&'static str]) {
        self.options = options.to_vec();
    }

    /// Writes from all writers for a while and crashes; returns how many writes were acknowledged.
    pub(crate) fn write_and_crash(&mut self, round: usize) -> u64 {
        // Mostly a second or two; sometimes hardly any time at all.
        let milliseconds =
            if self.random.below(5) == 0 { self.random.between(30, 200) } else { self.random.between(300, 2500) };
        self.write_for(Duration::from_millis(milliseconds), round)
    }

    pub(crate) fn write_for(&mut self, lifetime: Duration, round: usize) -> u64 {
        let watch = self.watch();
        let mut server = self.start(watch.as_ref());
        let opened = server.wait_until_ready();
        if round == 0 {
            prepare(&server.endpoint());
        }
        let endpoint = server.endpoint();
        let wrong: Vec<String> = thread::scope(|scope| {
            let endpoint = &endpoint;
            let writers: Vec<_> = self
                .ledger
                .writers
                .iter_mut()
                .map(|writer| scope.spawn(move || writer.write_until_disconnected(endpoint)))
                .collect();
            thread::sleep(lifetime);
            server.kill();
            writers.into_iter().filter_map(|writer| writer.join().expect("a writer").err()).collect()
        });
        assert!(wrong.is_empty(), "round {round}: {wrong:#?}");
        let acknowledged = self.ledger.acknowledged();
        let lost = self.lose_power(watch);
        println!("round {round}: open in {opened:?}, {acknowledged} acknowledged in {lifetime:?}{lost}");
        acknowledged
    }

    /// Recovery must survive a crash of its own.
    fn crash_while_opening(&mut self) {
        let watch = self.watch();
        let mut server = self.start(watch.as_ref());
        thread::sleep(Duration::from_millis(self.random.between(1, 80)));
        server.kill();
        if watch.as_ref().is_none_or(Watch::has_begun) {
            self.lose_power(watch);
        } else {
            // Killed before the library was loaded: nothing has happened yet.
            std::fs::remove_dir_all(self.log()).expect("the unused log");
        }
    }

    pub(crate) fn restart_and_audit(&mut self) -> Findings {
        let mut server = self.start(None);
        server.wait_until_ready();
        let started = Instant::now();
        let findings = audit(&server.endpoint(), &mut self.ledger);
        println!("  audited in {:?}", started.elapsed());
        server.kill();
        findings
    }

    fn stop_and_check(&mut self) {
        let mut server = self.start(None);
        server.wait_until_ready();
        let status = server.stop();
        assert!(status.success(), "a stopped server ended with {status}");
        check(&self.data());
    }

    fn start(&mut self, watch: Option<&Watch>) -> Server {
        self.starts += 1;
        Launch { data: &self.data(), output: &self.space.path().join("output"), options: &self.options, watch }.start()
    }

    fn data(&self) -> PathBuf {
        self.space.path().join("data")
    }

    fn log(&self) -> PathBuf {
        self.space.path().join("power-loss")
    }

    fn watch(&self) -> Option<Watch> {
        (self.crash != Crash::Process)
            .then(|| Watch::new(&self.data(), &self.log()).expect("a watch on the data folder"))
    }

    /// Takes from the folder what was not synced; returns a note for the reader.
    fn lose_power(&mut self, watch: Option<Watch>) -> String {
        let Some(watch) = watch else { return String::new() };
        let lost = match self.crash {
            Crash::PowerAmidWriting => roll_back_in_part(self.random.next(), watch.log(), &self.data()),
            _ => roll_back(watch.log(), &self.data()),
        }
        .expect("roll the data folder back");
        self.rolled_back.content_changes += lost.content_changes;
        self.rolled_back.entry_changes += lost.entry_changes;
        format!(", lost {} changes of files and {} of folders", lost.content_changes, lost.entry_changes)
    }
}

/// Makes the table and its shared items.
pub(crate) fn prepare(endpoint: &Endpoint) {
    table::create(endpoint);
    for item in shared_items() {
        table::must(endpoint, "PutItem", &json!({"TableName": TABLE, "Item": item}));
    }
}

/// The first of each kind: one fault may show in thousands of items.
fn described(findings: &Findings) -> String {
    let first = |kind: &str, all: &[String]| {
        let shown: Vec<&str> = all.iter().take(10).map(String::as_str).collect();
        format!("{} {kind}:\n  {}\n", all.len(), shown.join("\n  "))
    };
    first("lost", &findings.lost) + &first("inconsistent", &findings.inconsistent)
}
