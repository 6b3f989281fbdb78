//! Conditions of a pattern as the expressions of a query.

use keyfold_design::access::{KeyValue, SortBound, SortRange, above_separator, end_of_prefix};
use keyfold_design::model::{Filter, Operand};
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

    pub fn sort(&mut self, bound: &SortBound) {
        let name = self.name(&bound.attribute);
        let text = match &bound.range {
            SortRange::Equal(key) => format!("{name} = {}", self.key_value(key)),
            SortRange::BeginsWith(prefix) => format!("begins_with({name}, {})", self.key_value(prefix)),
            SortRange::Less(bound) => format!("{name} < {}", self.key_value(bound)),
            SortRange::LessOrEqual(bound) => format!("{name} <= {}", self.key_value(bound)),
            SortRange::Greater(bound) => format!("{name} > {}", self.key_value(bound)),
            SortRange::GreaterOrEqual(bound) => format!("{name} >= {}", self.key_value(bound)),
            SortRange::Between(low, high) => {
                format!("{name} BETWEEN {} AND {}", self.key_value(low), self.key_value(high))
            }
        };
        self.key.push(text);
    }

    fn key_value(&mut self, value: &KeyValue) -> String {
        self.value(match value {
            KeyValue::Template(template) => expression(template, "args"),
            KeyValue::Partition => "value".to_owned(),
            KeyValue::AboveComponent { component, separator } => {
                format!("{} + {}", expression(component, "args"), quoted(&above_separator(*separator).to_string()))
            }
            KeyValue::Prefix(prefix) => quoted(prefix),
            KeyValue::EndOfPrefix(prefix) => quoted(&end_of_prefix(prefix)),
        })
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
