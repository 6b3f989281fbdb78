//! `where`: a filter in DynamoDB's spelling.

use keyfold_dynamo::expression::Comparison;

use super::line::{intended_sign, reversed_sign};
use crate::build::codes::{BAD_FILTER, BAD_VALUE};
use crate::build::entity_draft::unknown_attribute;
use crate::build::reader::Reader;
use crate::build::value_text;
use crate::model::{Attribute, AttributeType, Entity, Filter, Operand, Parameter};
use crate::syntax::Located;
use crate::template::{Format, TimestampFormat};

/// How deep brackets and `not` may be nested. Callers write conditions too, and the parser calls itself for each level.
const DEEPEST: usize = 32;

/// Parses a filter; its parameters are added to the pattern's.
pub(in crate::build) fn parse(
    text: Located<'_>,
    entities: &[&Entity],
    parameters: &mut Vec<Parameter>,
    reader: &mut Reader<'_>,
) -> Option<Filter> {
    let tokens = tokens(text);
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, text, entities, parameters, reader };
    let filter = parser.either()?;
    match parser.peek() {
        None => Some(filter),
        Some(extra) => {
            let (message, span) = (format!("unexpected `{}` in the filter", extra.text), extra.span());
            parser.reader.fault(&BAD_FILTER, span, message, "join conditions with `and` and `or`");
            None
        }
    }
}

/// Words, signs, brackets, quoted texts and placeholders.
fn tokens(text: Located<'_>) -> Vec<Located<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        let length = match first {
            _ if first.is_whitespace() => {
                at += first.len_utf8();
                continue;
            }
            '"' => rest.get(1..).and_then(|inner| inner.find('"')).map_or(rest.len(), |end| end + 2),
            '<' if rest.get(1..).is_some_and(|next| next.starts_with(char::is_alphabetic)) => {
                rest.find('>').map_or(rest.len(), |end| end + 1)
            }
            '=' if reversed_sign(rest).is_some() => 2,
            '<' | '>' | '=' => {
                1 + usize::from(
                    rest.get(1..2).is_some_and(|next| matches!((first, next), ('<', "=" | ">") | ('>', "="))),
                )
            }
            '(' | ')' | ',' => 1,
            _ => rest.find(|c: char| c.is_whitespace() || "()<>=,".contains(c)).unwrap_or(rest.len()),
        };
        tokens.push(text.slice(at, at + length));
        at += length.max(1);
    }
    tokens
}

/// The format of values that are timestamps and sort, so that they compare with days.
fn days(value_type: &AttributeType) -> Option<TimestampFormat> {
    value_type.timestamp_format().filter(|format| format.sorts())
}

struct Parser<'p, 't, 'f> {
    tokens: &'p [Located<'t>],
    at: usize,
    depth: usize,
    text: Located<'t>,
    entities: &'p [&'p Entity],
    parameters: &'p mut Vec<Parameter>,
    reader: &'p mut Reader<'f>,
}

