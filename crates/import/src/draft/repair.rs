//! Repairs a draft: guesses that the checker rejects are removed, with its messages.

use std::ops::Range;

use keyfold_design::{Design, Diagnostic};

use super::sheet::{Sheet, Unit};

/// A draft that checks without errors.
#[derive(Debug)]
pub struct Draft {
    pub text: String,
    pub design: Design,
    /// Warnings and notes of the checker, for the user who continues with the draft.
    pub findings: Vec<Diagnostic>,
}

/// More than the guesses of any draft, as a bound of the loop.
const MAX_REMOVALS: usize = 2_000;

/// Removes guesses until the checker accepts the rest. Returns the errors if nothing is left to remove.
pub(super) fn repair(sheet: &mut Sheet) -> Result<Draft, Vec<Diagnostic>> {
    let mut rounds = 0;
    loop {
        let (text, places) = sheet.text();
        let found = match keyfold_design::load("design.yaml", &text) {
            Ok((design, findings)) => return Ok(Draft { text, design, findings }),
            Err(found) => found,
        };
        rounds += 1;
        let removed = found.iter().filter(|diagnostic| diagnostic.is_error()).any(|diagnostic| {
            let reason = format!("{}: {}", diagnostic.code.id, diagnostic.message);
            let spans = std::iter::once(diagnostic.span).chain(diagnostic.labels.iter().map(|label| label.span));
            let units: Vec<Unit> = spans.filter_map(|span| unit_at(&places, span.start)).collect();
            units.into_iter().any(|unit| sheet.remove(unit, &reason))
        });
        if !removed || rounds > MAX_REMOVALS {
            return Err(found);
        }
    }
}

fn unit_at(places: &[(Range<usize>, Unit)], at: usize) -> Option<Unit> {
    places.iter().find(|(range, _)| range.contains(&at)).map(|(_, unit)| *unit)
}
