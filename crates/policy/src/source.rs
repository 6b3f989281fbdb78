//! The places of rules in the files that state them.

/// The line of a place, from one.
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count()
}

/// The column of a place, in characters from one.
pub(crate) fn column_of(text: &str, offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or(text);
    1 + before.chars().rev().take_while(|c| *c != '\n').count()
}

/// A text on one line.
pub(crate) fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
