//! A YAML list whose entries are read one by one, so that a mistake in one of them concerns no other.

use std::collections::HashMap;

use keyfold_design::diagnostic::did_you_mean;
use saphyr_parser::{Event, Parser, ScalarStyle};

/// Aliases repeat what they refer to, which could be a lot.
const MAX_NODES: usize = 1_000_000;
/// Entries are mappings of texts and lists of texts.
const MAX_DEPTH: usize = 32;
/// What an alias can refer to: an entry, at most.
const MAX_ALIAS_DEPTH: usize = 3;

/// An entry, and the line where it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub line: usize,
    pub value: Value,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    /// `null` or `~`: as if the member were not there.
    Null,
    /// Nothing at all, as after `revoked:`.
    Empty,
    List(Vec<Self>),
    /// Keys with their values, in the order of the file.
    Mapping(Vec<(Self, Self)>),
}

/// Why a file has no entries that could be read one by one.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryListError {
    #[error("it is not text in UTF-8")]
    NotText,
    #[error("line {line}: invalid YAML: {cause}")]
    Syntax { line: usize, cause: String },
    #[error("line {0}: expected a list, with one `- …` per entry")]
    NotAList(usize),
}

/// What is wrong with the members of an entry.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemberMistake {
    #[error("an entry consists of members such as `{0}: …`")]
    NoMembers(&'static str),
    #[error("unknown member `{name}`{}", suggestion.map_or_else(String::new, |close| format!("; did you mean `{close}`?")))]
    Unknown { name: String, suggestion: Option<&'static str> },
    #[error("`{0}` is there twice")]
    Repeated(String),
    #[error("`{0}` is missing")]
    Missing(&'static str),
    #[error("`{0}` has no value")]
    Empty(&'static str),
    #[error("`{0}` is a text")]
    NotText(&'static str),
    #[error("`{0}` is a list of texts, such as [one, two]")]
    NotTexts(&'static str),
}

/// The entries of a file. One with nothing but comments is an empty list.
pub(super) fn read(content: &[u8]) -> Result<Vec<Entry>, EntryListError> {
    let text = str::from_utf8(content).map_err(|_| EntryListError::NotText)?;
    let mut reader = Reader::default();
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, span) = event
            .map_err(|error| EntryListError::Syntax { line: error.marker().line(), cause: error.info().to_owned() })?;
        reader.accept(event, span.start.line())?;
    }
    Ok(reader.entries)
}

/// What has been read of a file.
#[derive(Default)]
struct Reader {
    entries: Vec<Entry>,
    /// Whether the list has begun.
    has_list: bool,
    /// The lists and mappings that have begun, besides the list of entries.
    open: Vec<Open>,
    anchors: HashMap<usize, Value>,
    nodes: usize,
}

struct Open {
    line: usize,
    anchor: usize,
    is_mapping: bool,
    values: Vec<Value>,
}

impl Reader {
    fn accept(&mut self, event: Event<'_>, line: usize) -> Result<(), EntryListError> {
        let is_outside = !self.has_list;
        match event {
            Event::SequenceStart(..) if is_outside && self.nodes == 0 => self.has_list = true,
            Event::SequenceStart(anchor, _) if !is_outside => self.begin(anchor, line, false)?,
            Event::MappingStart(anchor, _) if !is_outside => self.begin(anchor, line, true)?,
            Event::SequenceEnd | Event::MappingEnd => self.end()?,
            Event::Scalar(text, style, anchor, _) => match scalar(&text, style) {
                Value::Null | Value::Empty if is_outside => {}
                _ if is_outside => return Err(EntryListError::NotAList(line)),
                value => self.add(value, anchor, line)?,
            },
            Event::Alias(anchor) if !is_outside => {
                let unusable = || syntax(line, "an alias of more than an entry");
                let value = self.anchors.get(&anchor).cloned().ok_or_else(unusable)?;
                self.nodes += value.nodes();
                self.add(value, 0, line)?;
            }
            Event::SequenceStart(..) | Event::MappingStart(..) | Event::Alias(_) => {
                return Err(EntryListError::NotAList(line));
            }
            Event::DocumentStart(_) | Event::DocumentEnd | Event::StreamStart | Event::StreamEnd | Event::Nothing => {}
        }
        Ok(())
    }

    fn begin(&mut self, anchor: usize, line: usize, is_mapping: bool) -> Result<(), EntryListError> {
        if self.open.len() == MAX_DEPTH {
            return Err(syntax(line, "too many lists within lists"));
        }
        self.open.push(Open { line, anchor, is_mapping, values: Vec::new() });
        Ok(())
    }

    fn end(&mut self) -> Result<(), EntryListError> {
        let Some(Open { line, anchor, is_mapping, values }) = self.open.pop() else {
            // The end of the list of entries. Another document is none of it.
            (self.has_list, self.nodes) = (false, self.nodes.max(1));
            return Ok(());
        };
        let value = if is_mapping { Value::Mapping(pairs(values)) } else { Value::List(values) };
        self.add(value, anchor, line)
    }

    fn add(&mut self, value: Value, anchor: usize, line: usize) -> Result<(), EntryListError> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(syntax(line, "too many values"));
        }
        if anchor != 0 && value.depth() <= MAX_ALIAS_DEPTH {
            self.anchors.insert(anchor, value.clone());
        }
        match self.open.last_mut() {
            Some(open) => open.values.push(value),
            None => self.entries.push(Entry { line, value }),
        }
        Ok(())
    }
}

fn scalar(text: &str, style: ScalarStyle) -> Value {
    match text {
        "" if style == ScalarStyle::Plain => Value::Empty,
        "~" | "null" | "Null" | "NULL" if style == ScalarStyle::Plain => Value::Null,
        _ => Value::Text(text.to_owned()),
    }
}

/// Keys and values alternate.
fn pairs(values: Vec<Value>) -> Vec<(Value, Value)> {
    let mut pairs = Vec::with_capacity(values.len() / 2);
    let mut values = values.into_iter();
    while let (Some(key), Some(value)) = (values.next(), values.next()) {
        pairs.push((key, value));
    }
    pairs
}

fn syntax(line: usize, cause: &str) -> EntryListError {
    EntryListError::Syntax { line, cause: cause.to_owned() }
}

impl Value {
    fn children(&self) -> impl Iterator<Item = &Self> {
        let (list, pairs) = match self {
            Self::List(values) => (values.as_slice(), [].as_slice()),
            Self::Mapping(pairs) => ([].as_slice(), pairs.as_slice()),
            Self::Text(_) | Self::Null | Self::Empty => ([].as_slice(), [].as_slice()),
        };
        list.iter().chain(pairs.iter().flat_map(|(key, value)| [key, value]))
    }

    fn nodes(&self) -> usize {
        1 + self.children().map(Self::nodes).sum::<usize>()
    }

    fn depth(&self) -> usize {
        1 + self.children().map(Self::depth).max().unwrap_or(0)
    }

    /// Every text in an entry that may be meant as a value, except the single ones of some members.
    pub(super) fn texts_besides(&self, excluded: &[&str]) -> Vec<&str> {
        match self {
            Self::Text(text) => vec![text],
            Self::Null | Self::Empty => Vec::new(),
            Self::List(values) => values.iter().flat_map(|value| value.texts_besides(excluded)).collect(),
            Self::Mapping(pairs) => {
                let is_excluded = |key: &Self, value: &Self| {
                    let has_parts = matches!(value, Self::List(_) | Self::Mapping(_));
                    matches!(key, Self::Text(key) if excluded.contains(&key.as_str())) && !has_parts
                };
                let included = pairs.iter().filter(|(key, value)| !is_excluded(key, value));
                let texts = included.flat_map(|(key, value)| match value {
                    // `- {ada}` is a key without a value.
                    Self::Null | Self::Empty => key.texts_besides(excluded),
                    value => value.texts_besides(excluded),
                });
                texts.collect()
            }
        }
    }
}

/// Reads the members of an entry, as far as that is possible, and keeps the first mistake.
pub(super) struct Members<'v> {
    pairs: Vec<(&'v str, &'v Value)>,
    mistake: Option<MemberMistake>,
}

