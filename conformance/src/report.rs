//! Prints what differed.

use std::fmt::Write as _;

use serde_json::Value;

use crate::compare;
use crate::ledger::Line;
use crate::play::Outcome;
use crate::scenario::Scenario;

const SHOWN_LENGTH: usize = 1500;

/// What all played steps add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub scenarios: usize,
    pub passed: usize,
    pub failed: usize,
    pub explained: usize,
}

impl Tally {
    pub fn add(&mut self, outcomes: &[Outcome]) {
        self.scenarios += 1;
        for outcome in outcomes {
            if outcome.unexplained.is_empty() {
                self.passed += 1;
            } else {
                self.failed += 1;
            }
            self.explained += outcome.explained.len();
        }
    }
}

/// A step that differed: where, the request, both responses and each difference.
#[must_use]
pub fn difference(scenario: &Scenario, outcome: &Outcome) -> String {
    let step = &outcome.step;
    let mut text = format!("DIFFERENT {} ({})\n", scenario.name, scenario.origin);
    let _ = writeln!(text, "  step    {}", step.label);
    let _ = writeln!(text, "  request {} {}", step.action.operation(), shortened(&step.action.request_text()));
    let _ = writeln!(text, "  left    {}", shortened(&response(&outcome.left)));
    let _ = writeln!(text, "  right   {}", shortened(&response(&outcome.right)));
    for difference in &outcome.unexplained {
        let _ = writeln!(text, "  at {}", difference.path);
        let _ = writeln!(text, "    - {}", shortened(&difference.left));
        let _ = writeln!(text, "    + {}", shortened(&difference.right));
    }
    text
}

/// A step and the left side's response on two lines, for reading what a server does.
#[must_use]
pub fn shown(outcome: &Outcome) -> String {
    let step = &outcome.step;
    format!(
        "{}\n  > {} {}\n  < {}\n",
        step.label,
        step.action.operation(),
        shortened(&step.action.request_text()),
        shortened(&response(&outcome.left))
    )
}

/// The steps of a shortened sequence, as they would stand in a scenario file.
#[must_use]
pub fn sequence(scenario: &Scenario) -> String {
    let mut text = format!("  {} steps that show it:\n", scenario.steps.len());
    for step in &scenario.steps {
        let operation = step.action.operation();
        let _ = writeln!(text, "    {{\"op\": \"{operation}\", \"request\": {}}}", step.action.request_text());
    }
    text
}

/// A line of the ledger that explained nothing.
#[must_use]
pub fn stale(line: &Line) -> String {
    format!(
        "STALE the ledger explains a difference that does not occur any more\n  scenario {}\n  step     {}\n  path     {}\n  left     {}\n  right    {}\n",
        line.scenario, line.step, line.path, line.left, line.right
    )
}

fn response(normalized: &Value) -> String {
    let outcome = compare::outcome(normalized);
    match normalized.get("body") {
        Some(body) if outcome == "200" => format!("200 {body}"),
        Some(body) if body.as_object().is_some_and(|members| members.len() > 2) => format!("{outcome} {body}"),
        Some(Value::String(text)) => format!("{outcome} {text}"),
        _ => outcome,
    }
}

/// Text for one line of a terminal.
fn shortened(text: &str) -> String {
    let text = text.replace(char::is_control, "\u{fffd}");
    let length = text.chars().count();
    if length <= SHOWN_LENGTH {
        return text;
    }
    let start: String = text.chars().take(SHOWN_LENGTH).collect();
    format!("{start}… ({length} characters)")
}
