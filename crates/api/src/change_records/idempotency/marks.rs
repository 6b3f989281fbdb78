//! Whom a stored response is about: the caller who made its request, and the items that it shows. A response has hashes
//! of both, so that it is found by them and says no more than its content.

use std::collections::{BTreeSet, HashSet};

use keyfold_design::Design;
use keyfold_design::model::Entity;
use keyfold_dynamo::{AttributeValue, Attributes};
use sha2::{Digest, Sha256};

use crate::change_records::audit_log::identity_of;

const MARKS: &str = "about";
/// Short, since responses should stay below a kilobyte, which is a write unit.
const LENGTH: usize = 16;

/// The hash of a subject or an item of a design.
#[derive(PartialEq, Eq, Hash)]
pub(in crate::change_records) struct Mark(Vec<u8>);

impl Mark {
    pub(in crate::change_records) fn of_subject(design: &Design, subject: &str) -> Self {
        Self::new(&[Some("subject"), Some(&design.name), Some(subject)])
    }

    /// The tenant is that of the item.
    pub(in crate::change_records) fn of_item(
        design: &Design,
        tenant: Option<&str>,
        entity: &Entity,
        attributes: &Attributes,
    ) -> Self {
        let identity = identity_of(design, entity, attributes);
        Self::new(&[Some("item"), Some(&design.name), tenant, Some(&entity.name), Some(&identity)])
    }

    fn new(parts: &[Option<&str>]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            // No text is that long: no tenant differs from every tenant.
            hash.update(part.map_or(u64::MAX, |part| part.len() as u64).to_be_bytes());
            hash.update(part.unwrap_or_default());
        }
        let mut hash = hash.finalize().to_vec();
        hash.truncate(LENGTH);
        Self(hash)
    }
}

/// Adds marks to the item of a response.
pub(super) fn write_marks(marks: impl IntoIterator<Item = Mark>, item: &mut Attributes) {
    let marks: BTreeSet<Vec<u8>> = marks.into_iter().map(|mark| mark.0).collect();
    item.insert(MARKS.to_owned(), AttributeValue::Bs(marks));
}

/// Whether the response of an item has one of the marks; `None` if it has no marks at all.
pub(in crate::change_records) fn has_mark(item: &Attributes, wanted: &HashSet<Mark>) -> Option<bool> {
    let AttributeValue::Bs(marks) = item.get(MARKS)? else { return None };
    Some(marks.iter().any(|mark| wanted.contains(&Mark(mark.clone()))))
}

/// Removes the marks of a response whose content is removed.
pub(super) fn remove_marks(item: &mut Attributes) {
    item.remove(MARKS);
}
