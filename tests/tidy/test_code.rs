//! Finds the items of a file that only tests see.

use std::ops::Range;

use crate::lexer::{Token, after_group, reads};

/// The tokens of `#[test]` functions and of items under `#[cfg(test)]` or `#[cfg(all(test, …))]`, with their
/// attributes.
pub(crate) fn test_items(tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let mut items = Vec::new();
    let mut position = 0;
    while position < tokens.len() {
        if is_test_attribute(tokens, position) {
            let end = after_item(tokens, position);
            items.push(position..end);
            position = end;
        } else {
            position += 1;
        }
    }
    items
}

/// The file without the items that only tests see.
pub(crate) fn without_tests<'s>(tokens: &[Token<'s>]) -> Vec<Token<'s>> {
    let items = test_items(tokens);
    let is_kept = |position: &usize| !items.iter().any(|item| item.contains(position));
    (0..tokens.len()).filter(is_kept).map(|position| tokens[position]).collect()
}

fn is_test_attribute(tokens: &[Token<'_>], position: usize) -> bool {
    let forms: [&[&str]; 4] = [
        &["#", "[", "test", "]"],
        &["#", "[", "cfg", "(", "test", ")", "]"],
        &["#", "[", "cfg", "(", "all", "(", "test", ","],
        &["#", "[", "tokio", ":", ":", "test"],
    ];
    forms.iter().any(|form| reads(tokens, position, form))
}

fn after_item(tokens: &[Token<'_>], mut position: usize) -> usize {
    while reads(tokens, position, &["#", "["]) {
        position = after_group(tokens, position + 1);
    }
    while position < tokens.len() {
        match tokens[position].text {
            ";" => return position + 1,
            "{" => return after_group(tokens, position),
            "(" | "[" => position = after_group(tokens, position),
            _ => position += 1,
        }
    }
    position
}

#[test]
fn test_modules_and_functions_are_left_out() {
    let source = "#[cfg(test)] mod tests; fn a() {} #[test] #[ignore] fn b() { {} } #[cfg(not(test))] fn c() {}";
    let kept: Vec<_> = without_tests(&crate::lexer::tokens(source)).into_iter().map(|token| token.text).collect();
    assert_eq!(kept.join(" "), "fn a ( ) { } # [ cfg ( not ( test ) ) ] fn c ( ) { }");
}
