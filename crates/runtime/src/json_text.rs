//! The text of JSON documents: nesting, members that are given twice, and numbers that a parser would silently round.

use std::borrow::Cow;
use std::ops::Range;

use keyfold_design::model::is_exact_in_json;
use keyfold_dynamo::AttributeValue;
use keyfold_dynamo::limits::ITEM_BYTES;

/// More members than any item can have.
const MOST_MEMBERS: usize = 100_000;

/// A text that must not be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JsonTextError {
    /// More brackets are open at once than allowed.
    #[error("the JSON is nested more than {0} levels deep")]
    TooDeep(usize),
    /// A double does not keep all digits of the number.
    #[error("`{0}` has more digits than JSON readers keep; write it as a string")]
    Inexact(String),
    /// Parsers differ in which of the values they take.
    #[error("the member `{0}` is given twice")]
    Repeated(String),
    /// An object has more members than an item can have.
    #[error("an object has more than {MOST_MEMBERS} members")]
    ManyMembers,
}

/// How many values a text has, as far as they take memory of their own once they are parsed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JsonSize {
    /// The length of the text.
    pub bytes: usize,
    /// Elements of lists. An empty list counts as one.
    pub elements: usize,
    /// Objects with members.
    pub objects: usize,
    /// Members of objects.
    pub members: usize,
}

impl JsonSize {
    /// How much memory the values take as [`AttributeValue`]s, at most.
    pub fn attributes_bytes(self) -> usize {
        /// A list that grows has room for as many elements again.
        const ELEMENT: usize = 2 * size_of::<AttributeValue>();
        // A map has nodes of eleven places each, at least five of which are in use, except for its first.
        const PLACE: usize = size_of::<AttributeValue>() + size_of::<String>();
        let nodes = self.objects + self.members / 5;
        self.bytes + self.elements * ELEMENT + nodes * (12 * PLACE + 16)
    }

    /// Whether an item can have so many values: one that has more is larger than an item may be.
    pub fn fits_into_item(self) -> bool {
        self.elements + 3 * self.objects + self.members <= ITEM_BYTES
    }

    /// How much memory the values take as a tree of [`serde_json::Value`]s and as [`AttributeValue`]s, at most.
    pub fn tree_bytes(self) -> usize {
        // An object has entries, at least four, with the hash and the name of each, and a table of their places.
        const ENTRY: usize = size_of::<serde_json::Value>() + size_of::<String>() + 24;
        let tree = self.elements * 2 * size_of::<serde_json::Value>() + (3 * self.objects + 2 * self.members) * ENTRY;
        self.bytes + tree + self.attributes_bytes()
    }
}

/// Rejects nesting that is too deep, members that an object has twice, and numbers of which a parser would keep only
/// the first digits. Nothing else is checked: the parser does that. Counts the values meanwhile.
pub fn check(text: &str, most_levels: usize) -> Result<JsonSize, JsonTextError> {
    let mut nesting = Nesting {
        text,
        most_levels,
        open: Vec::new(),
        names: Vec::new(),
        expects_name: false,
        size: JsonSize { bytes: text.len(), ..JsonSize::default() },
    };
    let mut bytes = text.bytes().enumerate().peekable();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => {
                let mut end = text.len();
                while let Some((at, inner)) = bytes.next() {
                    match inner {
                        b'\\' => drop(bytes.next()),
                        b'"' => {
                            end = at + 1;
                            break;
                        }
                        _ => {}
                    }
                }
                nesting.string(at..end)?;
            }
            b'[' => nesting.open(Bracket::List)?,
            b'{' => nesting.open(Bracket::Object { first_name: nesting.names.len() })?,
            b']' | b'}' => nesting.close()?,
            b',' => nesting.separate(),
            b'-' | b'0'..=b'9' => {
                let mut end = at + 1;
                while let Some((at, _)) =
                    bytes.next_if(|(_, byte)| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'))
                {
                    end = at + 1;
                }
                if let Some(number) = text.get(at..end).filter(|number| !is_exact_in_json(number)) {
                    return Err(JsonTextError::Inexact(number.to_owned()));
                }
            }
            _ => {}
        }
    }
    Ok(nesting.size)
}

enum Bracket {
    List,
    Object {
        /// The position of its first name among those of all open objects.
        first_name: usize,
    },
}

/// The brackets that are open, and the names of members of open objects.
struct Nesting<'t> {
    text: &'t str,
    most_levels: usize,
    open: Vec<Bracket>,
    /// With their quotes.
    names: Vec<Range<usize>>,
    /// Whether the next string is the name of a member.
    expects_name: bool,
    size: JsonSize,
}

