//! Places in a design file.

use std::ops::Range;

/// A range of bytes of the design file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The first byte, counted from 0.
    pub start: usize,
    /// The byte after the last one; at least `start`.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to `end`; empty if `end` is less.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end: end.max(start) }
    }

    /// For slicing the text of the file.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// The span that covers both.
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A value together with the place that states it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Spanned<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
}

impl<T> Spanned<T> {
    pub(crate) fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}
