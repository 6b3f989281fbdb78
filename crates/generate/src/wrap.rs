//! Markdown prose wrapped at one width.

/// The width of every Markdown file, tables and code blocks aside.
const WIDTH: usize = 120;

/// Breaks a paragraph into lines. Continuation lines begin with `indent` spaces, and code spans are never broken.
pub(crate) fn wrapped(text: &str, indent: usize) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in words(text) {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            lines.push('\n');
            lines.push_str(&" ".repeat(indent));
            column = indent;
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += length;
    }
    lines
}

/// Splits a text at the spaces outside of code spans.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    let is_break = move |character: char| {
        if character == '`' {
            in_code = !in_code;
        }
        character == ' ' && !in_code
    };
    text.split(is_break).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn long_paragraphs_are_broken_at_spaces() {
        let text = format!("{} {}", "a".repeat(70), "b".repeat(60));
        assert_eq!(wrapped(&text, 2), format!("{}\n  {}", "a".repeat(70), "b".repeat(60)));
        assert_eq!(wrapped("- short", 2), "- short");
    }

    #[test]
    fn code_spans_stay_whole() {
        let text = format!("{} `x = {}`", "a".repeat(70), "b".repeat(60));
        assert_eq!(wrapped(&text, 0), format!("{}\n`x = {}`", "a".repeat(70), "b".repeat(60)));
    }
}
