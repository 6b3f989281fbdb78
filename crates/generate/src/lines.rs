//! Text in lines, indented.

use crate::wrap::wrapped;

/// Text that is written line by line.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    text: String,
    depth: usize,
    unit: &'static str,
}

impl Lines {
    /// Indents by two spaces.
    pub(crate) fn new() -> Self {
        Self { text: String::new(), depth: 0, unit: "  " }
    }

    /// Indents by four spaces.
    pub(crate) fn of_four() -> Self {
        Self { unit: "    ", ..Self::new() }
    }

    /// Where a line begins.
    pub(crate) fn column(&self) -> usize {
        self.depth * self.unit.len()
    }

    pub(crate) fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if !line.is_empty() {
            for _ in 0..self.depth {
                self.text.push_str(self.unit);
            }
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    pub(crate) fn blank(&mut self) {
        self.text.push('\n');
    }

    /// A Markdown paragraph.
    pub(crate) fn paragraph(&mut self, text: &str) {
        self.line(wrapped(text, 0));
    }

    /// An item of a Markdown list.
    pub(crate) fn bullet(&mut self, text: &str) {
        self.line(wrapped(&format!("- {text}"), 2));
    }

    /// Lines one level deeper.
    pub(crate) fn indented(&mut self, write: impl FnOnce(&mut Self)) {
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    /// A line that opens, lines one level deeper, a line that closes.
    pub(crate) fn block(&mut self, open: impl AsRef<str>, close: &str, write: impl FnOnce(&mut Self)) {
        self.line(open);
        self.indented(write);
        self.line(close);
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }
}
