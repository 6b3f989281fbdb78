//! The text of a key file: entries are added, replaced and removed, and everything else stays as people wrote it.

use super::entry::{KeyFileError, ListedKey, MachineKey};
use crate::identity::entry_list::{self, EntryListError, Value};

/// Begins a new file.
const HEADER: &str = "# Machine keys, by their SHA-256. `keyfold machine-key` lists, rotates and revokes them.\n";

/// The entries of a file with the lines that hold them.
pub(super) struct ListText {
    /// The lines before the first entry.
    head: String,
    /// Before the `-` of each entry.
    indentation: String,
    entries: Vec<EntryText>,
}

/// An entry with the lines that hold it.
struct EntryText {
    key: ListedKey,
    value: Value,
    lines: String,
}

impl ListText {
    pub(super) fn read(content: &[u8]) -> Result<Self, KeyFileError> {
        let read = entry_list::read(content)?;
        // Reading it has shown that it is text.
        let text = str::from_utf8(content).map_err(|_| EntryListError::NotText)?;
        if read.is_empty() {
            let head = if text.is_empty() { HEADER.to_owned() } else { with_line_end(text) };
            return Ok(Self { head, indentation: String::new(), entries: Vec::new() });
        }
        let indentation = text.lines().find_map(item_indentation).ok_or(KeyFileError::NotAppendable)?.to_owned();
        let (mut head, mut lines) = (String::new(), Vec::<String>::new());
        for line in with_line_end(text).split_inclusive('\n') {
            if item_indentation(line) == Some(&indentation) {
                lines.push(String::new());
            }
            lines.last_mut().unwrap_or(&mut head).push_str(line);
        }
        if read.len() != lines.len() {
            return Err(KeyFileError::NotAppendable);
        }
        let keys = ListedKey::read_all(&read);
        let texts = keys.into_iter().zip(read).zip(lines);
        let entries: Vec<EntryText> =
            texts.map(|((key, entry), lines)| EntryText { key, value: entry.value, lines }).collect();
        // Each entry has to be readable by itself: then lines can be replaced without a change of the others.
        if !entries.iter().all(|entry| value_of(&entry.lines).as_ref() == Some(&entry.value)) {
            return Err(KeyFileError::NotAppendable);
        }
        Ok(Self { head, indentation, entries })
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &ListedKey> {
        self.entries.iter().map(|entry| &entry.key)
    }

    /// Adds an entry at the end: a line of JSON, which is valid YAML.
    pub(super) fn append(&mut self, key: MachineKey) -> Result<(), KeyFileError> {
        let entry = self.entry(key)?;
        self.entries.push(entry);
        Ok(())
    }

    /// Replaces entries by what `change` makes of them; `None` leaves one as it is. Comments on lines of their own
    /// stay, and an entry with members that cannot be read becomes one.
    pub(super) fn change(
        &mut self,
        mut change: impl FnMut(&ListedKey) -> Option<MachineKey>,
    ) -> Result<(), KeyFileError> {
        for position in 0..self.entries.len() {
            let Some(new) = self.entries.get(position).and_then(|entry| change(&entry.key)) else { continue };
            let new = self.entry(new)?;
            if let Some(entry) = self.entries.get_mut(position) {
                let (before, after) = match entry.key.is_incomplete() {
                    true => (commented_out(&entry.lines), String::new()),
                    false => comments(&entry.lines),
                };
                *entry = EntryText { lines: format!("{before}{}{after}", new.lines), ..new };
            }
        }
        Ok(())
    }

    /// Removes entries. Comments on lines of their own stay.
    pub(super) fn remove(&mut self, is_removed: impl Fn(&ListedKey) -> bool) {
        let mut kept: Vec<EntryText> = Vec::new();
        for entry in std::mem::take(&mut self.entries) {
            if !is_removed(&entry.key) {
                kept.push(entry);
                continue;
            }
            let (comments, after) = comments(&entry.lines);
            let before = kept.last_mut().map_or(&mut self.head, |entry| &mut entry.lines);
            before.push_str(&comments);
            before.push_str(&after);
        }
        self.entries = kept;
    }

    /// The content of the file, if it is read as intended.
    pub(super) fn content(self) -> Result<Vec<u8>, KeyFileError> {
        let (values, lines): (Vec<Value>, Vec<String>) =
            self.entries.into_iter().map(|entry| (entry.value, entry.lines)).unzip();
        let content = self.head + &lines.concat();
        let read = entry_list::read(content.as_bytes()).map_err(|_| KeyFileError::NotAppendable)?;
        match read.into_iter().map(|entry| entry.value).eq(values) {
            true => Ok(content.into_bytes()),
            false => Err(KeyFileError::NotAppendable),
        }
    }

    fn entry(&self, key: MachineKey) -> Result<EntryText, KeyFileError> {
        let json = serde_json::to_string(&key).map_err(std::io::Error::from)?;
        let lines = format!("{}- {json}\n", self.indentation);
        let value = value_of(&lines).ok_or(KeyFileError::NotAppendable)?;
        Ok(EntryText { key: ListedKey { line: 0, key, mistake: None }, value, lines })
    }
}

/// The keys of a file. One with nothing but comments is an empty list.
pub(super) fn keys(content: &[u8]) -> Result<Vec<ListedKey>, KeyFileError> {
    Ok(ListedKey::read_all(&entry_list::read(content)?))
}

/// What the lines of an entry hold, if they hold one.
fn value_of(lines: &str) -> Option<Value> {
    let [entry] = <[_; 1]>::try_from(entry_list::read(lines.as_bytes()).ok()?).ok()?;
    Some(entry.value)
}

/// The lines of an entry as comments.
fn commented_out(lines: &str) -> String {
    let comment = |line: &str| match line.trim().is_empty() || is_comment(line) {
        true => line.to_owned(),
        false => format!("# {line}"),
    };
    lines.split_inclusive('\n').map(comment).collect()
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

fn with_line_end(text: &str) -> String {
    if text.ends_with('\n') || text.is_empty() { text.to_owned() } else { format!("{text}\n") }
}

/// What stands before the `-` that begins an entry; `None` for other lines.
fn item_indentation(line: &str) -> Option<&str> {
    let (indentation, rest) = line.split_at(line.len() - line.trim_start_matches(' ').len());
    let after = rest.strip_prefix('-')?;
    (after.is_empty() || after.starts_with([' ', '\n', '\r', '\t'])).then_some(indentation)
}

/// The comments among the lines of an entry, and what follows its last line.
fn comments(lines: &str) -> (String, String) {
    let is_content = |line: &&str| !line.trim().is_empty() && !is_comment(line);
    let lines: Vec<&str> = lines.split_inclusive('\n').collect();
    let end = lines.iter().rposition(is_content).map_or(0, |last| last + 1);
    let (entry, after) = lines.split_at(end);
    (entry.iter().filter(|line| is_comment(line)).copied().collect(), after.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "# ours\n---\n- name: one   # inline\n  # about one\n  hash: h\n\n# about two\n- {name: two, hash: h}\n";

    fn revoked(listed: &ListedKey) -> MachineKey {
        MachineKey { revoked: Some("now".to_owned()), ..listed.key.clone() }
    }

    #[test]
    fn an_entry_is_replaced_and_everything_else_stays() {
        let mut list = ListText::read(TEXT.as_bytes()).unwrap();
        list.change(|listed| (listed.key.name == "one").then(|| revoked(listed))).unwrap();
        let expected = "# ours\n---\n  # about one\n- {\"name\":\"one\",\"hash\":\"h\",\"revoked\":\"now\"}\n\n# about two\n\
                        - {name: two, hash: h}\n";
        assert_eq!(String::from_utf8(list.content().unwrap()).unwrap(), expected);
    }

    #[test]
    fn an_entry_is_removed_and_comments_stay() {
        let mut list = ListText::read(TEXT.as_bytes()).unwrap();
        list.remove(|listed| listed.key.name == "one");
        let expected = "# ours\n---\n  # about one\n\n# about two\n- {name: two, hash: h}\n";
        assert_eq!(String::from_utf8(list.content().unwrap()).unwrap(), expected);
    }

    #[test]
    fn indented_lists_stay_indented() {
        let mut list = ListText::read(b"  - name: one\n    hash: h").unwrap();
        let two = MachineKey { name: "two".to_owned(), ..list.keys().next().unwrap().key.clone() };
        list.append(two).unwrap();
        let expected = "  - name: one\n    hash: h\n  - {\"name\":\"two\",\"hash\":\"h\"}\n";
        assert_eq!(String::from_utf8(list.content().unwrap()).unwrap(), expected);
    }

    #[test]
    fn an_entry_that_cannot_be_read_becomes_a_comment_when_it_is_replaced() {
        let text = "- name: one\n  # ours\n  hash: h\n  rolles: [admin]\n\n- {name: two, hash: h}\n";
        let mut list = ListText::read(text.as_bytes()).unwrap();
        list.change(|listed| (listed.key.name == "one").then(|| revoked(listed))).unwrap();
        let expected = "# - name: one\n  # ours\n#   hash: h\n#   rolles: [admin]\n\n\
                        - {\"name\":\"one\",\"hash\":\"h\",\"revoked\":\"now\"}\n- {name: two, hash: h}\n";
        assert_eq!(String::from_utf8(list.content().unwrap()).unwrap(), expected);
    }

    #[test]
    fn other_forms_are_not_changed() {
        for text in ["[{name: one, hash: h}]\n", "- {name: one,\n- hash: h}\n", "- &a {name: one, hash: h}\n- *a\n"] {
            assert!(ListText::read(text.as_bytes()).is_err(), "{text}");
        }
    }
}
