//! A lost response and what is done about it: whatever was asked for is done once, and the caller learns the truth.

use keyfold_aws::Aws;
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::operation::*;
use keyfold_dynamo::{AttributeValue, Attributes, Backend, ServiceError};

use crate::on_both_services;
use crate::proxy::{Fault, Proxy};
use crate::service::{Service, aliases, attributes, client, key, member, number, reporting, text, under};

on_both_services!(
    creating_an_item,
    creating_an_item_that_others_created,
    putting_without_a_condition,
    putting_for_the_old_item,
    deleting_under_a_condition,
    deleting_for_the_old_item,
    changing_under_a_version,
    changing_a_version_that_is_not_there_yet,
    changing_to_constants,
    counting_alone,
    counting_in_a_transaction,
    writing_a_batch,
    losing_every_response,
    a_refused_write_that_others_were_faster_at,
);

const FAULTS: [Fault; 3] = [Fault::Cut, Fault::CutInTheMiddle, Fault::ServerError];

/// The service behind a proxy, and a client that only knows the proxy. The connection is open and in use.
async fn behind(service: &Service, fault: Fault) -> (Proxy, Aws) {
    let proxy = Proxy::before(&service.url, fault).await;
    let aws = client(&proxy.url).await;
    aws.describe_table(service.table.clone()).await.unwrap();
    (proxy, aws)
}

fn put(service: &Service, item: Attributes, options: WriteOptions) -> PutItemInput {
    PutItemInput { table_name: service.table.clone(), item, options }
}

fn delete(service: &Service, id: &str, options: WriteOptions) -> DeleteItemInput {
    DeleteItemInput { table_name: service.table.clone(), key: key(id), options }
}

/// Whether the caller learned that the outcome is unknown.
fn is_unknown<T>(outcome: &Result<T, ServiceError>) -> bool {
    matches!(outcome, Err(ServiceError::OutcomeUnknown(_)))
}

async fn creating_an_item(service: Service) {
    for fault in FAULTS {
        let (proxy, aws) = behind(&service, fault).await;
        let item = member(&format!("{fault:?}"), "g", 1);
        proxy.lose(1);
        let written = aws.put_item(put(&service, item.clone(), under("attribute_not_exists(pk)", &[]))).await;
        assert_eq!(written, Ok(WriteOutput::default()), "{fault:?}");
        assert_eq!(proxy.responses(), 2, "{fault:?}");
        assert_eq!(service.stored(&format!("{fault:?}")).await, Some(item));
    }
}

/// The response that is lost says that there is another item: so does the next one.
async fn creating_an_item_that_others_created(service: Service) {
    for fault in FAULTS {
        let (proxy, aws) = behind(&service, fault).await;
        let theirs = member("a", "theirs", 1);
        service.put(theirs.clone()).await;
        let mut options = under("attribute_not_exists(pk)", &[]);
        proxy.lose(1);
        let refused = aws.put_item(put(&service, member("a", "mine", 2), options.clone())).await;
        assert_eq!(refused, Err(ServiceError::ConditionalCheckFailed { item: None }), "{fault:?}");
        options.return_old_on_failure = true;
        proxy.lose(1);
        let refused = aws.put_item(put(&service, member("a", "mine", 2), options)).await;
        assert_eq!(refused, Err(ServiceError::ConditionalCheckFailed { item: Some(theirs.clone()) }), "{fault:?}");
        assert_eq!(service.stored("a").await, Some(theirs));
    }
}

async fn putting_without_a_condition(service: Service) {
    for fault in FAULTS {
        let (proxy, aws) = behind(&service, fault).await;
        proxy.lose(2);
        aws.put_item(put(&service, member("a", "g", 1), WriteOptions::default())).await.unwrap();
        assert_eq!(proxy.responses(), 3, "{fault:?}");
        assert_eq!(service.stored("a").await, Some(member("a", "g", 1)));
    }
}

