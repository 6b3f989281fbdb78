//! Differences that are known and explained, each with the documentation that is on its side.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::compare::Difference;

/// One explained difference. `*` stands for any text in `scenario`, `step`, `path`, `left` and `right`.
#[derive(Clone, Debug)]
pub struct Line {
    pub scenario: String,
    pub step: String,
    pub path: String,
    pub left: String,
    pub right: String,
    pub reason: String,
    pub reference: String,
}

#[derive(Debug, Default)]
pub struct Ledger {
    lines: Vec<(Line, bool)>,
}

#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    #[error("{}: {cause}", path.display())]
    Io { path: PathBuf, cause: std::io::Error },
    #[error("{}: {cause}", path.display())]
    Json { path: PathBuf, cause: serde_json::Error },
    #[error("{}: line {number} has no text `{member}`", path.display())]
    Line { path: PathBuf, number: usize, member: &'static str },
}

impl Ledger {
    /// Reads a JSON list of lines. Where `left` or `right` is a list of texts there is a line for each combination.
    pub fn read(path: &Path) -> Result<Self, LedgerError> {
        let bytes = std::fs::read(path).map_err(|cause| LedgerError::Io { path: path.to_owned(), cause })?;
        let values: Vec<Value> =
            serde_json::from_slice(&bytes).map_err(|cause| LedgerError::Json { path: path.to_owned(), cause })?;
        let mut lines = Vec::new();
        for (index, value) in values.iter().enumerate() {
            let member = |member: &'static str| {
                value.get(member).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| LedgerError::Line {
                    path: path.to_owned(),
                    number: index + 1,
                    member,
                })
            };
            let texts = |name: &'static str| match value.get(name).and_then(Value::as_array) {
                Some(texts) => Ok(texts.iter().filter_map(Value::as_str).map(str::to_owned).collect()),
                None => member(name).map(|text| vec![text]),
            };
            let (lefts, rights): (Vec<String>, Vec<String>) = (texts("left")?, texts("right")?);
            for (left, right) in lefts.iter().flat_map(|left| rights.iter().map(move |right| (left, right))) {
                let line = Line {
                    scenario: member("scenario")?,
                    step: member("step")?,
                    path: member("path")?,
                    left: left.clone(),
                    right: right.clone(),
                    reason: member("reason")?,
                    reference: member("reference")?,
                };
                lines.push((line, false));
            }
        }
        Ok(Self { lines })
    }

    /// The line that explains a difference, which from now on counts as occurring.
    pub fn explain(&mut self, scenario: &str, step: &str, difference: &Difference) -> Option<&Line> {
        let (line, occurred) = self.lines.iter_mut().find(|(line, _)| line.covers(scenario, step, difference))?;
        *occurred = true;
        Some(line)
    }

    /// Lines that explained nothing although what they are about was played. A line about several scenarios is judged
    /// only when all written scenarios were.
    #[must_use]
    pub fn stale(&self, played: &[String], all_were_played: bool) -> Vec<&Line> {
        let judged = |line: &Line| {
            if line.scenario.contains('*') { all_were_played } else { played.contains(&line.scenario) }
        };
        self.lines
            .iter()
            .filter(|(line, occurred)| !occurred && !line.is_about_chance() && judged(line))
            .map(|(line, _)| line)
            .collect()
    }
}

impl Line {
    fn covers(&self, scenario: &str, step: &str, difference: &Difference) -> bool {
        matches(&self.scenario, scenario)
            && matches(&self.step, step)
            && matches(&self.path, &difference.path)
            && matches(&self.left, &difference.left)
            && matches(&self.right, &difference.right)
    }

    /// Whether a random sequence runs into a difference depends on its seed.
    fn is_about_chance(&self) -> bool {
        self.scenario.starts_with("random")
    }
}

/// Whether `text` fits `pattern`, in which `*` stands for any text.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(start) else {
        return false;
    };
    let mut pieces: Vec<_> = rest.split('*').collect();
    let end = pieces.pop().unwrap_or_default();
    for piece in pieces {
        match text.split_once(piece) {
            Some((_, after)) => text = after,
            None => return false,
        }
    }
    text.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(scenario: &str, left: &str) -> Line {
        Line {
            scenario: scenario.to_owned(),
            step: "*".to_owned(),
            path: "outcome".to_owned(),
            left: left.to_owned(),
            right: "200".to_owned(),
            reason: "r".to_owned(),
            reference: "d".to_owned(),
        }
    }

    fn difference(left: &str) -> Difference {
        Difference { path: "outcome".to_owned(), left: left.to_owned(), right: "200".to_owned() }
    }

    #[test]
    fn a_star_stands_for_any_text() {
        assert!(matches("a*c", "abc") && matches("a*c", "ac") && matches("*", "") && matches("a*b*", "a-b"));
        assert!(!matches("a*c", "ab") && !matches("a*c", "a") && !matches("ab*bc", "abc") && !matches("a", "ab"));
    }

    #[test]
    fn a_line_that_explains_nothing_is_stale() {
        let mut ledger = Ledger { lines: vec![(line("keys", "400 *"), false), (line("random*", "500"), false)] };
        assert!(ledger.explain("keys", "PutItem", &difference("500")).is_none());
        let played = ["keys".to_owned(), "random 7".to_owned()];
        assert_eq!(ledger.stale(&played, true).len(), 1);
        assert!(ledger.stale(&["other".to_owned()], false).is_empty());
        assert!(ledger.explain("keys", "PutItem", &difference("400 A: b")).is_some());
        assert!(ledger.stale(&played, true).is_empty());
    }

    #[test]
    fn lists_of_texts_are_lines_each() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ledger.json");
        let line = r#"[{"scenario": "keys", "step": "*", "path": "outcome", "left": ["400 A", "400 B"],
            "right": ["200", "500"], "reason": "r", "reference": "d"}]"#;
        std::fs::write(&file, line).unwrap();
        let mut ledger = Ledger::read(&file).unwrap();
        assert!(ledger.explain("keys", "PutItem", &difference("400 B")).is_some());
        assert!(ledger.explain("keys", "PutItem", &difference("400 C")).is_none());
        assert_eq!(ledger.stale(&["keys".to_owned()], true).len(), 3);
    }

    #[test]
    fn a_line_about_several_scenarios_waits_for_all_of_them() {
        let ledger = Ledger { lines: vec![(line("*", "400 *"), false)] };
        assert!(ledger.stale(&["keys".to_owned()], false).is_empty());
        assert_eq!(ledger.stale(&["keys".to_owned()], true).len(), 1);
    }
}
