//! Every family of errors, byte for byte.

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::error::{CancellationCode, CancellationReason};

use crate::backend::{Behaviour, item};
use crate::client::{Connection, GET_ITEM, post, send};
use crate::server::start;

#[test]
fn errors_of_the_backend() {
    let server = start();
    let text = || "what happened".to_owned();
    let dynamo =
        |name: &str| format!(r#"{{"__type":"com.amazonaws.dynamodb.v20120810#{name}","message":"what happened"}}"#);
    let cases = [
        (
            ServiceError::Validation(text()),
            400,
            r#"{"__type":"com.amazon.coral.validate#ValidationException","message":"what happened"}"#.to_owned(),
        ),
        (ServiceError::ResourceNotFound(text()), 400, dynamo("ResourceNotFoundException")),
        (ServiceError::ResourceInUse(text()), 400, dynamo("ResourceInUseException")),
        (ServiceError::LimitExceeded(text()), 400, dynamo("LimitExceededException")),
        (ServiceError::IdempotentParameterMismatch(text()), 400, dynamo("IdempotentParameterMismatchException")),
        (ServiceError::TransactionInProgress(text()), 400, dynamo("TransactionInProgressException")),
        (ServiceError::TransactionConflict(text()), 400, dynamo("TransactionConflictException")),
        (
            ServiceError::ItemCollectionSizeLimitExceeded(text()),
            400,
            dynamo("ItemCollectionSizeLimitExceededException"),
        ),
        (ServiceError::ProvisionedThroughputExceeded(text()), 400, dynamo("ProvisionedThroughputExceededException")),
        (ServiceError::RequestLimitExceeded(text()), 400, dynamo("RequestLimitExceeded")),
        (
            ServiceError::AccessDenied(text()),
            400,
            r#"{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"what happened"}"#.to_owned(),
        ),
        (
            ServiceError::Unavailable(text()),
            503,
            r#"{"__type":"com.amazon.coral.availability#ServiceUnavailableException","message":"what happened"}"#
                .to_owned(),
        ),
        (ServiceError::Internal(text()), 500, dynamo("InternalServerError")),
        (
            ServiceError::ConditionalCheckFailed { item: None },
            400,
            concat!(
                r#"{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","#,
                r#""message":"The conditional request failed"}"#
            )
            .to_owned(),
        ),
        (
            ServiceError::ConditionalCheckFailed { item: Some(item(1)) },
            400,
            concat!(
                r#"{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","#,
                r#""message":"The conditional request failed","Item":{"p":{"S":"key"},"text":{"S":"x"}}}"#
            )
            .to_owned(),
        ),
        (
            ServiceError::TransactionCanceled {
                reasons: vec![
                    CancellationReason::condition_failed(Some(item(1))),
                    CancellationReason::NONE,
                    CancellationReason {
                        code: CancellationCode::TransactionConflict,
                        message: Some("Transaction is ongoing for the item".to_owned()),
                        item: None,
                    },
                ],
            },
            400,
            concat!(
                r#"{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","#,
                r#""CancellationReasons":[{"Code":"ConditionalCheckFailed","Item":{"p":{"S":"key"},"text":{"S":"x"}},"#,
                r#""Message":"The conditional request failed"},{"Code":"None"},{"Code":"TransactionConflict","#,
                r#""Message":"Transaction is ongoing for the item"}],"Message":"Transaction cancelled, please refer "#,
                r#"cancellation reasons for specific reasons [ConditionalCheckFailed, None, TransactionConflict]"}"#
            )
            .to_owned(),
        ),
    ];
    let mut connection = Connection::open(server.address);
    for (error, status, body) in cases {
        server.backend.behave(Behaviour::Fail(error));
        connection.send(&post("GetItem", GET_ITEM));
        let response = connection.read_response();
        assert_eq!((response.status, response.text()), (status, body.as_str()));
        assert_eq!(response.header("content-type"), "application/x-amz-json-1.0");
        assert_eq!(response.header("x-amz-crc32"), crc32fast::hash(&response.body).to_string());
    }
}

#[test]
fn requests_that_do_not_reach_the_backend() {
    let server = start();
    let deep = format!(
        r#"{{"TableName":"table","Item":{{"v":{}{{"S":"x"}}{}}}}}"#,
        r#"{"L":["#.repeat(100_000),
        "]}".repeat(100_000)
    );
    let unclosed = format!("{{\"Unknown\":{}", "[".repeat(1_000_000));
    const MALFORMED: &str = r#"{"__type":"com.amazon.coral.service#SerializationException"}"#;
    let cases: [(&str, &[u8], &str); 9] = [
        ("Nope", b"{}", r#"{"__type":"com.amazon.coral.service#UnknownOperationException"}"#),
        ("GetItem", b"", MALFORMED),
        ("GetItem", b"{\"TableName\":", MALFORMED),
        ("GetItem", b"{\"TableName\":\"\xff\xfe\"}", MALFORMED),
        ("GetItem", unclosed.as_bytes(), MALFORMED),
        (
            "GetItem",
            br#"{"TableName":1}"#,
            concat!(
                r#"{"__type":"com.amazon.coral.service#SerializationException","#,
                r#""Message":"NUMBER_VALUE cannot be converted to String"}"#
            ),
        ),
        (
            "DescribeTable",
            b"{}",
            concat!(
                r#"{"__type":"com.amazon.coral.validate#ValidationException","message":"1 validation error detected: "#,
                r#"Value null at 'tableName' failed to satisfy constraint: Member must not be null"}"#
            ),
        ),
        (
            "PutItem",
            br#"{"TableName":"table","Item":{"v":{"SS":["a","a"]}}}"#,
            concat!(
                r#"{"__type":"com.amazon.coral.validate#ValidationException","message":"One or more parameter values "#,
                r#"were invalid: Input collection [a, a] contains duplicates."}"#
            ),
        ),
        (
            "PutItem",
            deep.as_bytes(),
            concat!(
                r#"{"__type":"com.amazon.coral.validate#ValidationException","message":"Nesting Levels have exceeded "#,
                r#"supported limits: Attributes in the item have nested levels beyond supported limit"}"#
            ),
        ),
    ];
    let mut connection = Connection::open(server.address);
    for (operation, body, expected) in cases {
        connection.send(&post(operation, body));
        let response = connection.read_response();
        assert_eq!((response.status, response.text()), (400, expected), "{operation}");
    }
    assert_eq!(server.backend.calls(), Vec::<String>::new());
}

#[test]
fn a_request_without_a_target_names_no_operation() {
    let server = start();
    let request = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}";
    let response = send(server.address, request);
    assert_eq!(
        (response.status, response.text()),
        (400, r#"{"__type":"com.amazon.coral.service#UnknownOperationException"}"#)
    );
}
