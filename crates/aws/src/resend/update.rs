//! Updates: their traces, and whether they make their own condition false.

use keyfold_dynamo::expression::{
    Arithmetic, Comparison, Condition, Operand, Path, PathStep, SetValue, Update, UpdateOperand,
};
use keyfold_dynamo::operation::{ReturnValues, UpdateItemInput};
use keyfold_dynamo::{AttributeValue, Number};

use super::Resend;
use super::trace::{Mark, Remainder, Trace};

pub(crate) fn resend_update(input: &UpdateItemInput) -> Resend {
    let Some(update) = &input.update else {
        // It only creates the item with its key, if there is none: a retry changes nothing.
        return match input.options.return_values {
            ReturnValues::AllOld | ReturnValues::UpdatedOld => Resend::Forbidden,
            _ => Resend::Allowed(Trace::Marks { marks: Vec::new(), update: None }),
        };
    };
    let terms = input.options.condition.as_ref().map(terms).unwrap_or_default();
    let mut marks = Vec::new();
    let mut repeatable = true;
    for action in actions(update) {
        let left = action.left(&terms);
        repeatable &= action.is_repeatable();
        marks.extend(left.map(|left| Mark { path: action.path.clone(), left }));
    }
    let guarded = terms.iter().any(|term| marks.iter().any(|mark| is_made_false(term, mark)));
    let same_response = !matches!(input.options.return_values, ReturnValues::AllOld | ReturnValues::UpdatedOld);
    if guarded || (repeatable && same_response) {
        Resend::Allowed(Trace::Marks { marks, update: Some(Box::new(update.clone())) })
    } else {
        Resend::Forbidden
    }
}

/// The terms that must all hold.
fn terms(condition: &Condition) -> Vec<&Condition> {
    match condition {
        Condition::And(both) => both.iter().flat_map(terms).collect(),
        one => vec![one],
    }
}

/// One action of an update, at one path.
struct UpdateAction<'u> {
    path: &'u Path,
    kind: ActionKind<'u>,
}

enum ActionKind<'u> {
    Set(&'u SetValue),
    Remove,
    Add(&'u AttributeValue),
    Delete(&'u AttributeValue),
}

fn actions(update: &Update) -> impl Iterator<Item = UpdateAction<'_>> {
    let set = update.set.iter().map(|action| UpdateAction { path: &action.path, kind: ActionKind::Set(&action.value) });
    let remove = update.remove.iter().map(|path| UpdateAction { path, kind: ActionKind::Remove });
    let add = update.add.iter().map(|action| UpdateAction { path: &action.path, kind: ActionKind::Add(&action.value) });
    let delete =
        update.delete.iter().map(|action| UpdateAction { path: &action.path, kind: ActionKind::Delete(&action.value) });
    set.chain(remove).chain(add).chain(delete)
}

impl UpdateAction<'_> {
    /// Whether it has the same effect when it is repeated.
    fn is_repeatable(&self) -> bool {
        // The position of a list element changes when elements are added or removed.
        let in_list = self.path.rest.iter().any(|step| matches!(step, PathStep::Index(_)));
        let same_again = match &self.kind {
            ActionKind::Set(SetValue::Operand(UpdateOperand::Value(_)))
            | ActionKind::Remove
            | ActionKind::Delete(_) => true,
            ActionKind::Set(SetValue::Operand(UpdateOperand::IfNotExists { path, otherwise })) => {
                path == self.path && matches!(otherwise.as_ref(), UpdateOperand::Value(_))
            }
            ActionKind::Set(_) => false,
            ActionKind::Add(value) => !matches!(value, AttributeValue::N(_)),
        };
        same_again && !in_list
    }

    /// Its result, where that is known: a sum is known if the condition states the previous value.
    fn left(&self, terms: &[&Condition]) -> Option<Remainder> {
        if self.path.rest.iter().any(|step| matches!(step, PathStep::Index(_))) {
            return None;
        }
        match &self.kind {
            ActionKind::Set(SetValue::Operand(UpdateOperand::Value(value))) => Some(Remainder::Value((*value).clone())),
            ActionKind::Set(SetValue::Arithmetic {
                left: UpdateOperand::Path(path),
                operator: Arithmetic::Add,
                right: UpdateOperand::Value(AttributeValue::N(by)),
            }) if path == self.path => sum(terms, path, by).map(Remainder::Value),
            ActionKind::Set(_) => None,
            ActionKind::Remove => Some(Remainder::Nothing),
            ActionKind::Add(AttributeValue::N(by)) => sum(terms, self.path, by).map(Remainder::Value),
            ActionKind::Add(members) => Some(Remainder::Members((*members).clone())),
            ActionKind::Delete(members) => Some(Remainder::NoMembers((*members).clone())),
        }
    }
}

/// The number at a path after an addition, if a term states the previous value.
fn sum(terms: &[&Condition], path: &Path, by: &Number) -> Option<AttributeValue> {
    terms.iter().find_map(|term| match known_before(term)? {
        (known, Some(AttributeValue::N(before))) if known == path => before.checked_add(by).ok().map(AttributeValue::N),
        (known, None) if known == path => Some(AttributeValue::N(*by)),
        _ => None,
    })
}

/// The path whose previous value a term states, and that value; `None` if there was none.
fn known_before(term: &Condition) -> Option<(&Path, Option<&AttributeValue>)> {
    match term {
        Condition::Compare { left, operator: Comparison::Equal, right } => match (left, right) {
            (Operand::Path(path), Operand::Value(value)) | (Operand::Value(value), Operand::Path(path)) => {
                Some((path, Some(value)))
            }
            _ => None,
        },
        Condition::AttributeNotExists(path) => Some((path, None)),
        _ => None,
    }
}

/// Whether a term no longer holds once the mark exists.
fn is_made_false(term: &Condition, mark: &Mark) -> bool {
    match (term, &mark.left) {
        (Condition::AttributeExists(path), Remainder::Nothing) => *path == mark.path,
        _ => match (known_before(term), &mark.left) {
            (Some((path, before)), Remainder::Value(after)) => *path == mark.path && before != Some(after),
            (Some((path, Some(_))), Remainder::Nothing) => *path == mark.path,
            _ => false,
        },
    }
}
