//! `must hold:` and `when`: expressions over attributes.

use super::codes::{BAD_ENTRY_CONDITION, BAD_EXPRESSION, UNKNOWN_NAME};
use super::entity_draft::EntityDraft;
use super::reader::{Reader, keyword, suggest};
use super::templates::Names;
use crate::constraint::{CALLER, Expression, ExpressionFault, Known, NOW, TODAY};
use crate::entity_keyword::EntityKeyword;
use crate::model::{AttributeType, Constraint, Entity, Stamp};
use crate::syntax::Located;
use crate::template::TimestampFormat;

pub(super) fn must_hold(draft: &EntityDraft<'_>, entity: &Entity, reader: &mut Reader<'_>) -> Vec<Constraint> {
    let Some(stated) = keyword(draft.entries, EntityKeyword::MustHold) else { return Vec::new() };
    let example = "must hold: {\"the end is after the start\": endDate >= startDate}";
    let mut constraints = Vec::new();
    for stated in reader.mapping(&stated.value, "`must hold`", example) {
        if reader.text(&stated.value, "a constraint", example).is_none() {
            continue;
        }
        let Some(text) = stated.value.located() else { continue };
        let Some(expression) = compile(text, &[entity], ExpressionScope::Item, reader) else { continue };
        constraints.push(Constraint { message: stated.name().to_owned(), span: stated.key.span, expression });
    }
    constraints
}

/// What an expression reads besides the attributes of its item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExpressionScope {
    /// Nothing: a constraint.
    Item,
    /// The caller: the condition of a rule.
    Rule,
    /// The time: the condition of an item that callers need.
    CallerItem,
    /// Nothing: the condition of an index entry or a lookup item.
    Entry,
}

impl ExpressionScope {
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Item | Self::Entry => &[],
            Self::Rule => &[CALLER],
            Self::CallerItem => &[TODAY, NOW],
        }
    }

    fn known(self, name: &str) -> Option<Known> {
        let kind = if name == CALLER { Known::Unknown } else { Known::Text };
        self.names().contains(&name).then_some(kind)
    }
}

/// Compiles an expression and checks it against each entity it is for.
pub(super) fn compile(
    text: Located<'_>,
    entities: &[&Entity],
    scope: ExpressionScope,
    reader: &mut Reader<'_>,
) -> Option<Expression> {
    let names: Vec<Names<'_>> = entities.iter().map(|entity| Names::of_entity(entity)).collect();
    compile_over(text, &names, scope, reader)
}

/// Compiles an expression and checks it against the attributes of each entity it is for.
pub(super) fn compile_over(
    text: Located<'_>,
    entities: &[Names<'_>],
    scope: ExpressionScope,
    reader: &mut Reader<'_>,
) -> Option<Expression> {
    let expression = match Expression::compile(text.text) {
        Ok(expression) => expression,
        Err(cause) => {
            let message = format!("`{}` is not a valid expression: {cause}", text.text);
            let help = match ["=<", "=>"].into_iter().find(|sign| text.text.contains(sign)) {
                Some("=<") => "write `<=`",
                Some(_) => "write `>=`",
                None if scope == ExpressionScope::Entry => {
                    "` when ` begins the condition of a key, as in `INBOX#<userId> when unread && priority > 3`"
                }
                None => "write it as in `endDate >= startDate && seats > 0`",
            };
            reader.fault(&BAD_EXPRESSION, text.span(), message, help);
            return None;
        }
    };
    let mut clean = true;
    for entity in entities {
        let known = |name: &str| match entity.find(name) {
            Some(attribute) => Some(known_type(&attribute.value_type)),
            None => scope.known(name),
        };
        for fault in expression.faults(&known) {
            report(&fault, text, entity, scope, reader);
            clean = false;
        }
    }
    clean.then_some(expression)
}

/// What is known of the values of an attribute.
fn known_type(value_type: &AttributeType) -> Known {
    match value_type {
        AttributeType::Boolean => Known::Boolean,
        AttributeType::Integer
        | AttributeType::Number
        | AttributeType::Sequence(_)
        | AttributeType::Expiry(_)
        | AttributeType::Stamp(Stamp::Version) => Known::Number,
        _ if value_type.timestamp_format().is_some_and(TimestampFormat::is_number) => Known::Number,
        AttributeType::Enumeration(values) => Known::Choice(values.to_vec()),
        AttributeType::Any => Known::Unknown,
        AttributeType::Binary
        | AttributeType::StringSet
        | AttributeType::NumberSet
        | AttributeType::List(_)
        | AttributeType::Map => Known::Other,
        _ => Known::Text,
    }
}

fn report(
    fault: &ExpressionFault,
    text: Located<'_>,
    entity: &Names<'_>,
    scope: ExpressionScope,
    reader: &mut Reader<'_>,
) {
    match fault {
        ExpressionFault::UnknownName { name, range }
            if scope == ExpressionScope::Entry && [TODAY, NOW, CALLER].contains(&name.as_str()) =>
        {
            let message = format!("the condition of a key cannot use `{name}`");
            let help = "a key is written with its item, and changes with its attributes only";
            reader.fault(&BAD_ENTRY_CONDITION, text.slice(range.start, range.end).span(), message, help);
        }
        ExpressionFault::UnknownName { name, range } => {
            let mut names: Vec<&str> = entity.attributes.iter().map(|attribute| attribute.name.as_str()).collect();
            names.extend(scope.names());
            let help = match suggest(name, names.iter().copied()) {
                Some(close) => format!("did you mean `{close}`?"),
                None => format!("`{}` has `{}`", entity.entity, names.join("`, `")),
            };
            let span = text.slice(range.start, range.end).span();
            reader.fault(&UNKNOWN_NAME, span, format!("`{}` has no attribute `{name}`", entity.entity), help);
        }
        ExpressionFault::NotBoolean { found } => {
            let message = format!("`{}` is {found}, but must be true or false", text.text);
            reader.fault(&BAD_EXPRESSION, text.span(), message, "compare it with something");
        }
        ExpressionFault::NeverEqual { left, right, range } => {
            let span = text.slice(range.start, range.end).span();
            let message = format!("{left} is compared with {right}, which are never equal");
            reader.fault(&BAD_EXPRESSION, span, message, "compare values of one type");
        }
        ExpressionFault::NotAValue { attribute, value, choices } => {
            // A text with escapes stands otherwise in the file.
            let start = text.text.find(value.as_str());
            let span = start.map_or_else(|| text.span(), |start| text.slice(start, start + value.len()).span());
            let message = format!("`{value}` is not a value of `{attribute}`");
            let help = match suggest(value, choices.iter().map(String::as_str)) {
                Some(close) => format!("did you mean `{close}`?"),
                None => format!("its values are `{}`", choices.join("`, `")),
            };
            reader.fault(&BAD_EXPRESSION, span, message, help);
        }
    }
}
