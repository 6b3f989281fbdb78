//! Scenarios: data files that say what a design does, run against any backend. Given items, who calls what, and
//! exactly what comes back, what is stored and what it costs.

mod arguments;
mod budgets;
mod examples;
mod file;
mod run;

pub use budgets::{BudgetReport, check_budgets};
pub use examples::examples;
pub use file::{CallerText, DataFile, Expected, Named, Scenario, ScenarioFile, Step, Verdict};
pub use run::{Outcome, load_data, run_scenario};
