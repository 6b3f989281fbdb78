//! What an expression's type is and what in it cannot be right, found without running it.

use std::ops::Range;

use cel::common::ast::{Expr, IdedExpr, LiteralValue, operators};

use super::{Expression, children};

/// The type of a part of an expression, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Known {
    Boolean,
    Number,
    Text,
    Choice(Vec<String>),
    Null,
    Other,
    Unknown,
}

/// Something wrong in an expression, at a range of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ExpressionFault {
    UnknownName { name: String, range: Range<usize> },
    NotBoolean { found: &'static str },
    NeverEqual { left: String, right: String, range: Range<usize> },
    NotAValue { attribute: String, value: String, choices: Vec<String> },
}

impl Known {
    fn name(&self) -> &'static str {
        match self {
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::Text | Self::Choice(_) => "text",
            Self::Null => "null",
            Self::Other => "a list or map",
            Self::Unknown => "unknown",
        }
    }

    fn may_equal(&self, other: &Self) -> bool {
        let text = |known: &Self| matches!(known, Self::Text | Self::Choice(_));
        matches!(self, Self::Unknown | Self::Null)
            || matches!(other, Self::Unknown | Self::Null)
            || (text(self) && text(other))
            || self == other
    }
}

impl Expression {
    /// Checks the names and types; `known` returns the type of a name, `None` for an unknown one.
    pub(crate) fn faults(&self, known: &dyn Fn(&str) -> Option<Known>) -> Vec<ExpressionFault> {
        let mut walk = Inference { expression: self, known, bound: Vec::new(), faults: Vec::new() };
        let root = self.program().expression();
        let found = walk.infer(root);
        if !matches!(found, Known::Boolean | Known::Unknown) {
            walk.faults.push(ExpressionFault::NotBoolean { found: found.name() });
        }
        walk.faults
    }
}

struct Inference<'a> {
    expression: &'a Expression,
    known: &'a dyn Fn(&str) -> Option<Known>,
    bound: Vec<String>,
    faults: Vec<ExpressionFault>,
}

impl Inference<'_> {
    fn infer(&mut self, part: &IdedExpr) -> Known {
        match &part.expr {
            Expr::Ident(name) => self.name(part, name),
            Expr::Literal(literal) => match literal {
                LiteralValue::Boolean(_) => Known::Boolean,
                LiteralValue::Double(_) | LiteralValue::Int(_) | LiteralValue::UInt(_) => Known::Number,
                LiteralValue::String(_) => Known::Text,
                LiteralValue::Null => Known::Null,
                LiteralValue::Bytes(_) => Known::Other,
            },
            Expr::Call(call) => {
                let arguments: Vec<&IdedExpr> = call.target.as_deref().into_iter().chain(&call.args).collect();
                let types: Vec<Known> = arguments.iter().map(|argument| self.infer(argument)).collect();
                self.call(part, &call.func_name, &arguments, types)
            }
            Expr::Comprehension(comprehension) => {
                self.infer(&comprehension.iter_range);
                let length = self.bound.len();
                self.bound.push(comprehension.iter_var.clone());
                self.bound.extend(comprehension.iter_var2.clone());
                self.bound.push(comprehension.accu_var.clone());
                self.infer(&comprehension.loop_step);
                self.bound.truncate(length);
                match &comprehension.accu_init.expr {
                    Expr::Literal(LiteralValue::Boolean(_)) => Known::Boolean,
                    Expr::List(_) => Known::Other,
                    // `exists_one` counts and compares in its result.
                    _ => Known::Unknown,
                }
            }
            Expr::Select(select) => {
                self.infer(&select.operand);
                if select.test { Known::Boolean } else { Known::Unknown }
            }
            Expr::List(_) | Expr::Map(_) | Expr::Struct(_) => {
                for child in children(part) {
                    self.infer(child);
                }
                Known::Other
            }
            Expr::Unspecified => Known::Unknown,
        }
    }

    fn name(&mut self, part: &IdedExpr, name: &str) -> Known {
        if self.bound.iter().any(|bound| bound == name) || name.starts_with('@') {
            return Known::Unknown;
        }
        match (self.known)(name) {
            Some(known) => known,
            None => {
                let range = self.range_of_name(part, name);
                self.faults.push(ExpressionFault::UnknownName { name: name.to_owned(), range });
                Known::Unknown
            }
        }
    }

    fn call(&mut self, part: &IdedExpr, function: &str, arguments: &[&IdedExpr], types: Vec<Known>) -> Known {
        match (function, types.as_slice()) {
            (operators::EQUALS | operators::NOT_EQUALS, [left, right]) => {
                self.compare(part, arguments, left, right);
                Known::Boolean
            }
            (operators::CONDITIONAL, [_, yes, no]) => {
                if yes == no {
                    yes.clone()
                } else if yes.may_equal(no) {
                    Known::Unknown
                } else {
                    Known::Other
                }
            }
            (
                operators::LOGICAL_AND
                | operators::LOGICAL_OR
                | operators::LOGICAL_NOT
                | operators::LESS
                | operators::LESS_EQUALS
                | operators::GREATER
                | operators::GREATER_EQUALS
                | operators::IN
                | operators::NOT_STRICTLY_FALSE
                | "startsWith"
                | "endsWith"
                | "contains"
                | "matches",
                _,
            ) => Known::Boolean,
            (
                operators::SUBSTRACT
                | operators::MULTIPLY
                | operators::DIVIDE
                | operators::MODULO
                | operators::NEGATE
                | "size",
                _,
            ) => Known::Number,
            (operators::ADD, [left, _]) => match left {
                Known::Choice(_) => Known::Text,
                known => known.clone(),
            },
            ("string", _) => Known::Text,
            ("int" | "uint" | "double", _) => Known::Number,
            _ => Known::Unknown,
        }
    }

    /// Two sides that can never be equal are a mistake, not a rule.
    fn compare(&mut self, part: &IdedExpr, arguments: &[&IdedExpr], left: &Known, right: &Known) {
        if !left.may_equal(right) {
            let range = self.range(part);
            self.faults.push(ExpressionFault::NeverEqual {
                left: left.name().to_owned(),
                right: right.name().to_owned(),
                range,
            });
            return;
        }
        let [first, second] = arguments else { return };
        for (known, named, other) in [(left, first, second), (right, second, first)] {
            if let (Known::Choice(choices), Expr::Ident(attribute), Expr::Literal(LiteralValue::String(value))) =
                (known, &named.expr, &other.expr)
            {
                let value: &str = value.inner();
                if !choices.iter().any(|choice| choice == value) {
                    self.faults.push(ExpressionFault::NotAValue {
                        attribute: attribute.clone(),
                        value: value.to_owned(),
                        choices: choices.clone(),
                    });
                }
            }
        }
    }

    fn range(&self, part: &IdedExpr) -> Range<usize> {
        let source = self.expression.source();
        match self.expression.program().source_info().offset_for(part.id) {
            Some((start, stop)) if (stop as usize) < source.len() => start as usize..stop as usize + 1,
            _ => 0..source.len(),
        }
    }

    fn range_of_name(&self, part: &IdedExpr, name: &str) -> Range<usize> {
        let range = self.range(part);
        let start = range.start;
        if self.expression.source().get(start..).is_some_and(|rest| rest.starts_with(name)) {
            start..start + name.len()
        } else {
            self.expression.source().find(name).map_or(range, |at| at..at + name.len())
        }
    }
}