/// The old item would be the new one the second time.
async fn putting_for_the_old_item(service: Service) {
    let (proxy, aws) = behind(&service, Fault::Cut).await;
    proxy.lose(1);
    let options = WriteOptions { return_values: ReturnValues::AllOld, ..WriteOptions::default() };
    let outcome = aws.put_item(put(&service, member("a", "g", 1), options)).await;
    assert!(is_unknown(&outcome), "{outcome:?}");
    assert_eq!(proxy.responses(), 1);
    assert_eq!(service.stored("a").await, Some(member("a", "g", 1)));
}

async fn deleting_under_a_condition(service: Service) {
    for fault in FAULTS {
        let (proxy, aws) = behind(&service, fault).await;
        service.put(member("a", "g", 1)).await;
        proxy.lose(1);
        let deleted = aws.delete_item(delete(&service, "a", under("points = :one", &[(":one", number(1))]))).await;
        assert_eq!(deleted, Ok(WriteOutput::default()), "{fault:?}");
        assert_eq!(service.stored("a").await, None);
    }
}

async fn deleting_for_the_old_item(service: Service) {
    let (proxy, aws) = behind(&service, Fault::Cut).await;
    service.put(member("a", "g", 1)).await;
    proxy.lose(1);
    let mut options = under("attribute_exists(pk)", &[]);
    options.return_values = ReturnValues::AllOld;
    let outcome = aws.delete_item(delete(&service, "a", options)).await;
    assert!(is_unknown(&outcome), "{outcome:?}");
    assert_eq!(service.stored("a").await, None);
}

async fn changing_under_a_version(service: Service) {
    for fault in FAULTS {
        for (asked, expected) in [
            (
                ReturnValues::AllNew,
                Some(attributes(&[("name", text("new")), ("pk", text("a")), ("version", number(2))])),
            ),
            (ReturnValues::UpdatedNew, Some(attributes(&[("name", text("new")), ("version", number(2))]))),
            (ReturnValues::None, None),
        ] {
            let (proxy, aws) = behind(&service, fault).await;
            service
                .put(attributes(&[
                    ("pk", text("a")),
                    ("name", text("old")),
                    ("version", number(1)),
                    ("gone", text("x")),
                ]))
                .await;
            proxy.lose(1);
            let values = [(":v", number(1)), (":one", number(1)), (":name", text("new"))];
            let mut options = under("attribute_exists(pk) AND version = :v", &values);
            options.return_values = asked;
            let update = service.update("a", "SET #n = :name REMOVE gone ADD version :one", &values, options);
            let changed = aws.update_item(update).await;
            assert_eq!(changed.unwrap().attributes, expected, "{fault:?}");
            let left = attributes(&[("name", text("new")), ("pk", text("a")), ("version", number(2))]);
            assert_eq!(service.stored("a").await, Some(left));
        }
    }
}

async fn changing_a_version_that_is_not_there_yet(service: Service) {
    let (proxy, aws) = behind(&service, Fault::Cut).await;
    proxy.lose(1);
    let values = [(":one", number(1)), (":m", AttributeValue::Ss(["x".to_owned()].into()))];
    let options = under("attribute_not_exists(version)", &values);
    aws.update_item(service.update("a", "ADD version :one, members :m", &values, options)).await.unwrap();
    assert_eq!(service.stored("a").await.unwrap()["version"], number(1));
}

async fn changing_to_constants(service: Service) {
    for fault in FAULTS {
        let (proxy, aws) = behind(&service, fault).await;
        service.put(member("a", "g", 1)).await;
        proxy.lose(1);
        let mut options = under("attribute_exists(pk)", &[]);
        options.return_values = ReturnValues::AllNew;
        let update = service.update("a", "SET points = :r", &[(":r", number(7))], options);
        let changed = aws.update_item(update).await.unwrap();
        assert_eq!(changed.attributes, Some(member("a", "g", 7)), "{fault:?}");
    }
}

