//! The exact JSON of every response.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use keyfold_dynamo::expression::Aliases;
use keyfold_dynamo::item::Undecodable;
use keyfold_dynamo::operation::*;
use keyfold_dynamo::table::*;
use keyfold_dynamo::{AttributeValue, Attributes, Item, Number};

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

fn found(bytes: Result<Vec<u8>, Undecodable>) -> String {
    text(bytes.unwrap())
}

fn item(value: &str) -> Attributes {
    Attributes::from([("p".to_owned(), AttributeValue::S(value.to_owned()))])
}

fn units(capacity: f64) -> Units {
    Units { capacity, read: None, write: None }
}

fn capacity() -> ConsumedCapacity {
    ConsumedCapacity { table_name: "table".to_owned(), total: units(0.5), breakdown: None }
}

fn metrics() -> ItemCollectionMetrics {
    ItemCollectionMetrics { key: ("p".to_owned(), AttributeValue::S("a".to_owned())), size_estimate_gb: [0.0, 1.0] }
}

const METRICS: &str = r#"{"ItemCollectionKey":{"p":{"S":"a"}},"SizeEstimateRangeGB":[0.0,1.0]}"#;

#[test]
fn items_with_every_type() {
    let number = |text: &str| Number::parse(text).unwrap();
    let item = Attributes::from([
        ("a\"b".to_owned(), AttributeValue::S("x\ny".to_owned())),
        ("b".to_owned(), AttributeValue::N(number("-1.50"))),
        ("c".to_owned(), AttributeValue::N(number("1e3"))),
        ("d".to_owned(), AttributeValue::B(b"hi".to_vec())),
        ("e".to_owned(), AttributeValue::Bool(true)),
        ("f".to_owned(), AttributeValue::Null),
        ("g".to_owned(), AttributeValue::M(Attributes::from([("k".to_owned(), AttributeValue::Bool(false))]))),
        ("h".to_owned(), AttributeValue::L(vec![AttributeValue::Null, AttributeValue::L(Vec::new())])),
        ("i".to_owned(), AttributeValue::Ss(BTreeSet::from(["b".to_owned(), "a".to_owned()]))),
        ("j".to_owned(), AttributeValue::Ns(BTreeSet::from([number("10"), number("9")]))),
        ("k".to_owned(), AttributeValue::Bs(BTreeSet::from([Vec::new(), vec![0xFF]]))),
        ("l".to_owned(), AttributeValue::N(number("1e-130"))),
    ]);
    let small = format!("0.{}1", "0".repeat(129));
    assert_eq!(
        found(super::get(&GetItemOutput { item: Some(item.into()), consumed_capacity: None })),
        format!(
            concat!(
                r#"{{"Item":{{"a\"b":{{"S":"x\ny"}},"b":{{"N":"-1.5"}},"c":{{"N":"1000"}},"d":{{"B":"aGk="}},"#,
                r#""e":{{"BOOL":true}},"f":{{"NULL":true}},"g":{{"M":{{"k":{{"BOOL":false}}}}}},"#,
                r#""h":{{"L":[{{"NULL":true}},{{"L":[]}}]}},"i":{{"SS":["a","b"]}},"j":{{"NS":["9","10"]}},"#,
                r#""k":{{"BS":["","/w=="]}},"l":{{"N":"{}"}}}}}}"#
            ),
            small
        )
    );
}

