//! A line on the terminal that says how much is done.

use std::io::{IsTerminal, Write as _, stderr};

use keyfold_engine::{Progress, Stage};

/// Written to standard error, if that is a terminal.
pub(super) struct ProgressLine {
    is_shown: bool,
    shown: Option<(Stage, u64)>,
}

impl ProgressLine {
    pub(super) fn new() -> Self {
        Self { is_shown: stderr().is_terminal(), shown: None }
    }

    pub(super) fn show(&mut self, progress: Progress) {
        let percent = (progress.done * 100).checked_div(progress.total).unwrap_or(100);
        let now = Some((progress.stage, percent));
        if self.is_shown && now != self.shown {
            self.shown = now;
            let what = match progress.stage {
                Stage::Copy => "copying files",
                Stage::Files => "reading files",
                Stage::Items => "comparing items",
            };
            // The command does not fail because its terminal is gone.
            let _ = write!(stderr(), "\r\x1b[K{what}: {percent} %");
        }
    }

    /// Removes the line.
    pub(super) fn clear(&self) {
        if self.shown.is_some() {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
