//! The configuration file: YAML with one key per setting. The file of issuers is a list of such mappings.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use keyfold_design::diagnostic::did_you_mean;
use saphyr_parser::{Event, Parser};

use super::raw_value::{RawValue, Source};
use super::setting::{About, Form};

/// The default configuration file, read if it exists.
pub(super) const DEFAULT_FILE: &str = "keyfold.yaml";

/// The settings of a file, by name.
pub(super) type FileValues = BTreeMap<&'static str, RawValue>;

/// Reads a file and reports all errors with their lines.
pub(super) fn read(path: &Path, settings: &[&'static About], faults: &mut Vec<String>) -> FileValues {
    let entries = read_entries(path, settings, None, "configuration file", faults);
    entries.into_iter().next().map(|entry| entry.values).unwrap_or_default()
}

/// Reads a file with a list of mappings, which `element` names.
pub(super) fn read_list(
    path: &Path,
    settings: &[&'static About],
    element: &'static str,
    faults: &mut Vec<String>,
) -> Vec<Entry> {
    read_entries(path, settings, Some(element), "file", faults)
}

fn read_entries(
    path: &Path,
    settings: &[&'static About],
    element: Option<&'static str>,
    kind: &str,
    faults: &mut Vec<String>,
) -> Vec<Entry> {
    let mut reading = Reading { path, settings, element, entries: Vec::new(), faults };
    match std::fs::read_to_string(path) {
        Ok(text) => reading.all(&text),
        Err(error) => reading.faults.push(format!("cannot read the {kind} `{}`: {error}", path.display())),
    }
    reading.entries
}

/// A mapping of a file.
pub(super) struct Entry {
    pub line: usize,
    pub values: FileValues,
}

struct Reading<'a> {
    path: &'a Path,
    settings: &'a [&'static About],
    /// What each element is, in a file with a list of mappings.
    element: Option<&'static str>,
    entries: Vec<Entry>,
    faults: &'a mut Vec<String>,
}

/// The state of the parser.
enum At {
    /// Before or after the top-level mapping or list.
    Outside,
    /// Within a list of mappings.
    Elements,
    Key,
    Value(String, usize),
    List(String, usize, Vec<String>),
}

impl Reading<'_> {
    fn all(&mut self, text: &str) {
        let mut at = At::Outside;
        let mut parser = Parser::new_from_str(text);
        while let Some(event) = parser.next_event() {
            let (event, span) = match event {
                Ok(event) => event,
                Err(error) => {
                    return self.fault(error.marker().line(), &format!("invalid YAML: {}", error.info()));
                }
            };
            let line = span.start.line();
            at = match (at, event) {
                (At::Outside, Event::MappingStart(..)) if self.element.is_none() => self.begin(line),
                (At::Outside, Event::SequenceStart(..)) if self.element.is_some() => At::Elements,
                (At::Elements, Event::MappingStart(..)) => self.begin(line),
                (At::Elements, Event::SequenceEnd) => At::Outside,
                (At::Outside, Event::Scalar(text, ..)) if text.is_empty() || &*text == "~" => At::Outside,
                (
                    At::Outside | At::Elements,
                    Event::Scalar(..) | Event::SequenceStart(..) | Event::MappingStart(..),
                ) => {
                    let expected = match self.element {
                        None => "expected lines like `port: 8080`".to_owned(),
                        Some(element) => format!("expected a list, one `- {element}: …` each"),
                    };
                    return self.fault(line, &expected);
                }
                (At::Key, Event::Scalar(key, ..)) => At::Value(key.into_owned(), line),
                (At::Key, Event::MappingEnd) if self.element.is_some() => At::Elements,
                (At::Key, Event::MappingEnd) => At::Outside,
                (At::Value(key, line), Event::Scalar(text, ..)) => {
                    self.add(&key, line, Written::One(text.into_owned()));
                    At::Key
                }
                (At::Value(key, line), Event::SequenceStart(..)) => At::List(key, line, Vec::new()),
                (At::List(key, line, mut texts), Event::Scalar(text, ..)) => {
                    texts.push(text.into_owned());
                    At::List(key, line, texts)
                }
                (At::List(key, line, texts), Event::SequenceEnd) => {
                    self.add(&key, line, Written::Many(texts));
                    At::Key
                }
                (
                    at @ At::Outside,
                    Event::StreamStart
                    | Event::StreamEnd
                    | Event::DocumentStart(_)
                    | Event::DocumentEnd
                    | Event::Nothing,
                ) => at,
                _ => return self.fault(line, "a setting is a string, a number or a list of these, without nesting"),
            };
        }
    }

    /// Begins a mapping.
    fn begin(&mut self, line: usize) -> At {
        self.entries.push(Entry { line, values: FileValues::new() });
        At::Key
    }

    fn fault(&mut self, line: usize, what: &str) {
        self.faults.push(format!("{}:{line}: {what}", self.path.display()));
    }

    fn add(&mut self, key: &str, line: usize, written: Written) {
        let Some(about) = self.settings.iter().find(|about| about.name == key && about.is_in_file()) else {
            let what = self.unknown(key);
            return self.fault(line, &what);
        };
        let texts = match written {
            Written::One(text) => about.split(&text),
            Written::Many(texts) if about.is_list() => texts,
            Written::Many(_) => return self.fault(line, &format!("`{key}` is a single value, not a list")),
        };
        let texts = texts.into_iter().map(|text| self.placed(about, text)).collect();
        let source = Source::File { path: self.path.to_owned(), line };
        let Some(entry) = self.entries.last_mut() else { return };
        if entry.values.insert(about.name, RawValue { texts, source, is_secret: false }).is_some() {
            self.fault(line, &format!("`{key}` appears twice"));
        }
    }

    fn unknown(&self, key: &str) -> String {
        let is_secret =
            |about: &&&'static About| about.form == Form::Secret && about.name.strip_suffix("-file") == Some(key);
        if let Some(about) = self.settings.iter().find(is_secret) {
            return format!(
                "secrets are not allowed in this file; use `{}` to name a file that contains it",
                about.name
            );
        }
        let known = self.settings.iter().filter(|about| about.is_in_file()).map(|about| about.name);
        match (did_you_mean(key, known.clone()), self.element) {
            (Some(close), _) => format!("unknown setting `{key}`; did you mean `{close}`?"),
            (None, None) => format!("unknown setting `{key}`; `keyfold config show` lists all settings"),
            (None, Some(element)) => {
                let known: Vec<&str> = known.collect();
                format!("unknown setting `{key}`; settings of an {element} are: {}", known.join(", "))
            }
        }
    }

    /// Resolves file names relative to the configuration file.
    fn placed(&self, about: &About, text: String) -> String {
        let is_name = about.is_path && !text.is_empty() && !text.contains("://");
        match self.path.parent().filter(|folder| is_name && !folder.as_os_str().is_empty()) {
            Some(folder) => folder.join(PathBuf::from(text)).display().to_string(),
            None => text,
        }
    }
}

enum Written {
    One(String),
    Many(Vec<String>),
}
