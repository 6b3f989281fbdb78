//! Rules over the attributes of an item, in the Common Expression Language: compiled once, evaluated without I/O.

mod exact;
mod infer;
mod truth;
mod value;

pub(crate) use infer::{ExpressionFault, Known};

use std::sync::{Arc, LazyLock};

use cel::common::ast::{EntryExpr, Expr, IdedExpr, operators};
use cel::{Context, Env, Program, Value};
use keyfold_dynamo::AttributeValue;

/// Longer expressions are refused: people must be able to read a rule.
const MOST_BYTES: usize = 2_000;

/// The name of the caller in the condition of a rule.
pub const CALLER: &str = "caller";

/// The name of the current date (UTC) in the condition of an item that callers need.
pub const TODAY: &str = "today";

/// The name of the current time in the condition of an item that callers need.
pub const NOW: &str = "now";

/// The standard functions, set up once: building them is a hundred times dearer than an evaluation.
static ENVIRONMENT: LazyLock<Arc<Env>> = LazyLock::new(|| Arc::new(Env::stdlib()));

/// A compiled expression whose result is true or false.
#[derive(Clone)]
pub struct Expression {
    source: Arc<str>,
    program: Arc<Program>,
    variables: Arc<[String]>,
}

/// Who asks, as `caller` in the condition of a rule.
#[derive(Debug, Clone, Copy, Default)]
pub struct CallerView<'a> {
    /// `None` for a caller who is not signed in.
    pub subject: Option<&'a str>,
    /// `None` for a caller without a tenant.
    pub tenant: Option<&'a str>,
    /// All roles of the caller.
    pub roles: &'a [String],
    /// All groups of the caller, those stored as data included.
    pub groups: &'a [String],
}

/// Why an expression has no result for an item.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvaluationError {
    /// The expression fails, for example because it compares values of different types.
    #[error("`{expression}` cannot be evaluated: {cause}")]
    Failed {
        /// The source of the expression.
        expression: String,
        /// The cause, as the expression language states it.
        cause: String,
    },
    /// The result is a value of another type.
    #[error("`{expression}` is neither true nor false")]
    NotBoolean {
        /// The source of the expression.
        expression: String,
    },
}

impl Expression {
    pub(crate) fn compile(source: &str) -> Result<Self, String> {
        if source.len() > MOST_BYTES {
            return Err(format!("the expression is longer than {MOST_BYTES} bytes"));
        }
        let program = ENVIRONMENT.compile(source).map_err(|errors| first_line(&errors.to_string()))?;
        let mut variables = Vec::new();
        free_variables(program.expression(), &mut Vec::new(), &mut variables);
        Ok(Self { source: Arc::from(source), program: Arc::new(program), variables: variables.into() })
    }

    /// As the design spells it.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The names it reads.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// The compiled program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Evaluates over the attributes of an item; an absent attribute is `null`.
    pub fn evaluate<'v>(&self, lookup: impl Fn(&str) -> Option<&'v AttributeValue>) -> Result<bool, EvaluationError> {
        self.evaluate_for(lookup, CallerView::default())
    }

    /// Evaluates over the attributes of an item and a caller.
    pub fn evaluate_for<'v>(
        &self,
        lookup: impl Fn(&str) -> Option<&'v AttributeValue>,
        caller: CallerView<'_>,
    ) -> Result<bool, EvaluationError> {
        let context = self.context(&lookup, caller);
        let outcome = self.program.execute(&context).or_else(|error| {
            let is_exact = |name: &String| lookup(name).is_some_and(exact::contains_exact_number);
            if self.variables.iter().any(is_exact) {
                exact::evaluate(self.program.expression(), &context)
            } else {
                Err(error)
            }
        });
        match outcome {
            Ok(Value::Bool(result)) => Ok(result),
            Ok(_) => Err(EvaluationError::NotBoolean { expression: self.source.to_string() }),
            Err(error) => Err(EvaluationError::Failed {
                expression: self.source.to_string(),
                cause: first_line(&error.to_string()),
            }),
        }
    }

    /// Whether the expression is true of an item. An absent attribute counts as false, and so does a comparison that
    /// cannot be made without it: unlike [`Expression::evaluate`], this never fails.
    pub fn is_true_of<'v>(&self, lookup: impl Fn(&str) -> Option<&'v AttributeValue>) -> bool {
        truth::of(self.program.expression(), &self.context(&lookup, CallerView::default()))
    }

    /// The values that the expression reads.
    fn context<'v>(
        &self,
        lookup: &impl Fn(&str) -> Option<&'v AttributeValue>,
        caller: CallerView<'_>,
    ) -> Context<'static, 'static> {
        let mut context = Context::with_env(Arc::clone(&ENVIRONMENT));
        for name in self.variables.iter() {
            let value = match lookup(name) {
                None if name == CALLER => value::of_caller(caller),
                None => Value::Null,
                Some(attribute) => value::of_attribute(attribute),
            };
            context.add_variable_from_value(name.as_str(), value);
        }
        context
    }

    /// The outcome that no item can change, where the caller alone settles it; `None` where it depends on the item.
    pub fn evaluate_caller(&self, caller: CallerView<'_>) -> Option<bool> {
        if !self.variables.is_empty() && !self.variables.iter().any(|name| name == CALLER) {
            return None;
        }
        let mut context = Context::with_env(Arc::clone(&ENVIRONMENT));
        context.add_variable_from_value(CALLER, value::of_caller(caller));
        without_item(self.program.expression(), &context)
    }
}

