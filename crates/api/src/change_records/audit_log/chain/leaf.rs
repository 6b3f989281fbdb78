//! The hash of an entry.

use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_environment::{Random, random_bytes};
use keyfold_runtime::Error;
use sha2::{Digest, Sha256};

use crate::change_records::table::{ITEM, SUBJECT};

pub(super) type Hash = [u8; 32];

/// A value of an entry that may be personal, with the key of the index that it determines, and a random salt.
struct Committed {
    value: &'static str,
    key: &'static str,
    salt: &'static str,
    /// The hash of the value, once the value and its salt are erased.
    fixed: &'static str,
}

/// The hash of an entry contains these as hashes of their own. Without the salt such a hash reveals nothing, so that a value
/// can be erased and the hash of the entry remain.
const COMMITTED: [Committed; 2] = [COMMITTED_SUBJECT, COMMITTED_IDENTITY];
const COMMITTED_SUBJECT: Committed =
    Committed { value: "subject", key: SUBJECT, salt: "subjectSalt", fixed: "subjectHash" };
const COMMITTED_IDENTITY: Committed =
    Committed { value: "identity", key: ITEM, salt: "identitySalt", fixed: "identityHash" };

/// Keeps the hash of the subject of an entry, whatever the subject becomes.
pub(in crate::change_records) fn fix_subject(item: &mut Attributes) {
    COMMITTED_SUBJECT.fix(item);
}

/// Keeps the hash of the identity of an entry, whatever the identity becomes.
pub(in crate::change_records) fn fix_identity(item: &mut Attributes) {
    COMMITTED_IDENTITY.fix(item);
}

/// The values of an entry that were replaced, as it says.
pub(super) fn fixed_values(item: &Attributes) -> impl Iterator<Item = &str> {
    let fixed = COMMITTED.iter().filter(|committed| item.contains_key(committed.fixed));
    fixed.map(|committed| item.get(committed.value).and_then(AttributeValue::as_str).unwrap_or_default())
}

/// Adds the salts to an entry.
pub(in crate::change_records) fn add_salts(item: &mut Attributes, random: &dyn Random) -> Result<(), Error> {
    for committed in &COMMITTED {
        let salt: [u8; 16] = random_bytes(random)?;
        item.insert(committed.salt.to_owned(), AttributeValue::B(salt.to_vec()));
    }
    Ok(())
}

/// The hash of an entry: of all its attributes.
pub(super) fn leaf(item: &Attributes) -> Hash {
    let mut hash = Sha256::new();
    for (name, value) in item.iter().filter(|(name, _)| !is_committed(name)) {
        add(&mut hash, name.as_bytes());
        add_value(&mut hash, Some(value));
    }
    for committed in &COMMITTED {
        add(&mut hash, committed.value.as_bytes());
        add(&mut hash, &committed.hash(item));
    }
    hash.finalize().into()
}

fn is_committed(name: &str) -> bool {
    let is_part =
        |committed: &Committed| [committed.value, committed.key, committed.salt, committed.fixed].contains(&name);
    COMMITTED.iter().any(is_part)
}

impl Committed {
    fn fix(&self, item: &mut Attributes) {
        let hash = self.hash(item);
        item.remove(self.salt);
        item.insert(self.fixed.to_owned(), AttributeValue::B(hash.to_vec()));
    }

    fn hash(&self, item: &Attributes) -> Hash {
        if let Some(AttributeValue::B(fixed)) = item.get(self.fixed)
            && let Ok(fixed) = Hash::try_from(fixed.as_slice())
        {
            return fixed;
        }
        let mut hash = Sha256::new();
        for name in [self.salt, self.value, self.key] {
            add_value(&mut hash, item.get(name));
        }
        hash.finalize().into()
    }
}

/// No part can be taken for the end of another.
fn add(hash: &mut Sha256, part: &[u8]) {
    hash.update((part.len() as u64).to_be_bytes());
    hash.update(part);
}

fn add_value(hash: &mut Sha256, value: Option<&AttributeValue>) {
    match value {
        None => add(hash, b"-"),
        Some(AttributeValue::S(text)) => {
            add(hash, b"S");
            add(hash, text.as_bytes());
        }
        Some(AttributeValue::N(number)) => {
            add(hash, b"N");
            add(hash, number.to_string().as_bytes());
        }
        Some(AttributeValue::B(bytes)) => {
            add(hash, b"B");
            add(hash, bytes);
        }
        // Entries have no others.
        Some(other) => {
            add(hash, b"?");
            add(hash, format!("{other:?}").as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Attributes {
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let pairs = [("PK", "AUDIT#d#t"), ("SK", "2027#1"), ("subject", "ada"), ("identity", "x"), (SUBJECT, "s")];
        let mut item: Attributes = pairs.map(|(name, value)| (name.to_owned(), text(value))).into();
        add_salts(&mut item, &keyfold_environment::SeededRandom::default()).unwrap();
        item
    }

    #[test]
    fn every_attribute_counts() {
        let item = entry();
        let names: Vec<String> = item.keys().cloned().collect();
        assert_eq!(names.len(), 7);
        for name in names {
            let mut changed = item.clone();
            changed.insert(name.clone(), AttributeValue::S("changed".to_owned()));
            assert_ne!(leaf(&changed), leaf(&item), "{name}");
            changed.remove(&name);
            assert_ne!(leaf(&changed), leaf(&item), "{name}");
        }
        let mut longer = item.clone();
        longer.insert("count".to_owned(), AttributeValue::Bool(true));
        assert_ne!(leaf(&longer), leaf(&item));
        assert_eq!(leaf(&entry()), leaf(&item));
    }
}
