//! A line on the terminal that says how much is done.

use std::io::{IsTerminal, Write as _, stderr};

use keyfold_engine::Progress;

/// Written to standard error, if that is a terminal.
pub(super) struct ProgressLine {
    what: &'static str,
    is_shown: bool,
    percent: Option<u64>,
}

impl ProgressLine {
    pub(super) fn new(what: &'static str) -> Self {
        Self { what, is_shown: stderr().is_terminal(), percent: None }
    }

    pub(super) fn show(&mut self, progress: Progress) {
        let percent = (progress.done * 100).checked_div(progress.total);
        if self.is_shown && percent != self.percent {
            self.percent = percent;
            // A terminal that is gone is no reason to fail.
            let _ = write!(stderr(), "\r{}: {} %", self.what, percent.unwrap_or(100));
        }
    }

    /// Removes the line.
    pub(super) fn clear(&self) {
        if self.percent.is_some() {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
