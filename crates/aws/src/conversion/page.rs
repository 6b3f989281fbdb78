//! Query and Scan.

use aws_sdk_dynamodb::operation::query::QueryOutput;
use aws_sdk_dynamodb::operation::query::builders::QueryInputBuilder;
use aws_sdk_dynamodb::operation::scan::ScanOutput;
use aws_sdk_dynamodb::operation::scan::builders::ScanInputBuilder;
use aws_sdk_dynamodb::types;
use keyfold_dynamo::ServiceError;
use keyfold_dynamo::expression::Printer;
use keyfold_dynamo::operation::{PageOutput, QueryInput, ScanInput, Select};

use super::capacity::consumed;
use super::item::items_from_sdk;
use super::{capacity, count, names, only_if, unexpected, values};
use crate::values::{from_sdk, to_sdk};

/// Sets what Query and Scan have in common: the builders have the same setters, but no trait. Filter and projection are
/// printed after the key condition.
macro_rules! with_page_options {
    ($builder:expr, $page:expr, $printer:ident) => {{
        let (page, mut printer) = ($page, $printer);
        let filter = page.filter.map(|filter| filter.print(&mut printer));
        let projection = page.projection.map(|projection| projection.print(&mut printer));
        let aliases = printer.into_aliases();
        $builder
            .set_index_name(page.index_name)
            .set_limit(count(page.limit))
            .set_exclusive_start_key(page.exclusive_start_key.map(to_sdk))
            .set_filter_expression(filter)
            .set_projection_expression(projection)
            .set_select(page.select.map(select_to_sdk))
            .set_consistent_read(only_if(page.consistent_read))
            .set_expression_attribute_names(names(aliases.names))
            .set_expression_attribute_values(values(aliases.values))
            .set_return_consumed_capacity(capacity(page.return_consumed_capacity))
    }};
}

/// A page from the output of Query or Scan: the outputs have the same members.
macro_rules! page_from_sdk {
    ($output:ident) => {
        Ok(PageOutput {
            items: $output.items.map(items_from_sdk).transpose()?,
            count: count_from_sdk($output.count)?,
            scanned_count: count_from_sdk($output.scanned_count)?,
            last_evaluated_key: $output.last_evaluated_key.map(from_sdk).transpose()?,
            consumed_capacity: $output.consumed_capacity.and_then(consumed),
        })
    };
}

pub(crate) fn query_to_sdk(input: QueryInput) -> QueryInputBuilder {
    let mut printer = Printer::new();
    let key_condition = input.key_condition.print(&mut printer);
    let builder = QueryInputBuilder::default()
        .table_name(input.table_name)
        .key_condition_expression(key_condition)
        .set_scan_index_forward((!input.forward).then_some(false));
    with_page_options!(builder, input.page, printer)
}

pub(crate) fn scan_to_sdk(input: ScanInput) -> ScanInputBuilder {
    let printer = Printer::new();
    let builder = ScanInputBuilder::default()
        .table_name(input.table_name)
        .set_segment(count(input.segment))
        .set_total_segments(count(input.total_segments));
    with_page_options!(builder, input.page, printer)
}

fn select_to_sdk(requested: Select) -> types::Select {
    match requested {
        Select::AllAttributes => types::Select::AllAttributes,
        Select::AllProjectedAttributes => types::Select::AllProjectedAttributes,
        Select::SpecificAttributes => types::Select::SpecificAttributes,
        Select::Count => types::Select::Count,
    }
}

pub(crate) fn query_from_sdk(output: QueryOutput) -> Result<PageOutput, ServiceError> {
    page_from_sdk!(output)
}

pub(crate) fn scan_from_sdk(output: ScanOutput) -> Result<PageOutput, ServiceError> {
    page_from_sdk!(output)
}

fn count_from_sdk(output: i32) -> Result<usize, ServiceError> {
    usize::try_from(output).map_err(|_| unexpected(&format!("the negative count {output}")))
}
