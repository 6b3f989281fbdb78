//! One write: the action, the item and the condition.

use keyfold_dynamo::expression::{Condition, ConditionKind, Update};
use keyfold_dynamo::limits;
use keyfold_dynamo::value::item_size;
use keyfold_dynamo::{Attributes, ServiceError};

use super::key_rules::{check_index_keys, check_item, check_key, refuse_empty_index_keys};
use super::value_rules::check_values;
use crate::catalog::TableDefinition;
use crate::rows::layout;

pub(crate) struct Intent {
    pub action: Action,
    pub condition: Option<Condition>,
    pub return_old_on_failure: bool,
}

pub(crate) enum Action {
    Put { item: Attributes },
    Update { key: Attributes, update: Option<Update> },
    Delete { key: Attributes },
    Check { key: Attributes },
}

/// Why a write is refused.
pub(crate) enum Refusal {
    Condition,
    Invalid(ServiceError),
}

impl Intent {
    /// Checks what needs neither the table nor the stored item.
    pub(crate) fn new(
        action: Action,
        condition: Option<Condition>,
        return_old_on_failure: bool,
    ) -> Result<Self, ServiceError> {
        if let Some(condition) = &condition {
            condition.check(ConditionKind::Condition)?;
        }
        Ok(Self { action, condition, return_old_on_failure })
    }

    /// Whether the write can add data.
    pub(crate) fn adds_data(&self) -> bool {
        matches!(self.action, Action::Put { .. } | Action::Update { .. })
    }

    pub(crate) fn is_delete(&self) -> bool {
        matches!(self.action, Action::Delete { .. })
    }

    /// A write without expressions.
    pub(crate) fn plain(action: Action) -> Self {
        Self { action, condition: None, return_old_on_failure: false }
    }

    /// Checks what can be checked before the stored item is known.
    pub(crate) fn check(&self, table: &TableDefinition) -> Result<(), ServiceError> {
        match &self.action {
            Action::Put { item } => {
                check_item(table, item)?;
                check_values(item)
            }
            Action::Update { key, update } => {
                check_key(&table.key, key)?;
                update.as_ref().map_or(Ok(()), |update| check_update_targets(table, update))
            }
            Action::Delete { key } | Action::Check { key } => check_key(&table.key, key),
        }?;
        match &self.condition {
            Some(condition) => table.refuse_paths_into_keys(condition.paths()),
            None => Ok(()),
        }
    }

    /// The item or the key that contains the key attributes.
    fn key_source(&self) -> &Attributes {
        match &self.action {
            Action::Put { item } => item,
            Action::Update { key, .. } | Action::Delete { key } | Action::Check { key } => key,
        }
    }

    /// The row of the item. The keys have been checked.
    pub(crate) fn row(&self, table: &TableDefinition) -> Result<Vec<u8>, ServiceError> {
        layout::item_row(table.id, &table.key, self.key_source())
            .ok_or_else(|| ServiceError::validation("The provided key element does not match the schema"))
    }

    pub(crate) fn partition_value(&self, table: &TableDefinition) -> Option<keyfold_dynamo::AttributeValue> {
        self.key_source().get(&table.key.partition.name).cloned()
    }

    /// Computes the new value of the item: `None` if it will not exist.
    pub(crate) fn apply(
        &self,
        table: &TableDefinition,
        old: Option<&Attributes>,
    ) -> Result<Option<Attributes>, Refusal> {
        let nothing = Attributes::new();
        if let Some(condition) = &self.condition
            && !condition.matches(old.unwrap_or(&nothing))
        {
            return Err(Refusal::Condition);
        }
        match &self.action {
            Action::Put { item } => Ok(Some(item.clone())),
            Action::Delete { .. } => Ok(None),
            Action::Check { .. } => Ok(old.cloned()),
            Action::Update { key, update } => {
                let base = old.unwrap_or(key);
                let Some(update) = update else { return Ok(Some(base.clone())) };
                let item = update.apply(base).map_err(Refusal::Invalid)?.item;
                check_updated(table, &item).map_err(Refusal::Invalid)?;
                Ok(Some(item))
            }
        }
    }
}

fn check_update_targets(table: &TableDefinition, update: &Update) -> Result<(), ServiceError> {
    for root in update.roots() {
        if table.key.contains(root) {
            return Err(ServiceError::validation(format!(
                "One or more parameter values were invalid: Cannot update attribute {root}. This attribute is part of the key"
            )));
        }
    }
    table.refuse_paths_into_keys(update.paths().chain(update.read_paths()))
}

fn check_updated(table: &TableDefinition, item: &Attributes) -> Result<(), ServiceError> {
    refuse_empty_index_keys(table, item)?;
    check_index_keys(table, item)?;
    check_values(item)?;
    if item_size(item) > limits::ITEM_BYTES {
        return Err(ServiceError::validation("Item size to update has exceeded the maximum allowed size"));
    }
    Ok(())
}
