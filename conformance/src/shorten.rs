//! Finds a short sequence that still shows a difference: most steps of a random one have nothing to do with it.

use crate::endpoint::EndpointError;
use crate::ledger::Ledger;
use crate::play::{After, Outcome, Player};
use crate::scenario::{Scenario, Step};

/// Replaying costs time: this many attempts are enough for a sequence of a hundred steps.
const MOST_ATTEMPTS: usize = 120;

/// `scenario` without the steps that the difference in its last played step does not need.
pub fn shorten(
    player: &mut Player,
    scenario: &Scenario,
    outcomes: &[Outcome],
    ledger: &mut Ledger,
) -> Result<Scenario, EndpointError> {
    let Some(failed) = outcomes.last() else {
        return Ok(scenario.clone());
    };
    let played = outcomes.len();
    let mut steps: Vec<Step> = scenario.steps.iter().take(played.saturating_sub(1)).cloned().collect();
    let mut attempts = 0;
    let mut width = steps.len().div_ceil(2);
    while width > 0 {
        let mut start = 0;
        while start < steps.len() && attempts < MOST_ATTEMPTS {
            let kept = without(&steps, start, width);
            if kept.len() == steps.len() {
                start += width;
                continue;
            }
            attempts += 1;
            if shows(player, scenario, &kept, failed, ledger)? {
                steps = kept;
            } else {
                start += width;
            }
        }
        width /= 2;
    }
    steps.push(failed.step.clone());
    Ok(Scenario { steps, ..scenario.clone() })
}

/// The steps except those in a window; tables are always created.
fn without(steps: &[Step], start: usize, width: usize) -> Vec<Step> {
    let window = start..start + width;
    steps
        .iter()
        .enumerate()
        .filter(|(position, step)| !window.contains(position) || step.action.operation() == "CreateTable")
        .map(|(_, step)| step.clone())
        .collect()
}

/// Whether the failed step, after `steps`, differs in the same places.
fn shows(
    player: &mut Player,
    scenario: &Scenario,
    steps: &[Step],
    failed: &Outcome,
    ledger: &mut Ledger,
) -> Result<bool, EndpointError> {
    let steps = steps.iter().chain([&failed.step]).cloned().collect();
    let outcomes = player.play(&Scenario { steps, ..scenario.clone() }, ledger, After::Stop)?;
    let paths = |outcome: &Outcome| outcome.unexplained.iter().map(|it| it.path.clone()).collect::<Vec<_>>();
    Ok(outcomes.last().is_some_and(|last| last.step.label == failed.step.label && paths(last) == paths(failed)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_window_leaves_out_all_but_the_tables() {
        let step = |label: &str, operation: &str| Step::call(label.to_owned(), operation, json!({}));
        let steps = [step("create", "CreateTable"), step("1", "PutItem"), step("2", "GetItem"), step("3", "PutItem")];
        let labels = |steps: Vec<Step>| steps.into_iter().map(|step| step.label).collect::<Vec<_>>();
        assert_eq!(labels(without(&steps, 0, 2)), ["create", "2", "3"]);
        assert_eq!(labels(without(&steps, 2, 9)), ["create", "1"]);
    }
}
