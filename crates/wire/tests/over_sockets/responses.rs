//! Answers to requests that succeed, and to what is no request of the protocol.

use crate::backend::{Behaviour, item};
use crate::client::{Connection, GET_ITEM, post, post_with, send};
use crate::server::start;

fn is_request_id(text: &str) -> bool {
    text.len() == 52 && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

#[test]
fn an_item_with_the_services_headers() {
    let server = start();
    server.backend.behave(Behaviour::Item(item(3)));
    let response = send(server.address, &post("GetItem", GET_ITEM));
    assert_eq!(response.status, 200);
    assert_eq!(response.text(), r#"{"Item":{"p":{"S":"key"},"text":{"S":"xxx"}}}"#);
    assert_eq!(response.header("content-type"), "application/x-amz-json-1.0");
    assert_eq!(response.header("x-amz-crc32"), crc32fast::hash(&response.body).to_string());
    assert_eq!(response.header("content-length"), response.body.len().to_string());
    assert_eq!(response.header("server"), "Server");
    assert!(response.header("date").ends_with(" GMT"), "{}", response.header("date"));
    assert!(is_request_id(response.header("x-amzn-requestid")), "{}", response.header("x-amzn-requestid"));
}

#[test]
fn every_response_has_a_request_id_of_its_own() {
    let server = start();
    let mut connection = Connection::open(server.address);
    let requests = [
        post("GetItem", GET_ITEM),
        post("GetItem", b"{"),
        post("Nope", b"{}"),
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
        b"PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n".to_vec(),
    ];
    let mut ids = Vec::new();
    for request in requests {
        connection.send(&request);
        ids.push(connection.read_response().header("x-amzn-requestid").to_owned());
    }
    assert!(ids.iter().all(|id| is_request_id(id)), "{ids:?}");
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 5);
}

#[test]
fn every_operation_reaches_the_backend() {
    let server = start();
    const TABLE: &str = r#"{"TableName":"table"}"#;
    const KEY: &str = r#"{"TableName":"table","Key":{"p":{"S":"a"}}}"#;
    const QUERY: &str =
        r#"{"TableName":"table","KeyConditionExpression":"p = :p","ExpressionAttributeValues":{":p":{"S":"a"}}}"#;
    const ARN: &str = r#""ResourceArn":"arn:t""#;
    let described = |member: &str| {
        format!(
            concat!(
                r#"{{"{}":{{"AttributeDefinitions":[],"TableName":"table","KeySchema":[],"TableStatus":"ACTIVE","#,
                r#""CreationDateTime":1.000,"ProvisionedThroughput":{{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"#,
                r#""WriteCapacityUnits":0}},"TableSizeBytes":0,"ItemCount":0,"#,
                r#""TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/table","#,
                r#""TableId":"00000000-0000-0000-0000-000000000000","BillingModeSummary":{{"BillingMode":"#,
                r#""PAY_PER_REQUEST"}},"DeletionProtectionEnabled":false}}}}"#
            ),
            member
        )
    };
    let cases = [
        ("GetItem", KEY.to_owned(), "GetItem table", "{}".to_owned()),
        (
            "PutItem",
            r#"{"TableName":"table","Item":{"p":{"S":"a"}}}"#.to_owned(),
            r#"PutItem table {"p": S("a")}"#,
            "{}".to_owned(),
        ),
        ("UpdateItem", KEY.to_owned(), "UpdateItem table", "{}".to_owned()),
        ("DeleteItem", KEY.to_owned(), "DeleteItem table", "{}".to_owned()),
        ("Query", QUERY.to_owned(), "Query table", r#"{"Items":[],"Count":0,"ScannedCount":0}"#.to_owned()),
        ("Scan", TABLE.to_owned(), "Scan table", r#"{"Count":0,"ScannedCount":0}"#.to_owned()),
        (
            "BatchGetItem",
            r#"{"RequestItems":{"table":{"Keys":[{"p":{"S":"a"}}]}}}"#.to_owned(),
            "BatchGetItem 1",
            r#"{"Responses":{},"UnprocessedKeys":{}}"#.to_owned(),
        ),
        (
            "BatchWriteItem",
            r#"{"RequestItems":{"table":[{"DeleteRequest":{"Key":{"p":{"S":"a"}}}}]}}"#.to_owned(),
            "BatchWriteItem 1",
            r#"{"UnprocessedItems":{}}"#.to_owned(),
        ),
        (
            "TransactGetItems",
            format!(r#"{{"TransactItems":[{{"Get":{KEY}}}]}}"#),
            "TransactGetItems 1",
            r#"{"Responses":[]}"#.to_owned(),
        ),
        (
            "TransactWriteItems",
            format!(r#"{{"TransactItems":[{{"Delete":{KEY}}}]}}"#),
            "TransactWriteItems 1",
            "{}".to_owned(),
        ),
        ("CreateTable", TABLE.to_owned(), "CreateTable table", described("TableDescription")),
        ("UpdateTable", TABLE.to_owned(), "UpdateTable table", described("TableDescription")),
        ("DeleteTable", TABLE.to_owned(), "DeleteTable table", described("TableDescription")),
        ("DescribeTable", TABLE.to_owned(), "DescribeTable table", described("Table")),
        ("ListTables", "{}".to_owned(), "ListTables", r#"{"TableNames":["table"]}"#.to_owned()),
        (
            "DescribeTimeToLive",
            TABLE.to_owned(),
            "DescribeTimeToLive table",
            r#"{"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}}"#.to_owned(),
        ),
        (
            "UpdateTimeToLive",
            r#"{"TableName":"table","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"t"}}"#.to_owned(),
            "UpdateTimeToLive table",
            r#"{"TimeToLiveSpecification":{"Enabled":true,"AttributeName":"t"}}"#.to_owned(),
        ),
        (
            "DescribeContinuousBackups",
            TABLE.to_owned(),
            "DescribeContinuousBackups table",
            concat!(
                r#"{"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED","#,
                r#""PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}}"#
            )
            .to_owned(),
        ),
        (
            "DescribeKinesisStreamingDestination",
            TABLE.to_owned(),
            "DescribeKinesisStreamingDestination table",
            r#"{"KinesisDataStreamDestinations":[],"TableName":"table"}"#.to_owned(),
        ),
        (
            "DescribeLimits",
            "{}".to_owned(),
            "DescribeLimits",
            concat!(
                r#"{"AccountMaxReadCapacityUnits":0,"AccountMaxWriteCapacityUnits":0,"TableMaxReadCapacityUnits":0,"#,
                r#""TableMaxWriteCapacityUnits":0}"#
            )
            .to_owned(),
        ),
        (
            "TagResource",
            format!(r#"{{{ARN},"Tags":[{{"Key":"k","Value":"v"}}]}}"#),
            r#"TagResource arn:t {"k": "v"}"#,
            String::new(),
        ),
        ("UntagResource", format!(r#"{{{ARN},"TagKeys":["k"]}}"#), r#"UntagResource arn:t ["k"]"#, String::new()),
        ("ListTagsOfResource", format!("{{{ARN}}}"), "ListTagsOfResource arn:t None", r#"{"Tags":[]}"#.to_owned()),
    ];
    let mut connection = Connection::open(server.address);
    for (operation, body, call, expected) in &cases {
        connection.send(&post(operation, body.as_bytes()));
        let response = connection.read_response();
        assert_eq!((response.status, response.text()), (200, expected.as_str()), "{operation}");
        assert_eq!(server.backend.calls().last().unwrap(), call);
    }
    // DescribeEndpoints is the one operation that the backend is not asked.
    assert_eq!(cases.len() + 1, keyfold_wire::Operation::ALL.len());
    connection.send(&post("DescribeEndpoints", b"{}"));
    assert_eq!(
        connection.read_response().text(),
        r#"{"Endpoints":[{"Address":"localhost:8000","CachePeriodInMinutes":1440}]}"#
    );
}

#[test]
fn requests_of_other_protocols_are_rejected() {
    let server = start();
    let response = send(server.address, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_eq!((response.status, response.text()), (200, "healthy: dynamodb.us-east-1.amazonaws.com "));
    assert_eq!(response.header("x-amz-crc32"), "3128867991");
    for head in ["PUT /", "DELETE /", "OPTIONS /", "GET /other", "POST /other"] {
        let response =
            send(server.address, format!("{head} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n").as_bytes());
        assert_eq!((response.status, response.text()), (404, "<UnknownOperationException/>\n"), "{head}");
        assert_eq!(response.header("x-amz-crc32"), "3552371480");
    }
}

#[test]
fn any_content_type_and_no_signature_in_development_mode() {
    let server = start();
    for headers in [vec![], vec![("Authorization", "nonsense")], vec![("Accept", "*/*"), ("X-Amz-Date", "never")]] {
        let response = send(server.address, &post_with("GetItem", GET_ITEM, &headers));
        assert_eq!(response.status, 200);
    }
    let plain =
        b"POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\nContent-Length: 2\r\n\r\n{}";
    assert_eq!(send(server.address, plain).text(), r#"{"TableNames":["table"]}"#);
}
