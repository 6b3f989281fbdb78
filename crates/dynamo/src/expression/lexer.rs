//! Splits an expression into tokens. Every character ends up in a token or in white space between tokens: a character
//! that no expression may hold becomes a token of its own, so that the parser reports it where it stands.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A bare attribute or function name.
    Name,
    /// `#alias`.
    NameAlias,
    /// `:value`.
    ValueAlias,
    /// A whole number without leading zeros.
    Number,
    And,
    Or,
    Not,
    Between,
    In,
    Set,
    Remove,
    Add,
    Delete,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Plus,
    Minus,
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    Comma,
    Dot,
    Unknown,
    End,
}

/// A piece of the expression, by its place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The tokens of `text`, the last of which is always [`TokenKind::End`].
pub(super) fn tokenize(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(rest) = text.get(start..) {
        let Some(first) = rest.chars().next() else { break };
        if is_space(first) {
            start += first.len_utf8();
            continue;
        }
        let (kind, length) = token_at(first, rest);
        tokens.push(Token { kind, start, end: start + length });
        start += length;
    }
    tokens.push(Token { kind: TokenKind::End, start: text.len(), end: text.len() });
    tokens
}

fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r')
}

fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

/// The token that `rest` begins with, and its length in bytes.
fn token_at(first: char, rest: &str) -> (TokenKind, usize) {
    let second = rest.as_bytes().get(1).copied();
    let word_length = |skip: usize| skip + rest.bytes().skip(skip).take_while(is_word).count();
    match first {
        'a'..='z' | 'A'..='Z' => {
            let length = word_length(1);
            (keyword(rest.get(..length).unwrap_or(rest)), length)
        }
        '#' if second.as_ref().is_some_and(is_word) => (TokenKind::NameAlias, word_length(1)),
        ':' if second.as_ref().is_some_and(is_word) => (TokenKind::ValueAlias, word_length(1)),
        '0' => (TokenKind::Number, 1),
        '1'..='9' => (TokenKind::Number, rest.bytes().take_while(u8::is_ascii_digit).count()),
        '<' => match second {
            Some(b'=') => (TokenKind::LessOrEqual, 2),
            Some(b'>') => (TokenKind::NotEqual, 2),
            _ => (TokenKind::Less, 1),
        },
        '>' if second == Some(b'=') => (TokenKind::GreaterOrEqual, 2),
        '>' => (TokenKind::Greater, 1),
        '=' => (TokenKind::Equal, 1),
        '+' => (TokenKind::Plus, 1),
        '-' => (TokenKind::Minus, 1),
        '(' => (TokenKind::Open, 1),
        ')' => (TokenKind::Close, 1),
        '[' => (TokenKind::OpenBracket, 1),
        ']' => (TokenKind::CloseBracket, 1),
        ',' => (TokenKind::Comma, 1),
        '.' => (TokenKind::Dot, 1),
        _ => (TokenKind::Unknown, first.len_utf8()),
    }
}

/// Keywords are keywords in every expression language and in any case; other words are names.
fn keyword(word: &str) -> TokenKind {
    const KEYWORDS: [(&str, TokenKind); 9] = [
        ("AND", TokenKind::And),
        ("OR", TokenKind::Or),
        ("NOT", TokenKind::Not),
        ("BETWEEN", TokenKind::Between),
        ("IN", TokenKind::In),
        ("SET", TokenKind::Set),
        ("REMOVE", TokenKind::Remove),
        ("ADD", TokenKind::Add),
        ("DELETE", TokenKind::Delete),
    ];
    KEYWORDS.iter().find(|(keyword, _)| keyword.eq_ignore_ascii_case(word)).map_or(TokenKind::Name, |&(_, kind)| kind)
}
