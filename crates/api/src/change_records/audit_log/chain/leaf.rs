//! The hash of an entry.

use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_environment::{Random, random_bytes};
use keyfold_runtime::Error;
use sha2::{Digest, Sha256};

use crate::change_records::hash_part::add_part;
use crate::change_records::table::{ITEM, SUBJECT};

pub(super) type Hash = [u8; 32];

/// A value of an entry that may be personal, with the key of the index that it determines, and a random salt.
struct ErasableValue {
    value: &'static str,
    key: &'static str,
    salt: &'static str,
    /// The hash of the value, once the value and its salt are erased.
    fixed: &'static str,
}

/// The hash of an entry contains these as hashes of their own. Without the salt such a hash reveals nothing, so that a
/// value can be erased and the hash of the entry remain.
const ERASABLE: [ErasableValue; 2] = [SUBJECT_VALUE, IDENTITY_VALUE];
const SUBJECT_VALUE: ErasableValue =
    ErasableValue { value: "subject", key: SUBJECT, salt: "subjectSalt", fixed: "subjectHash" };
const IDENTITY_VALUE: ErasableValue =
    ErasableValue { value: "identity", key: ITEM, salt: "identitySalt", fixed: "identityHash" };

/// Keeps the hash of the subject of an entry, whatever the subject becomes.
pub(in crate::change_records) fn fix_subject(item: &mut Attributes) {
    SUBJECT_VALUE.fix(item);
}

/// Keeps the hash of the identity of an entry, whatever the identity becomes.
pub(in crate::change_records) fn fix_identity(item: &mut Attributes) {
    IDENTITY_VALUE.fix(item);
}

/// The values of an entry that were replaced, as it says. A value that is missing or not a text was not replaced by
/// Keyfold.
pub(super) fn fixed_values(item: &Attributes) -> impl Iterator<Item = Option<&str>> {
    let fixed = ERASABLE.iter().filter(|erasable| item.contains_key(erasable.fixed));
    fixed.map(|erasable| item.get(erasable.value).and_then(AttributeValue::as_str))
}

/// Adds the salts to an entry.
pub(in crate::change_records) fn add_salts(item: &mut Attributes, random: &dyn Random) -> Result<(), Error> {
    for erasable in &ERASABLE {
        let salt: [u8; 16] = random_bytes(random)?;
        item.insert(erasable.salt.to_owned(), AttributeValue::B(salt.to_vec()));
    }
    Ok(())
}

/// The hash of an entry: of all its attributes.
pub(super) fn leaf(item: &Attributes) -> Hash {
    let mut hash = Sha256::new();
    for (name, value) in item.iter().filter(|(name, _)| !is_of_erasable_value(name)) {
        add_part(&mut hash, name.as_bytes());
        add_value(&mut hash, Some(value));
    }
    for erasable in &ERASABLE {
        add_part(&mut hash, erasable.value.as_bytes());
        add_part(&mut hash, &erasable.hash(item));
    }
    hash.finalize().into()
}

fn is_of_erasable_value(name: &str) -> bool {
    let is_part =
        |erasable: &ErasableValue| [erasable.value, erasable.key, erasable.salt, erasable.fixed].contains(&name);
    ERASABLE.iter().any(is_part)
}

impl ErasableValue {
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

/// Stored chains contain these hashes: what is here stays as it is.
fn add_value(hash: &mut Sha256, value: Option<&AttributeValue>) {
    match value {
        None => add_part(hash, b"-"),
        Some(AttributeValue::S(text)) => {
            add_part(hash, b"S");
            add_part(hash, text.as_bytes());
        }
        Some(AttributeValue::N(number)) => {
            add_part(hash, b"N");
            add_part(hash, number.to_string().as_bytes());
        }
        Some(AttributeValue::B(bytes)) => {
            add_part(hash, b"B");
            add_part(hash, bytes);
        }
        Some(AttributeValue::Bool(value)) => {
            add_part(hash, b"?");
            add_part(hash, if *value { b"Bool(true)" } else { b"Bool(false)" });
        }
        // No entry is written with the others; whoever adds one changes the hash.
        Some(AttributeValue::Null) => add_part(hash, b"NULL"),
        Some(AttributeValue::L(items)) => {
            add_count(hash, b"L", items.len());
            items.iter().for_each(|item| add_value(hash, Some(item)));
        }
        Some(AttributeValue::M(members)) => {
            add_count(hash, b"M", members.len());
            for (name, member) in members {
                add_part(hash, name.as_bytes());
                add_value(hash, Some(member));
            }
        }
        Some(AttributeValue::Ss(texts)) => {
            add_count(hash, b"SS", texts.len());
            texts.iter().for_each(|text| add_part(hash, text.as_bytes()));
        }
        Some(AttributeValue::Ns(numbers)) => {
            add_count(hash, b"NS", numbers.len());
            numbers.iter().for_each(|number| add_part(hash, number.to_string().as_bytes()));
        }
        Some(AttributeValue::Bs(values)) => {
            add_count(hash, b"BS", values.len());
            values.iter().for_each(|bytes| add_part(hash, bytes));
        }
    }
}

/// The beginning of a value with several members.
fn add_count(hash: &mut Sha256, kind: &[u8], count: usize) {
    add_part(hash, kind);
    hash.update((count as u64).to_be_bytes());
}

#[cfg(test)]
mod tests {
    use keyfold_dynamo::{Number, hexadecimal};

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

    /// Chains that exist were made with this hash.
    #[test]
    fn the_hash_of_an_entry_stays() {
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let bytes = |byte: u8| AttributeValue::B(vec![byte; 16]);
        let item: Attributes = [
            ("PK", text("AUDIT#d#t")),
            ("SK", text("2027#1")),
            ("subject", text("ada")),
            (SUBJECT, text("s")),
            ("subjectSalt", bytes(1)),
            ("identity", text("x")),
            (ITEM, text("i")),
            ("identitySalt", bytes(2)),
            ("expiresAt", AttributeValue::N(Number::from(1_800_000_000_u64))),
            ("truncated", AttributeValue::Bool(true)),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        assert_eq!(hexadecimal(&leaf(&item)), "f1b826da359bfaa26231ab1bd4c8555fd3ebd75d39dfeba2ccaddb7943d76fa2");
    }

    #[test]
    fn values_of_different_types_have_different_hashes() {
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let values = [
            text(""),
            AttributeValue::B(Vec::new()),
            AttributeValue::N(Number::from(0_u64)),
            AttributeValue::Bool(true),
            AttributeValue::Bool(false),
            AttributeValue::Null,
            AttributeValue::L(Vec::new()),
            AttributeValue::L(vec![text("a")]),
            AttributeValue::M(Attributes::new()),
            AttributeValue::M([("a".to_owned(), text("a"))].into()),
            AttributeValue::Ss(["a".to_owned()].into()),
            AttributeValue::Ns([Number::from(1_u64)].into()),
            AttributeValue::Bs([b"a".to_vec()].into()),
        ];
        let hashes: std::collections::HashSet<Hash> = values
            .iter()
            .map(|value| leaf(&[("count".to_owned(), value.clone())].into()))
            .chain([leaf(&Attributes::new())])
            .collect();
        assert_eq!(hashes.len(), values.len() + 1);
    }
}
