//! Whether a design can run where it is asked to.

use std::fmt::Write;

use anyhow::bail;
use keyfold_design::Design;

use crate::backend::BackendPlace;

/// Refuses a design that needs what its backend lacks, and says what needs it.
pub fn refuse_unfit(design: &Design, place: &BackendPlace) -> anyhow::Result<()> {
    let lacking = design.lacks_on(place.target());
    if lacking.is_empty() {
        return Ok(());
    }
    let mut text = format!("the design `{}` cannot run on {place}", design.name);
    for need in &lacking {
        let _ = write!(text, "\n  {} needs {}, which it does not have", need.what, need.feature.as_str());
        if let Some(instead) = need.instead {
            let _ = write!(text, ": {instead}");
        }
    }
    bail!(text)
}
