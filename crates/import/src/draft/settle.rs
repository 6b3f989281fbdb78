//! A draft that checks: what the checker refuses is taken out, with what it said.

use std::ops::Range;

use keyfold_design::{Design, Diagnostic};

use super::sheet::{Sheet, Unit};

/// A draft that checks without errors.
#[derive(Debug)]
pub struct Settled {
    pub text: String,
    pub design: Design,
    /// Warnings and notes of the checker, which are for whoever goes on with the draft.
    pub findings: Vec<Diagnostic>,
}

/// No draft has more guesses than that, so that a checker which is never content does not keep us for ever.
const MOST_REFUSALS: usize = 2_000;

/// Takes out one guess after the other until the checker has nothing against the rest. The errors of a draft from which
/// nothing is left to be taken are the answer where that does not end well.
pub fn settle(sheet: &mut Sheet) -> Result<Settled, Vec<Diagnostic>> {
    let mut rounds = 0;
    loop {
        let (text, places) = sheet.text();
        let found = match keyfold_design::load("design.yaml", &text) {
            Ok((design, findings)) => return Ok(Settled { text, design, findings }),
            Err(found) => found,
        };
        rounds += 1;
        let refused = found.iter().filter(|diagnostic| diagnostic.is_error()).any(|diagnostic| {
            let reason = format!("{}: {}", diagnostic.code.id, diagnostic.message);
            let spans = std::iter::once(diagnostic.span).chain(diagnostic.labels.iter().map(|label| label.span));
            let units: Vec<Unit> = spans.filter_map(|span| unit_at(&places, span.start)).collect();
            units.into_iter().any(|unit| sheet.refuse(unit, &reason))
        });
        if !refused || rounds > MOST_REFUSALS {
            return Err(found);
        }
    }
}

fn unit_at(places: &[(Range<usize>, Unit)], at: usize) -> Option<Unit> {
    places.iter().find(|(range, _)| range.contains(&at)).map(|(_, unit)| *unit)
}
