//! GetItem, PutItem, UpdateItem and DeleteItem.

use keyfold_dynamo::Attributes;
use keyfold_dynamo::operation::check_item_size;
use keyfold_dynamo::operation::{
    DeleteItemInput, GetItemInput, PutItemInput, ReturnValues, UpdateItemInput, WriteOptions,
};

use super::constraint::Constraints;
use super::expression_parameters::{self as parameters, AliasMembers, Expressions, Text};
use super::expressions::{self, WriteTexts};
use super::legacy::Legacy;
use super::value::{self, Checked};
use super::{shape, table_name};
use crate::failure::Failure;
use crate::json::Reader;

pub(crate) fn get_item(reader: &mut Reader<'_>) -> Result<GetItemInput, Failure> {
    let mut table: Text<'_> = None;
    let mut key: Option<Checked<Attributes>> = None;
    let mut capacity: Text<'_> = None;
    let mut aliases = AliasMembers::default();
    let mut projection = None;
    let mut input = GetItemInput::default();
    let mut legacy = Legacy::new(&["AttributesToGet"]);
    shape::input(reader, "GetItemInput", |name, reader| {
        match name {
            "TableName" => table = shape::string(reader)?,
            "Key" => key = value::attributes(reader)?,
            "ConsistentRead" => input.consistent_read = shape::boolean(reader)?.unwrap_or_default(),
            "ProjectionExpression" => projection = shape::string(reader)?,
            "ExpressionAttributeNames" => aliases.read_names(reader)?,
            "ReturnConsumedCapacity" => capacity = shape::string(reader)?,
            _ => legacy.skip(name, reader)?,
        }
        Ok(())
    })?;
    let mut constraints = Constraints::new();
    input.return_consumed_capacity = parameters::consumed_capacity(&mut constraints, &capacity);
    table_name::constrain(&mut constraints, "tableName", table.as_deref());
    constraints.required("key", &key);
    let (table, key) = constraints.check_with(table.zip(key))?;
    input.table_name = table_name::resolve(table)?;
    legacy.refuse()?;
    let expressions = Expressions { projection: projection.is_some(), with_values: &[] };
    input.key = aliases.accept_with(key, &expressions)?;
    let names = aliases.accept(&expressions)?.names;
    input.projection = expressions::projection(projection.as_deref(), names.as_ref())?;
    Ok(input)
}

pub(crate) fn put_item(reader: &mut Reader<'_>) -> Result<PutItemInput, Failure> {
    let members = WriteMembers::read(reader, "PutItemInput", "Item", &["Expected", "ConditionalOperator"])?;
    let mut write = members.check("item", false)?;
    only_old_values(write.options.return_values)?;
    // DynamoDB reports an item that is too large before a faulty condition.
    if !write.texts.is_empty() {
        check_item_size(&write.attributes)?;
    }
    (_, write.options.condition) = write.texts.parse()?;
    Ok(PutItemInput { table_name: write.table_name, item: write.attributes, options: write.options })
}

pub(crate) fn delete_item(reader: &mut Reader<'_>) -> Result<DeleteItemInput, Failure> {
    let members = WriteMembers::read(reader, "DeleteItemInput", "Key", &["Expected", "ConditionalOperator"])?;
    let mut write = members.check("key", false)?;
    only_old_values(write.options.return_values)?;
    (_, write.options.condition) = write.texts.parse()?;
    Ok(DeleteItemInput { table_name: write.table_name, key: write.attributes, options: write.options })
}

pub(crate) fn update_item(reader: &mut Reader<'_>) -> Result<UpdateItemInput, Failure> {
    let legacy = &["AttributeUpdates", "Expected", "ConditionalOperator"];
    let members = WriteMembers::read(reader, "UpdateItemInput", "Key", legacy)?;
    let mut write = members.check("key", true)?;
    let (update, condition) = write.texts.parse()?;
    write.options.condition = condition;
    Ok(UpdateItemInput { table_name: write.table_name, key: write.attributes, update, options: write.options })
}

/// PutItem and DeleteItem have nothing new or updated to return.
fn only_old_values(return_values: ReturnValues) -> Result<(), Failure> {
    match return_values {
        ReturnValues::None | ReturnValues::AllOld => Ok(()),
        _ => Err(Failure::validation("ReturnValues can only be ALL_OLD or NONE")),
    }
}