impl Nesting<'_> {
    fn open(&mut self, bracket: Bracket) -> Result<(), JsonTextError> {
        if self.open.len() == self.most_levels {
            return Err(JsonTextError::TooDeep(self.most_levels));
        }
        self.expects_name = matches!(bracket, Bracket::Object { .. });
        self.size.elements += usize::from(!self.expects_name);
        self.open.push(bracket);
        Ok(())
    }

    /// After a comma.
    fn separate(&mut self) {
        self.expects_name = matches!(self.open.last(), Some(Bracket::Object { .. }));
        self.size.elements += usize::from(!self.expects_name);
    }

    fn string(&mut self, range: Range<usize>) -> Result<(), JsonTextError> {
        if std::mem::take(&mut self.expects_name)
            && let Some(Bracket::Object { first_name }) = self.open.last()
        {
            if self.names.len() - first_name >= MOST_MEMBERS {
                return Err(JsonTextError::ManyMembers);
            }
            self.size.objects += usize::from(self.names.len() == *first_name);
            self.size.members += 1;
            self.names.push(range);
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), JsonTextError> {
        self.expects_name = false;
        let Some(Bracket::Object { first_name }) = self.open.pop() else { return Ok(()) };
        let mut names: Vec<Cow<'_, str>> =
            self.names.drain(first_name.min(self.names.len())..).filter_map(|range| name(self.text, range)).collect();
        names.sort_unstable();
        let twice = names.windows(2).find_map(|pair| match pair {
            [one, other] if one == other => Some(one),
            _ => None,
        });
        match twice {
            Some(name) => Err(JsonTextError::Repeated(name.clone().into_owned())),
            None => Ok(()),
        }
    }
}

/// The name that a string spells; `None` if it is not a valid string, which the parser rejects.
fn name(text: &str, range: Range<usize>) -> Option<Cow<'_, str>> {
    let quoted = text.get(range)?;
    match quoted.contains('\\') {
        true => serde_json::from_str(quoted).ok().map(Cow::Owned),
        false => quoted.get(1..quoted.len().checked_sub(1)?).map(Cow::Borrowed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without the count.
    fn check(text: &str, most_levels: usize) -> Result<(), JsonTextError> {
        super::check(text, most_levels).map(drop)
    }

    #[test]
    fn nesting_outside_of_strings_is_counted() {
        assert_eq!(check(r#"{"a":[{"b":"[[[[\"{"}]}"#, 3), Ok(()));
        assert_eq!(check(r#"{"a":[{"b":[]}]}"#, 3), Err(JsonTextError::TooDeep(3)));
    }

    #[test]
    fn numbers_that_a_double_does_not_keep_are_rejected() {
        for kept in
            ["1", "-9223372036854775808", "18446744073709551615", "0.1", "1e10", "-0.0", "\"0.12345678901234567\""]
        {
            assert_eq!(check(&format!(r#"{{"n":[{kept}]}}"#), 9), Ok(()), "{kept}");
        }
        for lost in ["18446744073709551616", "0.12345678901234567", "0.30000000000000003", "1e999"] {
            let told = Err(JsonTextError::Inexact(lost.to_owned()));
            assert_eq!(check(&format!(r#"{{"n":{lost}}}"#), 9), told);
        }
    }

    #[test]
    fn members_that_are_given_twice_are_rejected() {
        let twice = |name: &str| Err(JsonTextError::Repeated(name.to_owned()));
        assert_eq!(check(r#"{"a":1,"b":2,"a":3}"#, 9), twice("a"));
        assert_eq!(check(r#"{"a":1,"\u0061":2}"#, 9), twice("a"));
        assert_eq!(check(r#"{"x":[{"a":1},{"a":1,"a":{}}]}"#, 9), twice("a"));
        assert_eq!(check(r#"{"":1,"":2}"#, 9), twice(""));
        for once in [
            r#"{"a":"b","b":"a","c":["a","a","a,","a"]}"#,
            r#"{"a":{"a":{"a":1},"b":{"a":1}},"b":[{"a":1},{"a":1}]}"#,
            r#"{"a":1,"A":2,"a ":3,"a\"":4}"#,
            "{}",
        ] {
            assert_eq!(check(once, 9), Ok(()), "{once}");
        }
    }

    #[test]
    fn objects_have_no_more_members_than_items() {
        let members = |count: usize| {
            let members: Vec<String> = (0..count).map(|number| format!("\"{number}\":0")).collect();
            format!("{{{}}}", members.join(","))
        };
        assert_eq!(check(&members(100_000), 1), Ok(()));
        assert_eq!(check(&members(100_001), 1), Err(JsonTextError::ManyMembers));
    }

    #[test]
    fn values_are_counted() {
        let count = |text: &str| {
            let size = super::check(text, 9).unwrap();
            assert_eq!(size.bytes, text.len());
            (size.elements, size.objects, size.members)
        };
        assert_eq!(count("7"), (0, 0, 0));
        assert_eq!(count("[0,0,0]"), (3, 0, 0));
        assert_eq!(count(r#"{"a":[{"b":1},{},"[,,{"],"c":"{,"}"#), (3, 2, 3));
        assert_eq!(count("[[],[]]"), (4, 0, 0));
        let zeros = |count: usize| super::check(&format!("[{}0]", "0,".repeat(count)), 9).unwrap();
        assert!(zeros(200_000).fits_into_item());
        assert!(!zeros(500_000).fits_into_item());
        assert!(zeros(500_000).attributes_bytes() > 10 * 1_000_000);
    }

    /// The parser says what is wrong with them.
    #[test]
    fn texts_that_are_not_json_are_left_to_the_parser() {
        for text in ["", "{", "}", "]}", "{\"a", "{\"a\\", "{,,\"a\",\"b\"}", "\"", "[1,]", "{\"\\x\":1}"] {
            assert_eq!(check(text, 9), Ok(()), "{text}");
        }
    }
}
