//! Plays a scenario on two sides and compares step by step.

use serde_json::{Map, Value};

use crate::compare::{self, Difference};
use crate::endpoint::{self, EndpointError, Response};
use crate::index_keys::IndexKeys;
use crate::ledger::Ledger;
use crate::normalize::{self, Order};
use crate::scenario::{Action, Paging, Scenario, Step};
use crate::side::Side;

/// A scan that does not end is a difference too; this is where reading stops.
const MOST_PAGES: usize = 2000;

pub struct Player {
    left: Side,
    right: Side,
    expectations: Expectations,
}

/// Whether the right side must also do what a scenario expects. A server compared with itself only shows whether the
/// normalization is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectations {
    Judged,
    Ignored,
}

/// What one step showed.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub step: Step,
    pub left: Value,
    pub right: Value,
    /// Differences that the ledger does not know.
    pub unexplained: Vec<Difference>,
    /// Differences that it knows, with its reason.
    pub explained: Vec<(Difference, String)>,
}

impl Outcome {
    /// Whether the two sides hold different data from now on: one took what the other refused, or they show different
    /// items. Different errors, capacities or descriptions leave the data alone.
    #[must_use]
    pub fn parts_the_sides(&self) -> bool {
        const DATA: [&str; 4] = ["/body/Attributes", "/body/Count", "/body/Item", "/body/Responses"];
        let succeeded = |response: &Value| response.get("status").and_then(Value::as_f64) == Some(200.0);
        let shows_data = |difference: &Difference| {
            DATA.iter().any(|path| difference.path.starts_with(path))
                && !difference.path.starts_with("/body/ItemCollectionMetrics")
        };
        succeeded(&self.left) != succeeded(&self.right) || self.unexplained.iter().any(shows_data)
    }
}

/// Whether a scenario goes on after a difference that may have changed one side only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    GoOn,
    Stop,
}

impl Player {
    #[must_use]
    pub fn new(left: Side, right: Side, expectations: Expectations) -> Self {
        Self { left, right, expectations }
    }

    /// Plays all steps and removes the tables they made.
    pub fn play(
        &mut self,
        scenario: &Scenario,
        ledger: &mut Ledger,
        after: After,
    ) -> Result<Vec<Outcome>, EndpointError> {
        let mut indexes = IndexKeys::default();
        let mut outcomes = Vec::new();
        for step in &scenario.steps {
            let left = response(&mut self.left, step, &indexes)?;
            let right = response(&mut self.right, step, &indexes)?;
            if let Action::Call { operation, request, .. } = &step.action {
                indexes.learn(operation, request);
            }
            let outcome = judge(scenario, step, left, right, ledger, self.expectations);
            let stop = after == After::Stop && outcome.parts_the_sides();
            outcomes.push(outcome);
            if stop {
                break;
            }
        }
        self.left.clean_up()?;
        self.right.clean_up()?;
        Ok(outcomes)
    }
}

fn judge(
    scenario: &Scenario,
    step: &Step,
    left: Value,
    right: Value,
    ledger: &mut Ledger,
    expectations: Expectations,
) -> Outcome {
    let mut found = compare::differences(&left, &right);
    if let (Some(expected), Expectations::Judged) = (&step.expect, expectations)
        && let Some(unmet) = compare::unmet(expected, &right)
    {
        let path = format!("expected{}", unmet.path);
        found.push(Difference { path, left: unmet.left, right: unmet.right });
    }
    let mut outcome = Outcome { step: step.clone(), left, right, unexplained: Vec::new(), explained: Vec::new() };
    for difference in found {
        match ledger.explain(&scenario.name, &step.label, &difference) {
            Some(line) => outcome.explained.push((difference, line.reason.clone())),
            None => outcome.unexplained.push(difference),
        }
    }
    outcome
}

/// One side's normalized response. A request that got none is an outcome to compare; a server that is gone ends the
/// run.
fn response(side: &mut Side, step: &Step, indexes: &IndexKeys) -> Result<Value, EndpointError> {
    let result = match &step.action {
        Action::Raw { operation, body, headers } => side.send(&altered_headers(operation, headers), body),
        Action::Call { operation, request, paging: Paging::Single } => single(side, operation, request),
        Action::Call { operation, request, paging } => paged(side, operation, request, *paging, indexes),
    };
    match result {
        Ok(response) => Ok(normalize::normalize(step.action.operation(), &response)),
        Err(refused @ EndpointError::Connect { .. }) => Err(refused),
        Err(lost) => {
            Ok(serde_json::json!({"status": 0, "body": {"__type": "NoResponse", "message": lost.to_string()}}))
        }
    }
}

fn single(side: &mut Side, operation: &str, request: &Value) -> Result<Response, EndpointError> {
    let response = side.call(operation, request)?;
    if response.is_success()
        && matches!(operation, "CreateTable" | "UpdateTable" | "DeleteTable")
        && let Some(table) = request.get("TableName").and_then(Value::as_str)
    {
        side.settle(table)?;
    }
    Ok(response)
}

fn paged(
    side: &mut Side,
    operation: &str,
    request: &Value,
    paging: Paging,
    indexes: &IndexKeys,
) -> Result<Response, EndpointError> {
    let segments = match paging {
        Paging::Segments(total) => (0..total)
            .map(|segment| with(request, &[("Segment", segment.into()), ("TotalSegments", total.into())]))
            .collect(),
        _ => vec![request.clone()],
    };
    let (mut pages, mut items) = (Vec::new(), Vec::new());
    for segment in segments {
        let mut next = segment.clone();
        while pages.len() < MOST_PAGES {
            let page = side.call(operation, &next)?;
            if !page.is_success() {
                return Ok(page);
            }
            items.extend(page.body.get("Items").and_then(Value::as_array).into_iter().flatten().cloned());
            let last = page.body.get("LastEvaluatedKey").cloned();
            pages.push(page);
            match last {
                Some(key) => next = with(&segment, &[("ExclusiveStartKey", key)]),
                None => break,
            }
        }
    }
    let order = match (operation, request.get("IndexName").and_then(Value::as_str)) {
        ("Query", Some(index)) => Order::SortKey(indexes.sort_key(request, index)),
        ("Query", None) => Order::Promised,
        _ => Order::None,
    };
    Ok(normalize::merge_pages(&pages, items, order, paging == Paging::Pages))
}

fn with(request: &Value, added: &[(&str, Value)]) -> Value {
    let mut members = request.as_object().cloned().unwrap_or_default();
    members.extend(added.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    Value::Object(members)
}

fn altered_headers(operation: &str, changes: &Map<String, Value>) -> Vec<(String, String)> {
    let mut headers = endpoint::protocol_headers(operation);
    for (name, value) in changes {
        headers.retain(|(present, _)| !present.eq_ignore_ascii_case(name));
        if let Some(text) = value.as_str() {
            headers.push((name.clone(), text.to_owned()));
        }
    }
    headers
}
