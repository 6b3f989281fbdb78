//! The mistake behind a syntax error. The parser often notices it only on a line after it.

use saphyr_parser::ScanError;

use crate::span::Span;

/// What is wrong, and how reading goes on.
pub(super) struct Cause {
    pub span: Span,
    pub message: String,
    pub help: String,
    pub recovery: Recovery,
}

/// How the errors after a mistake are found without reporting its consequences.
pub(super) enum Recovery {
    /// The line is left out.
    Blank(Span),
    /// The line is made a key, so that what is nested below it stays there: its last character becomes a colon.
    MakeKey(Span),
    /// The structure of what follows is not known.
    Stop,
}

/// What the parser noticed. Its errors have a text and no kind: its version is pinned, and a test fails when the texts
/// change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Symptom {
    NoColon,
    CommentInText,
    KeyInText,
    /// An entry in brackets that does not continue them.
    Unseparated,
}

impl Symptom {
    fn read(error: &ScanError) -> Option<Self> {
        Some(match error.info().trim_end_matches('.') {
            "simple key expect ':'" => Self::NoColon,
            "comment intercepting the multiline text" => Self::CommentInText,
            "mapping values are not allowed in this context" => Self::KeyInText,
            text if text.contains("indentation") || text.contains("expected ','") => Self::Unseparated,
            _ => return None,
        })
    }
}

/// Finds the mistake that the parser noticed at an offset; `None` if it is where the parser says.
pub(super) fn find(text: &str, at: usize, error: &ScanError) -> Option<Cause> {
    let lines = Lines::new(text);
    match Symptom::read(error)? {
        Symptom::NoColon => missing_colon(&lines, at),
        Symptom::CommentInText => {
            let line = lines.at(at)?;
            indentation(&lines, line, lines.next(line)?)
        }
        Symptom::KeyInText => {
            let line = lines.at(at).filter(|line| line.key_end() == Some(at))?;
            indentation(&lines, lines.previous(line)?, line)
        }
        Symptom::Unseparated => unclosed_bracket(text, at),
    }
}

/// A line without a colon where a key has to be.
fn missing_colon(lines: &Lines<'_>, at: usize) -> Option<Cause> {
    let mut candidates = lines.0.iter().rev().skip_while(|line| line.span.start > at);
    let line = candidates.find(|line| line.key_end().is_none() && !line.content.starts_with("- "))?;
    let content = line.content;
    let (name, value) = match content.split_once([':', ' ', '=']) {
        Some((name, value)) => (name, format!(" {}", value.trim_start_matches([' ', ':', '=']))),
        None => (content, String::new()),
    };
    let is_parent = lines.next(line).is_some_and(|next| next.indent > line.indent);
    Some(Cause {
        span: line.span,
        message: match content.contains(':') {
            true => format!("invalid YAML: `{content}` has no space after the `:`"),
            false => format!("invalid YAML: `{content}` has no `:`"),
        },
        help: format!("write `{name}:{value}`"),
        recovery: if is_parent { Recovery::MakeKey(line.span) } else { Recovery::Blank(line.span) },
    })
}

/// Two lines of which the second is indented deeper than the first, although the first has a value. The one whose
/// indentation is the rarer in the file is wrong.
fn indentation(lines: &Lines<'_>, first: &Line<'_>, second: &Line<'_>) -> Option<Cause> {
    if second.indent <= first.indent {
        return None;
    }
    let frequency = |line: &Line<'_>| lines.0.iter().filter(|other| other.indent == line.indent).count();
    let wrong = if frequency(first) < frequency(second) { first } else { second };
    Some(Cause {
        span: Span::new(wrong.span.start, wrong.key_end().unwrap_or(wrong.span.end)),
        message: format!("invalid YAML: the indentation by {} spaces does not match the lines around it", wrong.indent),
        help: "indent all entries of one level by the same number of spaces".to_owned(),
        recovery: Recovery::Stop,
    })
}