impl<'v> Members<'v> {
    /// The first of the known members is the one that an example shows.
    pub(super) fn new(value: &'v Value, known: &'static [&'static str]) -> Self {
        let mut members = Self { pairs: Vec::new(), mistake: None };
        let Value::Mapping(pairs) = value else {
            members.keep(MemberMistake::NoMembers(known.first().copied().unwrap_or_default()));
            return members;
        };
        for (key, value) in pairs {
            let Value::Text(name) = key else {
                members.keep(MemberMistake::NoMembers(known.first().copied().unwrap_or_default()));
                continue;
            };
            if !known.contains(&name.as_str()) {
                let suggestion = did_you_mean(name, known.iter().copied());
                members.keep(MemberMistake::Unknown { name: name.clone(), suggestion });
            } else if members.find(name).is_some() {
                members.keep(MemberMistake::Repeated(name.clone()));
            } else {
                members.pairs.push((name, value));
            }
        }
        members
    }

    /// Rejects `null` for some members: left out, they would restrict nothing.
    pub(super) fn require_values(&mut self, names: &[&'static str]) {
        for name in names {
            if self.find(name) == Some(&Value::Null) {
                self.keep(MemberMistake::Empty(name));
            }
        }
    }

    pub(super) fn text(&mut self, name: &'static str) -> Option<String> {
        match self.find(name)? {
            Value::Text(text) => return Some(text.clone()),
            Value::Null => {}
            Value::Empty => self.keep(MemberMistake::Empty(name)),
            Value::List(_) | Value::Mapping(_) => self.keep(MemberMistake::NotText(name)),
        }
        None
    }

    /// Empty if the member is missing.
    pub(super) fn required_text(&mut self, name: &'static str) -> String {
        let text = self.text(name);
        if text.is_none() {
            self.keep(MemberMistake::Missing(name));
        }
        text.unwrap_or_default()
    }

    pub(super) fn texts(&mut self, name: &'static str) -> Option<Vec<String>> {
        match self.find(name)? {
            Value::List(values) => {
                let text = |value: &Value| match value {
                    Value::Text(text) => Some(text.clone()),
                    _ => None,
                };
                let texts: Option<Vec<String>> = values.iter().map(text).collect();
                if texts.is_none() {
                    self.keep(MemberMistake::NotTexts(name));
                }
                return texts;
            }
            Value::Null => {}
            Value::Empty => self.keep(MemberMistake::Empty(name)),
            Value::Text(_) | Value::Mapping(_) => self.keep(MemberMistake::NotTexts(name)),
        }
        None
    }

    pub(super) fn into_mistake(self) -> Option<MemberMistake> {
        self.mistake
    }

    fn find(&self, name: &str) -> Option<&'v Value> {
        self.pairs.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
    }

    fn keep(&mut self, mistake: MemberMistake) {
        self.mistake.get_or_insert(mistake);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistake(text: &str) -> String {
        read(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn entries_are_found_with_their_lines() {
        for text in ["", "# none yet\n", "---\n# none\n", "[]", "~\n"] {
            assert_eq!(read(text.as_bytes()).unwrap(), [], "{text:?}");
        }
        let entries = read(b"# ours\n- {a: 1}\n- &x {a: 2}\n\n- *x\n- 4\n").unwrap();
        let lines: Vec<usize> = entries.iter().map(|entry| entry.line).collect();
        assert_eq!(lines, [2, 3, 5, 6]);
        assert_eq!(entries[1].value, entries[2].value);
        assert_eq!(entries[3].value, Value::Text("4".to_owned()));
    }

    #[test]
    fn a_file_that_is_no_list_is_refused_with_the_line() {
        assert_eq!(mistake("# one\na: b\n"), "line 2: expected a list, with one `- …` per entry");
        assert_eq!(mistake("- a\n---\n- b\n"), "line 3: expected a list, with one `- …` per entry");
        assert!(mistake("- a\n- [b\n- c: ]\n").starts_with("line 3: invalid YAML: "));
        assert_eq!(read(b"\xff"), Err(EntryListError::NotText));
    }

    #[test]
    fn aliases_and_nesting_take_no_more_memory_than_documented() {
        let nested = format!("- {}\n", "[".repeat(100) + &"]".repeat(100));
        assert_eq!(mistake(&nested), "line 1: invalid YAML: too many lists within lists");
        let mut doubling = "- &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..20 {
            let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
            doubling += &format!("- &a{level} [{aliases}]\n");
        }
        assert_eq!(mistake(&doubling), "line 4: invalid YAML: an alias of more than an entry");
    }
}
