//! Scenarios: executable examples of a design, run against any backend. Each has given items and steps; a step is a
//! call with its caller, the expected response, the expected items of the table and the expected cost.

mod arguments;
mod budgets;
mod examples;
mod file;
mod run;

pub use budgets::{BudgetReport, check_budgets};
pub use examples::examples;
pub use file::{CallerText, DataFile, Expected, Named, Scenario, ScenarioFile, Step, Verdict};
pub use run::{DataError, Outcome, load_data, run_scenario};