impl std::fmt::Debug for Expression {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Expression").field(&self.source).finish()
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or(text);
    // The underlined expression makes the parser's own position and token list redundant.
    let line = line.split_once("Syntax error: ").map_or(line, |(_, cause)| cause);
    let line = line.split_once(" expecting ").map_or(line, |(cause, _)| cause);
    line.strip_prefix("ERROR: ").unwrap_or(line).replace("<EOF>", "the end")
}

/// Three-valued: a part that reads the item is unknown, and so is one that fails.
fn without_item(part: &IdedExpr, context: &Context<'_, '_>) -> Option<bool> {
    if let Expr::Call(call) = &part.expr {
        let decided = |part: &IdedExpr| without_item(part, context);
        match (call.func_name.as_str(), call.args.as_slice()) {
            (operators::LOGICAL_NOT, [inner]) => return decided(inner).map(|known| !known),
            (operators::LOGICAL_AND, [left, right]) => {
                return match (decided(left), decided(right)) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (left, right) => left.and(right),
                };
            }
            (operators::LOGICAL_OR, [left, right]) => {
                return match (decided(left), decided(right)) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (left, right) => left.and(right),
                };
            }
            _ => {}
        }
    }
    let mut variables = Vec::new();
    free_variables(part, &mut Vec::new(), &mut variables);
    if variables.iter().any(|name| name != CALLER) {
        return None;
    }
    match Value::resolve(part, context) {
        Ok(Value::Bool(known)) => Some(known),
        _ => None,
    }
}

/// The names that no macro of the expression itself binds.
fn free_variables(expression: &IdedExpr, bound: &mut Vec<String>, free: &mut Vec<String>) {
    match &expression.expr {
        Expr::Ident(name) => {
            if !bound.contains(name) && !free.contains(name) && !name.starts_with('@') {
                free.push(name.clone());
            }
        }
        Expr::Comprehension(comprehension) => {
            free_variables(&comprehension.iter_range, bound, free);
            free_variables(&comprehension.accu_init, bound, free);
            let length = bound.len();
            bound.push(comprehension.iter_var.clone());
            bound.extend(comprehension.iter_var2.clone());
            bound.push(comprehension.accu_var.clone());
            for part in [&comprehension.loop_cond, &comprehension.loop_step, &comprehension.result] {
                free_variables(part, bound, free);
            }
            bound.truncate(length);
        }
        _ => children(expression).into_iter().for_each(|child| free_variables(child, bound, free)),
    }
}

/// The direct parts of an expression, a macro's aside.
fn children(expression: &IdedExpr) -> Vec<&IdedExpr> {
    match &expression.expr {
        Expr::Call(call) => call.target.as_deref().into_iter().chain(&call.args).collect(),
        Expr::List(list) => list.elements.iter().collect(),
        Expr::Select(select) => vec![&select.operand],
        Expr::Map(map) => map.entries.iter().flat_map(|entry| entry_parts(&entry.expr)).collect(),
        Expr::Struct(fields) => fields.entries.iter().flat_map(|entry| entry_parts(&entry.expr)).collect(),
        _ => Vec::new(),
    }
}

fn entry_parts(entry: &EntryExpr) -> Vec<&IdedExpr> {
    match entry {
        EntryExpr::StructField(field) => vec![&field.value],
        EntryExpr::MapEntry(entry) => vec![&entry.key, &entry.value],
    }
}
