use aws_sdk_dynamodb::operation::batch_get_item::BatchGetItemOutput;
use aws_sdk_dynamodb::operation::batch_write_item::BatchWriteItemOutput;
use aws_sdk_dynamodb::operation::list_tables::ListTablesOutput;
use aws_sdk_dynamodb::operation::transact_get_items::TransactGetItemsOutput;

use super::capacity::consumed;
use super::*;

/// Nothing was found where the service says so, not where it says nothing.
#[test]
fn responses_without_their_results_are_errors() {
    let error = |error: ServiceError| error.to_string();
    let unexpected = |what: &str| ServiceError::Internal(format!("the service returned {what}")).to_string();
    assert_eq!(
        batch_get_item_from_sdk(BatchGetItemOutput::builder().build()).map_err(error),
        Err(unexpected("no responses to the keys of a batch")),
    );
    assert_eq!(
        transact_get_items_from_sdk(TransactGetItemsOutput::builder().build()).map_err(error),
        Err(unexpected("no responses to the reads of a transaction")),
    );
    assert_eq!(
        list_tables_from_sdk(ListTablesOutput::builder().build()).map_err(error),
        Err(unexpected("no names of tables")),
    );
}

fn table(status: types::TableStatus) -> types::TableDescription {
    let key = types::KeySchemaElement::builder().attribute_name("id").key_type(types::KeyType::Hash);
    types::TableDescription::builder()
        .table_name("orders")
        .table_status(status)
        .key_schema(key.build().unwrap())
        .build()
}

#[test]
fn only_a_table_that_is_being_deleted_may_lack_attribute_definitions() {
    let error = table_from_sdk(Some(table(types::TableStatus::Active))).unwrap_err();
    assert!(error.to_string().contains("a table without attribute definitions"), "{error}");
    let deleted = table_from_sdk(Some(table(types::TableStatus::Deleting))).unwrap();
    assert_eq!(deleted.attribute_definitions, []);
}

#[test]
fn unprocessed_members_may_be_left_out() {
    let written = batch_write_item_from_sdk(BatchWriteItemOutput::builder().build()).unwrap();
    assert_eq!(written.unprocessed, []);
    let read = BatchGetItemOutput::builder().set_responses(Some(HashMap::new())).build();
    assert_eq!(batch_get_item_from_sdk(read).unwrap().unprocessed, []);
}

#[test]
fn incomplete_capacity_is_left_out() {
    let of_table = || types::ConsumedCapacity::builder().table_name("orders");
    let index = types::Capacity::builder().capacity_units(1.5).build();
    let incomplete = types::Capacity::builder().build();
    assert_eq!(consumed(of_table().build()), None);
    assert_eq!(consumed(types::ConsumedCapacity::builder().capacity_units(2.0).build()), None);
    let output = of_table()
        .capacity_units(2.0)
        .global_secondary_indexes("by-date", index)
        .global_secondary_indexes("by-name", incomplete)
        .build();
    let consumed = consumed(output).unwrap();
    assert_eq!((consumed.table_name.as_str(), consumed.total.capacity), ("orders", 2.0));
    let breakdown = consumed.breakdown.unwrap();
    let indexes: Vec<&String> = breakdown.global_indexes.keys().collect();
    assert_eq!((breakdown.table.capacity, indexes), (0.0, vec![&"by-date".to_owned()]));
}
