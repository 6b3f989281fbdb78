use proptest::prelude::*;

use super::*;
use crate::{Any, Binary, Date, DateTime, Number, Ulid, Uuid};

fn back<T: ToValue + FromValue + PartialEq + std::fmt::Debug>(value: T) {
    assert_eq!(T::from_value(&value.to_value()), Ok(value));
}

proptest! {
    #[test]
    fn what_is_stored_is_read_back(
        text in ".*", whole: i64, count: u64, flag: bool, bytes: Vec<u8>, texts: Vec<String>
    ) {
        back(text);
        back(whole);
        back(count);
        back(flag);
        back(Binary(bytes));
        back(texts.iter().cloned().collect::<BTreeSet<_>>());
        back(texts.iter().map(|text| (text.clone(), Any::from(text.as_str()))).collect::<BTreeMap<_, _>>());
        back(texts);
        back(BTreeSet::from([Number::from(whole), Number::from(count)]));
    }
}

#[test]
fn fixed_texts_are_read_back() {
    back::<Date>("2026-11-15".parse().unwrap());
    back::<DateTime>("2026-11-15T08:00:00.000Z".parse().unwrap());
    back::<Ulid>("01K9ZV0000000000000000AAAA".parse().unwrap());
    back::<Uuid>("019a5c00-0000-7000-8000-000000000ada".parse().unwrap());
}

#[test]
fn what_does_not_fit_is_refused() {
    let text = |text: &str| AttributeValue::S(text.to_owned());
    let number = |text: &str| text.parse::<Number>().unwrap().to_value();
    let cause = |mismatch: TypeMismatch| mismatch.to_string();
    assert_eq!(i64::from_value(&number("1.5")).map_err(cause), Err("`1.5` is not a 64-bit integer".to_owned()));
    assert_eq!(
        u64::from_value(&number("-1")).map_err(cause),
        Err("`-1` is not a non-negative 64-bit integer".to_owned())
    );
    assert_eq!(i64::from_value(&text("1")).map_err(cause), Err("it is S, and not a number".to_owned()));
    assert!(Ulid::from_value(&text("01k9zv0000000000000000aaaa")).is_err());
    assert!(Uuid::from_value(&text("019A5C00-0000-7000-8000-000000000ADA")).is_err());
    assert!(Date::from_value(&text("2026-13-01")).is_err());
    assert!(DateTime::from_value(&text("2026-11-15")).is_err());
}

#[test]
fn a_change_keeps_sets_or_clears() {
    let mut item = Attributes::new();
    set_change(&mut item, "kept", &AttributeChange::<String>::Keep);
    set_change(&mut item, "set", &AttributeChange::Set("x".to_owned()));
    set_change(&mut item, "cleared", &AttributeChange::<String>::Clear);
    let wanted = [("cleared", AttributeValue::Null), ("set", AttributeValue::S("x".to_owned()))];
    assert_eq!(item, wanted.map(|(name, value)| (name.to_owned(), value)).into());
}