#[test]
fn answers_about_one_item() {
    assert_eq!(found(super::get(&GetItemOutput::default())), "{}");
    assert_eq!(
        found(super::get(&GetItemOutput { item: Some(Attributes::new().into()), consumed_capacity: Some(capacity()) })),
        r#"{"Item":{},"ConsumedCapacity":{"TableName":"table","CapacityUnits":0.5}}"#
    );
    assert_eq!(text(super::write(&WriteOutput::default())), "{}");
    let output = WriteOutput {
        attributes: Some(item("a")),
        consumed_capacity: Some(ConsumedCapacity {
            breakdown: Some(CapacityBreakdown {
                table: units(1.0),
                global_indexes: BTreeMap::from([("g".to_owned(), units(2.0))]),
                local_indexes: BTreeMap::from([("l".to_owned(), units(3.0))]),
            }),
            total: Units { capacity: 6.0, read: None, write: Some(6.0) },
            ..capacity()
        }),
        item_collection_metrics: Some(metrics()),
    };
    assert_eq!(
        text(super::write(&output)),
        format!(
            concat!(
                r#"{{"Attributes":{{"p":{{"S":"a"}}}},"ConsumedCapacity":{{"TableName":"table","CapacityUnits":6.0,"#,
                r#""WriteCapacityUnits":6.0,"Table":{{"CapacityUnits":1.0}},"LocalSecondaryIndexes":"#,
                r#"{{"l":{{"CapacityUnits":3.0}}}},"GlobalSecondaryIndexes":{{"g":{{"CapacityUnits":2.0}}}}}},"#,
                r#""ItemCollectionMetrics":{}}}"#
            ),
            METRICS
        )
    );
}

#[test]
fn pages() {
    assert_eq!(
        found(super::page(&PageOutput {
            items: Some(vec![item("a").into(), item("b").into()]),
            count: 2,
            scanned_count: 3,
            last_evaluated_key: Some(item("b")),
            consumed_capacity: Some(capacity()),
        })),
        concat!(
            r#"{"Items":[{"p":{"S":"a"}},{"p":{"S":"b"}}],"Count":2,"ScannedCount":3,"LastEvaluatedKey":{"p":{"S":"b"}},"#,
            r#""ConsumedCapacity":{"TableName":"table","CapacityUnits":0.5}}"#
        )
    );
    assert_eq!(
        found(super::page(&PageOutput { count: 7, scanned_count: 9, ..Default::default() })),
        r#"{"Count":7,"ScannedCount":9}"#
    );
}

