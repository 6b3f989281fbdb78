//! The `when` of a rule as a Cedar condition, for the part of the expression language that Cedar can express.
//!
//! An absent attribute is `null` in an expression, and `null <= 3` fails; a failed part decides nothing unless the
//! other side of an `&&` or `||` settles it. Cedar knows no null, and an error ends the whole policy. So each part
//! becomes two conditions that never fail, when it is true and when it is false: a part that fails is neither.

use cel::common::ast::{CallExpr, Expr, IdedExpr, LiteralValue, SelectExpr, operators};
use keyfold_design::constraint::Expression;
use keyfold_design::model::{AttributeType, Entity};
use keyfold_design::template::TimestampFormat;

use super::formula::Formula;
use crate::names::{self, member, quote};
use crate::types::{CedarType, Scalar};

/// The condition for items of one entity; `None` if Cedar cannot express it.
pub(super) fn formula(when: &Expression, entity: &Entity) -> Option<Formula> {
    // A name of an attribute hides the caller, but only in items that have it.
    if entity.attribute("caller").is_some() {
        return None;
    }
    Some(Translation { entity }.truth(when.program().expression())?.holds)
}

/// When a part is true and when it is false.
struct Truth {
    holds: Formula,
    fails: Formula,
}

/// One side of a comparison.
struct Operand {
    kind: Kind,
    /// Cedar text of the value, where there is one.
    text: String,
    /// When there is a value.
    present: Formula,
    /// The negation of that.
    absent: Formula,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Null,
    Bool,
    Long,
    Date,
    /// Timestamps of one format, which are in order as the instants are.
    DateTime(TimestampFormat),
    String,
    StringSet,
}

struct Translation<'a> {
    entity: &'a Entity,
}

