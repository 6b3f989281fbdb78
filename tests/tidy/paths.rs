//! The paths that a file names: those of `use` declarations, expanded, and those inside expressions and types.

use crate::lexer::{Token, reads};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedPath {
    pub segments: Vec<String>,
    /// The name under which a `use` declaration brings it into scope.
    pub alias: Option<String>,
    pub line: usize,
}

/// Every path of two segments or more; in `use` declarations also those of one.
pub(crate) fn named_paths(tokens: &[Token<'_>]) -> Vec<NamedPath> {
    let mut paths = Vec::new();
    let mut position = 0;
    while position < tokens.len() {
        let is_start = is_name(tokens[position].text) && (position == 0 || tokens[position - 1].text != ":");
        if tokens[position].text == "use" {
            position = expand(tokens, position + 1, &[], &mut paths);
        } else if is_start && reads(tokens, position + 1, &[":", ":"]) {
            let line = tokens[position].line;
            let mut segments = vec![tokens[position].text.to_owned()];
            while reads(tokens, position + 1, &[":", ":"])
                && tokens.get(position + 3).is_some_and(|next| is_name(next.text))
            {
                position += 3;
                segments.push(tokens[position].text.to_owned());
            }
            if segments.len() > 1 {
                paths.push(NamedPath { segments, alias: None, line });
            }
            position += 1;
        } else {
            position += 1;
        }
    }
    paths
}

/// Expands one tree of a `use` declaration; returns the position after it.
fn expand(tokens: &[Token<'_>], mut position: usize, prefix: &[String], paths: &mut Vec<NamedPath>) -> usize {
    let mut segments = prefix.to_vec();
    let mut alias = None;
    let line = tokens.get(position).map_or(0, |token| token.line);
    while position < tokens.len() {
        match tokens[position].text {
            "{" => {
                position += 1;
                while position < tokens.len() && tokens[position].text != "}" {
                    position = expand(tokens, position, &segments, paths);
                    if reads(tokens, position, &[","]) {
                        position += 1;
                    }
                }
                return position + 1;
            }
            ":" => position += 1,
            "as" => {
                alias = tokens.get(position + 1).map(|token| token.text.to_owned());
                position += 2;
            }
            text if is_name(text) || text == "*" => {
                segments.push(text.to_owned());
                position += 1;
            }
            _ => break,
        }
    }
    let alias = alias.or_else(|| segments.last().cloned());
    paths.push(NamedPath { segments, alias, line });
    position
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

#[test]
fn use_trees_are_expanded() {
    let source = "use crate::{a::B, c::{self, D as E}}; fn f() { crate::g::h::<super::i::J>(); }";
    let found: Vec<_> = named_paths(&crate::lexer::tokens(source))
        .into_iter()
        .map(|path| format!("{} {}", path.segments.join("::"), path.alias.unwrap_or_default()))
        .collect();
    assert_eq!(found, ["crate::a::B B", "crate::c::self self", "crate::c::D E", "crate::g::h ", "super::i::J "]);
}