#[test]
fn batches() {
    assert_eq!(found(super::batch_get(&BatchGetItemOutput::default())), r#"{"Responses":{},"UnprocessedKeys":{}}"#);
    let output = BatchGetItemOutput {
        responses: BTreeMap::from([("table".to_owned(), vec![item("a").into()])]),
        unprocessed: vec![(
            "other".to_owned(),
            KeysAndAttributes {
                keys: vec![item("b")],
                consistent_read: true,
                projection: Some(Aliases::default().projection("p").unwrap()),
            },
        )],
        consumed_capacity: vec![capacity()],
    };
    assert_eq!(
        found(super::batch_get(&output)),
        concat!(
            r##"{"Responses":{"table":[{"p":{"S":"a"}}]},"UnprocessedKeys":{"other":{"Keys":[{"p":{"S":"b"}}],"##,
            r##""ConsistentRead":true,"ProjectionExpression":"#n0","ExpressionAttributeNames":{"#n0":"p"}}},"##,
            r##""ConsumedCapacity":[{"TableName":"table","CapacityUnits":0.5}]}"##
        )
    );
    let output = BatchWriteItemOutput {
        unprocessed: vec![(
            "table".to_owned(),
            vec![BatchWriteRequest::Put { item: item("a") }, BatchWriteRequest::Delete { key: item("b") }],
        )],
        consumed_capacity: vec![capacity()],
        item_collection_metrics: BTreeMap::from([("table".to_owned(), vec![metrics()])]),
    };
    assert_eq!(
        text(super::batch_write(&output)),
        format!(
            concat!(
                r#"{{"UnprocessedItems":{{"table":[{{"PutRequest":{{"Item":{{"p":{{"S":"a"}}}}}}}},"#,
                r#"{{"DeleteRequest":{{"Key":{{"p":{{"S":"b"}}}}}}}}]}},"ItemCollectionMetrics":{{"table":[{}]}},"#,
                r#""ConsumedCapacity":[{{"TableName":"table","CapacityUnits":0.5}}]}}"#
            ),
            METRICS
        )
    );
}

#[test]
fn transactions() {
    let output = TransactGetItemsOutput { items: vec![Some(item("a").into()), None], consumed_capacity: Vec::new() };
    assert_eq!(found(super::transact_get(&output)), r#"{"Responses":[{"Item":{"p":{"S":"a"}}},{}]}"#);
    assert_eq!(text(super::transact_write(&TransactWriteItemsOutput::default())), "{}");
}

fn description() -> TableDescription {
    TableDescription {
        name: "table".to_owned(),
        id: Some("0-1".to_owned()),
        arn: Some("arn:t".to_owned()),
        status: TableStatus::Active,
        created_at: Some(1794722125.781),
        attribute_definitions: vec![AttributeDefinition { name: "p".to_owned(), key_type: KeyType::S }],
        key_schema: vec![KeySchemaElement { name: "p".to_owned(), role: KeyRole::Hash }],
        global_indexes: Vec::new(),
        local_indexes: Vec::new(),
        billing_mode: BillingMode::Provisioned,
        on_demand_since: None,
        throughput: ThroughputDescription { read: 5, write: 6, ..Default::default() },
        on_demand: None,
        size_bytes: 10,
        item_count: 2,
        deletion_protection: false,
        table_class: None,
    }
}

#[test]
fn a_provisioned_table() {
    assert_eq!(
        text(super::described_table("Table", &description())),
        concat!(
            r#"{"Table":{"AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"}],"TableName":"table","#,
            r#""KeySchema":[{"AttributeName":"p","KeyType":"HASH"}],"TableStatus":"ACTIVE","#,
            r#""CreationDateTime":1794722125.781,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"#,
            r#""ReadCapacityUnits":5,"WriteCapacityUnits":6},"TableSizeBytes":10,"ItemCount":2,"TableArn":"arn:t","#,
            r#""TableId":"0-1","DeletionProtectionEnabled":false}}"#
        )
    );
}

#[test]
fn what_a_service_does_not_report_is_left_out() {
    let table = TableDescription { id: None, arn: None, created_at: None, ..description() };
    let text = text(super::described_table("Table", &table));
    assert!(text.contains(r#""TableStatus":"ACTIVE","ProvisionedThroughput""#), "{text}");
    assert!(text.contains(r#""ItemCount":2,"DeletionProtectionEnabled""#), "{text}");
}

#[test]
fn an_on_demand_table_with_indexes() {
    let index = IndexDescription {
        name: "abc".to_owned(),
        arn: Some("arn:i".to_owned()),
        key_schema: vec![KeySchemaElement { name: "p".to_owned(), role: KeyRole::Range }],
        projection: ProjectionSpec {
            projection_type: Some(ProjectionType::Include),
            non_key_attributes: Some(vec!["x".to_owned()]),
        },
        status: Some(TableStatus::Creating),
        backfilling: Some(true),
        throughput: Some(ThroughputDescription {
            last_increase: Some(1.0),
            last_decrease: Some(2.5),
            ..Default::default()
        }),
        on_demand: Some(OnDemandThroughput { max_read_request_units: Some(7), max_write_request_units: Some(8) }),
        size_bytes: 1,
        item_count: 2,
    };
    let local = IndexDescription {
        status: None,
        backfilling: None,
        throughput: None,
        on_demand: None,
        projection: ProjectionSpec { projection_type: Some(ProjectionType::All), non_key_attributes: None },
        ..index.clone()
    };
    let table = TableDescription {
        billing_mode: BillingMode::PayPerRequest,
        on_demand_since: Some(3.0),
        global_indexes: vec![index],
        local_indexes: vec![local],
        table_class: Some("STANDARD".to_owned()),
        ..description()
    };
    let written = text(super::described_table("TableDescription", &table));
    let after_id = written.split_once(r#""TableId":"0-1","#).unwrap().1;
    assert_eq!(
        after_id,
        concat!(
            r#""BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":3.000},"#,
            r#""LocalSecondaryIndexes":[{"IndexName":"abc","KeySchema":[{"AttributeName":"p","KeyType":"RANGE"}],"#,
            r#""Projection":{"ProjectionType":"ALL"},"IndexSizeBytes":1,"ItemCount":2,"IndexArn":"arn:i"}],"#,
            r#""GlobalSecondaryIndexes":[{"IndexName":"abc","KeySchema":[{"AttributeName":"p","KeyType":"RANGE"}],"#,
            r#""Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x"]},"IndexStatus":"CREATING","#,
            r#""Backfilling":true,"ProvisionedThroughput":{"LastIncreaseDateTime":1.000,"LastDecreaseDateTime":2.500,"#,
            r#""NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},"IndexSizeBytes":1,"#,
            r#""ItemCount":2,"IndexArn":"arn:i","OnDemandThroughput":{"MaxReadRequestUnits":7,"#,
            r#""MaxWriteRequestUnits":8}}],"TableClassSummary":{"TableClass":"STANDARD"},"#,
            r#""DeletionProtectionEnabled":false}}"#
        )
    );
}

#[test]
fn small_answers() {
    assert_eq!(
        text(super::list_tables(&ListTablesOutput {
            table_names: vec!["a".to_owned()],
            last_evaluated: Some("a".to_owned()),
        })),
        r#"{"TableNames":["a"],"LastEvaluatedTableName":"a"}"#
    );
    assert_eq!(
        text(super::time_to_live(&TimeToLiveDescription {
            status: TimeToLiveStatus::Enabled,
            attribute_name: Some("t".to_owned()),
        })),
        r#"{"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"t"}}"#
    );
    assert_eq!(
        text(super::time_to_live_specification(&UpdateTimeToLiveInput {
            table_name: "table".to_owned(),
            enabled: true,
            attribute_name: "t".to_owned(),
        })),
        r#"{"TimeToLiveSpecification":{"Enabled":true,"AttributeName":"t"}}"#
    );
    assert_eq!(
        text(super::continuous_backups(&ContinuousBackupsDescription::default())),
        concat!(
            r#"{"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"DISABLED","#,
            r#""PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}}"#
        )
    );
    let destination = KinesisDestination {
        stream_arn: Some("arn:aws:kinesis:us-east-1:000000000000:stream/s".to_owned()),
        status: Some("ACTIVE".to_owned()),
        status_description: None,
        precision: Some("MILLISECOND".to_owned()),
    };
    assert_eq!(
        text(super::kinesis_destinations(&KinesisDestinations {
            table_name: "table".to_owned(),
            destinations: vec![destination],
        })),
        concat!(
            r#"{"KinesisDataStreamDestinations":[{"StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/s","#,
            r#""DestinationStatus":"ACTIVE","ApproximateCreationDateTimePrecision":"MILLISECOND"}],"TableName":"table"}"#
        )
    );
    assert_eq!(
        text(super::limits(&LimitsDescription {
            account_max_read: 1,
            account_max_write: 2,
            table_max_read: 3,
            table_max_write: 4,
        })),
        concat!(
            r#"{"AccountMaxReadCapacityUnits":1,"AccountMaxWriteCapacityUnits":2,"TableMaxReadCapacityUnits":3,"#,
            r#""TableMaxWriteCapacityUnits":4}"#
        )
    );
    assert_eq!(
        text(super::endpoints("localhost:8000")),
        r#"{"Endpoints":[{"Address":"localhost:8000","CachePeriodInMinutes":1440}]}"#
    );
    assert_eq!(
        text(super::tags_page(&TagsPage {
            tags: vec![("a".to_owned(), "b".to_owned())],
            next_token: Some("n".to_owned()),
        })),
        r#"{"Tags":[{"Key":"a","Value":"b"}],"NextToken":"n"}"#
    );
}

#[test]
fn a_damaged_item_is_an_error() {
    let damaged = Item::from_encoded(Bytes::from_static(b"\x05\x01\x01a\xff"));
    assert_eq!(super::get(&GetItemOutput { item: Some(damaged), consumed_capacity: None }), Err(Undecodable));
}
