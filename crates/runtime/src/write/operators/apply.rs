//! Operators on the stored item.

use keyfold_design::model::path_text;
use keyfold_dynamo::expression::{Path, PathStep, Update};
use keyfold_dynamo::{AttributeValue, Attributes};

use super::clauses::OperatorClauses;
use super::resolved::{ResolvedAction, at_path};
use super::{Resolved, ResolvedOperator};
use crate::error::Error;

impl Resolved<'_> {
    /// The attributes that change, with their new values; `NULL` for those that are absent then.
    pub(crate) fn apply(&self, old: &Attributes) -> Result<Attributes, Error> {
        let mut clauses = OperatorClauses::default();
        for operator in &self.list {
            if operator.require_applicable(old)? {
                operator.add_clause(&mut clauses);
            }
        }
        let new = match clauses.is_empty() {
            true => old.clone(),
            false => Update::new(clauses.set, clauses.remove, clauses.add, clauses.delete)?.apply(old)?.item,
        };
        for operator in &self.list {
            operator.require_within_bounds(&new)?;
        }
        let value = |root: &str| new.get(root).cloned().unwrap_or(AttributeValue::Null);
        Ok(self.roots().into_iter().map(|root| (root.to_owned(), value(root))).collect())
    }
}

impl ResolvedOperator<'_> {
    /// Whether there is something to change: removing what is not there changes nothing. An error if the stored value
    /// does not take the operator.
    fn require_applicable(&self, old: &Attributes) -> Result<bool, Error> {
        let stored = self.path.find(old);
        let removes = matches!(self.action, ResolvedAction::Remove | ResolvedAction::RemoveMembers(_));
        if removes && stored.is_none() {
            return Ok(false);
        }
        self.require_place(old)?;
        let expected = match (&self.action, stored) {
            (ResolvedAction::AddNumber(_), Some(stored)) if stored.as_number().is_none() => "a number",
            (ResolvedAction::AddMembers(members) | ResolvedAction::RemoveMembers(members), Some(stored))
                if stored.value_type() != members.value_type() =>
            {
                "a set of members of this type"
            }
            (ResolvedAction::Append(_) | ResolvedAction::Prepend(_), Some(stored))
                if !matches!(stored, AttributeValue::L(_)) =>
            {
                "a list"
            }
            _ => return Ok(true),
        };
        Err(at_path(&self.path, format!("`{}` is stored as something else than {expected}", path_text(&self.path))))
    }

    /// A sum is within the bounds of its value.
    fn require_within_bounds(&self, new: &Attributes) -> Result<(), Error> {
        let (ResolvedAction::AddNumber(_), Some(AttributeValue::N(sum))) = (&self.action, self.path.find(new)) else {
            return Ok(());
        };
        let value = AttributeValue::N(*sum);
        match self.bounds.iter().find(|bound| !bound.admits(&value)) {
            Some(bound) => {
                Err(at_path(&self.path, format!("`{}` must be {bound} but is `{sum}`", path_text(&self.path))))
            }
            None => Ok(()),
        }
    }

    /// What is around the value has to be there, and a list to have the element.
    fn require_place(&self, old: &Attributes) -> Result<(), Error> {
        let Some((last, before)) = self.path.rest.split_last() else { return Ok(()) };
        let around = Path { root: self.path.root.clone(), rest: before.to_vec() };
        let Some(holder) = around.find(old) else {
            let (path, around) = (path_text(&self.path), path_text(&around));
            return Err(at_path(&self.path, format!("`{path}` cannot be changed: there is no `{around}`")));
        };
        match (holder, last) {
            (AttributeValue::M(_), PathStep::Field(_)) => Ok(()),
            (AttributeValue::L(list), PathStep::Index(index)) if *index < list.len() => Ok(()),
            (AttributeValue::L(_), PathStep::Index(_)) => {
                Err(at_path(&self.path, format!("there is no `{}`", path_text(&self.path))))
            }
            _ => {
                let (path, around) = (path_text(&self.path), path_text(&around));
                Err(at_path(&self.path, format!("`{path}` cannot be changed: `{around}` is stored as another type")))
            }
        }
    }
}
