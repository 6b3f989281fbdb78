//! Requests with everything that can be in them.

use std::collections::BTreeMap;

use keyfold_dynamo::expression::{Aliases, Condition, NameAliases, Projection, ValueAliases};
use keyfold_dynamo::operation::*;
use keyfold_dynamo::table::*;
use keyfold_dynamo::{AttributeValue, Attributes, Number};

use super::decode;
use crate::Request;

fn key(value: &str) -> Attributes {
    Attributes::from([("p".to_owned(), AttributeValue::S(value.to_owned()))])
}

fn aliases() -> Aliases {
    Aliases { names: Some(names()), values: Some(values()) }
}

fn names() -> NameAliases {
    NameAliases::from([("#n".to_owned(), "name".to_owned())])
}

fn values() -> ValueAliases {
    ValueAliases::from([(":v".to_owned(), AttributeValue::N(Number::from(1i64)))])
}

fn condition() -> Condition {
    aliases().condition("#n = :v").unwrap()
}

fn projection() -> Projection {
    aliases().projection("#n").unwrap()
}

#[track_caller]
fn assert_reads(operation: &str, body: &str, expected: Request) {
    assert_eq!(decode(operation, body).unwrap(), expected);
}

#[test]
fn get_item() {
    assert_reads(
        "GetItem",
        r##"{"TableName":"table","Key":{"p":{"S":"a"}},"ConsistentRead":true,"ProjectionExpression":"#n",
            "ExpressionAttributeNames":{"#n":"name"},"ReturnConsumedCapacity":"TOTAL","Unknown":[1,{"a":null}]}"##,
        Request::GetItem(GetItemInput {
            table_name: "table".to_owned(),
            key: key("a"),
            consistent_read: true,
            projection: Some(projection()),
            return_consumed_capacity: ReturnConsumedCapacity::Total,
        }),
    );
}

#[test]
fn members_that_are_null_count_as_absent() {
    assert_reads(
        "GetItem",
        r#"{"TableName":"table","Key":{"p":{"S":"a"}},"ConsistentRead":null,"ProjectionExpression":null,
            "ExpressionAttributeNames":null,"ReturnConsumedCapacity":null,"AttributesToGet":null}"#,
        Request::GetItem(GetItemInput { table_name: "table".to_owned(), key: key("a"), ..Default::default() }),
    );
}

