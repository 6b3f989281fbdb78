//! The rules of pages that all plans share.

/// How many results a page has at most, where neither the caller nor the pattern states a number.
pub const DEFAULT_PAGE_SIZE: u32 = 100;

/// How many items a request examines, where some items of the range are not results.
pub const READ_AHEAD: ReadAhead = ReadAhead { factor: 4, least: 50, most: 1000 };

/// How many items a request examines for the results that a page lacks: a request for just as many would mean many
/// requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadAhead {
    /// Items for each missing result.
    pub factor: usize,
    /// Items, for however few results.
    pub least: usize,
    /// Items, for however many results.
    pub most: usize,
}

impl ReadAhead {
    /// The number of items for a number of missing results.
    pub fn items(&self, missing: usize) -> usize {
        missing.saturating_mul(self.factor).clamp(self.least, self.most)
    }
}
