//! Requests as people read them.

use keyfold_dynamo::Attributes;
use keyfold_dynamo::expression::{Aliases, Printer};
use keyfold_dynamo::operation::{GetItemInput, QueryInput, TransactWrite, TransactWriteKind};

use crate::description::plain_text;

/// A request in DynamoDB's terms.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedRequest {
    /// The operation, such as `Query`, or `TransactWriteItems: Put` for an action of a transaction.
    pub operation: &'static str,
    /// The index of a query; absent for the table itself.
    pub index: Option<String>,
    /// The key of an item, or the key condition of a query.
    pub on: String,
    /// Whether a query reads from the start of the key range; absent for other requests.
    pub forward: Option<bool>,
    /// The update expression of an update; absent for other requests, and for an update that only checks its condition.
    pub update: Option<String>,
    /// The condition expression; absent for an unconditional request.
    pub condition: Option<String>,
    /// The filter expression of a query; absent if every item that is read is returned.
    pub filter: Option<String>,
    /// The names behind the aliases of the expressions, such as `#n0`.
    pub names: Vec<(String, String)>,
    /// The values behind the aliases of the expressions, such as `:v0`.
    pub values: Attributes,
}

impl PlannedRequest {
    pub(super) fn get(input: &GetItemInput) -> Self {
        Self::on_key("GetItem", &input.key)
    }

    pub(super) fn query(input: &QueryInput) -> Self {
        let mut printer = Printer::new();
        let on = input.key_condition.print(&mut printer);
        let filter = input.page.filter.as_ref().map(|filter| filter.print(&mut printer));
        Self {
            operation: "Query",
            index: input.page.index_name.clone(),
            on,
            forward: Some(input.forward),
            update: None,
            condition: None,
            filter,
            names: Vec::new(),
            values: Attributes::new(),
        }
        .with_aliases(printer.into_aliases())
    }

    /// One write, as a request of its own or as an action of a transaction.
    pub(super) fn write(write: &TransactWrite, keys: &Attributes, in_transaction: bool) -> Self {
        let operation = match (&write.kind, in_transaction) {
            (TransactWriteKind::Put { .. }, true) => "TransactWriteItems: Put",
            (TransactWriteKind::Put { .. }, false) => "PutItem",
            (TransactWriteKind::Update { .. }, true) => "TransactWriteItems: Update",
            (TransactWriteKind::Update { .. }, false) => "UpdateItem",
            (TransactWriteKind::Delete { .. }, true) => "TransactWriteItems: Delete",
            (TransactWriteKind::Delete { .. }, false) => "DeleteItem",
            (TransactWriteKind::ConditionCheck { .. }, true) => "TransactWriteItems: ConditionCheck",
            // Alone it is an update that changes nothing.
            (TransactWriteKind::ConditionCheck { .. }, false) => "UpdateItem",
        };
        let mut printer = Printer::new();
        let update = match &write.kind {
            TransactWriteKind::Update { update, .. } => Some(update.print(&mut printer)),
            _ => None,
        };
        let condition = write.condition.as_ref().map(|condition| condition.print(&mut printer));
        Self { update, condition, ..Self::on_key(operation, keys) }.with_aliases(printer.into_aliases())
    }

    fn on_key(operation: &'static str, key: &Attributes) -> Self {
        let parts: Vec<String> = key.iter().map(|(name, value)| format!("{name} = {}", plain_text(value))).collect();
        Self {
            operation,
            index: None,
            on: parts.join(", "),
            forward: None,
            update: None,
            condition: None,
            filter: None,
            names: Vec::new(),
            values: Attributes::new(),
        }
    }

    fn with_aliases(self, aliases: Aliases) -> Self {
        Self {
            names: aliases.names.unwrap_or_default().into_iter().collect(),
            values: aliases.values.unwrap_or_default(),
            ..self
        }
    }
}
