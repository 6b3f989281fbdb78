//! Typed trees back to text.
//!
//! A tree holds names and values, no aliases, so printing makes new ones: `#n0`, `#n1` for names that cannot stand
//! bare and `:v0`, `:v1` for values. Expressions of one request are printed with one [`Printer`], whose aliases are
//! then those of the request.

use std::collections::HashMap;
use std::fmt;

use crate::operation::{Aliases, NameAliases, ValueAliases};
use crate::value::AttributeValue;

use super::condition::{Condition, Operand, Predicate};
use super::key_condition::{KeyCondition, KeyConditionTree, SortCondition};
use super::lexer::{TokenKind, tokenize};
use super::path::{Path, PathStep};
use super::projection::Projection;
use super::reserved::is_reserved;
use super::syntax::Comparison;
use super::update::{SetValue, Update, UpdateOperand, ValueAction};

/// Prints expressions and gathers the aliases they need.
#[derive(Debug, Default)]
pub struct Printer {
    names: HashMap<String, String>,
    values: HashMap<AttributeValue, String>,
}

impl Printer {
    pub fn new() -> Self {
        Self::default()
    }

    /// The aliases that the printed expressions use.
    pub fn into_aliases(self) -> Aliases {
        let names = self.names.into_iter().map(|(name, alias)| (alias, name)).collect();
        let values = self.values.into_iter().map(|(value, alias)| (alias, value)).collect();
        Aliases {
            names: Some(names).filter(|names: &NameAliases| !names.is_empty()),
            values: Some(values).filter(|values: &ValueAliases| !values.is_empty()),
        }
    }

    fn name(&mut self, name: &str) -> String {
        if stands_bare(name) {
            return name.to_owned();
        }
        let next = self.names.len();
        self.names.entry(name.to_owned()).or_insert_with(|| format!("#n{next}")).clone()
    }

    fn value(&mut self, value: &AttributeValue) -> String {
        let next = self.values.len();
        self.values.entry(value.clone()).or_insert_with(|| format!(":v{next}")).clone()
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

    fn predicate(&mut self, predicate: &Predicate) -> String {
        match predicate {
            Predicate::Compare { left, operator, right } => {
                let left = self.operand(left);
                format!("{left} {} {}", operator.as_str(), self.operand(right))
            }
            Predicate::Between { operand, low, high } => {
                let (operand, low) = (self.operand(operand), self.operand(low));
                format!("{operand} BETWEEN {low} AND {}", self.operand(high))
            }
            Predicate::In { operand, candidates } => {
                let operand = self.operand(operand);
                format!("{operand} IN ({})", self.list(candidates, Self::operand))
            }
            Predicate::AttributeExists(path) | Predicate::AttributeNotExists(path) => {
                format!("{}({})", predicate.operator(), self.path(path))
            }
            Predicate::AttributeType { operand, value_type } => {
                let operand = self.operand(operand);
                let value_type = self.value(&AttributeValue::S(value_type.as_str().to_owned()));
                format!("attribute_type({operand}, {value_type})")
            }
            Predicate::BeginsWith { operand, prefix: second } | Predicate::Contains { operand, element: second } => {
                let operand = self.operand(operand);
                format!("{}({operand}, {})", predicate.operator(), self.operand(second))
            }
            Predicate::Not(inner) => format!("NOT {}", self.enclosed(inner, binds_loosely)),
            Predicate::And(terms) => self.terms(terms, " AND ", binds_loosely),
            Predicate::Or(terms) => self.terms(terms, " OR ", |term| matches!(term, Predicate::Or(_))),
        }
    }

    fn terms(&mut self, terms: &[Predicate], operator: &str, needs_parentheses: fn(&Predicate) -> bool) -> String {
        let terms: Vec<String> = terms.iter().map(|term| self.enclosed(term, needs_parentheses)).collect();
        terms.join(operator)
    }

    fn enclosed(&mut self, predicate: &Predicate, needs_parentheses: fn(&Predicate) -> bool) -> String {
        let text = self.predicate(predicate);
        if needs_parentheses(predicate) { format!("({text})") } else { text }
    }

    fn sort_condition(&mut self, name: &str, condition: &SortCondition) -> String {
        let name = self.name(name);
        let (operator, value) = match condition {
            SortCondition::Equal(value) => (Comparison::Equal, value),
            SortCondition::Less(value) => (Comparison::Less, value),
            SortCondition::LessOrEqual(value) => (Comparison::LessOrEqual, value),
            SortCondition::Greater(value) => (Comparison::Greater, value),
            SortCondition::GreaterOrEqual(value) => (Comparison::GreaterOrEqual, value),
            SortCondition::Between(low, high) => {
                let low = self.value(low);
                return format!("{name} BETWEEN {low} AND {}", self.value(high));
            }
            SortCondition::BeginsWith(prefix) => return format!("begins_with({name}, {})", self.value(prefix)),
        };
        format!("{name} {} {}", operator.as_str(), self.value(value))
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

/// Whether a name can be written without an alias.
fn stands_bare(name: &str) -> bool {
    let tokens = tokenize(name);
    let [token, _] = tokens.as_slice() else { return false };
    token.kind == TokenKind::Name && token.end - token.start == name.len() && !is_reserved(name)
}

fn binds_loosely(predicate: &Predicate) -> bool {
    matches!(predicate, Predicate::And(_) | Predicate::Or(_))
}

impl Condition {
    pub fn print(&self, printer: &mut Printer) -> String {
        printer.predicate(&self.predicate)
    }
}

impl KeyConditionTree {
    pub fn print(&self, printer: &mut Printer) -> String {
        printer.predicate(&self.predicate)
    }
}

impl KeyCondition {
    pub fn print(&self, printer: &mut Printer) -> String {
        let (name, value) = &self.partition;
        let partition = format!("{} = {}", printer.name(name), printer.value(value));
        match &self.sort {
            None => partition,
            Some((name, condition)) => format!("{partition} AND {}", printer.sort_condition(name, condition)),
        }
    }
}

impl Projection {
    pub fn print(&self, printer: &mut Printer) -> String {
        printer.list(self.paths(), Printer::path)
    }
}

impl Update {
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

impl fmt::Display for Predicate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&Printer::new().predicate(self))
    }
}

impl fmt::Display for KeyConditionTree {
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
