//! BatchGetItem and BatchWriteItem.

use std::borrow::Cow;

use keyfold_dynamo::Attributes;
use keyfold_dynamo::expression::{NameAliases, Projection};
use keyfold_dynamo::limits::{BATCH_GET_KEYS, BATCH_WRITE_REQUESTS};
use keyfold_dynamo::operation::{BatchGetItemInput, BatchWriteItemInput, BatchWriteRequest, KeysAndAttributes};

use super::constraint::Constraints;
use super::expression_parameters::{self as parameters, AliasMembers, Expressions, Text};
use super::expressions;
use super::legacy::Legacy;
use super::shape::{self, Position};
use super::table_name;
use super::value::{self, Checked};
use crate::failure::Failure;
use crate::json::Reader;

const CLASSES: &str = "com.amazonaws.dynamodb.v20120810";

pub(crate) fn batch_get_item(reader: &mut Reader<'_>) -> Result<BatchGetItemInput, Failure> {
    let mut tables: Option<Vec<(Cow<'_, str>, TableKeys)>> = None;
    let mut capacity: Text<'_> = None;
    shape::input(reader, "BatchGetItemInput", |name, reader| {
        match name {
            "RequestItems" => {
                let mut read = Vec::new();
                let there = shape::map(reader, &format!("{CLASSES}.KeysAndAttributes"), |table, reader| {
                    let keys = TableKeys::read(reader)?;
                    replace_or_push(&mut read, table, keys);
                    Ok(())
                })?;
                tables = there.then_some(read);
            }
            "ReturnConsumedCapacity" => capacity = shape::string(reader)?,
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    let mut constraints = Constraints::new();
    let return_consumed_capacity = parameters::consumed_capacity(&mut constraints, &capacity);
    constrain_tables(&mut constraints, &tables, BATCH_GET_KEYS);
    for (table, keys) in tables.iter().flatten() {
        let path = format_args!("requestItems.{table}.member.keys");
        match &keys.keys {
            None => constraints.breach(None, path, "Member must not be null"),
            Some(keys) => {
                let shown = || shown_list(keys.len(), "Key");
                constraints.size(path, shown, keys.len(), 1, BATCH_GET_KEYS);
            }
        }
    }
    let complete = |(table, keys): (_, TableKeys)| Some((table, keys.complete()?));
    let tables = tables.and_then(|tables| tables.into_iter().map(complete).collect::<Option<Vec<_>>>());
    let mut requests = Vec::new();
    let mut count = 0;
    for (table, keys) in constraints.check_with(tables)? {
        let keys = keys.check()?;
        count += keys.0.keys.len();
        requests.push((table_name::resolve(table)?, keys));
    }
    if count > BATCH_GET_KEYS {
        return Err(Failure::validation("Too many items requested for the BatchGetItem call"));
    }
    let mut parsed: Vec<(String, KeysAndAttributes)> = Vec::with_capacity(requests.len());
    for (table, (mut keys, texts)) in requests {
        keys.projection = match texts.parse() {
            Ok(projection) => projection,
            // DynamoDB checks one table after the other, and reports duplicate keys of the earlier ones first.
            Err(failure) => {
                parsed.iter().try_for_each(|(_, keys)| keys.refuse_duplicates())?;
                return Err(failure);
            }
        };
        parsed.push((table, keys));
    }
    Ok(BatchGetItemInput { requests: parsed, return_consumed_capacity })
}

/// `KeysAndAttributes` as it was read.
struct TableKeys {
    keys: Option<Vec<Checked<Attributes>>>,
    options: KeysAndAttributes,
    projection: Option<String>,
    aliases: AliasMembers,
    legacy: Legacy,
}

/// The same with its keys, which are required.
struct CompleteTableKeys {
    keys: Vec<Checked<Attributes>>,
    options: KeysAndAttributes,
    projection: Option<String>,
    aliases: AliasMembers,
    legacy: Legacy,
}

/// A projection that is still to be parsed.
struct ProjectionText {
    text: Option<String>,
    names: Option<NameAliases>,
}

impl ProjectionText {
    fn parse(&self) -> Result<Option<Projection>, Failure> {
        expressions::projection(self.text.as_deref(), self.names.as_ref())
    }
}

impl TableKeys {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        let mut table = Self {
            keys: None,
            options: KeysAndAttributes::default(),
            projection: None,
            aliases: AliasMembers::default(),
            legacy: Legacy::new(&["AttributesToGet"]),
        };
        shape::structure(reader, "KeysAndAttributes", Position::Element, |name, reader| {
            match name {
                "Keys" => {
                    let mut keys = Vec::new();
                    let there = shape::list(reader, |reader| {
                        // `null` is read as a key without attributes, which fits no table.
                        keys.push(value::attributes(reader)?.unwrap_or_default());
                        Ok(())
                    })?;
                    table.keys = there.then_some(keys);
                }
                "ConsistentRead" => table.options.consistent_read = shape::boolean(reader)?.unwrap_or_default(),
                "ProjectionExpression" => table.projection = shape::owned_string(reader)?,
                "ExpressionAttributeNames" => table.aliases.read_names(reader)?,
                _ => table.legacy.skip(name, reader)?,
            }
            Ok(())
        })?;
        Ok(table)
    }

    /// `None` if there is no list of keys.
    fn complete(self) -> Option<CompleteTableKeys> {
        let Self { keys, options, projection, aliases, legacy } = self;
        Some(CompleteTableKeys { keys: keys?, options, projection, aliases, legacy })
    }
}

impl CompleteTableKeys {
    fn check(mut self) -> Result<(KeysAndAttributes, ProjectionText), Failure> {
        self.legacy.refuse()?;
        let projection = self.projection.is_some();
        let names = self.aliases.accept(&Expressions { projection, with_values: &[] })?.names;
        self.options.keys = self.keys.into_iter().map(Checked::accept).collect::<Result<_, _>>()?;
        Ok((self.options, ProjectionText { text: self.projection, names }))
    }
}

pub(crate) fn batch_write_item(reader: &mut Reader<'_>) -> Result<BatchWriteItemInput, Failure> {
    let mut tables: Option<Vec<(Cow<'_, str>, Vec<WriteRequest>)>> = None;
    let mut capacity: Text<'_> = None;
    let mut metrics: Text<'_> = None;
    shape::input(reader, "BatchWriteItemInput", |name, reader| {
        match name {
            "RequestItems" => {
                let mut read = Vec::new();
                let value_class = format!("java.util.List<{CLASSES}.WriteRequest>");
                let there = shape::map(reader, &value_class, |table, reader| {
                    let mut requests = Vec::new();
                    shape::list(reader, |reader| {
                        requests.push(WriteRequest::read(reader)?);
                        Ok(())
                    })?;
                    replace_or_push(&mut read, table, requests);
                    Ok(())
                })?;
                tables = there.then_some(read);
            }
            "ReturnConsumedCapacity" => capacity = shape::string(reader)?,
            "ReturnItemCollectionMetrics" => metrics = shape::string(reader)?,
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    let mut constraints = Constraints::new();
    let return_consumed_capacity = parameters::consumed_capacity(&mut constraints, &capacity);
    let return_collection_metrics = parameters::collection_metrics(&mut constraints, &metrics);
    constrain_tables(&mut constraints, &tables, BATCH_WRITE_REQUESTS);
    if let Some(tables) = &tables {
        constrain_writes(&mut constraints, tables);
    }
    let mut requests = Vec::new();
    let mut count = 0;
    for (table, writes) in constraints.check_with(tables)? {
        let writes = writes.into_iter().map(WriteRequest::check).collect::<Result<Vec<_>, _>>()?;
        count += writes.len();
        requests.push((table_name::resolve(table)?, writes));
    }
    if count > BATCH_WRITE_REQUESTS {
        return Err(Failure::validation("Too many items requested for the BatchWriteItem call"));
    }
    Ok(BatchWriteItemInput { requests, return_consumed_capacity, return_collection_metrics })
}

/// `WriteRequest` as it was read. The outer option is the request, the inner one its item or key.
#[derive(Default)]
struct WriteRequest {
    is_null: bool,
    put: Option<Option<Checked<Attributes>>>,
    delete: Option<Option<Checked<Attributes>>>,
}

impl WriteRequest {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        let mut request = Self::default();
        let there = shape::structure(reader, "WriteRequest", Position::Element, |name, reader| {
            match name {
                "PutRequest" => request.put = Self::read_one(reader, "PutRequest", "Item")?,
                "DeleteRequest" => request.delete = Self::read_one(reader, "DeleteRequest", "Key")?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        request.is_null = !there;
        Ok(request)
    }

    fn read_one(
        reader: &mut Reader<'_>,
        class: &str,
        member: &str,
    ) -> Result<Option<Option<Checked<Attributes>>>, Failure> {
        let mut attributes = None;
        let there = shape::structure(reader, class, Position::Member, |name, reader| {
            if name == member {
                attributes = value::attributes(reader)?;
                Ok(())
            } else {
                Ok(reader.skip()?)
            }
        })?;
        Ok(there.then_some(attributes))
    }

    fn check(self) -> Result<BatchWriteRequest, Failure> {
        if self.is_null {
            return Err(Failure::validation("The batch write request list for a table cannot be null or empty"));
        }
        match (self.put.flatten(), self.delete.flatten()) {
            (Some(item), None) => Ok(BatchWriteRequest::Put { item: item.accept()? }),
            (None, Some(key)) => Ok(BatchWriteRequest::Delete { key: key.accept()? }),
            // The service's own text for a request that is neither or both.
            _ => Err(Failure::validation(
                "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported \
                 datatypes",
            )),
        }
    }
}

fn constrain_writes(constraints: &mut Constraints, tables: &[(Cow<'_, str>, Vec<WriteRequest>)]) {
    let fits = |requests: &Vec<WriteRequest>| (1..=BATCH_WRITE_REQUESTS).contains(&requests.len());
    if !tables.iter().all(|(_, requests)| fits(requests)) {
        let shown: Vec<String> = tables
            .iter()
            .map(|(table, requests)| format!("{table}={}", shown_list(requests.len(), "WriteRequest")))
            .collect();
        let rule = format!(
            "Map value must satisfy constraint: [Member must have length less than or equal to \
             {BATCH_WRITE_REQUESTS}, Member must have length greater than or equal to 1]"
        );
        constraints.breach(Some(format!("{{{}}}", shown.join(", "))), "requestItems", &rule);
    }
    for (table, requests) in tables {
        for (index, request) in requests.iter().enumerate() {
            let at = format!("requestItems.{table}.member.{}.member", index + 1);
            if matches!(request.put, Some(None)) {
                constraints.breach(None, format_args!("{at}.putRequest.item"), "Member must not be null");
            }
            if matches!(request.delete, Some(None)) {
                constraints.breach(None, format_args!("{at}.deleteRequest.key"), "Member must not be null");
            }
        }
    }
}

fn constrain_tables<T>(constraints: &mut Constraints, tables: &Option<Vec<(Cow<'_, str>, T)>>, most: usize) {
    match tables {
        None => constraints.breach(None, "requestItems", "Member must not be null"),
        Some(tables) => {
            let names = || {
                let names: Vec<&str> = tables.iter().map(|(table, _)| table.as_ref()).collect();
                format!("{{{}}}", names.join(", "))
            };
            constraints.size("requestItems", names, tables.len(), 1, most);
        }
    }
}

/// Of members with the same name the last one counts, in the place of the first.
fn replace_or_push<'a, T>(tables: &mut Vec<(Cow<'a, str>, T)>, table: Cow<'a, str>, value: T) {
    match tables.iter_mut().find(|(name, _)| *name == table) {
        Some((_, earlier)) => *earlier = value,
        None => tables.push((table, value)),
    }
}

/// A list in the text of an error: what its elements are, not their content.
fn shown_list(length: usize, class: &str) -> String {
    format!("[{}]", vec![class; length].join(", "))
}
