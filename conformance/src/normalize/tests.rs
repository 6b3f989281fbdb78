use super::*;

fn response(status: u16, body: Value) -> Response {
    let raw_body = body.to_string().into_bytes();
    let crc = crc32fast::hash(&raw_body).to_string();
    Response { status, body, headers: vec![("x-amz-crc32".to_owned(), crc)], raw_body }
}

fn body_of(operation: &str, body: Value) -> Value {
    normalize(operation, &response(200, body)).get("body").cloned().unwrap()
}

#[test]
fn sets_are_unordered_and_lists_are_not() {
    let left = body_of("GetItem", json!({"Item": {"a": {"NS": ["2", "1"]}, "l": {"L": [{"S": "b"}, {"S": "a"}]}}}));
    assert_eq!(left, json!({"Item": {"a": {"NS": ["1", "2"]}, "l": {"L": [{"S": "b"}, {"S": "a"}]}}}));
}

#[test]
fn a_capacity_is_a_number_however_it_is_spelt() {
    let one = body_of("GetItem", json!({"ConsumedCapacity": {"CapacityUnits": 1}}));
    assert_eq!(one, body_of("GetItem", json!({"ConsumedCapacity": {"CapacityUnits": 1.0}})));
    assert_ne!(one, body_of("GetItem", json!({"ConsumedCapacity": {"CapacityUnits": 0.5}})));
}

#[test]
fn how_a_number_is_written_does_not_move_its_item() {
    let item = |n: &str, name: &str| json!({"a": {"N": n}, "b": {"S": name}});
    let batch = |items: [Value; 2]| body_of("BatchGetItem", json!({"Responses": {"$t": items}}));
    let names = |body: Value| -> Vec<Value> {
        body["Responses"]["$t"].as_array().unwrap().iter().map(|item| item["b"]["S"].clone()).collect()
    };
    assert_eq!(names(batch([item("0.00", "first"), item("0", "second")])), ["first", "second"]);
    assert_eq!(names(batch([item("0", "first"), item("0", "second")])), ["first", "second"]);
}

#[test]
fn what_every_table_has_of_its_own_is_masked() {
    let table =
        |id: &str, status: &str| json!({"Table": {"TableId": id, "TableStatus": status, "KeySchema": ["b", "a"]}});
    assert_eq!(body_of("DescribeTable", table("1", "ACTIVE")), body_of("DescribeTable", table("2", "ACTIVE")));
    assert_ne!(body_of("DescribeTable", table("1", "ACTIVE")), body_of("DescribeTable", table("1", "CREATING")));
    assert_eq!(body_of("CreateTable", table("1", "ACTIVE")), body_of("CreateTable", table("1", "CREATING")));
}

#[test]
fn only_own_tables_are_listed() {
    let listed = body_of("ListTables", json!({"TableNames": ["$a", "other"], "LastEvaluatedTableName": "other"}));
    assert_eq!(listed, json!({"TableNames": ["$a"], "LastEvaluatedTableName": "<another user's table>"}));
}

#[test]
fn errors_lose_their_namespace_and_keep_their_details() {
    let error =
        response(400, json!({"__type": "com.amazonaws#E", "Message": "m", "CancellationReasons": [{"Code": "None"}]}));
    assert_eq!(
        normalize("PutItem", &error),
        json!({
            "status": 400,
            "body": {"__type": "E", "message": "m", "CancellationReasons": [{"Code": "None"}]},
            "protocol": {"content-type": null, "x-amz-crc32": "matches the body", "x-amzn-requestid": null},
        })
    );
}

#[test]
fn a_wrong_checksum_shows() {
    let mut wrong = response(200, json!({}));
    wrong.headers = vec![("x-amz-crc32".to_owned(), "1".to_owned())];
    let protocol = normalize("PutItem", &wrong).get("protocol").cloned().unwrap();
    assert_eq!(protocol.get("x-amz-crc32"), Some(&json!("1 instead of 2745614147")));
}

#[test]
fn only_ties_lose_their_order() {
    let mut items = vec![json!({"k": 2, "x": "b"}), json!({"k": 2, "x": "a"}), json!({"k": 1, "x": "c"})];
    sort_ties(&mut items, Some("k"));
    assert_eq!(items, [json!({"k": 2, "x": "a"}), json!({"k": 2, "x": "b"}), json!({"k": 1, "x": "c"})]);
    sort_ties(&mut items, None);
    assert_eq!(items, [json!({"k": 1, "x": "c"}), json!({"k": 2, "x": "a"}), json!({"k": 2, "x": "b"})]);
}

#[test]
fn pages_are_summed() {
    let page = |count: u64, items: Value| response(200, json!({"Count": count, "ScannedCount": 2, "Items": items}));
    let pages = [page(2, json!([])), page(1, json!([]))];
    let merged = merge_pages(&pages, vec![json!("b"), json!("a")], Order::None, true);
    assert_eq!(
        merged.body,
        json!({"Count": 3, "ScannedCount": 4, "Items": ["a", "b"], "ScannedCount of each page": [2, 2]})
    );
}
