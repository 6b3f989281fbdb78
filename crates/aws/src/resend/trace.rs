//! What a write leaves behind, by which it is known again.

use keyfold_dynamo::expression::{Path, Update};
use keyfold_dynamo::operation::ReturnValues;
use keyfold_dynamo::{AttributeValue, Attributes};

/// What a write leaves.
#[derive(Debug, Clone, PartialEq)]
pub enum Trace {
    /// This very item.
    Item(Attributes),
    /// No item.
    Nothing,
    /// An item with these marks.
    Marks { marks: Vec<Mark>, update: Option<Box<Update>> },
}

/// What is at one path after an update.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    pub path: Path,
    pub left: Left,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Left {
    Value(AttributeValue),
    Nothing,
    /// A set with at least these members.
    Members(AttributeValue),
    /// A set with none of these members, or nothing.
    NoMembers(AttributeValue),
}

/// What the item that stands in the way of a second attempt tells about the first.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// It was carried out; its answer.
    CarriedOut(Option<Attributes>),
    /// It was carried out, and what it was to answer with is gone.
    AnswerGone,
    /// There is no trace of it.
    NotSeen,
}

impl Trace {
    pub fn find(&self, found: Option<&Attributes>, asked: ReturnValues) -> Finding {
        let seen = match (self, found) {
            (Self::Item(item), Some(found)) => item == found,
            (Self::Nothing, None) => true,
            (Self::Marks { marks, .. }, Some(found)) => marks.iter().all(|mark| mark.is_in(found)),
            _ => false,
        };
        if !seen {
            return Finding::NotSeen;
        }
        match asked {
            ReturnValues::None => Finding::CarriedOut(None),
            ReturnValues::AllOld | ReturnValues::UpdatedOld => Finding::AnswerGone,
            ReturnValues::AllNew => Finding::CarriedOut(found.cloned()),
            ReturnValues::UpdatedNew => Finding::CarriedOut(found.and_then(|found| match self {
                Self::Marks { update: Some(update), .. } => Some(update.project_touched(found)),
                _ => None,
            })),
        }
    }
}

impl Mark {
    fn is_in(&self, item: &Attributes) -> bool {
        let found = self.path.find(item);
        match &self.left {
            Left::Value(value) => found == Some(value),
            Left::Nothing => found.is_none(),
            Left::Members(members) => found.is_some_and(|found| counts(found, members).is_some_and(|(all, _)| all)),
            Left::NoMembers(members) => found.is_none_or(|found| counts(found, members).is_some_and(|(_, some)| !some)),
        }
    }
}

/// Whether all, and whether some of the members are in a set of the same type.
fn counts(set: &AttributeValue, members: &AttributeValue) -> Option<(bool, bool)> {
    fn of<T: Ord>(set: &std::collections::BTreeSet<T>, members: &std::collections::BTreeSet<T>) -> (bool, bool) {
        (members.is_subset(set), !members.is_disjoint(set))
    }
    match (set, members) {
        (AttributeValue::Ss(set), AttributeValue::Ss(members)) => Some(of(set, members)),
        (AttributeValue::Ns(set), AttributeValue::Ns(members)) => Some(of(set, members)),
        (AttributeValue::Bs(set), AttributeValue::Bs(members)) => Some(of(set, members)),
        _ => None,
    }
}
