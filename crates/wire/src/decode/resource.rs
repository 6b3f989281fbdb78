//! The small operations on tables: those that name one alone, lists, time to live and tags.

use keyfold_dynamo::operation::{ListTablesInput, UpdateTimeToLiveInput};
use keyfold_dynamo::table::Tags;

use super::constraint::Constraints;
use super::expression_parameters::Text;
use super::shape::{self, Position};
use super::table_members::structures;
use super::table_name;
use crate::failure::Failure;
use crate::json::Reader;

/// An input without members.
pub(crate) fn nothing(reader: &mut Reader<'_>) -> Result<(), Failure> {
    shape::input(reader, "Input", |_, reader| Ok(reader.skip()?))
}

/// An input that names a table and nothing else.
pub(crate) fn table_only(reader: &mut Reader<'_>) -> Result<String, Failure> {
    let mut table: Text<'_> = None;
    shape::input(reader, "Input", |name, reader| {
        match name {
            "TableName" => table = shape::string(reader)?,
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    let mut constraints = Constraints::new();
    table_name::constrain(&mut constraints, "tableName", table.as_deref());
    table_name::resolve(constraints.check_with(table)?)
}

pub(crate) fn list_tables(reader: &mut Reader<'_>) -> Result<ListTablesInput, Failure> {
    let mut input = ListTablesInput::default();
    shape::input(reader, "ListTablesInput", |name, reader| {
        match name {
            "ExclusiveStartTableName" => input.exclusive_start = shape::owned_string(reader)?,
            "Limit" => input.limit = shape::integer(reader, "Integer")?,
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    let mut constraints = Constraints::new();
    if let Some(name) = &input.exclusive_start {
        constraints.name("exclusiveStartTableName", name);
    }
    constraints.at_least("limit", input.limit, 1);
    constraints.at_most("limit", input.limit, 100);
    constraints.check()?;
    Ok(input)
}

pub(crate) fn update_time_to_live(reader: &mut Reader<'_>) -> Result<UpdateTimeToLiveInput, Failure> {
    let mut table: Text<'_> = None;
    let mut specification: Option<TimeToLiveMembers> = None;
    shape::input(reader, "UpdateTimeToLiveInput", |name, reader| {
        match name {
            "TableName" => table = shape::string(reader)?,
            "TimeToLiveSpecification" => specification = TimeToLiveMembers::read(reader)?,
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    let mut constraints = Constraints::new();
    table_name::constrain(&mut constraints, "tableName", table.as_deref());
    constraints.required("timeToLiveSpecification", &specification);
    if let Some(specification) = &specification {
        constraints.required("timeToLiveSpecification.enabled", &specification.enabled);
        constraints.required("timeToLiveSpecification.attributeName", &specification.attribute_name);
        if let Some(name) = &specification.attribute_name {
            constraints.length("timeToLiveSpecification.attributeName", name, 1, 255);
        }
    }
    let specification = specification.and_then(|members| members.enabled.zip(members.attribute_name));
    let (table, (enabled, attribute_name)) = constraints.check_with(table.zip(specification))?;
    Ok(UpdateTimeToLiveInput { table_name: table_name::resolve(table)?, enabled, attribute_name })
}

/// `TimeToLiveSpecification` as it was read.
#[derive(Default)]
struct TimeToLiveMembers {
    enabled: Option<bool>,
    attribute_name: Option<String>,
}

impl TimeToLiveMembers {
    fn read(reader: &mut Reader<'_>) -> Result<Option<Self>, Failure> {
        let mut members = Self::default();
        let there = shape::structure(reader, "TimeToLiveSpecification", Position::Member, |name, reader| {
            match name {
                "Enabled" => members.enabled = shape::boolean(reader)?,
                "AttributeName" => members.attribute_name = shape::owned_string(reader)?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(there.then_some(members))
    }
}

/// A tag as it was read.
#[derive(Default)]
pub(super) struct TagMembers<'a> {
    key: Text<'a>,
    value: Text<'a>,
}

impl<'a> TagMembers<'a> {
    pub(super) fn read(reader: &mut Reader<'a>) -> Result<Self, Failure> {
        let mut tag = Self::default();
        shape::structure(reader, "Tag", Position::Element, |name, reader| {
            match name {
                "Key" => tag.key = shape::string(reader)?,
                "Value" => tag.value = shape::string(reader)?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(tag)
    }
}

pub(super) fn check_tags(constraints: &mut Constraints, tags: Vec<TagMembers<'_>>) -> Tags {
    let mut checked = Tags::new();
    for (index, tag) in tags.into_iter().enumerate() {
        let at = format!("tags.{}.member", index + 1);
        constraints.required(format_args!("{at}.key"), &tag.key);
        constraints.required(format_args!("{at}.value"), &tag.value);
        let (Some(key), Some(value)) = (tag.key, tag.value) else { continue };
        constraints.length(format_args!("{at}.key"), &key, 1, 128);
        constraints.length(format_args!("{at}.value"), &value, 0, 256);
        checked.insert(key.into_owned(), value.into_owned());
    }
    checked
}

pub(crate) fn tag_resource(reader: &mut Reader<'_>) -> Result<(String, Tags), Failure> {
    let mut arn = None;
    let mut tags = None;
    shape::input(reader, "TagResourceInput", |name, reader| {
        match name {
            "ResourceArn" => arn = shape::owned_string(reader)?,
            "Tags" => tags = structures(reader, TagMembers::read)?,
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    let mut constraints = Constraints::new();
    constrain_arn(&mut constraints, &arn);
    constraints.required("tags", &tags);
    let tags = tags.map(|tags| check_tags(&mut constraints, tags));
    constraints.check_with(arn.zip(tags))
}

pub(crate) fn untag_resource(reader: &mut Reader<'_>) -> Result<(String, Vec<String>), Failure> {
    let mut arn = None;
    let mut keys = None;
    shape::input(reader, "UntagResourceInput", |name, reader| {
        match name {
            "ResourceArn" => arn = shape::owned_string(reader)?,
            "TagKeys" => keys = shape::strings(reader)?,
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    let mut constraints = Constraints::new();
    constrain_arn(&mut constraints, &arn);
    constraints.required("tagKeys", &keys);
    let keys: Option<Vec<String>> = keys.map(|keys| keys.into_iter().flatten().collect());
    for (index, key) in keys.iter().flatten().enumerate() {
        constraints.length(format_args!("tagKeys.{}.member", index + 1), key, 1, 128);
    }
    constraints.check_with(arn.zip(keys))
}

pub(crate) fn list_tags_of_resource(reader: &mut Reader<'_>) -> Result<(String, Option<String>), Failure> {
    let mut arn = None;
    let mut next_token = None;
    shape::input(reader, "ListTagsOfResourceInput", |name, reader| {
        match name {
            "ResourceArn" => arn = shape::owned_string(reader)?,
            "NextToken" => next_token = shape::owned_string(reader)?,
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    let mut constraints = Constraints::new();
    constrain_arn(&mut constraints, &arn);
    Ok((constraints.check_with(arn)?, next_token))
}

fn constrain_arn(constraints: &mut Constraints, arn: &Option<String>) {
    constraints.required("resourceArn", arn);
    if let Some(arn) = arn {
        constraints.length("resourceArn", arn, 1, 1283);
    }
}
