//! Items: what is written is read, page by page, with what it cost.

use keyfold_dynamo::expression::{Aliases, Condition, KeyCondition};
use keyfold_dynamo::operation::*;
use keyfold_dynamo::{Attributes, Backend, Item};

use crate::on_both_services;
use crate::service::{Service, aliases, attributes, key, member, number, reporting, text};

on_both_services!(
    old_and_new_items_are_answered,
    pages_of_an_index,
    segments_of_a_scan,
    batches,
    transactions_read_in_order,
    projections_and_counts,
);

fn plain(items: Vec<Item>) -> Vec<Attributes> {
    items.into_iter().map(|item| item.into_attributes().unwrap()).collect()
}

async fn old_and_new_items_are_answered(service: Service) {
    let put = |points, return_values| PutItemInput {
        table_name: service.table.clone(),
        item: member("a", "g", points),
        options: WriteOptions {
            return_values,
            return_consumed_capacity: ReturnConsumedCapacity::Total,
            ..Default::default()
        },
    };
    let first = service.aws.put_item(put(1, ReturnValues::AllOld)).await.unwrap();
    assert_eq!(first.attributes, None);
    let capacity = first.consumed_capacity.unwrap();
    assert_eq!((capacity.table_name.as_str(), capacity.total.capacity), (service.table.as_str(), 2.0));
    let second = service.aws.put_item(put(2, ReturnValues::AllOld)).await.unwrap();
    assert_eq!(second.attributes, Some(member("a", "g", 1)));
    // Each update counts on: 3, 4, 5, 6, 7.
    for (asked, expected) in [
        (ReturnValues::UpdatedOld, Some(attributes(&[("points", number(2))]))),
        (ReturnValues::UpdatedNew, Some(attributes(&[("points", number(4))]))),
        (ReturnValues::AllOld, Some(member("a", "g", 4))),
        (ReturnValues::AllNew, Some(member("a", "g", 6))),
        (ReturnValues::None, None),
    ] {
        let options = WriteOptions { return_values: asked, ..reporting() };
        let update = service.update("a", "ADD points :one", &[(":one", number(1))], options);
        let updated = service.aws.update_item(update).await.unwrap();
        assert_eq!(updated.attributes, expected, "{asked:?}");
    }
    let options = WriteOptions { return_values: ReturnValues::AllOld, ..WriteOptions::default() };
    let delete = DeleteItemInput { table_name: service.table.clone(), key: key("a"), options };
    assert_eq!(service.aws.delete_item(delete).await.unwrap().attributes, Some(member("a", "g", 7)));
    assert_eq!(service.stored("a").await, None);
}

fn by_group(service: &Service, forward: bool, start: Option<Attributes>) -> QueryInput {
    let points = Condition::between("points", number(2), number(11));
    QueryInput {
        table_name: service.table.clone(),
        key_condition: KeyCondition::partition("group", text("g")).and(points),
        forward,
        page: PageOptions {
            index_name: Some("byGroup".to_owned()),
            limit: Some(2),
            exclusive_start_key: start,
            return_consumed_capacity: ReturnConsumedCapacity::Indexes,
            ..PageOptions::default()
        },
    }
}

async fn pages_of_an_index(service: Service) {
    for points in [1, 2, 3, 10, 11, 12] {
        service.put(member(&format!("m{points}"), "g", points)).await;
    }
    let first = service.aws.query(by_group(&service, false, None)).await.unwrap();
    assert_eq!((first.count, first.scanned_count), (2, 2));
    assert_eq!(plain(first.items.unwrap()), [member("m11", "g", 11), member("m10", "g", 10)]);
    let last = first.last_evaluated_key.unwrap();
    assert_eq!(last, member("m10", "g", 10));
    let breakdown = first.consumed_capacity.unwrap().breakdown.unwrap();
    assert_eq!(breakdown.global_indexes["byGroup"].capacity, 0.5);
    let second = service.aws.query(by_group(&service, false, Some(last))).await.unwrap();
    assert_eq!(plain(second.items.unwrap()), [member("m3", "g", 3), member("m2", "g", 2)]);
    let forward = service.aws.query(by_group(&service, true, None)).await.unwrap();
    assert_eq!(plain(forward.items.unwrap()), [member("m2", "g", 2), member("m3", "g", 3)]);
}

