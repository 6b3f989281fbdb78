//! Conditions of callers on the item that they change.

use keyfold_design::model::{Entity, Filter, ItemFilter};
use keyfold_dynamo::expression::{Condition, ConditionKind};
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::error::Error;
use crate::read::filter_condition;

/// A condition that the stored item has to meet, such as `stock >= <least> and status = open`, with its arguments. It
/// is spelt as the filter of an access pattern, and tests the attributes as they are stored before the change.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemCondition {
    filter: Filter,
    arguments: Attributes,
}

/// One of the terms that all have to hold.
pub(crate) struct ConditionTerm {
    /// As the caller spells it.
    pub text: String,
    pub condition: Condition,
}

impl ItemCondition {
    /// Reads a condition on the items of an entity. Every parameter needs an argument, and every argument a parameter.
    pub fn parse(entity: &Entity, text: &str, arguments: Attributes) -> Result<Self, Error> {
        let ItemFilter { filter, parameters } = parsed(entity, text)?;
        for (name, value_type) in &parameters {
            let invalid = |message| Error::InvalidArgument { name: name.clone(), message };
            match arguments.get(name) {
                None | Some(AttributeValue::Null) => {
                    return Err(invalid(format!("the condition needs an argument for `<{name}>`")));
                }
                Some(value) => value_type.check(name, value).map_err(|violation| invalid(violation.to_string()))?,
            }
        }
        if let Some(name) = arguments.keys().find(|name| parameters.iter().all(|(known, _)| known != *name)) {
            let message = format!("the condition has no parameter `<{name}>`");
            return Err(Error::InvalidArgument { name: name.clone(), message });
        }
        let condition = Self { filter, arguments };
        condition.terms()?;
        Ok(condition)
    }

    /// The attributes that it tests.
    pub(crate) fn attributes(&self) -> Vec<&str> {
        self.filter.attributes()
    }

    /// The terms that all have to hold, so that an error names the one that does not.
    pub(crate) fn terms(&self) -> Result<Vec<ConditionTerm>, Error> {
        let terms = match &self.filter {
            Filter::And(parts) => parts.as_slice(),
            one => std::slice::from_ref(one),
        };
        let term = |filter: &Filter| {
            let missing = || Error::Invalid("the condition lacks an argument".to_owned());
            let condition = filter_condition(filter, &self.arguments).ok_or_else(missing)?;
            condition.check(ConditionKind::Condition)?;
            Ok(ConditionTerm { text: filter.to_string(), condition })
        };
        terms.iter().map(term).collect()
    }
}

/// The condition of a text, with the types of its parameters.
pub(crate) fn parsed(entity: &Entity, text: &str) -> Result<ItemFilter, Error> {
    keyfold_design::item_filter(entity, text)
        .map_err(|message| Error::InvalidArgument { name: "if".to_owned(), message })
}
