//! Rust source as tokens: words, and single characters of punctuation. Comments are left out, and a literal is one
//! token.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'s> {
    pub text: &'s str,
    /// Counted from 1.
    pub line: usize,
}

pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { source, position: 0, line: 1 };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next() {
        tokens.push(token);
    }
    tokens
}

struct Lexer<'s> {
    source: &'s str,
    position: usize,
    line: usize,
}

impl<'s> Lexer<'s> {
    fn rest(&self) -> &'s str {
        &self.source[self.position..]
    }

    fn advance(&mut self, bytes: usize) {
        self.line += self.rest()[..bytes].matches('\n').count();
        self.position += bytes;
    }

    fn next(&mut self) -> Option<Token<'s>> {
        self.skip_blanks();
        let rest = self.rest();
        let first = rest.chars().next()?;
        let length = if let Some(length) = raw_string(rest) {
            length
        } else if first == '"' || rest.starts_with("b\"") || rest.starts_with("c\"") {
            quoted(rest, '"')
        } else if rest.starts_with("b'") {
            quoted(rest, '\'')
        } else if first == '\'' {
            char_or_lifetime(rest)
        } else if is_word(first) {
            rest.find(|next| !is_word(next)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let token = Token { text: &rest[..length], line: self.line };
        self.advance(length);
        Some(token)
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            let skipped = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                block_comment(rest)
            } else {
                blank
            };
            if skipped == 0 {
                return;
            }
            self.advance(skipped);
        }
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut position = 0;
    while position < text.len() {
        let rest = &text[position..];
        if rest.starts_with("/*") {
            depth += 1;
            position += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            position += 2;
            if depth == 0 {
                return position;
            }
        } else {
            position += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// The length of `r"…"`, `r#"…"#`, `br"…"` and so on.
fn raw_string(text: &str) -> Option<usize> {
    let after = text.strip_prefix("br").or_else(|| text.strip_prefix("cr")).or_else(|| text.strip_prefix('r'))?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let body = after[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = body.find(&end)? + end.len();
    Some(text.len() - body.len() + length)
}

/// The length of a literal up to its closing quote.
fn quoted(text: &str, quote: char) -> usize {
    let mut characters = text.char_indices();
    characters.by_ref().find(|(_, character)| *character == quote);
    while let Some((position, character)) = characters.next() {
        if character == '\\' {
            characters.next();
        } else if character == quote {
            return position + 1;
        }
    }
    text.len()
}

fn char_or_lifetime(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    let second = characters.next().map(|(_, character)| character);
    let third = characters.next();
    if second == Some('\\') || third.is_some_and(|(_, character)| character == '\'') {
        return quoted(text, '\'');
    }
    text[1..].find(|next| !is_word(next)).map_or(text.len(), |length| length + 1)
}

/// The position after the bracket that closes the one at `open`.
pub(crate) fn after_group(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (offset, token) in tokens[open..].iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth -= 1;
                if depth == 0 {
                    return open + offset + 1;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

/// Whether the tokens from `position` on read as `texts`.
pub(crate) fn reads(tokens: &[Token<'_>], position: usize, texts: &[&str]) -> bool {
    tokens[position.min(tokens.len())..].iter().map(|token| token.text).take(texts.len()).eq(texts.iter().copied())
}

#[test]
fn literals_and_comments_hide_their_brackets() {
    let source = "fn a<'x>() { /* { /* */ } */ '{'; '\\''; b'}'; \"{\\\"\"; r#\"\"{\"#; } // {\nlet b";
    let texts: Vec<_> = tokens(source).into_iter().map(|token| token.text).collect();
    let expected = "fn a < 'x > ( ) { '{' ; '\\'' ; b'}' ; \"{\\\"\" ; r#\"\"{\"# ; } let b";
    assert_eq!(texts.join(" "), expected);
    assert_eq!(tokens(source).last().unwrap().line, 2);
}
