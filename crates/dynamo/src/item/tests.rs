use bytes::Bytes;
use proptest::prelude::*;

use super::*;
use crate::{AttributeValue, Number};

fn value() -> impl Strategy<Value = AttributeValue> {
    let number = (any::<i64>(), -80i32..80).prop_map(|(d, e)| Number::parse(&format!("{d}e{e}")).unwrap());
    let leaf = prop_oneof![
        ".{0,9}".prop_map(AttributeValue::S),
        number.clone().prop_map(AttributeValue::N),
        any::<Vec<u8>>().prop_map(AttributeValue::B),
        any::<bool>().prop_map(AttributeValue::Bool),
        Just(AttributeValue::Null),
        prop::collection::btree_set(".{0,4}", 1..4).prop_map(AttributeValue::Ss),
        prop::collection::btree_set(number, 1..4).prop_map(AttributeValue::Ns),
        prop::collection::btree_set(any::<Vec<u8>>(), 1..4).prop_map(AttributeValue::Bs),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(AttributeValue::L),
            prop::collection::btree_map(".{0,4}", inner, 0..5).prop_map(AttributeValue::M),
        ]
    })
}

/// Writes down everything it is shown.
#[derive(Default, PartialEq, Debug)]
struct Transcript(Vec<String>);

fn shown(text: Text<'_>) -> String {
    match text {
        Text::Plain(bytes) => {
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            assert!(!text.contains(['"', '\\']) && text.chars().all(|character| (' '..='~').contains(&character)));
            text
        }
        Text::Any(text) => text.to_owned(),
    }
}

impl Visitor for Transcript {
    fn name(&mut self, name: Text<'_>) {
        self.0.push(format!("name {:?}", shown(name)));
    }
    fn string(&mut self, text: Text<'_>) {
        self.0.push(format!("string {:?}", shown(text)));
    }
    fn number(&mut self, number: &Number) {
        self.0.push(format!("number {number}"));
    }
    fn binary(&mut self, bytes: &[u8]) {
        self.0.push(format!("binary {bytes:?}"));
    }
    fn boolean(&mut self, value: bool) {
        self.0.push(format!("boolean {value}"));
    }
    fn null(&mut self) {
        self.0.push("null".to_owned());
    }
    fn map_begins(&mut self) {
        self.0.push("map begins".to_owned());
    }
    fn map_ends(&mut self) {
        self.0.push("map ends".to_owned());
    }
    fn list_begins(&mut self) {
        self.0.push("list begins".to_owned());
    }
    fn list_ends(&mut self) {
        self.0.push("list ends".to_owned());
    }
    fn set_begins(&mut self, set_type: crate::value::ValueType) {
        self.0.push(format!("set begins {}", set_type.as_str()));
    }
    fn string_element(&mut self, text: Text<'_>) {
        self.0.push(format!("string element {:?}", shown(text)));
    }
    fn number_element(&mut self, number: &Number) {
        self.0.push(format!("number element {number}"));
    }
    fn binary_element(&mut self, bytes: &[u8]) {
        self.0.push(format!("binary element {bytes:?}"));
    }
    fn set_ends(&mut self) {
        self.0.push("set ends".to_owned());
    }
}

/// Looks at nothing.
struct Ignored;

impl Visitor for Ignored {
    fn name(&mut self, _: Text<'_>) {}
    fn string(&mut self, _: Text<'_>) {}
    fn number(&mut self, _: &Number) {}
    fn binary(&mut self, _: &[u8]) {}
    fn boolean(&mut self, _: bool) {}
    fn null(&mut self) {}
    fn map_begins(&mut self) {}
    fn map_ends(&mut self) {}
    fn list_begins(&mut self) {}
    fn list_ends(&mut self) {}
    fn set_begins(&mut self, _: crate::value::ValueType) {}
    fn string_element(&mut self, _: Text<'_>) {}
    fn number_element(&mut self, _: &Number) {}
    fn binary_element(&mut self, _: &[u8]) {}
    fn set_ends(&mut self) {}
}

fn transcript(item: &Item) -> Transcript {
    let mut transcript = Transcript::default();
    item.visit(&mut transcript).unwrap();
    transcript
}

proptest! {
    #[test]
    fn an_encoded_item_is_the_item_it_was_made_of(attributes in prop::collection::btree_map(".{1,8}", value(), 0..8)) {
        let plain = Item::from(attributes.clone());
        let encoded = Item::from_encoded(Bytes::from(codec::encode(&attributes)));
        prop_assert_eq!(encoded.size(), Ok(item_size(&attributes)));
        prop_assert_eq!(plain.size(), Ok(item_size(&attributes)));
        prop_assert_eq!(transcript(&encoded), transcript(&plain));
        let even = |name: &str| name.len().is_multiple_of(2);
        let half: Attributes = attributes.clone().into_iter().filter(|(name, _)| even(name)).collect();
        prop_assert_eq!(encoded.select(even), Ok(half.clone()));
        prop_assert_eq!(plain.select(even), Ok(half));
        prop_assert_eq!(encoded.attributes(), Ok(&attributes));
        prop_assert_eq!(encoded.into_attributes(), Ok(attributes));
    }

    #[test]
    fn damaged_bytes_are_refused_not_followed(bytes in any::<Vec<u8>>()) {
        let item = Item::from_encoded(Bytes::from(bytes));
        // What can be decoded can be shown. The reverse holds for all but texts that are marked as plain and are not.
        if item.attributes().is_ok() {
            prop_assert_eq!(item.visit(&mut Ignored), Ok(()));
        }
    }
}