/// A bracket of an earlier line that is still open.
fn unclosed_bracket(text: &str, at: usize) -> Option<Cause> {
    let (open, bracket) = innermost_bracket(text.get(..at.min(text.len()))?)?;
    if !text.get(open..at)?.contains('\n') {
        return None;
    }
    let closing = if bracket == '{' { '}' } else { ']' };
    Some(Cause {
        span: Span::new(open, open + 1),
        message: format!("invalid YAML: the `{bracket}` is not closed"),
        help: format!("add the `{closing}`, or the `,` that is missing between two entries"),
        recovery: Recovery::Stop,
    })
}

/// The last bracket that a text opens and does not close, outside of quotes and comments.
fn innermost_bracket(text: &str) -> Option<(usize, char)> {
    let mut open = Vec::new();
    let mut quote = None;
    let mut before = '\n';
    let mut in_comment = false;
    for (at, character) in text.char_indices() {
        // Within a plain text, quotes and brackets are letters.
        let begins_token = before.is_whitespace() || "{[,".contains(before);
        match (quote, character) {
            (_, '\n') => in_comment = false,
            _ if in_comment => {}
            (Some(end), _) if character == end => quote = None,
            (Some(_), _) => {}
            (None, '#') if before.is_whitespace() => in_comment = true,
            (None, '"' | '\'') if begins_token => quote = Some(character),
            (None, '{' | '[') if begins_token => open.push((at, character)),
            (None, '}' | ']') => drop(open.pop()),
            _ => {}
        }
        before = character;
    }
    open.pop()
}

/// The lines of a file that hold more than a comment.
struct Lines<'t>(Vec<Line<'t>>);

struct Line<'t> {
    /// Of the content.
    span: Span,
    indent: usize,
    /// Without indentation and comment.
    content: &'t str,
}

impl Line<'_> {
    /// The offset of the colon behind the key.
    fn key_end(&self) -> Option<usize> {
        let at = self.content.find(": ").or_else(|| self.content.strip_suffix(':').map(str::len))?;
        Some(self.span.start + at)
    }
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let mut start = 0;
        let mut lines = Vec::new();
        for line in text.split('\n') {
            let whole = line.find(" #").and_then(|comment| line.get(..comment)).unwrap_or(line).trim_end();
            let content = whole.trim_start();
            if !content.is_empty() && !content.starts_with('#') {
                let indent = whole.len() - content.len();
                lines.push(Line { span: Span::new(start + indent, start + whole.len()), indent, content });
            }
            start += line.len() + 1;
        }
        Self(lines)
    }

    fn at(&self, offset: usize) -> Option<&Line<'t>> {
        self.0.iter().rev().find(|line| line.span.start <= offset)
    }

    fn next(&self, line: &Line<'_>) -> Option<&Line<'t>> {
        self.0.iter().find(|other| other.span.start > line.span.start)
    }

    fn previous(&self, line: &Line<'_>) -> Option<&Line<'t>> {
        self.0.iter().rev().find(|other| other.span.start < line.span.start)
    }
}

#[cfg(test)]
mod tests {
    use saphyr_parser::Parser;

    use super::*;

    fn symptom(text: &str) -> Option<Symptom> {
        let error = Parser::new_from_str(text).find_map(Result::err).unwrap();
        let symptom = Symptom::read(&error);
        println!("{text:?}: {error} -> {symptom:?}");
        symptom
    }

    #[test]
    fn the_parser_words_its_errors_as_expected() {
        for (text, expected) in [
            ("a: b\nc d\ne: f\n", Symptom::NoColon),
            ("a: b # comment\n  c: d\n", Symptom::CommentInText),
            ("a: b\n  c: d\n", Symptom::KeyInText),
            ("a: {b: c\nd: e\n", Symptom::Unseparated),
        ] {
            assert_eq!(symptom(text), Some(expected), "{text:?}");
        }
        assert_eq!(symptom("a: [b\nc: d\n"), None);
    }
}
