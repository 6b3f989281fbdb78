//! Scenarios: data files that say what a design does, run against any backend. Given items, who calls what, and
//! exactly what comes back, what is stored and what it costs.

mod file;
mod run;
mod world;

pub use file::{CallerText, DataFile, Expected, ScenarioFile, Step, Verdict};
pub use run::{Outcome, load_data, run_scenario};
pub use world::{SteppingClock, SteppingRandom};

#[cfg(test)]
mod tests;
