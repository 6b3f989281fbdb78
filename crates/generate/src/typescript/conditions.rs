//! Conditions of a pattern as the expressions of a query.

use keyfold_design::model::{Filter, Operand, SortCondition, SortOperator};
use keyfold_design::template::{Part, RangeText, Template};
use keyfold_dynamo::AttributeValue;

use super::template::expression;
use super::{member, quoted};

/// The expressions of one query, with their names and values.
#[derive(Debug, Default)]
pub struct Expressions {
    pub key: Vec<String>,
    pub filter: Option<String>,
    pub names: Vec<(String, String)>,
    pub values: Vec<(String, String)>,
}

impl Expressions {
    fn name(&mut self, attribute: &str) -> String {
        if let Some((known, _)) = self.names.iter().find(|(_, name)| name == attribute) {
            return known.clone();
        }
        let name = format!("#n{}", self.names.len());
        self.names.push((name.clone(), attribute.to_owned()));
        name
    }

    fn value(&mut self, code: String) -> String {
        let name = format!(":v{}", self.values.len());
        self.values.push((name.clone(), code));
        name
    }

    pub fn equal(&mut self, attribute: &str, code: String) {
        let condition = format!("{} = {}", self.name(attribute), self.value(code));
        self.key.push(condition);
    }

    /// The same bounds that the runtime asks for: a range over the leading part of a key covers all that go on behind it.
    pub fn sort(&mut self, condition: &SortCondition) {
        let name = self.name(&condition.attribute);
        let value = |template: &Template| expression(template, "args");
        let above = |code: String| match condition.component {
            Some(separator) => format!("{code} + {}", quoted(&RangeText::above_component("", separator).text)),
            None => code,
        };
        let covers_component = condition.component.is_some();
        let text = match &condition.operator {
            SortOperator::Equal(template) => format!("{name} = {}", self.value(value(template))),
            SortOperator::BeginsWith(template) => format!("begins_with({name}, {})", self.value(value(template))),
            SortOperator::Between(low, high) => {
                format!("{name} BETWEEN {} AND {}", self.value(value(low)), self.value(above(value(high))))
            }
            SortOperator::Less(template) => match known_prefix(template) {
                Some(prefix) if covers_component => self.between(&name, quoted(prefix), value(template)),
                _ => format!("{name} < {}", self.value(value(template))),
            },
            SortOperator::LessOrEqual(template) => match known_prefix(template) {
                Some(prefix) => self.between(&name, quoted(prefix), above(value(template))),
                None if covers_component => format!("{name} < {}", self.value(above(value(template)))),
                None => format!("{name} <= {}", self.value(value(template))),
            },
            SortOperator::Greater(template) => match known_prefix(template) {
                Some(prefix) if covers_component => {
                    self.between(&name, above(value(template)), quoted(&end_of(prefix)))
                }
                _ if covers_component => format!("{name} >= {}", self.value(above(value(template)))),
                _ => format!("{name} > {}", self.value(value(template))),
            },
            SortOperator::GreaterOrEqual(template) => match known_prefix(template) {
                Some(prefix) => self.between(&name, value(template), quoted(&end_of(prefix))),
                None => format!("{name} >= {}", self.value(value(template))),
            },
        };
        self.key.push(text);
    }

    fn between(&mut self, name: &str, low: String, high: String) -> String {
        format!("{name} BETWEEN {} AND {}", self.value(low), self.value(high))
    }

    pub fn filter(&mut self, filter: &Filter) -> String {
        match filter {
            Filter::Compare { attribute, comparison, operand } => {
                format!("{} {} {}", self.name(attribute), comparison.as_str(), self.operand(operand))
            }
            Filter::Between { attribute, low, high } => {
                format!("{} BETWEEN {} AND {}", self.name(attribute), self.operand(low), self.operand(high))
            }
            Filter::In { attribute, operands } => {
                let name = self.name(attribute);
                let operands: Vec<String> = operands.iter().map(|operand| self.operand(operand)).collect();
                format!("{name} IN ({})", operands.join(", "))
            }
            Filter::BeginsWith { attribute, operand } => {
                format!("begins_with({}, {})", self.name(attribute), self.operand(operand))
            }
            Filter::Contains { attribute, operand } => {
                format!("contains({}, {})", self.name(attribute), self.operand(operand))
            }
            Filter::Exists { attribute } => format!("attribute_exists({})", self.name(attribute)),
            Filter::NotExists { attribute } => format!("attribute_not_exists({})", self.name(attribute)),
            Filter::Not(inner) => format!("NOT ({})", self.filter(inner)),
            Filter::And(parts) => self.joined(parts, " AND "),
            Filter::Or(parts) => self.joined(parts, " OR "),
        }
    }

    fn joined(&mut self, parts: &[Filter], word: &str) -> String {
        let parts: Vec<String> = parts.iter().map(|part| format!("({})", self.filter(part))).collect();
        parts.join(word)
    }

    fn operand(&mut self, operand: &Operand) -> String {
        let code = match operand {
            Operand::Parameter(name) => member("args", name),
            Operand::Value(AttributeValue::S(text)) => quoted(text),
            Operand::Value(AttributeValue::N(number)) => number.to_string(),
            Operand::Value(AttributeValue::Bool(flag)) => flag.to_string(),
            Operand::Value(_) => "null".to_owned(),
        };
        self.value(code)
    }
}

/// The literal text before the placeholder of a one-sided range: items without it are no part of the range.
fn known_prefix(template: &Template) -> Option<&str> {
    match template.parts.as_slice() {
        [Part::Literal(prefix), Part::Placeholder(_)] => Some(prefix),
        _ => None,
    }
}

/// Just above every text that begins with a prefix.
fn end_of(prefix: &str) -> String {
    let mut characters: Vec<char> = prefix.chars().collect();
    let last = characters.pop().unwrap_or(char::MAX);
    characters.push(char::from_u32(last as u32 + 1).unwrap_or(char::MAX));
    characters.into_iter().collect()
}