#[test]
fn an_unknown_member_that_is_null_is_passed_over() {
    let expected = GetItemInput { table_name: "table".to_owned(), key: key("a"), ..GetItemInput::default() };
    let body = r#"{"Unknown":null,"TableName":"table","Other":null,"Key":{"p":{"S":"a"}}}"#;
    assert_reads("GetItem", body, Request::GetItem(expected));
    assert!(decode("GetItem", r#"{"TableName":"table","Key":{"p":{"S":"a"}},"Unknown":null 5}"#).is_err());
}

#[test]
fn a_table_may_be_named_by_its_arn() {
    let arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/my.Table_-1";
    assert_reads(
        "DescribeTable",
        &format!(r#"{{"TableName":"{arn}"}}"#),
        Request::DescribeTable("my.Table_-1".to_owned()),
    );
}

#[test]
fn writes_of_one_item() {
    const OPTIONS: &str = r##""ConditionExpression":"#n = :v","ExpressionAttributeNames":{"#n":"name"},
        "ExpressionAttributeValues":{":v":{"N":"1"}},"ReturnValuesOnConditionCheckFailure":"ALL_OLD",
        "ReturnConsumedCapacity":"INDEXES","ReturnItemCollectionMetrics":"SIZE""##;
    let options = |return_values| WriteOptions {
        condition: Some(condition()),
        return_values,
        return_old_on_failure: true,
        return_consumed_capacity: ReturnConsumedCapacity::Indexes,
        return_collection_metrics: true,
    };
    let table_name = "table".to_owned();
    assert_reads(
        "PutItem",
        &format!(r#"{{"TableName":"table","Item":{{"p":{{"S":"a"}}}},"ReturnValues":"ALL_OLD",{OPTIONS}}}"#),
        Request::PutItem(PutItemInput {
            table_name: table_name.clone(),
            item: key("a"),
            options: options(ReturnValues::AllOld),
        }),
    );
    assert_reads(
        "DeleteItem",
        &format!(r#"{{"TableName":"table","Key":{{"p":{{"S":"a"}}}},"ReturnValues":"NONE",{OPTIONS}}}"#),
        Request::DeleteItem(DeleteItemInput {
            table_name: table_name.clone(),
            key: key("a"),
            options: options(ReturnValues::None),
        }),
    );
    for (text, return_values) in [
        ("ALL_NEW", ReturnValues::AllNew),
        ("UPDATED_NEW", ReturnValues::UpdatedNew),
        ("UPDATED_OLD", ReturnValues::UpdatedOld),
    ] {
        assert_reads(
            "UpdateItem",
            &format!(
                r##"{{"TableName":"table","Key":{{"p":{{"S":"a"}}}},"UpdateExpression":"SET #n = :v",
                    "ReturnValues":"{text}",{OPTIONS}}}"##
            ),
            Request::UpdateItem(UpdateItemInput {
                table_name: table_name.clone(),
                key: key("a"),
                update: Some(aliases().update("SET #n = :v").unwrap()),
                options: options(return_values),
            }),
        );
    }
}

const PAGE: &str = r##""IndexName":"by-name","Limit":7,"ExclusiveStartKey":{"p":{"S":"s"}},
    "FilterExpression":"#n > :v","ProjectionExpression":"#n","Select":"SPECIFIC_ATTRIBUTES","ConsistentRead":true,
    "ExpressionAttributeNames":{"#n":"name"},"ExpressionAttributeValues":{":v":{"N":"1"}},
    "ReturnConsumedCapacity":"NONE""##;

fn page() -> PageOptions {
    PageOptions {
        index_name: Some("by-name".to_owned()),
        limit: Some(7),
        exclusive_start_key: Some(key("s")),
        filter: Some(aliases().filter("#n > :v").unwrap()),
        projection: Some(projection()),
        select: Some(Select::SpecificAttributes),
        consistent_read: true,
        return_consumed_capacity: ReturnConsumedCapacity::None,
    }
}

#[test]
fn query_and_scan() {
    assert_reads(
        "Query",
        &format!(r#"{{"TableName":"table","KeyConditionExpression":"p = :v","ScanIndexForward":false,{PAGE}}}"#),
        Request::Query(QueryInput {
            table_name: "table".to_owned(),
            key_condition: aliases().key_condition("p = :v").unwrap(),
            forward: false,
            page: page(),
        }),
    );
    assert_reads(
        "Scan",
        &format!(r#"{{"TableName":"table","Segment":0,"TotalSegments":4,{PAGE}}}"#),
        Request::Scan(ScanInput {
            table_name: "table".to_owned(),
            segment: Some(0),
            total_segments: Some(4),
            page: page(),
        }),
    );
    assert_reads(
        "Query",
        r#"{"TableName":"table","KeyConditionExpression":"p = :v","ExpressionAttributeValues":{":v":{"N":"1"}}}"#,
        Request::Query(QueryInput {
            table_name: "table".to_owned(),
            key_condition: aliases().key_condition("p = :v").unwrap(),
            forward: true,
            page: PageOptions::default(),
        }),
    );
}

#[test]
fn numbers_lose_their_fraction() {
    for (text, limit) in [("1.9", 1), ("1e3", 1000), ("99999999999", 99_999_999_999), ("1e300", i64::MAX)] {
        let Request::Scan(input) = decode("Scan", &format!(r#"{{"TableName":"table","Limit":{text}}}"#)).unwrap()
        else {
            panic!("not a scan");
        };
        assert_eq!(input.page.limit, Some(limit), "{text}");
    }
}

#[test]
fn batches_keep_the_order_of_their_tables() {
    assert_reads(
        "BatchGetItem",
        r##"{"RequestItems":{"zzz":{"Keys":[{"p":{"S":"a"}},{"p":{"S":"b"}}],"ConsistentRead":true,
            "ProjectionExpression":"#n","ExpressionAttributeNames":{"#n":"name"}},"aaa":{"Keys":[{"p":{"S":"c"}}]}},
            "ReturnConsumedCapacity":"TOTAL"}"##,
        Request::BatchGetItem(BatchGetItemInput {
            requests: vec![
                (
                    "zzz".to_owned(),
                    KeysAndAttributes {
                        keys: vec![key("a"), key("b")],
                        consistent_read: true,
                        projection: Some(projection()),
                    },
                ),
                ("aaa".to_owned(), KeysAndAttributes { keys: vec![key("c")], ..Default::default() }),
            ],
            return_consumed_capacity: ReturnConsumedCapacity::Total,
        }),
    );
    assert_reads(
        "BatchWriteItem",
        r#"{"RequestItems":{"zzz":[{"PutRequest":{"Item":{"p":{"S":"a"}}}},{"DeleteRequest":{"Key":{"p":{"S":"b"}}}}],
            "aaa":[{"PutRequest":{"Item":{"p":{"S":"c"}}},"DeleteRequest":null}]},
            "ReturnItemCollectionMetrics":"SIZE"}"#,
        Request::BatchWriteItem(BatchWriteItemInput {
            requests: vec![
                (
                    "zzz".to_owned(),
                    vec![BatchWriteRequest::Put { item: key("a") }, BatchWriteRequest::Delete { key: key("b") }],
                ),
                ("aaa".to_owned(), vec![BatchWriteRequest::Put { item: key("c") }]),
            ],
            return_consumed_capacity: ReturnConsumedCapacity::None,
            return_collection_metrics: true,
        }),
    );
}

#[test]
fn transactions() {
    assert_reads(
        "TransactGetItems",
        r##"{"TransactItems":[{"Get":{"TableName":"table","Key":{"p":{"S":"a"}},"ProjectionExpression":"#n",
            "ExpressionAttributeNames":{"#n":"name"}}}],"ReturnConsumedCapacity":"TOTAL"}"##,
        Request::TransactGetItems(TransactGetItemsInput {
            gets: vec![TransactGet { table_name: "table".to_owned(), key: key("a"), projection: Some(projection()) }],
            return_consumed_capacity: ReturnConsumedCapacity::Total,
        }),
    );
    let write = |kind| TransactWrite {
        table_name: "table".to_owned(),
        kind,
        condition: Some(condition()),
        return_old_on_failure: true,
    };
    const REST: &str = r##""TableName":"table","ConditionExpression":"#n = :v",
        "ExpressionAttributeNames":{"#n":"name"},"ExpressionAttributeValues":{":v":{"N":"1"}},
        "ReturnValuesOnConditionCheckFailure":"ALL_OLD""##;
    assert_reads(
        "TransactWriteItems",
        &format!(
            r#"{{"TransactItems":[{{"Put":{{"Item":{{"p":{{"S":"a"}}}},{REST}}}}},
                {{"Update":{{"Key":{{"p":{{"S":"b"}}}},"UpdateExpression":"SET a = :v",{REST}}}}},
                {{"Delete":{{"Key":{{"p":{{"S":"c"}}}},{REST}}},"Put":null}},
                {{"ConditionCheck":{{"Key":{{"p":{{"S":"d"}}}},{REST}}}}}],
                "ClientRequestToken":"token","ReturnItemCollectionMetrics":"SIZE"}}"#
        ),
        Request::TransactWriteItems(TransactWriteItemsInput {
            writes: vec![
                write(TransactWriteKind::Put { item: key("a") }),
                write(TransactWriteKind::Update { key: key("b"), update: aliases().update("SET a = :v").unwrap() }),
                write(TransactWriteKind::Delete { key: key("c") }),
                write(TransactWriteKind::ConditionCheck { key: key("d") }),
            ],
            client_request_token: Some("token".to_owned()),
            return_consumed_capacity: ReturnConsumedCapacity::None,
            return_collection_metrics: true,
        }),
    );
}

