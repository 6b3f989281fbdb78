//! Updates: what they leave, and whether they make their own condition false.

use keyfold_dynamo::expression::{
    Arithmetic, Comparison, Condition, Operand, Path, PathStep, SetValue, Update, UpdateOperand,
};
use keyfold_dynamo::operation::{ReturnValues, UpdateItemInput};
use keyfold_dynamo::{AttributeValue, Number};

use super::Resend;
use super::trace::{Left, Mark, Trace};

pub fn of_update(input: &UpdateItemInput) -> Resend {
    let Some(update) = &input.update else {
        // It creates the item with its key alone where there is none: nothing that a second time would change.
        return match input.options.return_values {
            ReturnValues::AllOld | ReturnValues::UpdatedOld => Resend::MayNot,
            _ => Resend::May(Trace::Marks { marks: Vec::new(), update: None }),
        };
    };
    let terms = input.options.condition.as_ref().map(terms).unwrap_or_default();
    let mut marks = Vec::new();
    let mut repeatable = true;
    for change in changes(update) {
        let left = change.left(&terms);
        repeatable &= change.is_repeatable();
        marks.extend(left.map(|left| Mark { path: change.path.clone(), left }));
    }
    let guarded = terms.iter().any(|term| marks.iter().any(|mark| is_made_false(term, mark)));
    let answers_again = !matches!(input.options.return_values, ReturnValues::AllOld | ReturnValues::UpdatedOld);
    if guarded || (repeatable && answers_again) {
        Resend::May(Trace::Marks { marks, update: Some(Box::new(update.clone())) })
    } else {
        Resend::MayNot
    }
}

/// What all has to hold.
fn terms(condition: &Condition) -> Vec<&Condition> {
    match condition {
        Condition::And(both) => both.iter().flat_map(terms).collect(),
        one => vec![one],
    }
}

/// One change at one path.
struct Change<'u> {
    path: &'u Path,
    kind: Kind<'u>,
}

enum Kind<'u> {
    Set(&'u SetValue),
    Remove,
    Add(&'u AttributeValue),
    Delete(&'u AttributeValue),
}

fn changes(update: &Update) -> impl Iterator<Item = Change<'_>> {
    let set = update.set.iter().map(|action| Change { path: &action.path, kind: Kind::Set(&action.value) });
    let remove = update.remove.iter().map(|path| Change { path, kind: Kind::Remove });
    let add = update.add.iter().map(|action| Change { path: &action.path, kind: Kind::Add(&action.value) });
    let delete = update.delete.iter().map(|action| Change { path: &action.path, kind: Kind::Delete(&action.value) });
    set.chain(remove).chain(add).chain(delete)
}

impl Change<'_> {
    /// Whether it leaves the same when it is made again.
    fn is_repeatable(&self) -> bool {
        // An element of a list is another one once elements were added or taken away.
        let in_list = self.path.rest.iter().any(|step| matches!(step, PathStep::Index(_)));
        let same_again = match &self.kind {
            Kind::Set(SetValue::Operand(UpdateOperand::Value(_))) | Kind::Remove | Kind::Delete(_) => true,
            Kind::Set(SetValue::Operand(UpdateOperand::IfNotExists { path, otherwise })) => {
                path == self.path && matches!(otherwise.as_ref(), UpdateOperand::Value(_))
            }
            Kind::Set(_) => false,
            Kind::Add(value) => !matches!(value, AttributeValue::N(_)),
        };
        same_again && !in_list
    }

    /// What it leaves, where that is known: sums are, if the condition says what was there before.
    fn left(&self, terms: &[&Condition]) -> Option<Left> {
        if self.path.rest.iter().any(|step| matches!(step, PathStep::Index(_))) {
            return None;
        }
        match &self.kind {
            Kind::Set(SetValue::Operand(UpdateOperand::Value(value))) => Some(Left::Value((*value).clone())),
            Kind::Set(SetValue::Arithmetic {
                left: UpdateOperand::Path(path),
                operator: Arithmetic::Add,
                right: UpdateOperand::Value(AttributeValue::N(by)),
            }) if path == self.path => sum(terms, path, by).map(Left::Value),
            Kind::Set(_) => None,
            Kind::Remove => Some(Left::Nothing),
            Kind::Add(AttributeValue::N(by)) => sum(terms, self.path, by).map(Left::Value),
            Kind::Add(members) => Some(Left::Members((*members).clone())),
            Kind::Delete(members) => Some(Left::NoMembers((*members).clone())),
        }
    }
}

/// The number at a path after an addition, if a term says what it was before.
fn sum(terms: &[&Condition], path: &Path, by: &Number) -> Option<AttributeValue> {
    terms.iter().find_map(|term| match known_before(term)? {
        (known, Some(AttributeValue::N(before))) if known == path => before.checked_add(by).ok().map(AttributeValue::N),
        (known, None) if known == path => Some(AttributeValue::N(*by)),
        _ => None,
    })
}

/// The path whose value before the write a term tells; `None` for the value where there was none.
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

/// Whether a term no longer holds once the mark is there.
fn is_made_false(term: &Condition, mark: &Mark) -> bool {
    match (term, &mark.left) {
        (Condition::AttributeExists(path), Left::Nothing) => *path == mark.path,
        _ => match (known_before(term), &mark.left) {
            (Some((path, before)), Left::Value(after)) => *path == mark.path && before != Some(after),
            (Some((path, Some(_))), Left::Nothing) => *path == mark.path,
            _ => false,
        },
    }
}
