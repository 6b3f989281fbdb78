//! The one line of a pattern: conditions, options, filter, entities.

use crate::build::codes::BAD_PATTERN;
use crate::build::reader::Reader;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::model::SortRange;
use crate::span::{Span, Spanned};
use crate::syntax::Located;
use crate::template::{self, Template};

/// A pattern before names are resolved.
pub(super) struct PatternLine<'a> {
    /// The conditions as the design spells them.
    pub key_condition: &'a str,
    pub conditions: Vec<Condition>,
    pub filter: Option<Located<'a>>,
    pub returns: Vec<Spanned<String>>,
    pub options: Options,
}

#[derive(Default)]
pub(super) struct Options {
    pub descending: bool,
    pub at_most: Option<(u32, FanOutUnit)>,
    pub across_tenants: bool,
    pub own_tenant_only: bool,
    pub count: bool,
    pub projected_only: bool,
    pub using: Option<Spanned<String>>,
    pub limit: Option<u32>,
    /// An option that is not understood may have been any of them.
    pub misunderstood: bool,
}

/// What `at most N days` and `at most N values` count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FanOutUnit {
    Days,
    Values,
}

pub(super) struct Condition {
    pub attribute: Spanned<String>,
    pub operator: Operator,
    pub span: Span,
}

/// The operator of a condition with its operands. Which of them a key allows is not checked yet.
pub(super) enum Operator {
    Range(SortRange<Template>),
    /// `in <list>`, for the partition key only.
    In(Template),
}

const OPTIONS: &[&str] = &[
    "newest first",
    "oldest first",
    "descending",
    "ascending",
    "at most N days",
    "at most N values",
    "across tenants",
    "own tenant only",
    "count",
    "projected attributes only",
    "using INDEX",
    "limit N",
];

/// Parses a line; `None` when its conditions cannot be read.
pub(super) fn parse<'a>(line: Located<'a>, reader: &mut Reader<'_>) -> Option<PatternLine<'a>> {
    let (line, returns) = match line.text.rfind("->") {
        Some(at) => (line.slice(0, at).trim(), entities(line.from(at + 2))),
        None => (line.trim(), Vec::new()),
    };
    let (line, filter) = match find_where(line.text) {
        Some((at, length)) => (line.slice(0, at).trim(), Some(line.from(at + length).trim())),
        None => (line, None),
    };
    let mut pieces = line.split_outside(',').into_iter();
    let head = pieces.next().unwrap_or(line);
    let conditions = conditions(head, reader)?;
    let mut options = Options::default();
    for piece in pieces {
        option(piece, &mut options, reader);
    }
    Some(PatternLine { key_condition: head.trim().text, conditions, filter, returns, options })
}

fn find_where(text: &str) -> Option<(usize, usize)> {
    text.find(" where ").map(|at| (at, " where ".len()))
}

pub(super) fn entities(text: Located<'_>) -> Vec<Spanned<String>> {
    text.split_outside(',')
        .into_iter()
        .filter(|piece| !piece.text.is_empty())
        .map(|piece| Spanned::new(piece.text.to_owned(), piece.span()))
        .collect()
}

pub(super) fn option(text: Located<'_>, options: &mut Options, reader: &mut Reader<'_>) {
    let words: Vec<&str> = text.text.split_whitespace().collect();
    let number = words.iter().find_map(|word| word.parse::<u32>().ok());
    match (words.as_slice(), number) {
        (["newest", "first"] | ["descending"], _) => options.descending = true,
        (["oldest", "first"] | ["ascending"], _) => options.descending = false,
        (["across", "tenants"], _) => options.across_tenants = true,
        (["own", "tenant", "only"], _) => options.own_tenant_only = true,
        (["count"], _) => options.count = true,
        (["projected", "attributes", "only"], _) => options.projected_only = true,
        (["using", _], _) => {
            let name = text.from("using ".len()).trim();
            options.using = Some(Spanned::new(name.text.to_owned(), name.span()));
        }
        (["limit", _], Some(limit)) => options.limit = Some(limit),
        (["at", "most", _, unit @ ("days" | "values")], Some(count @ 1..)) => {
            let unit = if *unit == "days" { FanOutUnit::Days } else { FanOutUnit::Values };
            options.at_most = Some((count, unit));
        }
        _ => {
            let help = match did_you_mean(text.text, OPTIONS.iter().copied()) {
                Some(close) => format!("did you mean `{close}`?"),
                None => format!("options are `{}`", OPTIONS.join("`, `")),
            };
            reader.fault(&BAD_PATTERN, text.span(), format!("unknown pattern option `{}`", text.text), help);
            options.misunderstood = true;
        }
    }
}

/// Conditions joined by `and`.
pub(super) fn conditions(text: Located<'_>, reader: &mut Reader<'_>) -> Option<Vec<Condition>> {
    let mut conditions = Vec::new();
    let mut rest = text.trim();
    loop {
        let (condition, after) = condition(rest, reader)?;
        conditions.push(condition);
        let after = after.trim();
        if after.text.is_empty() {
            return Some(conditions);
        }
        match after.text.strip_prefix("and ") {
            Some(next) => rest = after.from(after.text.len() - next.len()).trim(),
            None => {
                let message = format!("unexpected `{}`", after.text);
                let help = match after.text.starts_with("when ") {
                    true => "the filter of a pattern follows `where`; `when` belongs to the rules of `allow`",
                    false => "join conditions with `and`; options follow a comma, a filter follows `where`",
                };
                reader.fault(&BAD_PATTERN, after.span(), message, help);
                return None;
            }
        }
    }
}