/// The members of the three writes of one item, as they were read.
struct WriteMembers<'a> {
    table: Text<'a>,
    attributes: Option<Checked<Attributes>>,
    update_expression: Option<String>,
    condition_expression: Option<String>,
    aliases: AliasMembers,
    return_values: Text<'a>,
    return_on_failure: Text<'a>,
    capacity: Text<'a>,
    metrics: Text<'a>,
    legacy: Legacy,
}

/// The same members, checked. The expressions are still to be parsed.
struct ItemWrite {
    table_name: String,
    attributes: Attributes,
    texts: WriteTexts,
    options: WriteOptions,
}

impl<'a> WriteMembers<'a> {
    /// `attributes_member` is the member that holds the item or the key.
    fn read(
        reader: &mut Reader<'a>,
        class: &str,
        attributes_member: &str,
        legacy: &'static [&'static str],
    ) -> Result<Self, Failure> {
        let mut members = Self {
            table: None,
            attributes: None,
            update_expression: None,
            condition_expression: None,
            aliases: AliasMembers::default(),
            return_values: None,
            return_on_failure: None,
            capacity: None,
            metrics: None,
            legacy: Legacy::new(legacy),
        };
        shape::input(reader, class, |name, reader| {
            match name {
                "TableName" => members.table = shape::string(reader)?,
                "UpdateExpression" => members.update_expression = shape::owned_string(reader)?,
                "ConditionExpression" => members.condition_expression = shape::owned_string(reader)?,
                "ExpressionAttributeNames" => members.aliases.read_names(reader)?,
                "ExpressionAttributeValues" => members.aliases.read_values(reader)?,
                "ReturnValues" => members.return_values = shape::string(reader)?,
                "ReturnValuesOnConditionCheckFailure" => members.return_on_failure = shape::string(reader)?,
                "ReturnConsumedCapacity" => members.capacity = shape::string(reader)?,
                "ReturnItemCollectionMetrics" => members.metrics = shape::string(reader)?,
                _ if name == attributes_member => members.attributes = value::attributes(reader)?,
                _ => members.legacy.skip(name, reader)?,
            }
            Ok(())
        })?;
        Ok(members)
    }

    /// `attributes_path` is the member of the item or the key, as constraints name it.
    fn check(self, attributes_path: &str, is_update: bool) -> Result<ItemWrite, Failure> {
        let mut constraints = Constraints::new();
        let return_consumed_capacity = parameters::consumed_capacity(&mut constraints, &self.capacity);
        table_name::constrain(&mut constraints, "tableName", self.table.as_deref());
        constraints.required(attributes_path, &self.attributes);
        let return_values =
            constraints.one_of("returnValues", self.return_values.as_deref(), parameters::RETURN_VALUES);
        let return_collection_metrics = parameters::collection_metrics(&mut constraints, &self.metrics);
        let return_old_on_failure = constraints.one_of(
            "returnValuesOnConditionCheckFailure",
            self.return_on_failure.as_deref(),
            parameters::RETURN_ON_FAILURE,
        );
        let (table, attributes) = constraints.check_with(self.table.zip(self.attributes))?;
        let table_name = table_name::resolve(table)?;
        self.legacy.refuse()?;
        let condition = ("ConditionExpression", self.condition_expression.is_some());
        let with_update = [("UpdateExpression", self.update_expression.is_some()), condition];
        let with_values = if is_update { with_update.as_slice() } else { &[condition] };
        let expressions = Expressions { projection: false, with_values };
        Ok(ItemWrite {
            table_name,
            attributes: self.aliases.accept_with(attributes, &expressions)?,
            texts: WriteTexts {
                is_update,
                update: if is_update { self.update_expression } else { None },
                condition: self.condition_expression,
                aliases: self.aliases.accept(&expressions)?,
            },
            options: WriteOptions {
                condition: None,
                return_values: return_values.unwrap_or_default(),
                return_old_on_failure: return_old_on_failure.unwrap_or_default(),
                return_consumed_capacity,
                return_collection_metrics,
            },
        })
    }
}
