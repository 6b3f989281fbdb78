//! JSON with its keys in the order they are written: the same bytes whatever features other crates switch on.

use serde_json::Value;

#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// Anything without an order.
    Plain(Value),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl<T: Into<Value>> From<T> for Json {
    fn from(value: T) -> Self {
        Self::Plain(value.into())
    }
}

/// An object of these fields.
pub fn object<const N: usize>(fields: [(&str, Json); N]) -> Json {
    Json::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A list of texts.
pub fn texts<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> Json {
    Json::List(items.into_iter().map(|item| Json::from(item.as_ref())).collect())
}

impl Json {
    /// Indented by two blanks, with a line break at the end.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, 0);
        text.push('\n');
        text
    }

    fn write(&self, text: &mut String, depth: usize) {
        match self {
            Self::Plain(value) => text.push_str(&value.to_string()),
            Self::List(items) => bracketed(text, depth, ['[', ']'], items, |item, text| item.write(text, depth + 1)),
            Self::Object(fields) => bracketed(text, depth, ['{', '}'], fields, |(name, value), text| {
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push_str(": ");
                value.write(text, depth + 1);
            }),
        }
    }
}

fn bracketed<T>(
    text: &mut String,
    depth: usize,
    brackets: [char; 2],
    items: &[T],
    mut write: impl FnMut(&T, &mut String),
) {
    let [open, close] = brackets;
    text.push(open);
    for (at, item) in items.iter().enumerate() {
        text.push_str(if at == 0 { "\n" } else { ",\n" });
        text.push_str(&"  ".repeat(depth + 1));
        write(item, text);
    }
    if !items.is_empty() {
        text.push('\n');
        text.push_str(&"  ".repeat(depth));
    }
    text.push(close);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_order_of_fields() {
        let json = object([("b", Json::from(1)), ("a", texts(["x", "\"y\""])), ("none", Json::List(Vec::new()))]);
        assert_eq!(
            json.to_text(),
            "{\n  \"b\": 1,\n  \"a\": [\n    \"x\",\n    \"\\\"y\\\"\"\n  ],\n  \"none\": []\n}\n"
        );
    }
}
