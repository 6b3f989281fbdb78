//! What the probes of an endpoint say about its backend.

use std::fmt::Write as _;
use std::sync::Arc;

/// The state of a backend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readiness {
    /// A short name: `serving`, `nearly_full`.
    pub state: &'static str,
    /// Whether the process can go on; a supervisor restarts it otherwise.
    pub is_alive: bool,
    /// Whether requests are served.
    pub is_ready: bool,
    /// Causes and files, for operators alone.
    pub detail: String,
    /// Further values, by the name of the metric.
    pub gauges: Vec<(&'static str, &'static str, u64)>,
}

/// Tells the state at any time; must not block.
pub type ReadinessSource = Arc<dyn Fn() -> Readiness + Send + Sync>;

impl Readiness {
    /// The state in Prometheus's text format.
    pub fn metrics(&self) -> String {
        let mut out = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "# HELP keyfold_store_ready Whether the store serves requests; the labels tell its state.")?;
        writeln!(out, "# TYPE keyfold_store_ready gauge")?;
        let (state, detail, ready) = (self.state, escape(&self.detail), u8::from(self.is_ready));
        writeln!(out, "keyfold_store_ready{{state=\"{state}\",detail=\"{detail}\"}} {ready}")?;
        for (name, help, value) in &self.gauges {
            writeln!(out, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}")?;
        }
        Ok(())
    }
}

/// As Prometheus wants the value of a label.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_tell_state_and_detail() {
        let readiness = Readiness {
            state: "failed",
            is_alive: true,
            is_ready: false,
            detail: "a \"disk\"\nfailed".to_owned(),
            gauges: vec![("keyfold_store_free_bytes", "Free disk space.", 7)],
        };
        let text = readiness.metrics();
        for line in [
            "keyfold_store_ready{state=\"failed\",detail=\"a \\\"disk\\\"\\nfailed\"} 0",
            "# TYPE keyfold_store_free_bytes gauge",
            "keyfold_store_free_bytes 7",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
        }
    }
}
