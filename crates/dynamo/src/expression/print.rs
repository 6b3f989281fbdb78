//! Typed trees back to text.
//!
//! A tree holds names and values, no aliases, so printing makes new ones: `#n0`, `#n1` for names and `:v0`, `:v1` for
//! values. Every name gets an alias, since the service's list of reserved words may grow. Expressions of one request
//! are printed with one [`Printer`], whose aliases are then those of the request.

use std::collections::HashMap;
use std::fmt;

use crate::value::AttributeValue;

use super::aliases::Aliases;
use super::condition::{Condition, Operand};
use super::context::ValueAliases;
use super::key_condition::KeyCondition;
use super::path::{Path, PathStep};
use super::projection::Projection;
use super::update::{SetValue, Update, UpdateOperand, ValueAction};

/// Prints expressions and gathers the aliases they need.
#[derive(Debug, Default)]
pub struct Printer {
    /// Each name with its alias.
    names: HashMap<String, String>,
    values: ValueAliases,
}

impl Printer {
    /// A printer without aliases.
    pub fn new() -> Self {
        Self::default()
    }

    /// The aliases that the printed expressions use.
    pub fn into_aliases(self) -> Aliases {
        let names =
            (!self.names.is_empty()).then(|| self.names.into_iter().map(|(name, alias)| (alias, name)).collect());
        Aliases { names, values: (!self.values.is_empty()).then_some(self.values) }
    }

    fn name(&mut self, name: &str) -> String {
        if let Some(alias) = self.names.get(name) {
            return alias.clone();
        }
        let alias = format!("#n{}", self.names.len());
        self.names.insert(name.to_owned(), alias.clone());
        alias
    }

    fn value(&mut self, value: &AttributeValue) -> String {
        let alias = format!(":v{}", self.values.len());
        self.values.insert(alias.clone(), value.clone());
        alias
    }

    fn path(&mut self, path: &Path) -> String {
        let mut text = self.name(&path.root);
        for step in &path.rest {
            match step {
                PathStep::Field(name) => {
                    text.push('.');
                    text.push_str(&self.name(name));
                }
                PathStep::Index(index) => text.push_str(&format!("[{index}]")),
            }
        }
        text
    }

    fn list<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T) -> String) -> String {
        items.iter().map(|item| print(self, item)).collect::<Vec<_>>().join(", ")
    }

    fn operand(&mut self, operand: &Operand) -> String {
        match operand {
            Operand::Path(path) => self.path(path),
            Operand::Value(value) => self.value(value),
            Operand::Size(inner) => format!("size({})", self.operand(inner)),
        }
    }

    fn condition(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::Compare { left, operator, right } => {
                let left = self.operand(left);
                format!("{left} {} {}", operator.as_str(), self.operand(right))
            }
            Condition::Between { operand, low, high } => {
                let (operand, low) = (self.operand(operand), self.operand(low));
                format!("{operand} BETWEEN {low} AND {}", self.operand(high))
            }
            Condition::In { operand, candidates } => {
                let operand = self.operand(operand);
                format!("{operand} IN ({})", self.list(candidates, Self::operand))
            }
            Condition::AttributeExists(path) | Condition::AttributeNotExists(path) => {
                format!("{}({})", condition.operator(), self.path(path))
            }
            Condition::AttributeType { operand, value_type } => {
                let operand = self.operand(operand);
                let value_type = self.value(&AttributeValue::S(value_type.as_str().to_owned()));
                format!("attribute_type({operand}, {value_type})")
            }
            Condition::BeginsWith { operand, prefix: second } | Condition::Contains { operand, element: second } => {
                let operand = self.operand(operand);
                format!("{}({operand}, {})", condition.operator(), self.operand(second))
            }
            Condition::Not(inner) => format!("NOT {}", self.enclosed(inner, binds_loosely)),
            Condition::And(terms) => self.terms(terms, " AND ", binds_loosely),
            Condition::Or(terms) => self.terms(terms, " OR ", |term| matches!(term, Condition::Or(_))),
        }
    }

    fn terms(&mut self, terms: &[Condition], operator: &str, needs_parentheses: fn(&Condition) -> bool) -> String {
        let terms: Vec<String> = terms.iter().map(|term| self.enclosed(term, needs_parentheses)).collect();
        terms.join(operator)
    }

    fn enclosed(&mut self, condition: &Condition, needs_parentheses: fn(&Condition) -> bool) -> String {
        let text = self.condition(condition);
        if needs_parentheses(condition) { format!("({text})") } else { text }
    }

    fn update_operand(&mut self, operand: &UpdateOperand) -> String {
        match operand {
            UpdateOperand::Path(path) => self.path(path),
            UpdateOperand::Value(value) => self.value(value),
            UpdateOperand::IfNotExists { path, otherwise } => {
                let path = self.path(path);
                format!("if_not_exists({path}, {})", self.update_operand(otherwise))
            }
            UpdateOperand::ListAppend { first, second } => {
                let first = self.update_operand(first);
                format!("list_append({first}, {})", self.update_operand(second))
            }
        }
    }

    fn set_value(&mut self, value: &SetValue) -> String {
        match value {
            SetValue::Operand(operand) => self.update_operand(operand),
            SetValue::Arithmetic { left, operator, right } => {
                let left = self.update_operand(left);
                format!("{left} {} {}", operator.as_str(), self.update_operand(right))
            }
        }
    }

    fn value_action(&mut self, action: &ValueAction) -> String {
        let path = self.path(&action.path);
        format!("{path} {}", self.value(&action.value))
    }
}

fn binds_loosely(condition: &Condition) -> bool {
    matches!(condition, Condition::And(_) | Condition::Or(_))
}

impl Condition {
    /// The text of a `ConditionExpression` or `FilterExpression`; its aliases are collected in `printer`.
    pub fn print(&self, printer: &mut Printer) -> String {
        printer.condition(self)
    }
}

impl KeyCondition {
    /// The text of a `KeyConditionExpression`; its aliases are collected in `printer`.
    pub fn print(&self, printer: &mut Printer) -> String {
        printer.condition(&self.condition)
    }
}

impl Projection {
    /// The text of a `ProjectionExpression`; its aliases are collected in `printer`.
    pub fn print(&self, printer: &mut Printer) -> String {
        printer.list(self.paths(), Printer::path)
    }
}

impl Update {
    /// The text of an `UpdateExpression`; its aliases are collected in `printer`.
    pub fn print(&self, printer: &mut Printer) -> String {
        let set = printer.list(&self.set, |printer, action| {
            let path = printer.path(&action.path);
            format!("{path} = {}", printer.set_value(&action.value))
        });
        let remove = printer.list(&self.remove, Printer::path);
        let add = printer.list(&self.add, Printer::value_action);
        let delete = printer.list(&self.delete, Printer::value_action);
        let sections = [("SET", set), ("REMOVE", remove), ("ADD", add), ("DELETE", delete)];
        let written = sections.iter().filter(|(_, actions)| !actions.is_empty());
        written.map(|(keyword, actions)| format!("{keyword} {actions}")).collect::<Vec<_>>().join(" ")
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.print(&mut Printer::new()))
    }
}

impl fmt::Display for KeyCondition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.print(&mut Printer::new()))
    }
}

impl fmt::Display for Projection {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.print(&mut Printer::new()))
    }
}

impl fmt::Display for Update {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.print(&mut Printer::new()))
    }
}
