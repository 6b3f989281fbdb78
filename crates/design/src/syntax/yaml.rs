//! Reads YAML events into nodes.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError};

use super::cause::{self, Recovery};
use super::codes::{DUPLICATE_KEY, NOT_YAML, UNUSED_YAML};
use super::node::{Entry, Node, NodeKind, Scalar};
use super::traps;
use crate::diagnostic::{Diagnostic, Findings};
use crate::span::{Span, Spanned};

/// The number of syntax errors after which reading stops.
const MOST_SYNTAX_ERRORS: usize = 20;

/// Reads a file. A line that YAML cannot read is reported and blanked, so that the errors after it are found too;
/// what is returned then is `None`, since a tree with holes would only give rise to false findings.
pub(crate) fn read(source: &str, findings: &mut Findings) -> Option<Node> {
    let mut text = source.to_owned();
    let mut broken = false;
    for _ in 0..MOST_SYNTAX_ERRORS {
        let offsets = Offsets::new(&text);
        let mut found = Findings::default();
        let mut builder =
            Builder { text: &text, source, offsets: &offsets, findings: &mut found, stack: Vec::new(), root: None };
        let outcome = builder.run();
        let root = builder.root.take();
        match outcome {
            Ok(()) => {
                for diagnostic in found.into_sorted() {
                    findings.push(diagnostic);
                }
                if broken {
                    return None;
                }
                return Some(root.unwrap_or_else(empty));
            }
            Err(error) => {
                let line = broken_line(&text, offsets.byte(error.marker().index()));
                if traps::mask_conditional(&mut text, line) {
                    continue;
                }
                broken = true;
                if !report(&mut text, &offsets, &error, line, findings) {
                    return None;
                }
            }
        }
    }
    None
}

fn empty() -> Node {
    Node {
        span: Span::default(),
        kind: NodeKind::Scalar(Scalar { text: String::new(), quoted: false, verbatim: true }),
    }
}

/// The last line with text at or before an offset.
fn broken_line(text: &str, offset: usize) -> Span {
    let mut end = offset.min(text.len());
    loop {
        let start = text.get(..end).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let line_end = text.get(start..).and_then(|rest| rest.find('\n')).map_or(text.len(), |at| start + at);
        let is_blank = text.get(start..line_end).is_none_or(|line| line.trim().is_empty());
        if !is_blank || start == 0 {
            return Span::new(start, line_end);
        }
        end = start - 1;
    }
}

/// Reports a syntax error, and takes it out of the text; false if what follows cannot be read.
fn report(text: &mut String, offsets: &Offsets, error: &ScanError, line: Span, findings: &mut Findings) -> bool {
    let at = offsets.byte(error.marker().index());
    let joined = traps::joined_text(text, line);
    let Some(cause) = cause::find(text, at, error).filter(|_| joined.is_none()) else {
        findings.push(joined.unwrap_or_else(|| describe(text, offsets, error, line)));
        blank(text, line);
        return true;
    };
    findings.push(Diagnostic::new(&NOT_YAML, cause.span, cause.message).help(cause.help));
    match cause.recovery {
        Recovery::Blank(line) => blank(text, line),
        Recovery::MakeKey(line) => {
            let last = text.get(line.range()).and_then(|line| line.chars().next_back()).map_or(1, char::len_utf8);
            blank(text, Span::new(line.end - last, line.end));
            text.replace_range(line.end - last..line.end - last + 1, ":");
        }
        Recovery::Stop => return false,
    }
    true
}

/// Replaces a part of a text by as many bytes of blanks.
fn blank(text: &mut String, span: Span) {
    let blank = " ".repeat(span.end - span.start);
    text.replace_range(span.range(), &blank);
}

fn describe(text: &str, offsets: &Offsets, error: &ScanError, line: Span) -> Diagnostic {
    let at = offsets.byte(error.marker().index());
    let end = text.get(at..).and_then(|rest| rest.chars().next()).map_or(at, |next| at + next.len_utf8());
    let span = if at >= line.start && at <= line.end { Span::new(at, end) } else { line };
    let what = error.info().trim_end_matches('.');
    Diagnostic::new(&NOT_YAML, span, format!("invalid YAML: {what}"))
        .label("reading failed here")
        .help("check the indentation, the space after each `:`, and quotes; templates need no quotes")
}

/// Translates the parser's character positions into bytes.
struct Offsets(Option<Vec<usize>>);

impl Offsets {
    fn new(text: &str) -> Self {
        if text.is_ascii() {
            return Self(None);
        }
        Self(Some(text.char_indices().map(|(at, _)| at).chain(std::iter::once(text.len())).collect()))
    }

    fn byte(&self, character: usize) -> usize {
        match &self.0 {
            None => character,
            Some(table) => table.get(character).or(table.last()).copied().unwrap_or(0),
        }
    }

    fn span(&self, start: Marker, end: Marker) -> Span {
        Span::new(self.byte(start.index()), self.byte(end.index()))
    }
}

struct Builder<'a> {
    /// What the parser reads: the source, with what it could not read blanked or masked, byte by byte.
    text: &'a str,
    source: &'a str,
    offsets: &'a Offsets,
    findings: &'a mut Findings,
    stack: Vec<Frame>,
    root: Option<Node>,
}

enum Frame {
    Sequence { start: usize, items: Vec<Node> },
    Mapping { start: usize, entries: Vec<Entry>, key: Option<PendingKey> },
}