async fn segments_of_a_scan(service: Service) {
    let ids: Vec<String> = (0..40).map(|number| format!("m{number:02}")).collect();
    for id in &ids {
        service.put(member(id, "g", 1)).await;
    }
    let mut found = Vec::new();
    for segment in 0..4 {
        let mut start = None;
        loop {
            let page = PageOptions { limit: Some(3), exclusive_start_key: start, ..PageOptions::default() };
            let input =
                ScanInput { table_name: service.table.clone(), segment: Some(segment), total_segments: Some(4), page };
            let output = service.aws.scan(input).await.unwrap();
            found.extend(plain(output.items.unwrap()).into_iter().map(|item| item["pk"].as_str().unwrap().to_owned()));
            start = output.last_evaluated_key;
            if start.is_none() {
                break;
            }
        }
    }
    found.sort();
    assert_eq!(found, ids);
}

async fn batches(service: Service) {
    let writes: Vec<BatchWriteRequest> =
        (0..25).map(|points| BatchWriteRequest::Put { item: member(&format!("m{points}"), "g", points) }).collect();
    let input = BatchWriteItemInput {
        requests: vec![(service.table.clone(), writes)],
        return_consumed_capacity: ReturnConsumedCapacity::Total,
        ..BatchWriteItemInput::default()
    };
    let written = service.aws.batch_write_item(input).await.unwrap();
    assert_eq!(written.unprocessed, vec![]);
    assert_eq!(written.consumed_capacity[0].total.capacity, 50.0);
    let wanted = KeysAndAttributes {
        keys: vec![key("m3"), key("nowhere"), key("m24")],
        consistent_read: true,
        projection: Some(aliases(&[]).projection("pk, points").unwrap()),
    };
    let input = BatchGetItemInput { requests: vec![(service.table.clone(), wanted)], ..BatchGetItemInput::default() };
    let mut output = service.aws.batch_get_item(input).await.unwrap();
    assert_eq!(output.unprocessed, vec![]);
    let mut found = plain(output.responses.remove(&service.table).unwrap());
    found.sort_by_key(|item| item["pk"].as_str().unwrap().to_owned());
    let of = |id: &str, points| attributes(&[("pk", text(id)), ("points", number(points))]);
    assert_eq!(found, [of("m24", 24), of("m3", 3)]);
}

async fn transactions_read_in_order(service: Service) {
    service.put(member("a", "g", 1)).await;
    service.put(member("b", "g", 2)).await;
    let get = |id: &str| TransactGet { table_name: service.table.clone(), key: key(id), ..TransactGet::default() };
    let input = TransactGetItemsInput {
        gets: vec![get("b"), get("nowhere"), get("a")],
        return_consumed_capacity: ReturnConsumedCapacity::Total,
    };
    let output = service.aws.transact_get_items(input).await.unwrap();
    let found: Vec<Option<Attributes>> =
        output.items.into_iter().map(|item| item.map(|item| item.into_attributes().unwrap())).collect();
    assert_eq!(found, [Some(member("b", "g", 2)), None, Some(member("a", "g", 1))]);
    assert_eq!(output.consumed_capacity[0].total.capacity, 6.0);
}

async fn projections_and_counts(service: Service) {
    for points in 0..5 {
        service.put(member(&format!("m{points}"), "g", points)).await;
    }
    let mut counting = by_group(&service, true, None);
    counting.page.select = Some(Select::Count);
    counting.page.limit = None;
    counting.page.filter = Some(Condition::not_equals("points", number(3)));
    // A key attribute cannot be filtered on: the service says so.
    assert!(service.aws.query(counting.clone()).await.is_err());
    counting.page.filter = Some(Condition::not_equals("pk", text("m3")));
    let counted = service.aws.query(counting).await.unwrap();
    assert_eq!((counted.items, counted.count, counted.scanned_count), (None, 2, 3));
    let names = Some([("#g".to_owned(), "group".to_owned())].into());
    let grouped = Aliases { names, values: None }.projection("#g").unwrap();
    let get = GetItemInput {
        table_name: service.table.clone(),
        key: key("m1"),
        projection: Some(grouped),
        return_consumed_capacity: ReturnConsumedCapacity::Total,
        ..GetItemInput::default()
    };
    let found = service.aws.get_item(get).await.unwrap();
    assert_eq!(found.item.unwrap(), attributes(&[("group", text("g"))]));
    assert_eq!(found.consumed_capacity.unwrap().total.capacity, 0.5);
}
