//! Lines as `rustfmt` breaks them.

use crate::lines::Lines;

/// The longest line.
const WIDTH: usize = 100;
/// The longest list of arguments, and the longest array, on one line.
const LIST: usize = 60;
/// The longest fields of a struct on one line.
const FIELDS: usize = 18;
/// Texts of an array up to this length share lines.
const SHORT: usize = 10;

/// A function's first lines, up to its opening brace.
pub(super) fn signature(out: &mut Lines, head: &str, parameters: &[String], result: &str) {
    let line = format!("{head}({}){result} {{", parameters.join(", "));
    if parameters.is_empty() && out.column() + line.chars().count() > WIDTH {
        out.line(line.trim_end_matches(" {"));
        out.line("{");
        return;
    }
    if out.column() + line.chars().count() <= WIDTH {
        out.line(line);
        return;
    }
    out.block(format!("{head}("), &format!("){result} {{"), |out| {
        parameters.iter().for_each(|parameter| out.line(format!("{parameter},")));
    });
}

/// A function with its body.
pub(super) fn function(
    out: &mut Lines,
    head: &str,
    parameters: &[String],
    result: &str,
    body: impl FnOnce(&mut Lines),
) {
    signature(out, head, parameters, result);
    out.indented(body);
    out.line("}");
}

/// A call: `before` up to the parenthesis, `after` follows it.
pub(super) fn call(out: &mut Lines, before: &str, arguments: &[String], after: &str) {
    let list = arguments.join(", ");
    let line = format!("{before}({list}){after}");
    if list.chars().count() <= LIST && out.column() + line.chars().count() <= WIDTH {
        out.line(line);
        return;
    }
    out.block(format!("{before}("), &format!("){after}"), |out| {
        arguments.iter().for_each(|argument| out.line(format!("{argument},")));
    });
}

/// An array: `before` up to the bracket, `after` follows it.
pub(super) fn array(out: &mut Lines, before: &str, items: &[String], after: &str) {
    let list = items.join(", ");
    let line = format!("{before}[{list}]{after}");
    if list.chars().count() <= LIST && out.column() + line.chars().count() <= WIDTH {
        out.line(line);
        return;
    }
    out.block(format!("{before}["), &format!("]{after}"), |out| {
        if items.iter().any(|item| !item.starts_with('"') || item.chars().count() > SHORT) {
            items.iter().for_each(|item| out.line(format!("{item},")));
            return;
        }
        let mut line = String::new();
        for item in items {
            if !line.is_empty() && out.column() + line.chars().count() + item.chars().count() + 2 > WIDTH {
                out.line(std::mem::take(&mut line));
            }
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(&format!("{item},"));
        }
        out.line(line);
    });
}

/// A struct with its fields: `name` up to the brace.
pub(super) fn structure(out: &mut Lines, name: &str, fields: &[String]) {
    let list = fields.join(", ");
    if list.chars().count() <= FIELDS {
        out.line(format!("{name} {{ {list} }}"));
        return;
    }
    out.block(format!("{name} {{"), "}", |out| {
        for field in fields {
            match field.split_once(": ") {
                Some((name, value)) if out.column() + field.chars().count() + 1 > WIDTH => long_field(out, name, value),
                _ => out.line(format!("{field},")),
            }
        }
    });
}

/// A field that does not fit on one line: a value of `self` goes on at its dots, any other in the next line.
fn long_field(out: &mut Lines, name: &str, value: &str) {
    let Some(chain) = value.strip_prefix("self.") else {
        out.line(format!("{name}:"));
        out.indented(|out| out.line(format!("{value},")));
        return;
    };
    out.line(format!("{name}: self"));
    let links: Vec<String> = chain.split('.').map(|link| format!(".{link}")).collect();
    out.indented(|out| {
        for (at, link) in links.iter().enumerate() {
            let end = if at + 1 == links.len() { "," } else { "" };
            out.line(format!("{link}{end}"));
        }
    });
}
