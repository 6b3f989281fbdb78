//! Whether a backend supports a design.

use std::fmt::Write;

use anyhow::bail;
use keyfold_design::Design;
use keyfold_design::model::Feature;

use crate::backend::BackendPlace;

/// Rejects a design that needs features its backend lacks, with the entities concerned.
pub(crate) fn refuse_unfit(design: &Design, place: &BackendPlace) -> anyhow::Result<()> {
    let lacking = design.lacks_on(place.kind());
    if lacking.is_empty() {
        return Ok(());
    }
    let mut text = format!("the design `{}` cannot run on {place}", design.name);
    for feature in Feature::ALL {
        let mut concerned = lacking.iter().filter(|need| need.feature == feature).peekable();
        if concerned.peek().is_some() {
            let _ = write!(text, "\n{place} has no {}, which these require:", feature.as_str());
        }
        for need in concerned {
            let _ = write!(text, "\n  {}", need.what);
            if let Some(instead) = need.instead {
                let _ = write!(text, " (or {instead})");
            }
        }
    }
    bail!(text)
}
