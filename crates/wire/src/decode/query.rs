//! Query and Scan.

use keyfold_dynamo::Attributes;
use keyfold_dynamo::limits::SCAN_SEGMENTS;
use keyfold_dynamo::operation::{PageOptions, QueryInput, ScanInput, Select};

use super::constraint::Constraints;
use super::expression_parameters::{self as parameters, AliasMembers, Expressions, Text};
use super::expressions::PageTexts;
use super::legacy::Legacy;
use super::value::{self, Checked};
use super::{shape, table_name};
use crate::failure::Failure;
use crate::json::Reader;

const SELECT: &[(&str, Select)] = &[
    ("SPECIFIC_ATTRIBUTES", Select::SpecificAttributes),
    ("COUNT", Select::Count),
    ("ALL_ATTRIBUTES", Select::AllAttributes),
    ("ALL_PROJECTED_ATTRIBUTES", Select::AllProjectedAttributes),
];

pub(crate) fn query(reader: &mut Reader<'_>) -> Result<QueryInput, Failure> {
    const LEGACY: &[&str] = &["AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"];
    let mut members = PageMembers::new(LEGACY);
    let mut key_condition = None;
    let mut forward = None;
    shape::input(reader, "QueryInput", |name, reader| {
        match name {
            "KeyConditionExpression" => key_condition = shape::string(reader)?,
            "ScanIndexForward" => forward = shape::boolean(reader)?,
            _ => members.read(name, reader)?,
        }
        Ok(())
    })?;
    let filter = ("FilterExpression", members.texts.filter.is_some());
    let with_values = [filter, ("KeyConditionExpression", key_condition.is_some())];
    let (table_name, mut page, texts) = members.check(Constraints::new(), &with_values)?;
    let key_condition = key_condition.ok_or_else(|| {
        Failure::validation(
            "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.",
        )
    })?;
    let (expressions, key_condition) = texts.parse_with_key_condition(&key_condition)?;
    page.filter = expressions.filter;
    page.projection = expressions.projection;
    Ok(QueryInput { table_name, key_condition, forward: forward.unwrap_or(true), page })
}

pub(crate) fn scan(reader: &mut Reader<'_>) -> Result<ScanInput, Failure> {
    let mut members = PageMembers::new(&["AttributesToGet", "ScanFilter", "ConditionalOperator"]);
    let mut segment = None;
    let mut total_segments = None;
    shape::input(reader, "ScanInput", |name, reader| {
        match name {
            "Segment" => segment = shape::integer(reader, "Integer")?,
            "TotalSegments" => total_segments = shape::integer(reader, "Integer")?,
            _ => members.read(name, reader)?,
        }
        Ok(())
    })?;
    let mut constraints = Constraints::new();
    constraints.at_least("totalSegments", total_segments, 1);
    constraints.at_most("totalSegments", total_segments, i64::from(SCAN_SEGMENTS));
    constraints.at_least("segment", segment, 0);
    constraints.at_most("segment", segment, i64::from(SCAN_SEGMENTS) - 1);
    let filter = ("FilterExpression", members.texts.filter.is_some());
    let (table_name, page, texts) = members.check(constraints, &[filter])?;
    let mut input = ScanInput { table_name, segment, total_segments, page };
    // DynamoDB reports segments that do not fit together before faulty expressions.
    input.parallel_segment()?;
    let expressions = texts.parse()?;
    input.page.filter = expressions.filter;
    input.page.projection = expressions.projection;
    Ok(input)
}

/// The members that Query and Scan have in common.
struct PageMembers<'a> {
    table: Text<'a>,
    select: Text<'a>,
    capacity: Text<'a>,
    start_key: Option<Checked<Attributes>>,
    aliases: AliasMembers,
    texts: PageTexts,
    options: PageOptions,
    legacy: Legacy,
}

impl<'a> PageMembers<'a> {
    fn new(legacy: &'static [&'static str]) -> Self {
        Self {
            table: None,
            select: None,
            capacity: None,
            start_key: None,
            aliases: AliasMembers::default(),
            texts: PageTexts::default(),
            options: PageOptions::default(),
            legacy: Legacy::new(legacy),
        }
    }

    fn read(&mut self, name: &str, reader: &mut Reader<'a>) -> Result<(), Failure> {
        let options = &mut self.options;
        match name {
            "TableName" => self.table = shape::string(reader)?,
            "IndexName" => options.index_name = shape::owned_string(reader)?,
            "Select" => self.select = shape::string(reader)?,
            "Limit" => options.limit = shape::integer(reader, "Integer")?,
            "ExclusiveStartKey" => self.start_key = value::attributes(reader)?,
            "FilterExpression" => self.texts.filter = shape::owned_string(reader)?,
            "ProjectionExpression" => self.texts.projection = shape::owned_string(reader)?,
            "ConsistentRead" => options.consistent_read = shape::boolean(reader)?.unwrap_or_default(),
            "ExpressionAttributeNames" => self.aliases.read_names(reader)?,
            "ExpressionAttributeValues" => self.aliases.read_values(reader)?,
            "ReturnConsumedCapacity" => self.capacity = shape::string(reader)?,
            _ => self.legacy.skip(name, reader)?,
        }
        Ok(())
    }

    /// The name of the table, the options without expressions, and these as texts.
    ///
    /// `constraints` holds what is already known to be wrong with the other members; `expressions` are those of the
    /// operation that may hold values, each with whether it is given.
    fn check(
        mut self,
        mut constraints: Constraints,
        expressions: &[(&'static str, bool)],
    ) -> Result<(String, PageOptions, PageTexts), Failure> {
        self.options.select = constraints.one_of("select", self.select.as_deref(), SELECT);
        if let Some(index_name) = &self.options.index_name {
            constraints.name("indexName", index_name);
        }
        self.options.return_consumed_capacity = parameters::consumed_capacity(&mut constraints, &self.capacity);
        table_name::constrain(&mut constraints, "tableName", self.table.as_deref());
        constraints.at_least("limit", self.options.limit, 1);
        let table_name = table_name::resolve(constraints.check_with(self.table)?)?;
        self.legacy.refuse()?;
        let projection = self.texts.projection.is_some();
        let expressions = Expressions { projection, with_values: expressions };
        let start_key = self.start_key.map(|key| self.aliases.accept_with(key, &expressions));
        self.options.exclusive_start_key = start_key.transpose()?;
        self.texts.aliases = self.aliases.accept(&expressions)?;
        Ok((table_name, self.options, self.texts))
    }
}
