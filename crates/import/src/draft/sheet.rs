//! The lines of a draft, in units that can be removed when the checker rejects them.

use std::ops::Range;

use super::scalar::in_comment;

/// Lines that are removed together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Unit(usize);

#[derive(Debug, Clone)]
enum Content {
    /// `key:` above deeper lines; left out when none of them is left.
    Header(String),
    Line {
        text: String,
        note: Option<String>,
    },
    Comment(String),
    Blank,
}

#[derive(Debug, Clone)]
struct Line {
    depth: usize,
    content: Content,
    unit: Unit,
}

#[derive(Debug, Clone)]
struct UnitState {
    parent: Option<Unit>,
    /// Why the unit was removed.
    removal: Option<String>,
}

/// A draft that is being written and repaired.
#[derive(Debug, Clone)]
pub(super) struct Sheet {
    lines: Vec<Line>,
    units: Vec<UnitState>,
}

impl Sheet {
    /// The root unit, which cannot be removed.
    pub(super) const ROOT: Unit = Unit(0);

    pub(super) fn new() -> Self {
        Self { lines: Vec::new(), units: vec![UnitState { parent: None, removal: None }] }
    }

    /// A unit within another one.
    pub(super) fn unit(&mut self, parent: Unit) -> Unit {
        self.units.push(UnitState { parent: Some(parent), removal: None });
        Unit(self.units.len() - 1)
    }

    pub(super) fn header(&mut self, depth: usize, key: &str, unit: Unit) {
        self.push(depth, Content::Header(key.to_owned()), unit);
    }

    pub(super) fn line(&mut self, depth: usize, text: impl Into<String>, note: Option<String>, unit: Unit) {
        self.push(depth, Content::Line { text: text.into(), note }, unit);
    }

    pub(super) fn comment(&mut self, depth: usize, text: &str, unit: Unit) {
        self.push(depth, Content::Comment(in_comment(text)), unit);
    }

    pub(super) fn blank(&mut self) {
        self.push(0, Content::Blank, Self::ROOT);
    }

    fn push(&mut self, depth: usize, content: Content, unit: Unit) {
        self.lines.push(Line { depth, content, unit });
    }

    fn state(&self, unit: Unit) -> Option<&UnitState> {
        self.units.get(unit.0)
    }

    /// Whether neither the unit nor an enclosing one was removed.
    pub(super) fn is_included(&self, unit: Unit) -> bool {
        let mut next = Some(unit);
        while let Some(state) = next.and_then(|unit| self.state(unit)) {
            if state.removal.is_some() {
                return false;
            }
            next = state.parent;
        }
        true
    }

    /// Removes a unit; returns whether it was still part of the draft.
    pub(super) fn remove(&mut self, unit: Unit, reason: &str) -> bool {
        if unit == Self::ROOT || !self.is_included(unit) {
            return false;
        }
        match self.units.get_mut(unit.0) {
            Some(state) => {
                state.removal = Some(in_comment(reason));
                true
            }
            None => false,
        }
    }

    /// Whether a line is in the design, rather than in a comment of it.
    fn is_active(&self, at: usize) -> bool {
        let Some(line) = self.lines.get(at) else { return false };
        if !self.is_included(line.unit) {
            return false;
        }
        match line.content {
            Content::Line { .. } => true,
            Content::Comment(_) | Content::Blank => false,
            Content::Header(_) => {
                let below = self.lines.iter().enumerate().skip(at + 1);
                below
                    .take_while(|(_, below)| below.depth > line.depth || matches!(below.content, Content::Blank))
                    .any(|(below, _)| self.is_active(below))
            }
        }
    }

    /// The draft, and the bytes of it that belong to units that can be removed.
    pub(super) fn text(&self) -> (String, Vec<(Range<usize>, Unit)>) {
        let mut text = String::new();
        let mut places = Vec::new();
        let mut reported: Vec<Unit> = Vec::new();
        for (at, line) in self.lines.iter().enumerate() {
            let start = text.len();
            let indent = "  ".repeat(line.depth);
            if let Some((unit, reason)) = self.removal(line.unit)
                && !reported.contains(&unit)
            {
                reported.push(unit);
                text.push_str(&format!("{indent}# removed: {reason}\n"));
            }
            let active = self.is_active(at);
            match &line.content {
                Content::Blank => text.push('\n'),
                Content::Comment(comment) => text.push_str(&format!("{indent}# {comment}\n")),
                Content::Header(key) if active => text.push_str(&format!("{indent}{key}:\n")),
                Content::Header(key) => text.push_str(&format!("{indent}# {key}:\n")),
                Content::Line { text: line, note } => {
                    let off = if active { "" } else { "# " };
                    let note = note.as_ref().map_or_else(String::new, |note| format!("  # {}", in_comment(note)));
                    text.push_str(&format!("{indent}{off}{line}{note}\n"));
                }
            }
            if active {
                places.push((start..text.len(), line.unit));
            }
        }
        (text, places)
    }

    /// The outermost unit around this one that was removed, with the reason.
    fn removal(&self, unit: Unit) -> Option<(Unit, &str)> {
        let mut found = None;
        let mut next = Some(unit);
        while let Some(unit) = next {
            let state = self.state(unit)?;
            if let Some(reason) = &state.removal {
                found = Some((unit, reason.as_str()));
            }
            next = state.parent;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_removed_stays_as_a_comment_with_the_reason() {
        let mut sheet = Sheet::new();
        sheet.header(0, "entities", Sheet::ROOT);
        let entity = sheet.unit(Sheet::ROOT);
        sheet.header(1, "Order", entity);
        let key = sheet.unit(entity);
        sheet.line(2, "PK: ORDER#<id>", Some("guess: 3 of 3 items".to_owned()), key);
        let (text, places) = sheet.text();
        assert_eq!(text, "entities:\n  Order:\n    PK: ORDER#<id>  # guess: 3 of 3 items\n");
        assert_eq!(places.last().map(|(_, unit)| *unit), Some(key));
        assert!(sheet.remove(key, "KF010: `x` is nothing"));
        assert!(!sheet.remove(key, "again"));
        assert_eq!(
            sheet.text().0,
            "# entities:\n  # Order:\n    # removed: KF010: `x` is nothing\n    # PK: ORDER#<id>  # guess: 3 of 3 items\n"
        );
    }
}
