use aws_sdk_dynamodb::config::http::HttpResponse;
use aws_sdk_dynamodb::error::ErrorMetadata;
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::error as sdk;

use super::*;

fn answered<E>(error: E, status: u16) -> Failure
where
    E: StdError + Send + Sync + 'static,
    SdkServiceError: From<SdkError<E>>,
{
    let response = HttpResponse::new(status.try_into().unwrap(), "".into());
    Failure::from(SdkError::service_error(error, response))
}

fn generic(code: &str) -> Failure {
    answered(PutItemError::generic(ErrorMetadata::builder().code(code).message("text").build()), 400)
}

fn refused(error: ServiceError) -> Failure {
    Failure { error, delivery: Delivery::Refused }
}

#[test]
fn throttling_is_recognized() {
    let metadata = || ErrorMetadata::builder().message("slow down").build();
    let throughput = sdk::ProvisionedThroughputExceededException::builder().meta(metadata()).build();
    let expected = refused(ServiceError::ProvisionedThroughputExceeded("slow down".to_owned()));
    assert_eq!(answered(PutItemError::ProvisionedThroughputExceededException(throughput), 400), expected);
    let expected = refused(ServiceError::ProvisionedThroughputExceeded("text".to_owned()));
    assert_eq!(generic("ThrottlingException"), expected);
    let limit = sdk::RequestLimitExceeded::builder().meta(metadata()).build();
    let expected = refused(ServiceError::RequestLimitExceeded("slow down".to_owned()));
    assert_eq!(answered(PutItemError::RequestLimitExceeded(limit), 400), expected);
    let conflict = sdk::TransactionConflictException::builder().meta(metadata()).build();
    let expected = refused(ServiceError::TransactionConflict("slow down".to_owned()));
    assert_eq!(answered(PutItemError::TransactionConflictException(conflict), 400), expected);
}

#[test]
fn errors_without_types_are_recognized_by_their_codes() {
    assert_eq!(generic("ValidationException"), refused(ServiceError::Validation("text".to_owned())));
    let denied = ServiceError::AccessDenied("AccessDeniedException: text".to_owned());
    assert_eq!(generic("AccessDeniedException"), refused(denied));
    let denied = ServiceError::AccessDenied("UnrecognizedClientException: text".to_owned());
    assert_eq!(generic("UnrecognizedClientException"), refused(denied));
    assert_eq!(generic("Surprise"), refused(ServiceError::Internal("Surprise: text".to_owned())));
}

/// A server that fails says nothing about what it did before.
#[test]
fn a_failure_of_the_server_leaves_the_outcome_open() {
    let error = sdk::InternalServerError::builder().meta(ErrorMetadata::builder().message("oops").build()).build();
    let failure = answered(PutItemError::InternalServerError(error), 500);
    assert_eq!(failure, Failure { error: ServiceError::Internal("oops".to_owned()), delivery: Delivery::Unknown });
    assert_eq!(failure.clone().into_read_error(), ServiceError::Internal("oops".to_owned()));
    let text = "no response arrived, and the request may have been executed: oops";
    assert_eq!(failure.into_write_error(), ServiceError::OutcomeUnknown(text.to_owned()));
}

#[test]
fn reasons_keep_their_order_and_items() {
    let reason = |code: &str| types::CancellationReason::builder().code(code);
    let item = types::AttributeValue::S("p".to_owned());
    let canceled = sdk::TransactionCanceledException::builder()
        .cancellation_reasons(reason("None").build())
        .cancellation_reasons(reason("ConditionalCheckFailed").message("no").item("pk", item).build())
        .cancellation_reasons(reason("TransactionConflict").message("busy").build())
        .cancellation_reasons(reason("ThrottlingError").message("slow").build())
        .cancellation_reasons(reason("DuplicateItem").message("twice").build())
        .build();
    let found = [("pk".to_owned(), keyfold_dynamo::AttributeValue::S("p".to_owned()))].into();
    let expected = |code, message: &str| CancellationReason { code, message: Some(message.to_owned()), item: None };
    let reasons = vec![
        CancellationReason::NONE,
        CancellationReason { item: Some(found), ..expected(CancellationCode::ConditionalCheckFailed, "no") },
        expected(CancellationCode::TransactionConflict, "busy"),
        expected(CancellationCode::ThrottlingError, "slow"),
        expected(CancellationCode::ValidationError, "DuplicateItem: twice"),
    ];
    assert_eq!(
        answered(TransactWriteItemsError::TransactionCanceledException(canceled), 400),
        refused(ServiceError::TransactionCanceled { reasons })
    );
}
