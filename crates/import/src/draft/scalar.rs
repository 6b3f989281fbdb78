//! Texts as YAML scalars that the design language reads back as these very texts.

/// Whether a character is not printed as itself: controls, line breaks of Unicode, and the byte order mark.
fn is_special(character: char) -> bool {
    character.is_control() || matches!(character, '\u{feff}' | '\u{2028}' | '\u{2029}')
}

/// Whether a plain scalar would be read as something else, or not at all.
fn needs_quotes(text: &str, flow: bool) -> bool {
    let Some(first) = text.chars().next() else { return true };
    let begins_badly = "-?:,[]{}#&*!|>'\"%@` ~=".contains(first);
    let within_flow = flow && text.contains([',', '[', ']', '{', '}']);
    let looks_like_null = ["null", "Null", "NULL"].contains(&text);
    begins_badly
        || within_flow
        || looks_like_null
        || text.ends_with([' ', ':'])
        || text.contains(": ")
        || text.contains(" #")
        || text.starts_with("---")
        || text.starts_with("...")
        || text.chars().any(is_special)
}

/// A text as a scalar, quoted where it has to be.
pub(super) fn scalar(text: &str, flow: bool) -> String {
    if !needs_quotes(text, flow) {
        return text.to_owned();
    }
    let is_printable = !text.chars().any(is_special);
    if is_printable && !text.contains('\\') && !text.contains('"') {
        return format!("\"{text}\"");
    }
    if is_printable && !text.contains('\'') {
        return format!("'{text}'");
    }
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            other if is_special(other) => quoted.push_str(&format!("\\u{:04x}", u32::from(other))),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// A text within a comment: one line, without what a terminal or YAML would take for more than text, and not endless.
pub(super) fn in_comment(text: &str) -> String {
    let clean: String = text.chars().map(|character| if is_special(character) { ' ' } else { character }).collect();
    if clean.chars().count() <= 300 { clean } else { clean.chars().take(299).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_only_where_yaml_needs_them() {
        for (text, written) in [
            ("ACCOUNT#<accountId>", "ACCOUNT#<accountId>"),
            ("<id>", "<id>"),
            ("#meta", "\"#meta\""),
            ("a: b", "\"a: b\""),
            ("x #y", "\"x #y\""),
            ("", "\"\""),
            ("say \"hi\": now", "'say \"hi\": now'"),
            ("'\"\n", "\"'\\\"\\n\""),
            ("*", "\"*\""),
        ] {
            assert_eq!(scalar(text, false), written, "{text}");
        }
        assert_eq!(scalar("a, b", true), "\"a, b\"");
    }
}
