//! `keyfold-conformance --left URL --right URL`: what differs between two DynamoDB endpoints.

use std::collections::HashSet;
use std::error::Error;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use keyfold_conformance::endpoint::Endpoint;
use keyfold_conformance::ledger::Ledger;
use keyfold_conformance::play::{After, Expectations, Player};
use keyfold_conformance::random;
use keyfold_conformance::report::{self, Tally};
use keyfold_conformance::scenario::Scenario;
use keyfold_conformance::scenario_file;
use keyfold_conformance::shorten;
use keyfold_conformance::side::Side;
use keyfold_environment::{Clock, SystemClock};

/// Plays scenarios against two DynamoDB endpoints and prints what differs in results and errors.
#[derive(Parser)]
#[command(name = "keyfold-conformance")]
struct Arguments {
    /// The endpoint to compare with, such as DynamoDB Local.
    #[arg(long, value_name = "URL")]
    left: String,
    /// The endpoint under test. It may be the same as the left one: each side has tables of its own.
    #[arg(long, value_name = "URL")]
    right: String,
    /// Plays every *.json of this folder.
    #[arg(long, value_name = "DIR")]
    scenarios: Option<PathBuf>,
    /// Plays this many random sequences.
    #[arg(long, value_name = "N", default_value_t = 0)]
    random: u64,
    /// The seed of the first random sequence; the next one has the next seed.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Differences that are known, each with its reason.
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,
    /// Plays only scenarios whose name contains this text.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Prints every request with the left side's response.
    #[arg(long)]
    show: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("keyfold-conformance: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether every difference is explained.
fn run(arguments: &Arguments) -> Result<bool, Box<dyn Error>> {
    let mut ledger = match &arguments.ledger {
        Some(path) => Ledger::read(path)?,
        None => Ledger::default(),
    };
    let run = format!("{:x}", SystemClock.now_ms());
    let same = arguments.left == arguments.right;
    let mut player = Player::new(
        Side::new(Endpoint::new(&arguments.left)?, &run, 'l'),
        Side::new(Endpoint::new(&arguments.right)?, &run, 'r'),
        if same { Expectations::Ignored } else { Expectations::Judged },
    );
    let mut out = std::io::stdout().lock();
    let mut tally = Tally::default();
    let mut played = Vec::new();
    // Random sequences run into the same difference again and again: it is printed once.
    let mut printed = HashSet::new();
    let written = written(arguments)?.into_iter().map(|scenario| (scenario, After::GoOn));
    let drawn = (0..arguments.random).map(|i| (random::sequence(arguments.seed.wrapping_add(i)), After::Stop));
    for (scenario, after) in written.chain(drawn) {
        let outcomes = player.play(&scenario, &mut ledger, after)?;
        if arguments.show {
            writeln!(out, "== {}", scenario.name)?;
            for outcome in &outcomes {
                writeln!(out, "{}", report::shown(outcome))?;
            }
        }
        for outcome in outcomes.iter().filter(|outcome| !outcome.unexplained.is_empty()) {
            if after == After::GoOn || printed.insert(format!("{:?}", outcome.unexplained)) {
                writeln!(out, "{}", report::difference(&scenario, outcome))?;
            }
        }
        if let (After::Stop, Some(last)) = (after, outcomes.last())
            && !last.unexplained.is_empty()
            && last.parts_the_sides()
        {
            let short = shorten::shorten(&mut player, &scenario, &outcomes, &mut ledger)?;
            writeln!(out, "{}", report::sequence(&short))?;
        }
        tally.add(&outcomes);
        played.push(scenario.name);
    }
    let all_were_played = arguments.scenarios.is_some() && arguments.only.is_none();
    for line in ledger.stale(&played, all_were_played) {
        writeln!(out, "{}", report::stale(line))?;
        tally.failed += 1;
    }
    writeln!(out, "{} scenarios, {} explained differences", tally.scenarios, tally.explained)?;
    writeln!(out, "{} passed, {} failed", tally.passed, tally.failed)?;
    Ok(tally.failed == 0)
}

fn written(arguments: &Arguments) -> Result<Vec<Scenario>, Box<dyn Error>> {
    let mut scenarios = match &arguments.scenarios {
        Some(folder) => scenario_file::read_folder(folder)?,
        None => Vec::new(),
    };
    if let Some(part) = &arguments.only {
        scenarios.retain(|scenario| scenario.name.contains(part));
    }
    Ok(scenarios)
}