impl<'t> Parser<'_, 't, '_> {
    fn peek(&self) -> Option<Located<'t>> {
        self.tokens.get(self.at).copied()
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|token| token.text == word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, word: &str) -> Option<()> {
        if self.take(word) {
            return Some(());
        }
        let found = self.peek().map_or_else(|| "the end".to_owned(), |token| format!("`{}`", token.text));
        self.fail(format!("expected `{word}` in the filter, found {found}"))
    }

    fn fail<T>(&mut self, message: String) -> Option<T> {
        let span = self.peek().map_or_else(|| self.text.span(), |token| token.span());
        self.reader.fault(&BAD_FILTER, span, message, "filters look like `status = <status> and seats >= 10`");
        None
    }

    fn either(&mut self) -> Option<Filter> {
        let mut parts = vec![self.both()?];
        while self.take("or") {
            parts.push(self.both()?);
        }
        if parts.len() == 1 { parts.pop() } else { Some(Filter::Or(parts)) }
    }

    fn both(&mut self) -> Option<Filter> {
        let mut parts = vec![self.one()?];
        while self.take("and") {
            parts.push(self.one()?);
        }
        if parts.len() == 1 { parts.pop() } else { Some(Filter::And(parts)) }
    }

    fn one(&mut self) -> Option<Filter> {
        if self.take("not") {
            self.enter()?;
            let inner = self.one()?;
            self.depth -= 1;
            return Some(Filter::Not(Box::new(inner)));
        }
        if self.take("(") {
            self.enter()?;
            let inner = self.either()?;
            self.expect(")")?;
            self.depth -= 1;
            return Some(inner);
        }
        let Some(word) = self.peek() else { return self.fail("the filter is incomplete".to_owned()) };
        self.at += 1;
        match word.text {
            "begins_with" | "contains" => {
                self.expect("(")?;
                let (attribute, value_type) = self.attribute()?;
                self.expect(",")?;
                let of_list = value_type.element().filter(|_| word.text == "contains");
                let operand = self.operand(&attribute, &of_list.unwrap_or(AttributeType::String))?;
                self.expect(")")?;
                Some(match word.text {
                    "contains" => Filter::Contains { attribute, operand },
                    _ => Filter::BeginsWith { attribute, operand },
                })
            }
            "attribute_exists" | "attribute_not_exists" => {
                self.expect("(")?;
                let (attribute, _) = self.attribute()?;
                self.expect(")")?;
                Some(match word.text {
                    "attribute_exists" => Filter::Exists { attribute },
                    _ => Filter::NotExists { attribute },
                })
            }
            _ => {
                self.at -= 1;
                self.comparison()
            }
        }
    }

    fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.fail(format!("the filter is nested more than {DEEPEST} levels deep"));
        }
        Some(())
    }

    fn comparison(&mut self) -> Option<Filter> {
        let (attribute, value_type) = self.attribute()?;
        if self.take("between") {
            let low = self.operand(&attribute, &value_type)?;
            self.expect("and")?;
            let high = self.operand(&attribute, &value_type)?;
            return Some(match days(&value_type) {
                Some(format) => {
                    let (low, high) = (low.at(Format::StartOfDay(format)), high.at(Format::EndOfDay(format)));
                    Filter::Between { attribute, low, high }
                }
                None => Filter::Between { attribute, low, high },
            });
        }
        if self.take("in") {
            self.expect("(")?;
            let mut operands = vec![self.operand(&attribute, &value_type)?];
            while self.take(",") {
                operands.push(self.operand(&attribute, &value_type)?);
            }
            self.expect(")")?;
            return Some(match days(&value_type) {
                Some(format) => Filter::Or(
                    operands
                        .iter()
                        .map(|operand| Filter::compare_days(attribute.clone(), Comparison::Equal, operand, format))
                        .collect(),
                ),
                None => Filter::In { attribute, operands },
            });
        }
        match self.peek().and_then(|token| Comparison::parse(token.text)) {
            Some(comparison) => {
                self.at += 1;
                let operand = self.operand(&attribute, &value_type)?;
                Some(match days(&value_type) {
                    Some(format) => Filter::compare_days(attribute, comparison, &operand, format),
                    None => Filter::Compare { attribute, comparison, operand },
                })
            }
            None => match self.peek().and_then(|token| Some((token, intended_sign(token.text)?))) {
                Some((sign, intended)) => {
                    let message = format!("unknown operator `{}`", sign.text);
                    self.reader.fault(&BAD_FILTER, sign.span(), message, format!("write `{intended}`"));
                    None
                }
                None => self.fail(format!("the condition on `{attribute}` has no right side")),
            },
        }
    }

    /// An attribute that every returned entity has; its type.
    fn attribute(&mut self) -> Option<(String, AttributeType)> {
        let Some(token) = self.peek() else { return self.fail("the filter is incomplete".to_owned()) };
        self.at += 1;
        let mut found: Option<&Attribute> = None;
        for entity in self.entities {
            match entity.attribute(token.text) {
                Some(attribute) => found = Some(attribute),
                None => {
                    unknown_attribute(entity, token.text, token.span(), self.reader);
                    return None;
                }
            }
        }
        found.map(|attribute| (attribute.name.clone(), attribute.value_type.clone()))
    }

    fn operand(&mut self, attribute: &str, value_type: &AttributeType) -> Option<Operand> {
        let Some(token) = self.peek() else { return self.fail("the filter is incomplete".to_owned()) };
        self.at += 1;
        let of_days = days(value_type).map(AttributeType::Moment);
        let value_type = of_days.as_ref().unwrap_or(value_type);
        if let Some(name) = token.text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
            if !self.parameters.iter().any(|parameter| parameter.name == name) {
                self.parameters.push(Parameter {
                    name: name.to_owned(),
                    value_type: value_type.clone(),
                    many: false,
                    at_least_characters: None,
                });
            }
            return Some(Operand::Parameter(name.to_owned()));
        }
        match value_text::parse(token.text, value_type) {
            Ok(value) => Some(Operand::Value(value)),
            Err(rule) => {
                let message = format!("`{}` is not {rule}, as `{attribute}` is", token.text);
                self.reader.fault(
                    &BAD_VALUE,
                    token.span(),
                    message,
                    "compare with a value that the attribute can have",
                );
                None
            }
        }
    }
}