impl Translation<'_> {
    fn truth(&self, part: &IdedExpr) -> Option<Truth> {
        match &part.expr {
            Expr::Literal(LiteralValue::Boolean(value)) => {
                let (holds, fails) = (Formula::Always, Formula::Never);
                Some(if *value.inner() { Truth { holds, fails } } else { Truth { holds: fails, fails: holds } })
            }
            Expr::Ident(_) => {
                let operand = self.operand(part).filter(|operand| operand.kind == Kind::Bool)?;
                Some(Truth {
                    holds: Formula::all([operand.present.clone(), Formula::atom(&operand.text)]),
                    fails: Formula::all([operand.present, Formula::not(operand.text)]),
                })
            }
            Expr::Call(call) if call.target.is_none() => self.call(call),
            _ => None,
        }
    }

    fn call(&self, call: &CallExpr) -> Option<Truth> {
        match (call.func_name.as_str(), call.args.as_slice()) {
            (operators::LOGICAL_NOT, [part]) => {
                let Truth { holds, fails } = self.truth(part)?;
                Some(Truth { holds: fails, fails: holds })
            }
            (operators::LOGICAL_AND, [left, right]) => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                Some(Truth {
                    holds: Formula::all([left.holds, right.holds]),
                    fails: Formula::any([left.fails, right.fails]),
                })
            }
            (operators::LOGICAL_OR, [left, right]) => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                Some(Truth {
                    holds: Formula::any([left.holds, right.holds]),
                    fails: Formula::all([left.fails, right.fails]),
                })
            }
            (operators::EQUALS, [left, right]) => self.equality(left, right),
            (operators::NOT_EQUALS, [left, right]) => {
                let Truth { holds, fails } = self.equality(left, right)?;
                Some(Truth { holds: fails, fails: holds })
            }
            (operators::LESS, [left, right]) => self.order(left, "<", ">=", right),
            (operators::LESS_EQUALS, [left, right]) => self.order(left, "<=", ">", right),
            (operators::GREATER, [left, right]) => self.order(left, ">", "<=", right),
            (operators::GREATER_EQUALS, [left, right]) => self.order(left, ">=", "<", right),
            (operators::IN, [left, right]) => self.membership(left, right),
            _ => None,
        }
    }

    /// Never fails: null is equal to null and to nothing else.
    fn equality(&self, left: &IdedExpr, right: &IdedExpr) -> Option<Truth> {
        let (left, right) = self.operands_of_one_kind(left, right)?;
        if left.kind == Kind::StringSet || right.kind == Kind::StringSet {
            return None;
        }
        if left.kind == Kind::Null || right.kind == Kind::Null {
            return Some(Truth {
                holds: Formula::all([left.absent, right.absent]),
                fails: Formula::any([left.present, right.present]),
            });
        }
        let (equal, different) = (
            Formula::atom(format!("{} == {}", left.text, right.text)),
            Formula::atom(format!("{} != {}", left.text, right.text)),
        );
        let both = [left.present.clone(), right.present.clone()];
        Some(Truth {
            holds: Formula::any([
                Formula::all(both.clone().into_iter().chain([equal])),
                Formula::all([left.absent.clone(), right.absent.clone()]),
            ]),
            fails: Formula::any([
                Formula::all(both.into_iter().chain([different])),
                Formula::all([left.present, right.absent]),
                Formula::all([left.absent, right.present]),
            ]),
        })
    }

    /// Fails where a side is null.
    fn order(&self, left: &IdedExpr, holds: &str, fails: &str, right: &IdedExpr) -> Option<Truth> {
        let (left, right) = self.operands_of_one_kind(left, right)?;
        if !matches!(left.kind, Kind::Long | Kind::Date | Kind::DateTime(_)) || left.kind != right.kind {
            return None;
        }
        let with = |operator: &str| {
            let compared = Formula::atom(format!("{} {operator} {}", left.text, right.text));
            Formula::all([left.present.clone(), right.present.clone(), compared])
        };
        Some(Truth { holds: with(holds), fails: with(fails) })
    }

    /// `status in ["open", "held"]`, `"admin" in caller.roles`, `"sale" in tags`.
    fn membership(&self, left: &IdedExpr, right: &IdedExpr) -> Option<Truth> {
        let one = self.operand(left).filter(|operand| operand.kind == Kind::String)?;
        if let Expr::List(list) = &right.expr {
            let texts: Option<Vec<String>> = list.elements.iter().map(text_literal).collect();
            let texts = texts.filter(|texts| !texts.is_empty())?;
            let found = format!("[{}].contains({})", texts.join(", "), one.text);
            // A list without nulls: what is absent is not in it, and that is an answer.
            return Some(Truth {
                holds: Formula::all([one.present.clone(), Formula::atom(&found)]),
                fails: Formula::any([one.absent, Formula::all([one.present, Formula::not(found)])]),
            });
        }
        let set = self.operand(right).filter(|operand| operand.kind == Kind::StringSet)?;
        let found = format!("{}.contains({})", set.text, one.text);
        let both = [set.present.clone(), one.present.clone()];
        Some(Truth {
            holds: Formula::all(both.clone().into_iter().chain([Formula::atom(&found)])),
            fails: Formula::any([
                Formula::all(both.into_iter().chain([Formula::not(found)])),
                Formula::all([set.present, one.absent]),
            ]),
        })
    }

    /// Two operands of one kind, or one of them null. A text beside a date is read as a date.
    fn operands_of_one_kind(&self, left: &IdedExpr, right: &IdedExpr) -> Option<(Operand, Operand)> {
        let (mut one, mut other) = (self.operand(left)?, self.operand(right)?);
        if one.kind == Kind::String {
            one = one.read_as(other.kind, left);
        } else if other.kind == Kind::String {
            other = other.read_as(one.kind, right);
        }
        let comparable = one.kind == other.kind || one.kind == Kind::Null || other.kind == Kind::Null;
        comparable.then_some((one, other))
    }

    fn operand(&self, part: &IdedExpr) -> Option<Operand> {
        let literal = |kind, text| Operand { kind, text, present: Formula::Always, absent: Formula::Never };
        match &part.expr {
            Expr::Literal(LiteralValue::Null) => Some(Operand {
                kind: Kind::Null,
                text: String::new(),
                present: Formula::Never,
                absent: Formula::Always,
            }),
            Expr::Literal(LiteralValue::Boolean(value)) => Some(literal(Kind::Bool, value.inner().to_string())),
            Expr::Literal(LiteralValue::Int(value)) => Some(literal(Kind::Long, value.inner().to_string())),
            Expr::Literal(LiteralValue::String(_)) => Some(literal(Kind::String, text_literal(part)?)),
            Expr::Ident(name) => self.attribute(name),
            Expr::Select(select) => caller_operand(select),
            _ => None,
        }
    }

    fn attribute(&self, name: &str) -> Option<Operand> {
        let attribute = self.entity.attribute(name)?;
        let cedar_type = CedarType::for_attribute(self.entity, attribute)?;
        let kind = match (cedar_type.scalar, cedar_type.is_set, &attribute.value_type) {
            (Scalar::Bool, false, _) => Kind::Bool,
            (Scalar::Long, false, _) => Kind::Long,
            (Scalar::Datetime, false, AttributeType::Date) => Kind::Date,
            (Scalar::Datetime, false, value_type) => Kind::DateTime(value_type.timestamp_format()?),
            (Scalar::String, false, _) => Kind::String,
            (Scalar::String, true, _) => Kind::StringSet,
            _ => return None,
        };
        let has = format!("resource has {}", names::attribute(name));
        Some(Operand { kind, text: member("resource", name), present: Formula::atom(&has), absent: Formula::not(has) })
    }
}

impl Operand {
    /// A literal in the design's own spelling of a date is in order as the instant is; another text stays a text.
    fn read_as(self, kind: Kind, part: &IdedExpr) -> Self {
        let Expr::Literal(LiteralValue::String(text)) = &part.expr else { return self };
        let text: &str = text.inner();
        let value = keyfold_dynamo::AttributeValue::S(text.to_owned());
        let fits = match kind {
            Kind::Date => AttributeType::Date.check("", &value).is_ok(),
            Kind::DateTime(format) => AttributeType::DateTime(format).check("", &value).is_ok(),
            _ => false,
        };
        if fits { Self { kind, text: format!("datetime({})", quote(text)), ..self } } else { self }
    }
}

/// `caller.subject`, `caller.tenant`, `caller.roles`, `caller.groups`.
fn caller_operand(select: &SelectExpr) -> Option<Operand> {
    let Expr::Ident(of) = &select.operand.expr else { return None };
    if of != "caller" || select.test {
        return None;
    }
    let text = member("principal", &select.field);
    match select.field.as_str() {
        "subject" | "tenant" => {
            let has = format!("principal has {}", select.field);
            Some(Operand { kind: Kind::String, text, present: Formula::atom(&has), absent: Formula::not(has) })
        }
        "roles" | "groups" => {
            Some(Operand { kind: Kind::StringSet, text, present: Formula::Always, absent: Formula::Never })
        }
        _ => None,
    }
}

fn text_literal(part: &IdedExpr) -> Option<String> {
    match &part.expr {
        Expr::Literal(LiteralValue::String(text)) => Some(quote(text.inner())),
        _ => None,
    }
}
