//! Ranges of sort keys.

/// A range of sort keys as DynamoDB's key conditions express it. The bounds are templates in what a design states,
/// [`KeyValue`](super::access::KeyValue)s in the plan of a pattern, and attribute values in the request of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SortRange<V> {
    /// The one key that equals the value.
    Equal(V),
    /// Keys that begin with the value.
    BeginsWith(V),
    /// Keys below the value.
    Less(V),
    /// Keys below the value, and the value itself.
    LessOrEqual(V),
    /// Keys above the value.
    Greater(V),
    /// Keys above the value, and the value itself.
    GreaterOrEqual(V),
    /// Keys from the first value to the second; both bounds are included.
    Between(V, V),
}

impl<V> SortRange<V> {
    /// The values that bound the range, the lower one first.
    pub fn bounds(&self) -> impl Iterator<Item = &V> {
        let (first, second) = match self {
            Self::Equal(value)
            | Self::BeginsWith(value)
            | Self::Less(value)
            | Self::LessOrEqual(value)
            | Self::Greater(value)
            | Self::GreaterOrEqual(value) => (value, None),
            Self::Between(low, high) => (low, Some(high)),
        };
        std::iter::once(first).chain(second)
    }

    pub(crate) fn bounds_mut(&mut self) -> impl Iterator<Item = &mut V> {
        let (first, second) = match self {
            Self::Equal(value)
            | Self::BeginsWith(value)
            | Self::Less(value)
            | Self::LessOrEqual(value)
            | Self::Greater(value)
            | Self::GreaterOrEqual(value) => (value, None),
            Self::Between(low, high) => (low, Some(high)),
        };
        std::iter::once(first).chain(second)
    }

    /// The same range with other bounds.
    pub fn try_map<W, E>(&self, mut value: impl FnMut(&V) -> Result<W, E>) -> Result<SortRange<W>, E> {
        Ok(match self {
            Self::Equal(key) => SortRange::Equal(value(key)?),
            Self::BeginsWith(prefix) => SortRange::BeginsWith(value(prefix)?),
            Self::Less(bound) => SortRange::Less(value(bound)?),
            Self::LessOrEqual(bound) => SortRange::LessOrEqual(value(bound)?),
            Self::Greater(bound) => SortRange::Greater(value(bound)?),
            Self::GreaterOrEqual(bound) => SortRange::GreaterOrEqual(value(bound)?),
            Self::Between(low, high) => {
                let low = value(low)?;
                SortRange::Between(low, value(high)?)
            }
        })
    }
}
