//! Files have at most 600 lines and functions at most 70, tests and generated code aside.

use crate::lexer::{Token, after_group, tokens};
use crate::test_code::{test_items, without_tests};
use crate::tree::{self, SourceFile};

const FILE_LINES: usize = 600;
const FUNCTION_LINES: usize = 70;

#[test]
fn files_are_short() {
    let violations: Vec<_> = product_files()
        .iter()
        .filter_map(|file| {
            let lines = lines_without_tests(&file.text);
            (lines > FILE_LINES).then(|| format!("{}: {lines} lines", file.path))
        })
        .collect();
    tree::report(&format!("a file has at most {FILE_LINES} lines, tests aside"), &violations);
}

#[test]
fn functions_are_short() {
    let mut violations = Vec::new();
    for file in product_files() {
        for function in functions(&without_tests(&tokens(&file.text))) {
            if function.lines > FUNCTION_LINES {
                let Function { name, line, lines } = function;
                violations.push(format!("{}:{line}: `{name}` has {lines} lines", file.path));
            }
        }
    }
    tree::report(&format!("a function has at most {FUNCTION_LINES} lines"), &violations);
}

fn product_files() -> Vec<SourceFile> {
    let mut files = tree::files(&["rs"]);
    files.retain(|file| !tree::is_test_file(&file.path) && !tree::is_generated(&file.path));
    files
}

fn lines_without_tests(text: &str) -> usize {
    let tokens = tokens(text);
    let test_lines: usize =
        test_items(&tokens).into_iter().map(|item| tokens[item.end - 1].line - tokens[item.start].line + 1).sum();
    text.lines().count() - test_lines
}

struct Function {
    name: String,
    line: usize,
    /// From the line of `fn` to that of the closing brace.
    lines: usize,
}

fn functions(tokens: &[Token<'_>]) -> Vec<Function> {
    let mut functions = Vec::new();
    for (position, pair) in tokens.windows(2).enumerate() {
        // The type of a function has no name.
        if pair[0].text != "fn" || pair[1].text == "(" {
            continue;
        }
        if let Some(end) = body_end(tokens, position) {
            let line = pair[0].line;
            functions.push(Function { name: pair[1].text.to_owned(), line, lines: tokens[end - 1].line - line + 1 });
        }
    }
    functions
}

/// The position after the body; a function of a trait may have none.
fn body_end(tokens: &[Token<'_>], mut position: usize) -> Option<usize> {
    while position < tokens.len() {
        match tokens[position].text {
            ";" => return None,
            "{" => return Some(after_group(tokens, position)),
            "(" | "[" => position = after_group(tokens, position),
            _ => position += 1,
        }
    }
    None
}

#[test]
fn lines_are_counted_from_the_signature_to_the_closing_brace() {
    let source = "trait T { fn a(&self); }\nfn b(\n    f: fn(u8) -> [u8; 2],\n) {\n    if x { }\n}\n";
    let found = functions(&tokens(source));
    let shown: Vec<_> = found.iter().map(|function| (&*function.name, function.line, function.lines)).collect();
    assert_eq!(shown, [("b", 2, 5)]);
    assert_eq!(lines_without_tests("fn a() {}\n#[cfg(test)]\nmod tests {\n}\n"), 1);
}