fn definition(name: &str, key_type: KeyType) -> AttributeDefinition {
    AttributeDefinition { name: name.to_owned(), key_type }
}

fn key_element(name: &str, role: KeyRole) -> KeySchemaElement {
    KeySchemaElement { name: name.to_owned(), role }
}

const INDEX: &str = r#"{"IndexName":"by-r","KeySchema":[{"AttributeName":"r","KeyType":"HASH"}],
    "Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x","y"]},
    "ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":4},
    "OnDemandThroughput":{"MaxReadRequestUnits":-1}}"#;

fn index() -> IndexSpec {
    IndexSpec {
        name: "by-r".to_owned(),
        key_schema: vec![key_element("r", KeyRole::Hash)],
        projection: ProjectionSpec {
            projection_type: Some(ProjectionType::Include),
            non_key_attributes: Some(vec!["x".to_owned(), "y".to_owned()]),
        },
        throughput: Some(Throughput { read: 3, write: 4 }),
        on_demand: Some(OnDemandThroughput { max_read_request_units: Some(-1), max_write_request_units: None }),
    }
}

#[test]
fn create_table() {
    assert_reads(
        "CreateTable",
        &format!(
            r#"{{"TableName":"table","AttributeDefinitions":[{{"AttributeName":"p","AttributeType":"S"}},
                {{"AttributeName":"r","AttributeType":"N"}}],"KeySchema":[{{"AttributeName":"p","KeyType":"HASH"}},
                {{"AttributeName":"r","KeyType":"RANGE"}}],"GlobalSecondaryIndexes":[{INDEX}],
                "LocalSecondaryIndexes":[],"BillingMode":"PROVISIONED",
                "ProvisionedThroughput":{{"ReadCapacityUnits":1,"WriteCapacityUnits":2}},
                "DeletionProtectionEnabled":true,"TableClass":"STANDARD","Tags":[{{"Key":"a","Value":""}}],
                "StreamSpecification":{{"StreamEnabled":false}},"SSESpecification":{{"Enabled":false}}}}"#
        ),
        Request::CreateTable(CreateTableInput {
            table_name: "table".to_owned(),
            attribute_definitions: vec![definition("p", KeyType::S), definition("r", KeyType::N)],
            key_schema: vec![key_element("p", KeyRole::Hash), key_element("r", KeyRole::Range)],
            global_indexes: Some(vec![index()]),
            local_indexes: Some(Vec::new()),
            billing_mode: Some(BillingMode::Provisioned),
            throughput: Some(Throughput { read: 1, write: 2 }),
            on_demand: None,
            deletion_protection: true,
            table_class: Some("STANDARD".to_owned()),
            tags: Tags::from([("a".to_owned(), String::new())]),
        }),
    );
}