/// Nothing tells whether it was counted: the caller learns that, and it is counted once.
async fn counting_alone(service: Service) {
    for (count, fault) in FAULTS.into_iter().enumerate() {
        let (proxy, aws) = behind(&service, fault).await;
        proxy.lose(1);
        let update = service.update("a", "ADD visits :one", &[(":one", number(1))], reporting());
        let outcome = aws.update_item(update).await;
        assert!(is_unknown(&outcome), "{outcome:?}");
        assert_eq!(proxy.responses(), 1, "{fault:?}");
        assert_eq!(service.stored("a").await.unwrap()["visits"], number(count as i64 + 1));
    }
}

/// The token makes it count once, whether the caller gave one or not.
async fn counting_in_a_transaction(service: Service) {
    let mut counted = 0;
    for fault in FAULTS {
        for token in [None, Some(format!("{}-{fault:?}", service.table))] {
            let (proxy, aws) = behind(&service, fault).await;
            let update = aliases(&[(":one", number(1))]).update("ADD visits :one").unwrap();
            let create = TransactWrite {
                table_name: service.table.clone(),
                kind: TransactWriteKind::Put { item: member(&format!("new-{counted}"), "g", 1) },
                condition: Some(Condition::attribute_not_exists("pk")),
                return_old_on_failure: true,
            };
            let count = TransactWrite {
                kind: TransactWriteKind::Update { key: key("a"), update },
                condition: None,
                ..create.clone()
            };
            let input = TransactWriteItemsInput {
                writes: vec![create, count],
                client_request_token: token,
                ..TransactWriteItemsInput::default()
            };
            proxy.lose(3);
            aws.transact_write_items(input).await.unwrap();
            counted += 1;
            assert_eq!(proxy.responses(), 4, "{fault:?}");
            assert_eq!(service.stored("a").await.unwrap()["visits"], number(counted));
        }
    }
}

async fn writing_a_batch(service: Service) {
    let (proxy, aws) = behind(&service, Fault::Cut).await;
    service.put(member("b", "g", 1)).await;
    proxy.lose(1);
    let requests =
        vec![BatchWriteRequest::Put { item: member("a", "g", 1) }, BatchWriteRequest::Delete { key: key("b") }];
    let input =
        BatchWriteItemInput { requests: vec![(service.table.clone(), requests)], ..BatchWriteItemInput::default() };
    assert_eq!(aws.batch_write_item(input).await.unwrap().unprocessed, vec![]);
    assert_eq!((service.stored("a").await, service.stored("b").await), (Some(member("a", "g", 1)), None));
}

/// Where no attempt is answered, the caller learns so, even though the item is there.
async fn losing_every_response(service: Service) {
    let (proxy, aws) = behind(&service, Fault::Cut).await;
    proxy.lose(100);
    let outcome = aws.put_item(put(&service, member("a", "g", 1), under("attribute_not_exists(pk)", &[]))).await;
    assert!(is_unknown(&outcome), "{outcome:?}");
    assert_eq!(proxy.responses(), 6);
    assert_eq!(service.stored("a").await, Some(member("a", "g", 1)));
    let read = GetItemInput { table_name: service.table.clone(), key: key("a"), ..GetItemInput::default() };
    let refused = aws.get_item(read).await;
    assert!(matches!(refused, Err(ServiceError::Unavailable(_))), "{refused:?}");
}

/// The version in the way is not the one that this write leaves.
async fn a_refused_write_that_others_were_faster_at(service: Service) {
    let (proxy, aws) = behind(&service, Fault::Cut).await;
    let theirs = attributes(&[("pk", text("a")), ("version", number(2)), ("points", number(5))]);
    service.put(theirs.clone()).await;
    proxy.lose(1);
    let values = [(":v", number(1)), (":w", number(2)), (":r", number(9))];
    let mut options = under("version = :v", &values);
    options.return_old_on_failure = true;
    let refused = aws.update_item(service.update("a", "SET version = :w, points = :r", &values, options)).await;
    assert_eq!(refused, Err(ServiceError::ConditionalCheckFailed { item: Some(theirs) }));
}
