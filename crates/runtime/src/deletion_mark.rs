//! The mark on an item that is being deleted.
//!
//! An item that others may refer to is marked before it is deleted, so that no new item can refer to it.

use keyfold_design::access::DELETING;
pub(crate) use keyfold_design::access::DELETION_MARK;
use keyfold_dynamo::{AttributeValue, Attributes};

/// A mark that is still checking after this time was left by a process that is gone.
const STALE_AFTER_MS: u64 = 30_000;

const CHECKING: &str = "checking";

/// How far the deletion of an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeletionMark {
    /// A delete looks for items that refer to this one. The item still exists; other writers wait.
    Checking { since_ms: u64, token: u64 },
    /// The delete has begun. The item counts as deleted; another delete of it resumes where this one stopped.
    Deleting,
}

impl DeletionMark {
    /// The mark of a stored item. `None` if it has none, or one that Keyfold did not write.
    pub(crate) fn read(stored: &Attributes) -> Option<Self> {
        stored.get(DELETION_MARK).and_then(Self::decode)
    }

    /// As it is stored: `checking <milliseconds> <token>` or `deleting`.
    pub(crate) fn encode(self) -> AttributeValue {
        AttributeValue::S(match self {
            Self::Checking { since_ms, token } => format!("{CHECKING} {since_ms} {token:016x}"),
            Self::Deleting => DELETING.to_owned(),
        })
    }

    fn decode(value: &AttributeValue) -> Option<Self> {
        let text = value.as_str()?;
        if text == DELETING {
            return Some(Self::Deleting);
        }
        let (since, token) = text.strip_prefix(CHECKING)?.strip_prefix(' ')?.split_once(' ')?;
        Some(Self::Checking { since_ms: since.parse().ok()?, token: u64::from_str_radix(token, 16).ok()? })
    }

    /// Whether the mark is of a delete that looks for referring items and has this token.
    pub(crate) fn has_token(self, own: u64) -> bool {
        matches!(self, Self::Checking { token, .. } if token == own)
    }

    /// Whether the process that set the mark has ended, so that the mark can be removed.
    pub(crate) fn is_stale(self, now_ms: u64) -> bool {
        match self {
            Self::Checking { since_ms, .. } => since_ms.saturating_add(STALE_AFTER_MS) < now_ms,
            Self::Deleting => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(text: &str) -> Attributes {
        Attributes::from([(DELETION_MARK.to_owned(), AttributeValue::S(text.to_owned()))])
    }

    #[test]
    fn marks_are_read_as_they_were_written() {
        for (mark, text) in [
            (
                DeletionMark::Checking { since_ms: 1_767_225_600_000, token: 0x2a },
                "checking 1767225600000 000000000000002a",
            ),
            (DeletionMark::Deleting, "deleting"),
        ] {
            assert_eq!(mark.encode(), AttributeValue::S(text.to_owned()));
            assert_eq!(DeletionMark::read(&stored(text)), Some(mark));
        }
    }

    #[test]
    fn other_texts_are_not_marks() {
        for text in ["", "checking", "checking soon 2a", "checking 1", "deleted", "deleting soon"] {
            assert_eq!(DeletionMark::read(&stored(text)), None, "{text}");
        }
        assert_eq!(DeletionMark::read(&Attributes::new()), None);
    }

    #[test]
    fn only_checking_goes_stale() {
        let mark = DeletionMark::Checking { since_ms: 1_000, token: 1 };
        assert!(!mark.is_stale(31_000));
        assert!(mark.is_stale(31_001));
        assert!(!DeletionMark::Deleting.is_stale(u64::MAX));
    }

    #[test]
    fn a_delete_knows_its_marks_by_their_token() {
        assert!(DeletionMark::Checking { since_ms: 1_000, token: 1 }.has_token(1));
        assert!(!DeletionMark::Checking { since_ms: 1_000, token: 2 }.has_token(1));
        assert!(!DeletionMark::Deleting.has_token(1));
    }
}
