//! The generator's trees as the texts, names and values of a request.

use keyfold_dynamo::AttributeValue;
use keyfold_dynamo::expression::{Aliases, NameAliases, ValueAliases, is_reserved};

use crate::model::condition::{Condition, Operand};
use crate::model::path::{Path, Step};
use crate::model::update::{Action, Source, Update};

/// Collects the names and values of one request while its expressions are written.
#[derive(Default)]
pub(super) struct Writer {
    names: NameAliases,
    values: ValueAliases,
    fields_written: usize,
}

impl Writer {
    pub(super) fn aliases(self) -> Aliases {
        let names = (!self.names.is_empty()).then_some(self.names);
        let values = (!self.values.is_empty()).then_some(self.values);
        Aliases { names, values }
    }

    pub(super) fn value(&mut self, value: &AttributeValue) -> String {
        let alias = format!(":v{}", self.values.len());
        self.values.insert(alias.clone(), value.clone());
        alias
    }

    /// A name is written as it is or through an alias: every other time where both will do.
    fn field(&mut self, name: &str) -> String {
        self.fields_written += 1;
        if !is_reserved(name) && self.fields_written.is_multiple_of(2) {
            return name.to_owned();
        }
        let alias = format!("#{name}");
        self.names.insert(alias.clone(), name.to_owned());
        alias
    }

    pub(super) fn path(&mut self, path: &Path) -> String {
        let mut text = String::new();
        for step in path {
            match step {
                Step::Field(name) => {
                    if !text.is_empty() {
                        text.push('.');
                    }
                    text += &self.field(name);
                }
                Step::Index(index) => text += &format!("[{index}]"),
            }
        }
        text
    }

    pub(super) fn projection(&mut self, paths: &[Path]) -> String {
        paths.iter().map(|path| self.path(path)).collect::<Vec<_>>().join(", ")
    }

    fn operand(&mut self, operand: &Operand) -> String {
        match operand {
            Operand::Path(path) => self.path(path),
            Operand::Value(value) => self.value(value),
            Operand::Size(path) => format!("size({})", self.path(path)),
        }
    }

    pub(super) fn condition(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::Compare(one, operator, two) => format!("{} {operator} {}", self.operand(one), self.operand(two)),
            Condition::Between(middle, low, high) => {
                let (middle, low, high) = (self.operand(middle), self.operand(low), self.operand(high));
                format!("{middle} BETWEEN {low} AND {high}")
            }
            Condition::In(one, candidates) => {
                let one = self.operand(one);
                let candidates: Vec<String> = candidates.iter().map(|candidate| self.operand(candidate)).collect();
                format!("{one} IN ({})", candidates.join(", "))
            }
            Condition::Exists(path) => format!("attribute_exists({})", self.path(path)),
            Condition::NotExists(path) => format!("attribute_not_exists({})", self.path(path)),
            Condition::HasType(path, name) => {
                let path = self.path(path);
                let name = self.value(&AttributeValue::S((*name).to_owned()));
                format!("attribute_type({path}, {name})")
            }
            Condition::BeginsWith(path, prefix) => format!("begins_with({}, {})", self.path(path), self.value(prefix)),
            Condition::Contains(path, element) => format!("contains({}, {})", self.path(path), self.operand(element)),
            Condition::Not(inner) => format!("NOT ({})", self.condition(inner)),
            Condition::And(one, two) => format!("{} AND {}", self.term(one), self.term(two)),
            Condition::Or(one, two) => format!("{} OR {}", self.term(one), self.term(two)),
        }
    }

    /// A part of AND or OR, in parentheses where it is made of parts itself.
    fn term(&mut self, condition: &Condition) -> String {
        let text = self.condition(condition);
        match condition {
            Condition::And(..) | Condition::Or(..) | Condition::Not(_) => format!("({text})"),
            _ => text,
        }
    }

    fn source(&mut self, source: &Source) -> String {
        match source {
            Source::Path(path) => self.path(path),
            Source::Value(value) => self.value(value),
            Source::IfNotExists(path, otherwise) => {
                format!("if_not_exists({}, {})", self.path(path), self.value(otherwise))
            }
        }
    }

    pub(super) fn update(&mut self, update: &Update) -> String {
        let mut sections = [("SET", Vec::new()), ("REMOVE", Vec::new()), ("ADD", Vec::new()), ("DELETE", Vec::new())];
        for action in update {
            let path = self.path(action.path());
            let (section, text) = match action {
                Action::Set(_, source) => (0, format!("{path} = {}", self.source(source))),
                Action::SetSum(_, one, operator, two) => {
                    (0, format!("{path} = {} {operator} {}", self.source(one), self.source(two)))
                }
                Action::SetAppended(_, one, two) => {
                    (0, format!("{path} = list_append({}, {})", self.source(one), self.source(two)))
                }
                Action::Remove(_) => (1, path),
                Action::Add(_, operand) => (2, format!("{path} {}", self.value(operand))),
                Action::Delete(_, operand) => (3, format!("{path} {}", self.value(operand))),
            };
            sections[section].1.push(text);
        }
        let written: Vec<String> = sections
            .iter()
            .filter(|(_, actions)| !actions.is_empty())
            .map(|(name, actions)| format!("{name} {}", actions.join(", ")))
            .collect();
        written.join(" ")
    }
}
