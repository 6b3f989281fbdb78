//! Requests as the tests of expressions make them: every expression gets those of the well-known names and values
//! that it mentions.

use keyfold_dynamo::expression::{Condition, ConditionKind, Context, KeyCondition, PartitionRange, Projection, Update};
use keyfold_dynamo::expression::{NameAliases, ValueAliases};
use keyfold_dynamo::table::KeyType;
use keyfold_dynamo::value::AttributeValue::{self, B, Bool, Bs, L, M, N, Ns, Null, S, Ss};
use keyfold_dynamo::{Attributes, Number, ServiceError};

/// The stack of the threads that handle requests: tokio's default, which the server keeps. Unoptimized builds need more
/// than half of it for the deepest expressions, optimized ones less than a quarter.
pub(crate) const REQUEST_STACK_BYTES: usize = 2 * 1024 * 1024;

pub(crate) fn number(text: &str) -> AttributeValue {
    N(Number::parse(text).unwrap())
}

pub(crate) fn text(text: &str) -> AttributeValue {
    S(text.to_owned())
}

pub(crate) fn list(values: impl IntoIterator<Item = AttributeValue>) -> AttributeValue {
    L(values.into_iter().collect())
}

pub(crate) fn attributes<'a>(attributes: impl IntoIterator<Item = (&'a str, AttributeValue)>) -> Attributes {
    attributes.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

pub(crate) fn map<'a>(fields: impl IntoIterator<Item = (&'a str, AttributeValue)>) -> AttributeValue {
    M(attributes(fields))
}

pub(crate) fn strings<'a>(texts: impl IntoIterator<Item = &'a str>) -> AttributeValue {
    Ss(texts.into_iter().map(str::to_owned).collect())
}

pub(crate) fn numbers<'a>(texts: impl IntoIterator<Item = &'a str>) -> AttributeValue {
    Ns(texts.into_iter().map(|text| Number::parse(text).unwrap()).collect())
}

/// One value of each type under a name that tells it, and some more.
pub(crate) fn well_known_values() -> ValueAliases {
    attributes([
        (":a", text("s")),
        (":b", text("t")),
        (":n", number("1")),
        (":m", number("2")),
        (":l", list([number("1")])),
        (":ss", strings(["x"])),
        (":ns", numbers(["1"])),
        (":bo", Bool(true)),
        (":nu", Null),
        (":bin", B(vec![0, 1])),
        (":bin2", B(vec![0, 0])),
        (":map", map([])),
        (":S", text("S")),
        (":bs", Bs([vec![0, 1]].into())),
        (":e", text("")),
        (":eb", B(Vec::new())),
    ])
}

pub(crate) fn well_known_names() -> NameAliases {
    [("#a", "a"), ("#b", "b"), ("#n", "name")].map(|(alias, name)| (alias.to_owned(), name.to_owned())).into()
}

/// The aliases of a request with `expression`.
pub(crate) struct Request {
    pub names: Option<NameAliases>,
    pub values: Option<ValueAliases>,
}

impl Request {
    pub(crate) fn for_expression(expression: &str) -> Self {
        let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let mentions = |alias: &String| {
            expression
                .match_indices(alias.as_str())
                .any(|(start, _)| !expression[start + alias.len()..].starts_with(is_word))
        };
        let names: NameAliases = well_known_names().into_iter().filter(|(alias, _)| mentions(alias)).collect();
        let values: ValueAliases = well_known_values().into_iter().filter(|(alias, _)| mentions(alias)).collect();
        Self {
            names: Some(names).filter(|names| !names.is_empty()),
            values: Some(values).filter(|values| !values.is_empty()),
        }
    }

    fn parse<T>(&self, parse: impl FnOnce(&mut Context<'_>) -> Result<T, ServiceError>) -> Result<T, ServiceError> {
        let mut context = Context::new(self.names.as_ref(), self.values.as_ref(), true)?;
        let parsed = parse(&mut context)?;
        context.finish()?;
        Ok(parsed)
    }
}

pub(crate) fn condition(expression: &str) -> Result<Condition, ServiceError> {
    Request::for_expression(expression).parse(|context| Condition::parse(ConditionKind::Condition, expression, context))
}

pub(crate) fn filter(expression: &str) -> Result<Condition, ServiceError> {
    Request::for_expression(expression).parse(|context| Condition::parse(ConditionKind::Filter, expression, context))
}

pub(crate) fn projection(expression: &str) -> Result<Projection, ServiceError> {
    Request::for_expression(expression).parse(|context| Projection::parse(expression, context))
}

pub(crate) fn update(expression: &str) -> Result<Update, ServiceError> {
    Request::for_expression(expression).parse(|context| Update::parse(expression, context))
}

/// A key condition of a table with the text `pk` and the number `sk` as its keys.
pub(crate) fn key_condition(expression: &str) -> Result<PartitionRange, ServiceError> {
    let tree = Request::for_expression(expression).parse(|context| KeyCondition::parse(expression, context))?;
    tree.resolve(("pk", KeyType::S), Some(("sk", KeyType::N)))
}

/// The rows of a file of refused expressions: an expression on one line, the error's text indented on the next.
/// Lines that begin with `--` are headings.
pub(crate) fn refused_rows(file: &str) -> Vec<(&str, &str)> {
    let lines: Vec<&str> = file.lines().filter(|line| !line.is_empty() && !line.starts_with("-- ")).collect();
    lines.chunks(2).map(|row| (row[0], row[1].strip_prefix("    ").unwrap())).collect()
}

/// Asserts that every expression is refused with its text.
pub(crate) fn assert_refused<T: std::fmt::Debug>(
    parse: impl Fn(&str) -> Result<T, ServiceError>,
    rows: &[(&str, &str)],
) {
    assert!(!rows.is_empty());
    for (expression, text) in rows {
        assert_eq!(parse(expression).unwrap_err(), ServiceError::validation(*text), "{expression}");
    }
}