fn condition<'a>(text: Located<'a>, reader: &mut Reader<'_>) -> Option<(Condition, Located<'a>)> {
    if text.text.starts_with("begins_with(") {
        return begins_with(text, reader);
    }
    let word_end = text.text.find(|c: char| c.is_whitespace() || "=<>".contains(c)).unwrap_or(text.text.len());
    let attribute = text.slice(0, word_end);
    let rest = text.from(word_end).trim();
    let signs = ["<=", ">=", "<>", "=", "<", ">", "between ", "in "];
    let Some(sign) = signs.into_iter().find(|sign| rest.text.starts_with(sign)).filter(|_| !attribute.text.is_empty())
    else {
        let message = format!("`{}` is not a key condition", text.text);
        let help = "write `PK = TEMPLATE`, `begins_with(SK, TEMPLATE)`, `SK <= TEMPLATE` or `SK between TEMPLATE and TEMPLATE`";
        reader.fault(&BAD_PATTERN, text.span(), message, help);
        return None;
    };
    if let Some(intended) = reversed_sign(rest.text) {
        let sign = rest.slice(0, 2);
        reader.fault(
            &BAD_PATTERN,
            sign.span(),
            format!("unknown operator `{}`", sign.text),
            format!("write `{intended}`"),
        );
        return None;
    }
    let (first, after) = operand(rest.from(sign.len()).trim(), reader)?;
    let mut end = after;
    let operator = match sign {
        "=" => Operator::Range(SortRange::Equal(first)),
        "<" => Operator::Range(SortRange::Less(first)),
        "<=" => Operator::Range(SortRange::LessOrEqual(first)),
        ">" => Operator::Range(SortRange::Greater(first)),
        ">=" => Operator::Range(SortRange::GreaterOrEqual(first)),
        "in " => Operator::In(first),
        "between " => {
            let after = after.trim();
            let Some(second) = after.text.strip_prefix("and ") else {
                let message = format!("`between` on `{}` has only one bound", attribute.text);
                reader.fault(&BAD_PATTERN, text.span(), message, "write `between <from> and <to>`");
                return None;
            };
            let (second, after) = operand(after.from(after.text.len() - second.len()).trim(), reader)?;
            end = after;
            Operator::Range(SortRange::Between(first, second))
        }
        _ => {
            let message = format!("`{sign}` cannot be used on a key");
            reader.fault(&BAD_PATTERN, rest.span(), message, "use it in a filter, after `where`");
            return None;
        }
    };
    let span = Span::new(attribute.span().start, end.span().start.max(attribute.span().end));
    let name = Spanned::new(attribute.text.to_owned(), attribute.span());
    Some((Condition { attribute: name, operator, span }, end))
}

/// The operator that a text begins with the wrong way round. `PK =<accountId>` is an equality.
pub(super) fn reversed_sign(text: &str) -> Option<&'static str> {
    let intended = intended_sign(text.get(..2)?)?;
    text.get(2..)?.starts_with([' ', '<']).then_some(intended)
}

/// The operator that `=<` or `=>` stands for.
pub(super) fn intended_sign(sign: &str) -> Option<&'static str> {
    match sign {
        "=<" => Some("<="),
        "=>" => Some(">="),
        _ => None,
    }
}

fn begins_with<'a>(text: Located<'a>, reader: &mut Reader<'_>) -> Option<(Condition, Located<'a>)> {
    let open = "begins_with(".len();
    let parts = closing(text.text, open).and_then(|close| {
        let inner = text.slice(open, close);
        let comma = inner.text.find(',')?;
        Some((close, inner.slice(0, comma).trim(), inner.from(comma + 1).trim()))
    });
    let Some((close, attribute, prefix)) = parts else {
        let message = format!("`{}` is not a prefix condition", text.text);
        reader.fault(&BAD_PATTERN, text.span(), message, "write `begins_with(SK, LICENSE#)`");
        return None;
    };
    let template = template_of(prefix, reader)?;
    let name = Spanned::new(attribute.text.to_owned(), attribute.span());
    let span = text.slice(0, close + 1).span();
    let operator = Operator::Range(SortRange::BeginsWith(template));
    Some((Condition { attribute: name, operator, span }, text.from(close + 1)))
}

/// Where the bracket that is open at a position closes, formats with arguments inside passed over.
fn closing(text: &str, from: usize) -> Option<usize> {
    let mut depth = 1usize;
    for (at, character) in text.char_indices().skip_while(|(at, _)| *at < from) {
        match character {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The template up to the next blank outside of a placeholder.
fn operand<'a>(text: Located<'a>, reader: &mut Reader<'_>) -> Option<(Template, Located<'a>)> {
    if let Some(quoted) = text.text.strip_prefix('"')
        && let Some(length) = quoted.find('"')
    {
        let template = template_of(text.slice(1, 1 + length), reader)?;
        return Some((template, text.from(length + 2)));
    }
    let mut within = false;
    let mut end = text.text.len();
    for (at, character) in text.text.char_indices() {
        match character {
            '<' => within = true,
            '>' => within = false,
            _ if character.is_whitespace() && !within => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    let piece = text.slice(0, end);
    if piece.text.is_empty() {
        let message = "the condition has no right side";
        reader.fault(&BAD_PATTERN, text.span(), message, "write `PK = ACCOUNT#<accountId>`");
        return None;
    }
    Some((template_of(piece, reader)?, text.from(end)))
}

fn template_of(text: Located<'_>, reader: &mut Reader<'_>) -> Option<Template> {
    match template::parse(text, reader.delimiter) {
        Ok(template) => Some(template),
        Err(faults) => {
            for fault in faults {
                let mut diagnostic = Diagnostic::new(&crate::build::codes::BAD_TEMPLATE, fault.span, fault.message);
                diagnostic.help = fault.help;
                reader.push(diagnostic);
            }
            None
        }
    }
}