/// A key that waits for its value; one that cannot be used keeps its place so that keys and values stay paired.
enum PendingKey {
    Text(Spanned<String>),
    Unusable,
}

impl Builder<'_> {
    fn run(&mut self) -> Result<(), ScanError> {
        let mut parser = Parser::new_from_str(self.text);
        let mut documents = 0;
        while let Some(event) = parser.next_event() {
            let (event, span) = event?;
            let span = self.offsets.span(span.start, span.end);
            match event {
                Event::DocumentStart(_) => {
                    documents += 1;
                    if documents == 2 {
                        self.unused(span, "a second document", "a design is one document");
                    }
                }
                Event::Alias(_) => {
                    self.unused(span, "an alias", "write the value out");
                    self.add(Node { span, ..empty() });
                }
                Event::Scalar(text, style, anchor, tag) => {
                    self.refuse(span, anchor, tag.is_some());
                    let node = self.scalar(&text, style, span);
                    self.add(node);
                }
                Event::SequenceStart(anchor, tag) => {
                    self.refuse(span, anchor, tag.is_some());
                    self.stack.push(Frame::Sequence { start: span.start, items: Vec::new() });
                }
                Event::MappingStart(anchor, tag) => {
                    self.refuse(span, anchor, tag.is_some());
                    self.stack.push(Frame::Mapping { start: span.start, entries: Vec::new(), key: None });
                }
                Event::SequenceEnd | Event::MappingEnd => self.close(span),
                _ => {}
            }
        }
        Ok(())
    }

    fn unused(&mut self, span: Span, what: &str, help: &str) {
        self.findings.push(Diagnostic::new(&UNUSED_YAML, span, format!("{what} is not used in designs")).help(help));
    }

    fn refuse(&mut self, span: Span, anchor: usize, tagged: bool) {
        // The parser's span is the value's; what is refused stands before it on the line.
        if anchor != 0 {
            self.unused(span, "an anchor", "write the value out where it is used");
        }
        if tagged {
            self.unused(span, "a tag", "remove it; write the type of an attribute as a word, as in `seats: integer`");
        }
    }

    fn scalar(&self, text: &str, style: ScalarStyle, span: Span) -> Node {
        let quoted = matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted);
        // A masked scalar is the source's own text.
        let end = span.start + text.len();
        let text = match self.text.get(span.start..end) {
            Some(read) if read == text && !quoted => self.source.get(span.start..end).unwrap_or(text),
            _ => text,
        };
        let content = Span::new(span.start + usize::from(quoted), span.end.saturating_sub(usize::from(quoted)));
        let verbatim = self.source.get(content.range()) == Some(text);
        // The parser lets a plain scalar's span run up to the next token; it ends with its text.
        let span = if verbatim || quoted {
            span
        } else if self.source.get(span.start..span.start + text.len()) == Some(text) {
            return Node {
                span: Span::new(span.start, span.start + text.len()),
                kind: NodeKind::Scalar(Scalar { text: text.to_owned(), quoted, verbatim: true }),
            };
        } else {
            let raw = self.source.get(span.range()).unwrap_or_default();
            Span::new(span.start, span.start + raw.trim_end().len())
        };
        Node { span, kind: NodeKind::Scalar(Scalar { text: text.to_owned(), quoted, verbatim }) }
    }

    fn close(&mut self, end: Span) {
        let Some(frame) = self.stack.pop() else { return };
        let node = match frame {
            Frame::Sequence { start, items } => {
                let last = items.last().map_or(end.end, |item| item.span.end);
                Node { span: Span::new(start, self.block_end(start, last, end)), kind: NodeKind::Sequence(items) }
            }
            Frame::Mapping { start, entries, .. } => {
                let last = entries.last().map_or(end.end, |entry| entry.value.span.end);
                Node { span: Span::new(start, self.block_end(start, last, end)), kind: NodeKind::Mapping(entries) }
            }
        };
        self.add(node);
    }

    /// A flow collection ends with its bracket, a block one with its last value.
    fn block_end(&self, start: usize, last: usize, end: Span) -> usize {
        let is_flow = self.source.get(start..).is_some_and(|rest| rest.starts_with(['{', '[']));
        if is_flow { end.end } else { last }
    }

    fn add(&mut self, node: Node) {
        match self.stack.last_mut() {
            None => self.root = self.root.take().or(Some(node)),
            Some(Frame::Sequence { items, .. }) => items.push(node),
            Some(Frame::Mapping { key: pending @ None, .. }) => match node.kind {
                NodeKind::Scalar(scalar) if scalar.text == "<<" => {
                    *pending = Some(PendingKey::Unusable);
                    self.unused(node.span, "a merge key", "write the keys out");
                }
                NodeKind::Scalar(scalar) => *pending = Some(PendingKey::Text(Spanned::new(scalar.text, node.span))),
                _ => {
                    *pending = Some(PendingKey::Unusable);
                    self.unused(node.span, "a key that is not text", "give it a name");
                }
            },
            Some(Frame::Mapping { entries, key, .. }) => {
                let Some(PendingKey::Text(key)) = key.take() else { return };
                match entries.iter().find(|entry| entry.key.value == key.value) {
                    Some(first) => {
                        let diagnostic =
                            Diagnostic::new(&DUPLICATE_KEY, key.span, format!("`{}` is given twice", key.value))
                                .label("given again here")
                                .also(first.key.span, "first given here")
                                .help("remove one of the two, or rename it");
                        self.findings.push(diagnostic);
                    }
                    None => entries.push(Entry { key, value: node }),
                }
            }
        }
    }
}
