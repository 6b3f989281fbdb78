//! Entries without the person that they name. The hash of an entry remains.

use keyfold_dynamo::{AttributeValue, Attributes};

use super::chain::{ERASED, fix_identity, fix_subject};
use super::entry::part_of;
use crate::change_records::ChangeRecordError;
use crate::change_records::record_item::text;
use crate::change_records::table::{ITEM, PARTITION, SUBJECT};

/// Replaces the subject of an entry by a pseudonym.
pub(in crate::change_records) fn erase_subject(
    entry: &mut Attributes,
    pseudonym: &str,
) -> Result<(), ChangeRecordError> {
    fix_subject(entry);
    let erased = format!("{ERASED}{pseudonym}");
    let key = part_of(text(entry, PARTITION)?, &["subject", &erased]);
    entry.insert(SUBJECT.to_owned(), AttributeValue::S(key));
    entry.insert("subject".to_owned(), AttributeValue::S(erased));
    Ok(())
}

/// Replaces the identity of an entry by a pseudonym.
pub(in crate::change_records) fn erase_identity(
    entry: &mut Attributes,
    pseudonym: &str,
) -> Result<(), ChangeRecordError> {
    fix_identity(entry);
    let erased = format!("{ERASED}{pseudonym}");
    let key = part_of(text(entry, PARTITION)?, &["item", text(entry, "entity")?, &erased]);
    entry.insert(ITEM.to_owned(), AttributeValue::S(key));
    entry.insert("identity".to_owned(), AttributeValue::S(erased));
    Ok(())
}
