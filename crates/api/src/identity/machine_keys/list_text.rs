//! The text of a key file: entries are added, replaced and removed, and everything else stays as people wrote it.

use super::entry::{KeyFileError, MachineKey};

/// Begins a new file.
const HEADER: &str = "# Machine keys, by their SHA-256. `keyfold machine-key` lists, rotates and revokes them.\n";

/// The entries of a file with the lines that hold them.
pub(super) struct ListText {
    /// The lines before the first entry.
    head: String,
    /// Before the `-` of each entry.
    indentation: String,
    entries: Vec<(MachineKey, String)>,
}

impl ListText {
    pub(super) fn read(content: &[u8]) -> Result<Self, KeyFileError> {
        let text = text(content)?;
        let keys = list(text)?;
        if keys.is_empty() {
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
        // Each entry has to be readable by itself: then lines can be replaced without a change of the others.
        let is_separate = |(key, lines): &(MachineKey, String)| list(lines).is_ok_and(|alone| alone == [key.clone()]);
        if keys.len() != lines.len() {
            return Err(KeyFileError::NotAppendable);
        }
        let entries: Vec<(MachineKey, String)> = keys.into_iter().zip(lines).collect();
        if !entries.iter().all(is_separate) {
            return Err(KeyFileError::NotAppendable);
        }
        Ok(Self { head, indentation, entries })
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &MachineKey> {
        self.entries.iter().map(|(key, _)| key)
    }

    /// Adds an entry at the end: a line of JSON, which is valid YAML.
    pub(super) fn append(&mut self, key: MachineKey) -> Result<(), KeyFileError> {
        let line = self.line(&key)?;
        self.entries.push((key, line));
        Ok(())
    }

    /// Replaces entries by what `change` makes of them; `None` leaves one as it is. Comments on lines of their own
    /// stay.
    pub(super) fn change(
        &mut self,
        mut change: impl FnMut(&MachineKey) -> Option<MachineKey>,
    ) -> Result<(), KeyFileError> {
        for position in 0..self.entries.len() {
            let Some(new) = self.entries.get(position).and_then(|(key, _)| change(key)) else { continue };
            let line = self.line(&new)?;
            if let Some((key, lines)) = self.entries.get_mut(position) {
                let (comments, after) = comments(lines);
                (*key, *lines) = (new, format!("{comments}{line}{after}"));
            }
        }
        Ok(())
    }

    /// Removes entries. Comments on lines of their own stay.
    pub(super) fn remove(&mut self, is_removed: impl Fn(&MachineKey) -> bool) {
        let mut kept: Vec<(MachineKey, String)> = Vec::new();
        for (key, lines) in std::mem::take(&mut self.entries) {
            if !is_removed(&key) {
                kept.push((key, lines));
                continue;
            }
            let (comments, after) = comments(&lines);
            let before = kept.last_mut().map_or(&mut self.head, |(_, lines)| lines);
            before.push_str(&comments);
            before.push_str(&after);
        }
        self.entries = kept;
    }

    /// The content of the file, if it is read as intended.
    pub(super) fn content(self) -> Result<Vec<u8>, KeyFileError> {
        let (keys, lines): (Vec<MachineKey>, Vec<String>) = self.entries.into_iter().unzip();
        let content = self.head + &lines.concat();
        match list(&content) {
            Ok(read) if read == keys => Ok(content.into_bytes()),
            _ => Err(KeyFileError::NotAppendable),
        }
    }

    fn line(&self, key: &MachineKey) -> Result<String, KeyFileError> {
        let json = serde_json::to_string(key).map_err(|error| KeyFileError::Syntax(error.to_string()))?;
        Ok(format!("{}- {json}\n", self.indentation))
    }
}

/// The keys of a file. One with nothing but comments is an empty list.
pub(super) fn keys(content: &[u8]) -> Result<Vec<MachineKey>, KeyFileError> {
    list(text(content)?)
}

fn text(content: &[u8]) -> Result<&str, KeyFileError> {
    str::from_utf8(content).map_err(|_| KeyFileError::NotText)
}

fn list(text: &str) -> Result<Vec<MachineKey>, KeyFileError> {
    if text.lines().all(|line| line.trim().is_empty() || is_comment(line)) {
        return Ok(Vec::new());
    }
    serde_saphyr::from_str(text).map_err(|error| KeyFileError::Syntax(error.to_string()))
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

    fn revoked(key: &MachineKey) -> MachineKey {
        MachineKey { revoked: Some("now".to_owned()), ..key.clone() }
    }

    #[test]
    fn an_entry_is_replaced_and_everything_else_stays() {
        let mut list = ListText::read(TEXT.as_bytes()).unwrap();
        list.change(|key| (key.name == "one").then(|| revoked(key))).unwrap();
        let expected = "# ours\n---\n  # about one\n- {\"name\":\"one\",\"hash\":\"h\",\"revoked\":\"now\"}\n\n# about two\n\
                        - {name: two, hash: h}\n";
        assert_eq!(String::from_utf8(list.content().unwrap()).unwrap(), expected);
    }

    #[test]
    fn an_entry_is_removed_and_comments_stay() {
        let mut list = ListText::read(TEXT.as_bytes()).unwrap();
        list.remove(|key| key.name == "one");
        let expected = "# ours\n---\n  # about one\n\n# about two\n- {name: two, hash: h}\n";
        assert_eq!(String::from_utf8(list.content().unwrap()).unwrap(), expected);
    }

    #[test]
    fn indented_lists_stay_indented() {
        let mut list = ListText::read(b"  - name: one\n    hash: h").unwrap();
        let two = MachineKey { name: "two".to_owned(), ..list.keys().next().unwrap().clone() };
        list.append(two).unwrap();
        let expected = "  - name: one\n    hash: h\n  - {\"name\":\"two\",\"hash\":\"h\"}\n";
        assert_eq!(String::from_utf8(list.content().unwrap()).unwrap(), expected);
    }

    #[test]
    fn other_forms_are_not_changed() {
        for text in ["[{name: one, hash: h}]\n", "- {name: one,\n- hash: h}\n", "- &a {name: one, hash: h}\n- *a\n"] {
            assert!(ListText::read(text.as_bytes()).is_err(), "{text}");
        }
    }
}
