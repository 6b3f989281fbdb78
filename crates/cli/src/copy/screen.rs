//! Output of a copy: steps on standard output, progress on standard error.

use std::io::IsTerminal;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};
use keyfold_design::counted;
use keyfold_tables::copy::{CopyEvent, Progress};

/// The interval of progress lines without a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(5);
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

pub(super) struct CopyScreen {
    bar: ProgressBar,
    terminal: bool,
    progress: Arc<Progress>,
    segments: u32,
    merge: bool,
    step: Mutex<Step>,
}

/// The current step, and the item count when it began.
struct Step {
    name: &'static str,
    segments: u32,
    started: Instant,
    items_before: u64,
}

impl CopyScreen {
    pub(super) fn new(progress: Arc<Progress>, segments: u32, merge: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = if terminal { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            bar.set_style(style);
        }
        let step = Mutex::new(Step { name: "starting", segments, started: Instant::now(), items_before: 0 });
        Self { bar, terminal, progress, segments, merge, step }
    }

    pub(super) fn show(&self, event: CopyEvent, from: &str, to: &str) {
        self.bar.suspend(|| match event {
            CopyEvent::TargetCreated => say!("table `{to}` created like `{from}`"),
            CopyEvent::TagsUnknown => say!("note: the tags of the source cannot be read, so the target has none"),
            CopyEvent::Resumed { items } => {
                say!("resuming an earlier run: {} already copied", counted(items, "item"));
            }
            CopyEvent::Copying { about: 0 } => self.begin("copying", self.segments),
            CopyEvent::Copying { about } => {
                self.begin("copying", self.segments);
                report!("the source has about {}", counted(about, "item"));
            }
            CopyEvent::Copied { items, bytes } => say!("copied {} ({})", counted(items, "item"), HumanBytes(bytes)),
            CopyEvent::Verifying => self.begin("comparing digests of both tables", 2 * self.segments),
            CopyEvent::Comparing => {
                // From the source's side, and back from the target's where that may have no items of its own.
                self.begin("comparing items", if self.merge { self.segments } else { 2 * self.segments });
            }
            CopyEvent::Verified { items, expired, repaired } => self.say_verified(items, expired, repaired),
            CopyEvent::ExpiryEnabled => say!("time to live enabled on the target, as on the source"),
            CopyEvent::ProtectionEnabled => say!("deletion protection enabled on the target, as on the source"),
        });
    }

    fn say_verified(&self, items: u64, expired: u64, repaired: u64) {
        if repaired > 0 {
            say!("{} fixed", counted(repaired, "difference"));
        }
        if expired > 0 {
            say!("{} on one side only, already expired", counted(expired, "item"));
        }
        if self.merge {
            say!("verified: the target has all {} of the source", counted(items, "item"));
        } else {
            say!("verified: both tables hold the same {}", counted(items, "item"));
        }
    }

    fn begin(&self, name: &'static str, segments: u32) {
        let items_before = self.progress.items.load(Ordering::Relaxed);
        *self.step.lock().unwrap_or_else(PoisonError::into_inner) =
            Step { name, segments, started: Instant::now(), items_before };
    }

    /// Reports progress until it is dropped.
    pub(super) async fn keep_going(&self) {
        let mut last_line = Instant::now();
        loop {
            tokio::time::sleep(BETWEEN_LOOKS).await;
            if self.terminal {
                self.bar.set_message(self.line());
                self.bar.tick();
            } else if last_line.elapsed() >= BETWEEN_LINES {
                last_line = Instant::now();
                report!("{}", self.line());
            }
        }
    }

    fn line(&self) -> String {
        let read = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
        let items = read(&self.progress.items);
        let step = self.step.lock().unwrap_or_else(PoisonError::into_inner);
        let rate = items.saturating_sub(step.items_before) as f64 / step.started.elapsed().as_secs_f64().max(0.001);
        let throttled = match read(&self.progress.throttled) {
            0 => String::new(),
            times => format!(", {} throttled", counted(times, "request")),
        };
        format!(
            "{}: {}, {}, {rate:.0} items/s, {} of {} segments done{throttled}",
            step.name,
            counted(items, "item"),
            HumanBytes(read(&self.progress.bytes)),
            read(&self.progress.segments_done),
            step.segments,
        )
    }

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
