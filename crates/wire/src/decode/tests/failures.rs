//! The texts of refusals, and their order.

use super::{decode, refusal, unreadable};
use crate::{Failure, decode_request};

fn one(path_and_rule: &str) -> String {
    format!("1 validation error detected: {path_and_rule}")
}

fn null(path: &str) -> String {
    format!("Value null at '{path}' failed to satisfy constraint: Member must not be null")
}

#[test]
fn unknown_operations() {
    for target in [
        "",
        "GetItem",
        "DynamoDB_20120810",
        "DynamoDB_20120810.",
        "DynamoDB_20120810.getitem",
        "DynamoDB_20120810.GetItem ",
        "DynamoDB_20111205.GetItem",
        "DynamoDB_20120810.ExecuteStatement",
    ] {
        assert_eq!(decode_request(target, b"{}"), Err(Failure::UnknownOperation), "{target}");
    }
}

#[test]
fn bodies_that_are_not_json() {
    for body in ["", " ", "{", "}", "null", "hello", "{} x", "{'a':1}", r#"{"TableName":"table""#, "\u{0}"] {
        assert_eq!(unreadable("GetItem", body), None, "{body}");
    }
    assert_eq!(decode_request("DynamoDB_20120810.ListTables", b"{\"a\":\"\xff\"}"), Err(Failure::Serialization(None)));
}