#[test]
fn update_table() {
    assert_reads(
        "UpdateTable",
        &format!(
            r#"{{"TableName":"table","AttributeDefinitions":[{{"AttributeName":"r","AttributeType":"B"}}],
                "BillingMode":"PAY_PER_REQUEST","OnDemandThroughput":{{"MaxWriteRequestUnits":9}},
                "GlobalSecondaryIndexUpdates":[{{"Create":{INDEX}}},{{"Delete":{{"IndexName":"old"}}}},
                {{"Update":{{"IndexName":"by-q","ProvisionedThroughput":{{"ReadCapacityUnits":5,"WriteCapacityUnits":6}}}}}}],
                "DeletionProtectionEnabled":false}}"#
        ),
        Request::UpdateTable(UpdateTableInput {
            table_name: "table".to_owned(),
            attribute_definitions: vec![definition("r", KeyType::B)],
            billing_mode: Some(BillingMode::PayPerRequest),
            throughput: None,
            on_demand: Some(OnDemandThroughput { max_read_request_units: None, max_write_request_units: Some(9) }),
            index_updates: Some(vec![
                IndexUpdate::Create(index()),
                IndexUpdate::Delete { name: "old".to_owned() },
                IndexUpdate::Update {
                    name: "by-q".to_owned(),
                    throughput: Some(Throughput { read: 5, write: 6 }),
                    on_demand: None,
                },
            ]),
            deletion_protection: Some(false),
            table_class: None,
        }),
    );
}

#[test]
fn small_operations() {
    let table = || "table".to_owned();
    const TABLE: &str = r#"{"TableName":"table"}"#;
    assert_reads("DeleteTable", TABLE, Request::DeleteTable(table()));
    assert_reads("DescribeTable", TABLE, Request::DescribeTable(table()));
    assert_reads("DescribeTimeToLive", TABLE, Request::DescribeTimeToLive(table()));
    assert_reads("DescribeKinesisStreamingDestination", TABLE, Request::DescribeKinesisStreamingDestination(table()));
    assert_reads("DescribeContinuousBackups", TABLE, Request::DescribeContinuousBackups(table()));
    assert_reads("DescribeLimits", "{}", Request::DescribeLimits);
    assert_reads("DescribeEndpoints", " {\n} ", Request::DescribeEndpoints);
    assert_reads(
        "ListTables",
        r#"{"ExclusiveStartTableName":"table","Limit":100}"#,
        Request::ListTables(ListTablesInput { exclusive_start: Some(table()), limit: Some(100) }),
    );
    assert_reads(
        "UpdateTimeToLive",
        r#"{"TableName":"table","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}}"#,
        Request::UpdateTimeToLive(UpdateTimeToLiveInput {
            table_name: table(),
            enabled: true,
            attribute_name: "ttl".to_owned(),
        }),
    );
    let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/table".to_owned();
    assert_reads(
        "TagResource",
        &format!(r#"{{"ResourceArn":"{arn}","Tags":[{{"Key":"a","Value":"b"}}]}}"#),
        Request::TagResource { arn: arn.clone(), tags: BTreeMap::from([("a".to_owned(), "b".to_owned())]) },
    );
    assert_reads(
        "UntagResource",
        &format!(r#"{{"ResourceArn":"{arn}","TagKeys":["a"]}}"#),
        Request::UntagResource { arn: arn.clone(), keys: vec!["a".to_owned()] },
    );
    assert_reads(
        "ListTagsOfResource",
        &format!(r#"{{"ResourceArn":"{arn}","NextToken":"t"}}"#),
        Request::ListTagsOfResource { arn, next_token: Some("t".to_owned()) },
    );
}
