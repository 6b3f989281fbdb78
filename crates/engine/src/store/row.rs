//! A key or a value that a store returns.

use std::fmt;
use std::ops::Deref;

use bytes::Bytes;
use byteview::ByteView;

/// Immutable bytes, shared with the store: a clone does not copy them.
#[derive(Clone)]
pub struct Row(Storage);

#[derive(Clone)]
enum Storage {
    Bytes(Bytes),
    /// Shared bytes with short ones in place: as [`Bytes`], each row of a scan would cost an allocation.
    View(ByteView),
}

impl Row {
    /// The same bytes, without a copy.
    pub fn into_bytes(self) -> Bytes {
        match self.0 {
            Storage::Bytes(bytes) => bytes,
            Storage::View(view) => Bytes::from_owner(view),
        }
    }
}

impl Deref for Row {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Storage::Bytes(bytes) => bytes,
            Storage::View(view) => view,
        }
    }
}

impl From<Bytes> for Row {
    fn from(bytes: Bytes) -> Self {
        Self(Storage::Bytes(bytes))
    }
}

impl From<Vec<u8>> for Row {
    fn from(bytes: Vec<u8>) -> Self {
        Self::from(Bytes::from(bytes))
    }
}

impl From<ByteView> for Row {
    fn from(view: ByteView) -> Self {
        Self(Storage::View(view))
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Row {}

impl fmt::Debug for Row {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, out)
    }
}
