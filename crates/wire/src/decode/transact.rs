//! TransactGetItems and TransactWriteItems.

use std::borrow::Cow;
use std::fmt::Display;

use keyfold_dynamo::Attributes;
use keyfold_dynamo::expression::NameAliases;
use keyfold_dynamo::limits::TRANSACTION_ACTIONS;
use keyfold_dynamo::operation::{
    TransactGet, TransactGetItemsInput, TransactWrite, TransactWriteItemsInput, TransactWriteKind,
};

use super::constraint::Constraints;
use super::expression_parameters::{self as parameters, AliasMembers, Expressions, Text};
use super::expressions::{self, WriteTexts};
use super::shape::{self, Position};
use super::table_name;
use super::value::{self, Checked};
use crate::failure::Failure;
use crate::json::Reader;

pub(crate) fn transact_get_items(reader: &mut Reader<'_>) -> Result<TransactGetItemsInput, Failure> {
    let mut gets: Option<Vec<Option<Action<'_>>>> = None;
    let mut capacity: Text<'_> = None;
    shape::input(reader, "TransactGetItemsInput", |name, reader| {
        match name {
            "TransactItems" => {
                gets = read_actions(reader, "TransactGetItem", |name, reader, get| {
                    match name {
                        "Get" => *get = Action::read(reader, ActionKind::Get)?,
                        _ => reader.skip()?,
                    }
                    Ok(())
                })?;
            }
            "ReturnConsumedCapacity" => capacity = shape::string(reader)?,
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    let mut constraints = Constraints::new();
    let return_consumed_capacity = parameters::consumed_capacity(&mut constraints, &capacity);
    constrain_count(&mut constraints, &gets);
    for (index, get) in gets.iter().flatten().enumerate() {
        let at = format_args!("transactItems.{}.member.get", index + 1);
        match get {
            None => constraints.breach(None, at, "Member must not be null"),
            Some(get) => get.constrain(&mut constraints, at),
        }
    }
    let gets = gets.and_then(|gets| gets.into_iter().map(|get| get?.complete()).collect::<Option<Vec<_>>>());
    let gets = constraints.check_with(gets)?;
    let gets = gets.into_iter().map(CompleteAction::into_get).collect::<Result<Vec<_>, _>>()?;
    let gets = gets.into_iter().map(|(mut get, projection, names)| {
        get.projection = expressions::projection(projection.as_deref(), names.as_ref())?;
        Ok(get)
    });
    Ok(TransactGetItemsInput { gets: gets.collect::<Result<_, Failure>>()?, return_consumed_capacity })
}

pub(crate) fn transact_write_items(reader: &mut Reader<'_>) -> Result<TransactWriteItemsInput, Failure> {
    let mut writes: Option<Vec<Vec<Action<'_>>>> = None;
    let mut capacity: Text<'_> = None;
    let mut metrics: Text<'_> = None;
    let mut client_request_token = None;
    shape::input(reader, "TransactWriteItemsInput", |name, reader| {
        match name {
            "TransactItems" => {
                writes = read_actions(reader, "TransactWriteItem", |name, reader, actions: &mut Vec<_>| {
                    match ActionKind::from_write_member(name) {
                        Some(kind) => actions.extend(Action::read(reader, kind)?),
                        None => reader.skip()?,
                    }
                    Ok(())
                })?;
            }
            "ClientRequestToken" => client_request_token = shape::owned_string(reader)?,
            "ReturnConsumedCapacity" => capacity = shape::string(reader)?,
            "ReturnItemCollectionMetrics" => metrics = shape::string(reader)?,
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    let mut constraints = Constraints::new();
    let return_consumed_capacity = parameters::consumed_capacity(&mut constraints, &capacity);
    let return_collection_metrics = parameters::collection_metrics(&mut constraints, &metrics);
    if let Some(token) = &client_request_token {
        constraints.length("clientRequestToken", token, 1, 36);
    }
    constrain_count(&mut constraints, &writes);
    for (index, actions) in writes.iter().flatten().enumerate() {
        for action in actions {
            let at = format_args!("transactItems.{}.member.{}", index + 1, action.kind.path());
            action.constrain(&mut constraints, at);
        }
    }
    let writes = writes.and_then(|writes| {
        let complete = writes.into_iter().map(|actions| actions.into_iter().map(Action::complete).collect());
        complete.collect::<Option<Vec<Vec<_>>>>()
    });
    let writes = constraints.check_with(writes)?;
    let writes = writes.into_iter().map(only_action).collect::<Result<Vec<_>, _>>()?;
    let writes = writes.into_iter().map(UnparsedWrite::parse).collect::<Result<_, _>>()?;
    Ok(TransactWriteItemsInput { writes, client_request_token, return_consumed_capacity, return_collection_metrics })
}

/// The list of the actions of a transaction; `member` reads one member of an element.
fn read_actions<'a, T: Default>(
    reader: &mut Reader<'a>,
    class: &str,
    mut member: impl FnMut(&str, &mut Reader<'a>, &mut T) -> Result<(), Failure>,
) -> Result<Option<Vec<T>>, Failure> {
    let mut elements = Vec::new();
    let there = shape::list(reader, |reader| {
        let mut element = T::default();
        shape::structure(reader, class, Position::Element, |name, reader| member(name, reader, &mut element))?;
        elements.push(element);
        Ok(())
    })?;
    Ok(there.then_some(elements))
}

fn constrain_count<T>(constraints: &mut Constraints, actions: &Option<Vec<T>>) {
    match actions {
        None => constraints.breach(None, "transactItems", "Member must not be null"),
        Some(actions) => {
            let shown = || format!("[{}]", vec!["TransactItem"; actions.len()].join(", "));
            constraints.size("transactItems", shown, actions.len(), 1, TRANSACTION_ACTIONS);
        }
    }
}

const ONE_ACTION: &str = "TransactItems can only contain one of Check, Put, Update or Delete";

/// The one action of an element.
fn only_action(actions: Vec<CompleteAction<'_>>) -> Result<UnparsedWrite, Failure> {
    let mut actions = actions.into_iter();
    match (actions.next(), actions.next()) {
        (Some(action), None) => action.into_write(),
        (None, _) => Err(Failure::validation(
            "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request",
        )),
        (Some(_), Some(_)) => Err(Failure::validation(ONE_ACTION)),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ActionKind {
    Get,
    Put,
    Update,
    Delete,
    ConditionCheck,
}

impl ActionKind {
    fn from_write_member(member: &str) -> Option<Self> {
        Some(match member {
            "Put" => Self::Put,
            "Update" => Self::Update,
            "Delete" => Self::Delete,
            "ConditionCheck" => Self::ConditionCheck,
            _ => return None,
        })
    }

    fn class(self) -> &'static str {
        match self {
            Self::Get => "Get",
            Self::Put => "Put",
            Self::Update => "Update",
            Self::Delete => "Delete",
            Self::ConditionCheck => "ConditionCheck",
        }
    }

    /// The member, as constraints name it.
    fn path(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Put => "put",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::ConditionCheck => "conditionCheck",
        }
    }

    /// The member that holds the item or the key: its name, and as constraints name it.
    fn attributes_member(self) -> (&'static str, &'static str) {
        match self {
            Self::Put => ("Item", "item"),
            _ => ("Key", "key"),
        }
    }
}

/// One action as it was read.
struct Action<'a> {
    kind: ActionKind,
    table: Text<'a>,
    attributes: Option<Checked<Attributes>>,
    update_expression: Option<String>,
    condition_expression: Option<String>,
    projection_expression: Option<String>,
    aliases: AliasMembers,
    return_on_failure: Text<'a>,
}

impl<'a> Action<'a> {
    fn read(reader: &mut Reader<'a>, kind: ActionKind) -> Result<Option<Self>, Failure> {
        let mut action = Self {
            kind,
            table: None,
            attributes: None,
            update_expression: None,
            condition_expression: None,
            projection_expression: None,
            aliases: AliasMembers::default(),
            return_on_failure: None,
        };
        let (attributes_member, _) = kind.attributes_member();
        let there = shape::structure(reader, kind.class(), Position::Member, |name, reader| {
            match name {
                "TableName" => action.table = shape::string(reader)?,
                "UpdateExpression" => action.update_expression = shape::owned_string(reader)?,
                "ConditionExpression" => action.condition_expression = shape::owned_string(reader)?,
                "ProjectionExpression" => action.projection_expression = shape::owned_string(reader)?,
                "ExpressionAttributeNames" => action.aliases.read_names(reader)?,
                "ExpressionAttributeValues" => action.aliases.read_values(reader)?,
                "ReturnValuesOnConditionCheckFailure" => action.return_on_failure = shape::string(reader)?,
                _ if name == attributes_member => action.attributes = value::attributes(reader)?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(there.then_some(action))
    }

    fn constrain(&self, constraints: &mut Constraints, at: impl Display) {
        let (_, attributes_path) = self.kind.attributes_member();
        table_name::constrain(constraints, format_args!("{at}.tableName"), self.table.as_deref());
        constraints.required(format_args!("{at}.{attributes_path}"), &self.attributes);
        if self.kind == ActionKind::Update {
            constraints.required(format_args!("{at}.updateExpression"), &self.update_expression);
        }
        if self.kind == ActionKind::ConditionCheck {
            constraints.required(format_args!("{at}.conditionExpression"), &self.condition_expression);
        }
        constraints.one_of(
            format_args!("{at}.returnValuesOnConditionCheckFailure"),
            self.return_on_failure.as_deref(),
            parameters::RETURN_ON_FAILURE,
        );
    }

    /// `None` if a required member is missing.
    fn complete(self) -> Option<CompleteAction<'a>> {
        let is_update = self.kind == ActionKind::Update;
        Some(CompleteAction {
            kind: self.kind,
            table: self.table?,
            attributes: self.attributes?,
            update_expression: if is_update { Some(self.update_expression?) } else { None },
            condition_expression: self.condition_expression,
            projection_expression: self.projection_expression,
            aliases: self.aliases,
            return_old_on_failure: self.return_on_failure.as_deref() == Some("ALL_OLD"),
        })
    }
}

/// An action with everything that it needs.
struct CompleteAction<'a> {
    kind: ActionKind,
    table: Cow<'a, str>,
    attributes: Checked<Attributes>,
    /// Present for updates, and only for them.
    update_expression: Option<String>,
    condition_expression: Option<String>,
    projection_expression: Option<String>,
    aliases: AliasMembers,
    return_old_on_failure: bool,
}

impl CompleteAction<'_> {
    /// The read without its projection, which is still to be parsed, and the names of that.
    fn into_get(self) -> Result<(TransactGet, Option<String>, Option<NameAliases>), Failure> {
        let table_name = table_name::resolve(self.table)?;
        let expressions = Expressions { projection: self.projection_expression.is_some(), with_values: &[] };
        let key = self.aliases.accept_with(self.attributes, &expressions)?;
        let names = self.aliases.accept(&expressions)?.names;
        Ok((TransactGet { table_name, key, projection: None }, self.projection_expression, names))
    }

    fn into_write(self) -> Result<UnparsedWrite, Failure> {
        let table_name = table_name::resolve(self.table)?;
        let is_update = self.kind == ActionKind::Update;
        let condition = ("ConditionExpression", self.condition_expression.is_some());
        let with_update = [("UpdateExpression", self.update_expression.is_some()), condition];
        let with_values = if is_update { with_update.as_slice() } else { &[condition] };
        let expressions = Expressions { projection: false, with_values };
        Ok(UnparsedWrite {
            table_name,
            kind: self.kind,
            attributes: self.aliases.accept_with(self.attributes, &expressions)?,
            texts: WriteTexts {
                is_update,
                update: self.update_expression,
                condition: self.condition_expression,
                aliases: self.aliases.accept(&expressions)?,
            },
            return_old_on_failure: self.return_old_on_failure,
        })
    }
}

/// A write whose expressions are still to be parsed.
struct UnparsedWrite {
    table_name: String,
    kind: ActionKind,
    attributes: Attributes,
    texts: WriteTexts,
    return_old_on_failure: bool,
}

impl UnparsedWrite {
    fn parse(self) -> Result<TransactWrite, Failure> {
        let (update, condition) = self.texts.parse()?;
        let attributes = self.attributes;
        let kind = match self.kind {
            ActionKind::Put => TransactWriteKind::Put { item: attributes },
            ActionKind::Delete => TransactWriteKind::Delete { key: attributes },
            ActionKind::ConditionCheck => TransactWriteKind::ConditionCheck { key: attributes },
            ActionKind::Get => return Err(Failure::validation(ONE_ACTION)),
            ActionKind::Update => {
                let empty = || Failure::validation("Invalid UpdateExpression: The expression can not be empty;");
                TransactWriteKind::Update { key: attributes, update: update.ok_or_else(empty)? }
            }
        };
        let return_old_on_failure = self.return_old_on_failure;
        Ok(TransactWrite { table_name: self.table_name, kind, condition, return_old_on_failure })
    }
}
