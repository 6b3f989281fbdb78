//! Texts within TypeScript source.

/// A string literal.
pub(crate) fn quoted(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('\'');
    for character in text.chars() {
        match character {
            '\\' => literal.push_str("\\\\"),
            '\'' => literal.push_str("\\'"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            _ => literal.push(character),
        }
    }
    literal.push('\'');
    literal
}

/// Text between the placeholders of a template literal.
pub(crate) fn template_part(text: &str) -> String {
    text.replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${").replace('\r', "\\r")
}

/// A documentation comment on one line.
pub(crate) fn comment(text: &str) -> String {
    format!("/** {} */", text.replace("*/", "* /"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_literals() {
        assert_eq!(quoted("it's a \\ and\r\na \"line\""), "'it\\'s a \\\\ and\\r\\na \"line\"'");
        assert_eq!(template_part("a`b\\c${d}$e"), "a\\`b\\\\c\\${d}$e");
        assert_eq!(comment("a */ b"), "/** a * / b */");
    }
}
