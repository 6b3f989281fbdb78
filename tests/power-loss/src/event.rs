//! What the preloaded library writes down, and its encoding in the log.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// A name in a folder. The folder is known by its inode: its path may change while the log is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) folder: u64,
    pub(crate) name: OsString,
}

/// One line of the log. Its position in the log is its number, to which later events refer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Change(Change),
    /// The kernel refused the change with this number.
    Refused {
        change: u64,
    },
    /// A sync of this file or folder succeeded that began when the log held `before` events.
    Synced {
        inode: u64,
        before: u64,
    },
    /// Everything was synced.
    SyncedAll {
        before: u64,
    },
}

/// A change to the folder, with what is needed to undo it. It is logged before it happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// `span` bytes at `offset` are about to be overwritten or cut off: `kept`, then zeros. The file's length was
    /// `length`.
    Content {
        file: u64,
        length: u64,
        offset: u64,
        span: u64,
        kept: Vec<u8>,
    },
    /// A new name for a new or an existing file.
    Created {
        entry: Entry,
    },
    /// The file is kept beside the log, under this event's number.
    Unlinked {
        entry: Entry,
    },
    /// The file that had the name `to`, if there was one, is kept beside the log under this event's number.
    Renamed {
        from: Entry,
        to: Entry,
        inode: u64,
        replaced: bool,
    },
    MadeFolder {
        entry: Entry,
    },
    RemovedFolder {
        entry: Entry,
        inode: u64,
    },
}

impl Change {
    /// The inodes whose sync makes this change durable.
    pub(crate) fn belongs_to(&self) -> Vec<u64> {
        match self {
            Self::Content { file, .. } => vec![*file],
            Self::Created { entry }
            | Self::Unlinked { entry }
            | Self::MadeFolder { entry }
            | Self::RemovedFolder { entry, .. } => vec![entry.folder],
            Self::Renamed { from, to, .. } if from.folder == to.folder => vec![from.folder],
            Self::Renamed { from, to, .. } => vec![from.folder, to.folder],
        }
    }

    pub(crate) fn is_content(&self) -> bool {
        matches!(self, Self::Content { .. })
    }
}

const CONTENT: u64 = 1;
const CREATED: u64 = 2;
const UNLINKED: u64 = 3;
const RENAMED: u64 = 4;
const MADE_FOLDER: u64 = 5;
const REMOVED_FOLDER: u64 = 6;
const REFUSED: u64 = 7;
const SYNCED: u64 = 8;
const SYNCED_ALL: u64 = 9;

impl Event {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut writer = FieldWriter::default();
        match self {
            Self::Change(change) => change.encode(&mut writer),
            Self::Refused { change } => writer.numbers(&[REFUSED, *change]),
            Self::Synced { inode, before } => writer.numbers(&[SYNCED, *inode, *before]),
            Self::SyncedAll { before } => writer.numbers(&[SYNCED_ALL, *before]),
        }
        writer.bytes
    }

    /// `None` if the bytes are no event.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = FieldReader { rest: bytes };
        let event = match reader.number()? {
            CONTENT => Self::Change(Change::Content {
                file: reader.number()?,
                length: reader.number()?,
                offset: reader.number()?,
                span: reader.number()?,
                kept: reader.bytes()?.to_vec(),
            }),
            CREATED => Self::Change(Change::Created { entry: reader.entry()? }),
            UNLINKED => Self::Change(Change::Unlinked { entry: reader.entry()? }),
            RENAMED => Self::Change(Change::Renamed {
                from: reader.entry()?,
                to: reader.entry()?,
                inode: reader.number()?,
                replaced: reader.number()? == 1,
            }),
            MADE_FOLDER => Self::Change(Change::MadeFolder { entry: reader.entry()? }),
            REMOVED_FOLDER => Self::Change(Change::RemovedFolder { entry: reader.entry()?, inode: reader.number()? }),
            REFUSED => Self::Refused { change: reader.number()? },
            SYNCED => Self::Synced { inode: reader.number()?, before: reader.number()? },
            SYNCED_ALL => Self::SyncedAll { before: reader.number()? },
            _ => return None,
        };
        reader.rest.is_empty().then_some(event)
    }
}

impl Change {
    fn encode(&self, writer: &mut FieldWriter) {
        match self {
            Self::Content { file, length, offset, span, kept } => {
                writer.numbers(&[CONTENT, *file, *length, *offset, *span]);
                writer.text(kept);
            }
            Self::Created { entry } => writer.named(CREATED, entry),
            Self::Unlinked { entry } => writer.named(UNLINKED, entry),
            Self::Renamed { from, to, inode, replaced } => {
                writer.named(RENAMED, from);
                writer.entry(to);
                writer.numbers(&[*inode, u64::from(*replaced)]);
            }
            Self::MadeFolder { entry } => writer.named(MADE_FOLDER, entry),
            Self::RemovedFolder { entry, inode } => {
                writer.named(REMOVED_FOLDER, entry);
                writer.numbers(&[*inode]);
            }
        }
    }
}

#[derive(Default)]
struct FieldWriter {
    bytes: Vec<u8>,
}

impl FieldWriter {
    fn numbers(&mut self, numbers: &[u64]) {
        for number in numbers {
            self.bytes.extend_from_slice(&number.to_le_bytes());
        }
    }

    fn text(&mut self, text: &[u8]) {
        self.numbers(&[text.len() as u64]);
        self.bytes.extend_from_slice(text);
    }

    fn entry(&mut self, entry: &Entry) {
        self.numbers(&[entry.folder]);
        self.text(entry.name.as_bytes());
    }

    fn named(&mut self, kind: u64, entry: &Entry) {
        self.numbers(&[kind]);
        self.entry(entry);
    }
}

struct FieldReader<'a> {
    rest: &'a [u8],
}

impl<'a> FieldReader<'a> {
    fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.rest.split_first_chunk::<8>()?;
        self.rest = rest;
        Some(u64::from_le_bytes(*number))
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(bytes)
    }

    fn entry(&mut self) -> Option<Entry> {
        Some(Entry { folder: self.number()?, name: OsString::from_vec(self.bytes()?.to_vec()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_reads_back_as_written() {
        let entry = |name: &str| Entry { folder: 7, name: name.into() };
        let events = [
            Event::Change(Change::Content { file: 1, length: 9, offset: 3, span: 6, kept: b"abc".to_vec() }),
            Event::Change(Change::Created { entry: entry("a") }),
            Event::Change(Change::Unlinked { entry: entry("") }),
            Event::Change(Change::Renamed { from: entry("a"), to: entry("b"), inode: 3, replaced: true }),
            Event::Change(Change::MadeFolder { entry: entry("c") }),
            Event::Change(Change::RemovedFolder { entry: entry("c"), inode: u64::MAX }),
            Event::Refused { change: 2 },
            Event::Synced { inode: 5, before: 6 },
            Event::SyncedAll { before: 8 },
        ];
        for event in events {
            let bytes = event.encode();
            assert_eq!(Event::decode(&bytes), Some(event));
            assert_eq!(Event::decode(&bytes[..bytes.len() - 1]), None);
        }
    }
}
