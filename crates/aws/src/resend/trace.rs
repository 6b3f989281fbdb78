//! The trace of a write, by which it is recognized.

use keyfold_dynamo::expression::{Path, Update};
use keyfold_dynamo::operation::ReturnValues;
use keyfold_dynamo::{AttributeValue, Attributes};

/// The state after a write.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Trace {
    /// Exactly this item.
    Item(Attributes),
    /// No item.
    Nothing,
    /// An item with these marks.
    Marks { marks: Vec<Mark>, update: Option<Box<Update>> },
}

/// The state of one path after an update.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mark {
    pub path: Path,
    pub left: Remainder,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Remainder {
    Value(AttributeValue),
    Nothing,
    /// A set with at least these members.
    Members(AttributeValue),
    /// A set with none of these members, or nothing.
    NoMembers(AttributeValue),
}

/// What the existing item shows about the first attempt, when the retry failed its condition.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Finding {
    /// It was executed; the attributes of its response.
    Executed(Option<Attributes>),
    /// It was executed, and the attributes of its response are lost.
    ResponseLost,
    /// There is no trace of it.
    NotFound,
}

impl Trace {
    pub(crate) fn find(&self, found: Option<&Attributes>, requested: ReturnValues) -> Finding {
        let seen = match (self, found) {
            (Self::Item(item), Some(found)) => item == found,
            (Self::Nothing, None) => true,
            (Self::Marks { marks, .. }, Some(found)) => marks.iter().all(|mark| mark.is_in(found)),
            _ => false,
        };
        if !seen {
            return Finding::NotFound;
        }
        match requested {
            ReturnValues::None => Finding::Executed(None),
            ReturnValues::AllOld | ReturnValues::UpdatedOld => Finding::ResponseLost,
            ReturnValues::AllNew => Finding::Executed(found.cloned()),
            ReturnValues::UpdatedNew => Finding::Executed(found.and_then(|found| match self {
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
            Remainder::Value(value) => found == Some(value),
            Remainder::Nothing => found.is_none(),
            Remainder::Members(members) => {
                found.is_some_and(|found| membership(found, members).is_some_and(|(all, _)| all))
            }
            Remainder::NoMembers(members) => {
                found.is_none_or(|found| membership(found, members).is_some_and(|(_, some)| !some))
            }
        }
    }
}

/// Whether all, and whether some of the members are in a set of the same type.
fn membership(set: &AttributeValue, members: &AttributeValue) -> Option<(bool, bool)> {
    fn contains<T: Ord>(set: &std::collections::BTreeSet<T>, members: &std::collections::BTreeSet<T>) -> (bool, bool) {
        (members.is_subset(set), !members.is_disjoint(set))
    }
    match (set, members) {
        (AttributeValue::Ss(set), AttributeValue::Ss(members)) => Some(contains(set, members)),
        (AttributeValue::Ns(set), AttributeValue::Ns(members)) => Some(contains(set, members)),
        (AttributeValue::Bs(set), AttributeValue::Bs(members)) => Some(contains(set, members)),
        _ => None,
    }
}
