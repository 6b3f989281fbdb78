//! The names and values that the fuzzed expressions may use, and the items they are evaluated on. Made once, since
//! each of millions of inputs needs them.

use std::sync::LazyLock;

use keyfold_dynamo::expression::{NameAliases, ValueAliases};
use keyfold_dynamo::{AttributeValue, Attributes, Number};

fn number(text: &str) -> AttributeValue {
    AttributeValue::N(Number::parse(text).unwrap())
}

fn text(text: &str) -> AttributeValue {
    AttributeValue::S(text.to_owned())
}

/// Aliases of plain, reserved and odd names.
pub static NAMES: LazyLock<NameAliases> = LazyLock::new(|| {
    let plain = [("#a", "a"), ("#l", "l"), ("#m", "m")];
    let odd = [("#0", "size"), ("#r", "name"), ("#d", "a.b"), ("#f", "begins_with"), ("#_", " ")];
    plain.into_iter().chain(odd).map(|(alias, name)| (alias.to_owned(), name.to_owned())).collect()
});

/// At least one value of each type; of the types with an order more, to compare.
pub static VALUES: LazyLock<ValueAliases> = LazyLock::new(|| {
    let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    let numbers = ["1", "5"].map(|text| Number::parse(text).unwrap());
    let list = vec![text("abc"), number("5"), AttributeValue::L(vec![AttributeValue::Null])];
    let map = [("a", number("1")), ("l", AttributeValue::L(list.clone()))];
    let map = map.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let values = [
        (":s", text("abc")),
        (":p", text("ab")),
        (":e", text("")),
        (":t", text("SS")),
        (":n", number("5")),
        (":z", number("0")),
        (":neg", number("-1.5")),
        (":big", number("99999999999999999999999999999999999999e88")),
        (":b", AttributeValue::B(vec![0, 0xFF])),
        (":c", AttributeValue::B(vec![0])),
        (":x", AttributeValue::Bool(true)),
        (":0", AttributeValue::Null),
        (":m", AttributeValue::M(map)),
        (":l", AttributeValue::L(list)),
        (":ss", AttributeValue::Ss(texts(&["abc", "d"]))),
        (":ns", AttributeValue::Ns(numbers.into())),
        (":bs", AttributeValue::Bs([vec![0], vec![0, 0xFF]].into())),
    ];
    values.into_iter().map(|(alias, value)| (alias.to_owned(), value)).collect()
});

/// No item, and one with an attribute of each type, nested ones included.
pub static ITEMS: LazyLock<[Attributes; 2]> = LazyLock::new(|| {
    let values = &*VALUES;
    let names = ["s", "p", "e", "n", "neg", "big", "b", "x", "m", "l", "ss", "ns", "bs"];
    let mut item: Attributes =
        names.into_iter().map(|name| (name.to_owned(), values[&format!(":{name}")].clone())).collect();
    item.insert("a".to_owned(), values[":ss"].clone());
    item.insert("a.b".to_owned(), AttributeValue::L(vec![values[":m"].clone(), values[":l"].clone()]));
    item.insert("size".to_owned(), values[":m"].clone());
    item.insert(" ".to_owned(), AttributeValue::Null);
    [Attributes::new(), item]
});
