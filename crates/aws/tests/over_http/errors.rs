//! The service's errors come back as they are.

use keyfold_aws::{Aws, Capabilities, Options};
use keyfold_dynamo::error::{CancellationCode, CancellationReason};
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::operation::*;
use keyfold_dynamo::{Backend, ServiceError};

use crate::on_both_services;
use crate::service::{Service, aliases, client, key, member, number, reporting, table_input, under};

on_both_services!(
    a_failed_condition_shows_the_item_if_asked,
    a_cancelled_transaction_tells_its_reasons_in_order,
    a_token_for_another_transaction_is_refused,
    invalid_requests_are_reported,
    a_table_that_is_not_there,
    a_table_that_is_there_already,
);

async fn a_failed_condition_shows_the_item_if_asked(service: Service) {
    service.put(member("a", "g", 1)).await;
    let mut options = under("points > :r", &[(":r", number(5))]);
    let refused = service.aws.update_item(service.update("a", "REMOVE points", &[], options.clone())).await;
    assert_eq!(refused, Err(ServiceError::ConditionalCheckFailed { item: None }));
    options.return_old_on_failure = true;
    let refused = service.aws.update_item(service.update("a", "REMOVE points", &[], options)).await;
    assert_eq!(refused, Err(ServiceError::ConditionalCheckFailed { item: Some(member("a", "g", 1)) }));
}

fn action(service: &Service, kind: TransactWriteKind, condition: Option<&str>) -> TransactWrite {
    TransactWrite {
        table_name: service.table.clone(),
        kind,
        condition: condition.map(|text| aliases(&[]).condition(text).unwrap()),
        return_old_on_failure: true,
    }
}

async fn a_cancelled_transaction_tells_its_reasons_in_order(service: Service) {
    service.put(member("there", "g", 1)).await;
    let writes = vec![
        action(&service, TransactWriteKind::Put { item: member("new", "g", 2) }, None),
        action(&service, TransactWriteKind::Put { item: member("there", "h", 2) }, Some("attribute_not_exists(pk)")),
        action(&service, TransactWriteKind::ConditionCheck { key: key("nowhere") }, Some("attribute_exists(pk)")),
        action(&service, TransactWriteKind::Delete { key: key("other") }, None),
    ];
    let refused = service.aws.transact_write_items(TransactWriteItemsInput { writes, ..Default::default() }).await;
    let Err(ServiceError::TransactionCanceled { reasons }) = refused else { panic!("{refused:?}") };
    // DynamoDB Local ends the text of a failed check with a dot.
    let without_dot = |reason: CancellationReason| CancellationReason {
        message: reason.message.map(|text| text.trim_end_matches('.').to_owned()),
        ..reason
    };
    let expected = [
        CancellationReason::NONE,
        CancellationReason::condition_failed(Some(member("there", "g", 1))),
        CancellationReason::condition_failed(None),
        CancellationReason::NONE,
    ];
    assert_eq!(reasons.into_iter().map(without_dot).collect::<Vec<_>>(), expected);
    assert_eq!(service.stored("new").await, None);
}

async fn a_token_for_another_transaction_is_refused(service: Service) {
    let input = |id: &str| TransactWriteItemsInput {
        writes: vec![action(&service, TransactWriteKind::Put { item: member(id, "g", 1) }, None)],
        client_request_token: Some(format!("token of {}", service.table).chars().take(36).collect()),
        ..TransactWriteItemsInput::default()
    };
    service.aws.transact_write_items(input("a")).await.unwrap();
    service.aws.transact_write_items(input("a")).await.unwrap();
    let refused = service.aws.transact_write_items(input("b")).await;
    assert!(matches!(refused, Err(ServiceError::IdempotentParameterMismatch(_))), "{refused:?}");
}

async fn invalid_requests_are_reported(service: Service) {
    let mut options = reporting();
    options.condition = Some(Condition::between("points", number(2), number(1)));
    let reversed = service.update("a", "REMOVE points", &[], options);
    let text = "Invalid ConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to \
                lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}";
    assert_eq!(service.aws.update_item(reversed).await, Err(ServiceError::Validation(text.to_owned())));
    let wrong = service.update("a", "SET points = :r", &[(":r", crate::service::text("one"))], reporting());
    let refused = service.aws.update_item(wrong).await;
    assert!(matches!(refused, Err(ServiceError::Validation(_))), "{refused:?}");
    // In a transaction it is the reason of its action.
    let update = aliases(&[(":r", crate::service::text("one"))]).update("SET points = :r").unwrap();
    let update = action(&service, TransactWriteKind::Update { key: key("a"), update }, None);
    let input = TransactWriteItemsInput { writes: vec![update], ..TransactWriteItemsInput::default() };
    let Err(ServiceError::TransactionCanceled { reasons }) = service.aws.transact_write_items(input).await else {
        panic!("the transaction was not cancelled");
    };
    assert_eq!(reasons.iter().map(|reason| reason.code).collect::<Vec<_>>(), [CancellationCode::ValidationError]);
    assert!(reasons[0].message.as_ref().unwrap().contains("mismatch"), "{reasons:?}");
}

async fn a_table_that_is_not_there(service: Service) {
    let read = GetItemInput { table_name: "nowhere".to_owned(), key: key("a"), ..GetItemInput::default() };
    let refused = service.aws.get_item(read).await;
    assert!(matches!(refused, Err(ServiceError::ResourceNotFound(_))), "{refused:?}");
    let refused = service.aws.describe_continuous_backups("nowhere".to_owned()).await;
    if service.engine.is_some() {
        assert!(matches!(refused, Err(ServiceError::TableNotFound(_))), "{refused:?}");
    }
}

async fn a_table_that_is_there_already(service: Service) {
    let refused = service.aws.create_table(table_input(&service.table)).await;
    assert!(matches!(refused, Err(ServiceError::ResourceInUse(_))), "{refused:?}");
}

/// Nobody listens there: it is known that nothing was done. A port that was just freed may be given to another test.
#[tokio::test]
async fn a_service_that_cannot_be_reached() {
    let aws = client("http://127.0.0.1:1").await;
    let put = PutItemInput { table_name: "t".to_owned(), item: key("a"), ..PutItemInput::default() };
    let count = UpdateItemInput {
        table_name: "t".to_owned(),
        key: key("a"),
        update: Some(aliases(&[(":one", number(1))]).update("ADD visits :one").unwrap()),
        options: reporting(),
    };
    let outcomes = [aws.put_item(put).await, aws.update_item(count).await];
    for outcome in outcomes {
        let Err(ServiceError::Unavailable(text)) = outcome else { panic!("{outcome:?}") };
        assert!(text.contains("Connection refused"), "{text}");
    }
}

#[tokio::test]
async fn alternator_is_not_asked_for_transactions() {
    let endpoint = Some("http://127.0.0.1:1".to_owned());
    let aws = Aws::connect(Options { endpoint, capabilities: Capabilities::ALTERNATOR }).await;
    let refusal = ServiceError::Validation("Alternator has no transactions".to_owned());
    assert_eq!(aws.transact_write_items(TransactWriteItemsInput::default()).await, Err(refusal.clone()));
    assert_eq!(aws.transact_get_items(TransactGetItemsInput::default()).await, Err(refusal));
}