#[test]
fn bodies_and_members_of_the_wrong_type() {
    for (operation, body, text) in [
        ("GetItem", "1", "Unexpected value type in payload"),
        ("GetItem", "[]", "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.GetItemInput"),
        ("GetItem", r#"{"TableName":1}"#, "NUMBER_VALUE cannot be converted to String"),
        ("GetItem", r#"{"TableName":-1.5}"#, "DECIMAL_VALUE cannot be converted to String"),
        ("GetItem", r#"{"TableName":false}"#, "FALSE_VALUE cannot be converted to String"),
        ("GetItem", r#"{"Key":"a"}"#, "Unexpected field type"),
        ("GetItem", r#"{"ConsistentRead":"maybe"}"#, "Unexpected token received from parser"),
        (
            "GetItem",
            r#"{"ExpressionAttributeNames":[]}"#,
            "Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>",
        ),
        ("Scan", r#"{"Limit":"5"}"#, "STRING_VALUE cannot be converted to Integer"),
        ("Scan", r#"{"Limit":true}"#, "TRUE_VALUE cannot be converted to Integer"),
        ("Scan", r#"{"Limit":[]}"#, "Unrecognized collection type class java.lang.Integer"),
        ("Scan", r#"{"Limit":{}}"#, "Start of structure or map found where not expected"),
        ("BatchGetItem", r#"{"RequestItems":{"t":1}}"#, "Unexpected value type in payload"),
        (
            "BatchGetItem",
            r#"{"RequestItems":[]}"#,
            "Unrecognized collection type java.util.Map<java.lang.String, \
            com.amazonaws.dynamodb.v20120810.KeysAndAttributes>",
        ),
        ("TransactWriteItems", r#"{"TransactItems":{}}"#, "Start of structure or map found where not expected"),
        ("TransactWriteItems", r#"{"TransactItems":[{"Put":1}]}"#, "Unexpected field type"),
        (
            "CreateTable",
            r#"{"ProvisionedThroughput":{"ReadCapacityUnits":"1"}}"#,
            "STRING_VALUE cannot be converted to Long",
        ),
        // Unreadable members are reported before missing ones.
        ("PutItem", r#"{"Item":{"a":{"S":{}}}}"#, "Start of structure or map found where not expected"),
    ] {
        assert_eq!(unreadable(operation, body).as_deref(), Some(text), "{operation} {body}");
    }
}

#[test]
fn members_that_are_missing() {
    for operation in
        ["DeleteTable", "DescribeTable", "UpdateTable", "CreateTable", "Query", "Scan", "DescribeTimeToLive"]
    {
        assert_eq!(refusal(operation, "{}"), one(&null("tableName")), "{operation}");
    }
    for operation in ["GetItem", "UpdateItem", "DeleteItem"] {
        let text = format!("2 validation errors detected: {}; {}", null("tableName"), null("key"));
        assert_eq!(refusal(operation, "{}"), text);
        assert_eq!(refusal(operation, r#"{"TableName":"table"}"#), one(&null("key")));
    }
    assert_eq!(refusal("PutItem", r#"{"TableName":"table"}"#), one(&null("item")));
    for operation in ["BatchGetItem", "BatchWriteItem"] {
        assert_eq!(refusal(operation, "{}"), one(&null("requestItems")));
    }
    for operation in ["TransactGetItems", "TransactWriteItems"] {
        assert_eq!(refusal(operation, "{}"), one(&null("transactItems")));
    }
    assert_eq!(refusal("TagResource", r#"{"ResourceArn":"arn"}"#), one(&null("tags")));
    assert_eq!(refusal("UntagResource", r#"{"ResourceArn":"arn"}"#), one(&null("tagKeys")));
    assert_eq!(refusal("ListTagsOfResource", "{}"), one(&null("resourceArn")));
    assert_eq!(
        refusal("UpdateTimeToLive", r#"{"TableName":"table","TimeToLiveSpecification":{}}"#),
        format!(
            "2 validation errors detected: {}; {}",
            null("timeToLiveSpecification.enabled"),
            null("timeToLiveSpecification.attributeName")
        )
    );
}

#[test]
fn values_outside_their_sets_and_ranges() {
    let cases = [
        (
            "GetItem",
            r#""Key":{},"ReturnConsumedCapacity":"x""#,
            "Value 'x' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: \
             [INDEXES, TOTAL, NONE]",
        ),
        (
            "PutItem",
            r#""Item":{},"ReturnValues":"x""#,
            "Value 'x' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [ALL_NEW, \
             UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]",
        ),
        (
            "PutItem",
            r#""Item":{},"ReturnItemCollectionMetrics":"x""#,
            "Value 'x' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum value \
             set: [SIZE, NONE]",
        ),
        (
            "PutItem",
            r#""Item":{},"ReturnValuesOnConditionCheckFailure":"X""#,
            "Value 'X' at 'returnValuesOnConditionCheckFailure' failed to satisfy constraint: Member must satisfy \
             enum value set: [ALL_OLD, NONE]",
        ),
        (
            "Query",
            r#""Select":"x""#,
            "Value 'x' at 'select' failed to satisfy constraint: Member must satisfy enum value set: \
             [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]",
        ),
        (
            "Query",
            r#""Limit":0"#,
            "Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
        ),
        (
            "Query",
            r#""IndexName":"a""#,
            "Value 'a' at 'indexName' failed to satisfy constraint: Member must have length greater than or equal to 3",
        ),
        (
            "Query",
            r#""IndexName":"a b""#,
            "Value 'a b' at 'indexName' failed to satisfy constraint: Member must satisfy regular expression pattern: \
             [a-zA-Z0-9_.-]+",
        ),
        (
            "Scan",
            r#""TotalSegments":1000001"#,
            "Value '1000001' at 'totalSegments' failed to satisfy constraint: Member must have value less than or \
             equal to 1000000",
        ),
        (
            "Scan",
            r#""Segment":-1"#,
            "Value '-1' at 'segment' failed to satisfy constraint: Member must have value greater than or equal to 0",
        ),
        (
            "CreateTable",
            r#""BillingMode":"x""#,
            "Value 'x' at 'billingMode' failed to satisfy constraint: Member must satisfy enum value set: \
             [PROVISIONED, PAY_PER_REQUEST]",
        ),
        (
            "CreateTable",
            r#""AttributeDefinitions":[{"AttributeName":"a","AttributeType":"X"}]"#,
            "Value 'X' at 'attributeDefinitions.1.member.attributeType' failed to satisfy constraint: Member must \
             satisfy enum value set: [B, N, S]",
        ),
        (
            "CreateTable",
            r#""KeySchema":[]"#,
            "Value '[]' at 'keySchema' failed to satisfy constraint: Member must have length greater than or equal \
             to 1",
        ),
        (
            "CreateTable",
            r#""KeySchema":[{"AttributeName":"a","KeyType":"SORT"}]"#,
            "Value 'SORT' at 'keySchema.1.member.keyType' failed to satisfy constraint: Member must satisfy enum \
             value set: [HASH, RANGE]",
        ),
        (
            "CreateTable",
            r#""ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":1}"#,
            "Value '0' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must have \
             value greater than or equal to 1",
        ),
        (
            "CreateTable",
            r#""GlobalSecondaryIndexes":[{"IndexName":"abc","KeySchema":[{"AttributeName":"a",
            "KeyType":"HASH"}],"Projection":{"ProjectionType":"SOME"}}]"#,
            "Value 'SOME' at 'globalSecondaryIndexes.1.member.projection.projectionType' failed to satisfy \
             constraint: Member must satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]",
        ),
        (
            "UpdateTable",
            r#""GlobalSecondaryIndexUpdates":[{"Delete":{}}]"#,
            "Value null at 'globalSecondaryIndexUpdates.1.member.delete.indexName' failed to satisfy constraint: \
             Member must not be null",
        ),
    ];
    for (operation, members, text) in cases {
        let body = format!(r#"{{"TableName":"table",{members}}}"#);
        assert_eq!(refusal(operation, &body), one(text), "{operation} {members}");
    }
    assert_eq!(
        refusal("ListTables", r#"{"Limit":101,"ExclusiveStartTableName":"a"}"#),
        "2 validation errors detected: Value 'a' at 'exclusiveStartTableName' failed to satisfy constraint: Member \
         must have length greater than or equal to 3; Value '101' at 'limit' failed to satisfy constraint: Member \
         must have value less than or equal to 100"
    );
}

#[test]
fn at_most_ten_breaches_are_reported() {
    let definitions = ["{}"; 8].join(",");
    let text = refusal("CreateTable", &format!(r#"{{"AttributeDefinitions":[{definitions}]}}"#));
    assert!(text.starts_with("10 validation errors detected: "), "{text}");
    assert_eq!(text.matches("failed to satisfy constraint").count(), 10);
}

#[test]
fn names_of_tables() {
    const INVALID: &str = "Invalid table/index name.  Table/index names must be between 3 and 255 characters long, and \
                           may contain only the characters a-z, A-Z, 0-9, '_', '-', and '.'";
    let describe = |name: &str| refusal("DescribeTable", &format!(r#"{{"TableName":"{name}"}}"#));
    assert_eq!(
        describe(""),
        one("Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1")
    );
    assert!(describe(&"a".repeat(1025)).ends_with("Member must have length less than or equal to 1024"));
    for name in [
        "a",
        "ab",
        "a b",
        "a/b",
        "tablé",
        &"a".repeat(256),
        "arn:aws:dynamodb:us-east-1:000000000000:table/w",
        "arn:aws:dynamodb:us-east-1:000000000000:table/wire/index/x",
    ] {
        assert_eq!(describe(name), INVALID, "{name}");
    }
    assert!(describe("arn:aws:foo").starts_with("Valid ARN format is 'arn:<awsPartition>"));
    decode("DescribeTable", &format!(r#"{{"TableName":"{}"}}"#, "a".repeat(255))).unwrap();
}

#[test]
fn sizes_of_batches() {
    let keys =
        |count: usize| (0..count).map(|index| format!(r#"{{"p":{{"S":"{index}"}}}}"#)).collect::<Vec<_>>().join(",");
    let get = |tables: &str| refusal("BatchGetItem", &format!(r#"{{"RequestItems":{tables}}}"#));
    assert_eq!(
        get("{}"),
        one(
            "Value '{}' at 'requestItems' failed to satisfy constraint: Member must have length greater than or equal to 1"
        )
    );
    assert_eq!(get(r#"{"table":{}}"#), one(&null("requestItems.table.member.keys")));
    assert_eq!(
        get(r#"{"table":{"Keys":[]}}"#),
        one("Value '[]' at 'requestItems.table.member.keys' failed to satisfy constraint: Member must have length \
             greater than or equal to 1")
    );
    assert!(get(&format!(r#"{{"table":{{"Keys":[{}]}}}}"#, keys(101))).ends_with(
        "at 'requestItems.table.member.keys' failed to satisfy constraint: Member must have length less than or equal \
         to 100"
    ));
    assert_eq!(
        get(&format!(r#"{{"one":{{"Keys":[{}]}},"two":{{"Keys":[{}]}}}}"#, keys(60), keys(60))),
        "Too many items requested for the BatchGetItem call"
    );
    let puts = |count: usize| {
        let put = r#"{"PutRequest":{"Item":{"p":{"S":"a"}}}}"#;
        vec![put; count].join(",")
    };
    let write = |tables: &str| refusal("BatchWriteItem", &format!(r#"{{"RequestItems":{tables}}}"#));
    assert_eq!(
        write(r#"{"table":[]}"#),
        one("Value '{table=[]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: \
             [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]")
    );
    assert!(write(&format!(r#"{{"table":[{}]}}"#, puts(26))).ends_with(
        "at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length \
         less than or equal to 25, Member must have length greater than or equal to 1]"
    ));
    assert_eq!(
        write(&format!(r#"{{"one":[{}],"two":[{}]}}"#, puts(20), puts(20))),
        "Too many items requested for the BatchWriteItem call"
    );
    assert_eq!(
        write(r#"{"table":[{"PutRequest":{}},{"DeleteRequest":{}}]}"#),
        format!(
            "2 validation errors detected: {}; {}",
            null("requestItems.table.member.1.member.putRequest.item"),
            null("requestItems.table.member.2.member.deleteRequest.key")
        )
    );
    assert_eq!(write(r#"{"table":[null]}"#), "The batch write request list for a table cannot be null or empty");
    for request in ["{}", r#"{"PutRequest":{"Item":{}},"DeleteRequest":{"Key":{}}}"#] {
        assert_eq!(
            write(&format!(r#"{{"table":[{request}]}}"#)),
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
        );
    }
}

#[test]
fn sizes_and_parts_of_transactions() {
    let write = |items: &str| refusal("TransactWriteItems", &format!(r#"{{"TransactItems":[{items}]}}"#));
    assert_eq!(
        write(""),
        one(
            "Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1"
        )
    );
    let delete = r#"{"Delete":{"TableName":"table","Key":{}}}"#;
    assert!(write(&vec![delete; 101].join(",")).ends_with(
        "at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100"
    ));
    assert_eq!(
        write(r#"{"Put":{}}"#),
        format!(
            "2 validation errors detected: {}; {}",
            null("transactItems.1.member.put.tableName"),
            null("transactItems.1.member.put.item")
        )
    );
    assert_eq!(
        write(r#"{"Update":{"TableName":"table","Key":{}}}"#),
        one(&null("transactItems.1.member.update.updateExpression"))
    );
    assert_eq!(
        write(r#"{"ConditionCheck":{"TableName":"table","Key":{}}}"#),
        one(&null("transactItems.1.member.conditionCheck.conditionExpression"))
    );
    assert_eq!(write("{}"), "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request");
    assert_eq!(
        write(r#"{"Delete":{"TableName":"table","Key":{}},"Put":{"TableName":"table","Item":{}}}"#),
        "TransactItems can only contain one of Check, Put, Update or Delete"
    );
    assert_eq!(
        refusal(
            "TransactWriteItems",
            &format!(r#"{{"TransactItems":[{delete}],"ClientRequestToken":"{}"}}"#, "a".repeat(37))
        ),
        one(&format!(
            "Value '{}' at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or \
             equal to 36",
            "a".repeat(37)
        ))
    );
    assert_eq!(refusal("TransactGetItems", r#"{"TransactItems":[{}]}"#), one(&null("transactItems.1.member.get")));
}

#[test]
fn legacy_parameters_are_refused_and_not_ignored() {
    for (operation, members, parameter, instead) in [
        ("GetItem", r#""Key":{},"AttributesToGet":["a"]"#, "AttributesToGet", "ProjectionExpression"),
        ("PutItem", r#""Item":{},"Expected":{}"#, "Expected", "ConditionExpression"),
        ("DeleteItem", r#""Key":{},"ConditionalOperator":"AND""#, "ConditionalOperator", "AND and OR in an expression"),
        ("UpdateItem", r#""Key":{},"AttributeUpdates":{"a":{"Action":"PUT"}}"#, "AttributeUpdates", "UpdateExpression"),
        ("Query", r#""KeyConditions":{}"#, "KeyConditions", "KeyConditionExpression"),
        ("Query", r#""QueryFilter":{}"#, "QueryFilter", "FilterExpression"),
        ("Scan", r#""ScanFilter":{}"#, "ScanFilter", "FilterExpression"),
    ] {
        assert_eq!(
            refusal(operation, &format!(r#"{{"TableName":"table",{members}}}"#)),
            format!("The legacy parameter {parameter} is not supported by this server; use {instead} instead")
        );
    }
    assert_eq!(
        refusal("BatchGetItem", r#"{"RequestItems":{"table":{"Keys":[{}],"AttributesToGet":["a"]}}}"#),
        "The legacy parameter AttributesToGet is not supported by this server; use ProjectionExpression instead"
    );
}

#[test]
fn features_that_are_not_there_are_refused() {
    for (members, feature) in [
        (r#""StreamSpecification":{"StreamEnabled":true}"#, "StreamSpecification with StreamEnabled"),
        (r#""SSESpecification":{"Enabled":true}"#, "SSESpecification with Enabled"),
        (r#""ReplicaUpdates":[{}]"#, "ReplicaUpdates (global tables)"),
        (r#""ResourcePolicy":"{}""#, "ResourcePolicy"),
    ] {
        for operation in ["CreateTable", "UpdateTable"] {
            let body = format!(r#"{{"TableName":"table",{members}}}"#);
            assert_eq!(refusal(operation, &body), format!("{feature} is not supported by this server"));
        }
    }
}

#[test]
fn index_updates_are_exactly_one_thing() {
    let update = |members: &str| {
        refusal("UpdateTable", &format!(r#"{{"TableName":"table","GlobalSecondaryIndexUpdates":[{members}]}}"#))
    };
    assert_eq!(update("{}"), "Update global secondary index action is null");
    assert_eq!(
        update(r#"{"Delete":{"IndexName":"abc"},"Update":{"IndexName":"abc"}}"#),
        "One or more parameter values were invalid: Only one global secondary index update per index is allowed \
         simultaneously."
    );
}

#[test]
fn aliases_are_looked_at_before_their_values() {
    let put = |rest: &str| refusal("PutItem", &format!(r#"{{"TableName":"table","Item":{{"p":{{"S":"a"}}}},{rest}}}"#));
    const NO_EXPRESSION: &str =
        "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null";
    assert_eq!(put(r#""ExpressionAttributeValues":{":v":{}}"#), NO_EXPRESSION);
    assert_eq!(
        put(r#""ConditionExpression":"(","ExpressionAttributeValues":{"v":{"S":"a"},":v":{}}"#),
        r#"ExpressionAttributeValues contains invalid key: Syntax error; key: "v""#
    );
    assert_eq!(
        put(r#""ConditionExpression":"(","ExpressionAttributeValues":{":v":{}}"#),
        "ExpressionAttributeValues contains invalid value: Supplied AttributeValue is empty, must contain exactly one of \
         the supported datatypes for key :v"
    );
    assert_eq!(
        put(r##""ConditionExpression":"#n = :v","ExpressionAttributeNames":{"#n":null},
            "ExpressionAttributeValues":{":v":{"S":"a"}}"##),
        "ExpressionAttributeNames contains invalid value: null for key #n"
    );
    // Aliases without an expression come before the attributes, aliases with one after them.
    let bad_item = |rest: &str| refusal("PutItem", &format!(r#"{{"TableName":"table","Item":{{"v":{{}}}},{rest}}}"#));
    const EMPTY: &str = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
    assert_eq!(bad_item(r#""ExpressionAttributeValues":{":v":{}}"#), NO_EXPRESSION);
    assert_eq!(bad_item(r#""ConditionExpression":"(","ExpressionAttributeValues":{":v":{}}"#), EMPTY);
    assert_eq!(
        refusal("Query", r#"{"TableName":"table","ExclusiveStartKey":{"p":{}},"ExpressionAttributeValues":{":v":{}}}"#),
        "ExpressionAttributeValues can only be specified when using expressions: FilterExpression and \
         KeyConditionExpression are null"
    );
    assert_eq!(
        refusal("UpdateItem", r#"{"TableName":"table","Key":{},"ExpressionAttributeValues":{":v":{}}}"#),
        "ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and \
         ConditionExpression are null"
    );
    assert_eq!(
        refusal("GetItem", r##"{"TableName":"table","Key":{"p":{}},"ExpressionAttributeNames":{"#n":"n"}}"##),
        "ExpressionAttributeNames can only be specified when using expressions"
    );
}

#[test]
fn constraints_come_before_the_name_of_the_table_and_that_before_values() {
    let body = |name: &str, extra: &str| format!(r#"{{"TableName":"{name}","Item":{{"v":{{}}}}{extra}}}"#);
    assert!(refusal("PutItem", &body("a b", r#","ReturnValues":"x""#)).starts_with("1 validation error detected"));
    assert!(refusal("PutItem", &body("a b", r#","Expected":{}"#)).starts_with("Invalid table/index name."));
    assert!(refusal("PutItem", &body("table", r#","Expected":{}"#)).starts_with("The legacy parameter Expected"));
    assert!(refusal("PutItem", &body("table", r#","ReturnValues":"ALL_NEW""#)).starts_with("Supplied AttributeValue"));
    assert_eq!(
        refusal("PutItem", r#"{"TableName":"table","Item":{},"ReturnValues":"ALL_NEW"}"#),
        "ReturnValues can only be ALL_OLD or NONE"
    );
}
