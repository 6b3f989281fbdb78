//! The fuzzer's bytes as the text of an expression: as they are, or as a list of tokens.

use std::borrow::Cow;

/// A first byte that no text begins with: the bytes after it are numbers of tokens. Changing a byte then changes a
/// whole token, which leads to more expressions that parse than changing characters does.
pub const TOKENS_MARK: u8 = 0xFF;

const TOKENS: &[&str] = &[
    "AND",
    "OR",
    "NOT",
    "BETWEEN",
    "IN",
    "SET",
    "REMOVE",
    "ADD",
    "DELETE",
    "=",
    "<>",
    "<",
    "<=",
    ">",
    ">=",
    "+",
    "-",
    "(",
    ")",
    "[0]",
    "[1]",
    "[2]",
    "[7]",
    ",",
    ".",
    "attribute_exists(",
    "attribute_not_exists(",
    "attribute_type(",
    "begins_with(",
    "contains(",
    "size(",
    "if_not_exists(",
    "list_append(",
    "a",
    "s",
    "n",
    "b",
    "m",
    "l",
    "x",
    "ss",
    "ns",
    "bs",
    "big",
    "unknown",
    "#a",
    "#l",
    "#m",
    "#0",
    "#r",
    "#d",
    "#f",
    "#_",
    ":s",
    ":p",
    ":e",
    ":t",
    ":n",
    ":z",
    ":neg",
    ":big",
    ":b",
    ":c",
    ":x",
    ":0",
    ":m",
    ":l",
    ":ss",
    ":ns",
    ":bs",
];

/// `None` where the bytes are no text.
pub fn expression_text(bytes: &[u8]) -> Option<Cow<'_, str>> {
    match bytes.split_first() {
        Some((&TOKENS_MARK, numbers)) => {
            let tokens: Vec<&str> = numbers.iter().map(|&number| TOKENS[usize::from(number) % TOKENS.len()]).collect();
            Some(Cow::Owned(tokens.join(" ")))
        }
        _ => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
    }
}
