"""Tables from creation to deletion: descriptions, waiters, listings, index changes, protection."""

import datetime
import re
import time

import pytest
from botocore.exceptions import ClientError, WaiterError

import platform_seed

QUICK = {"Delay": 1, "MaxAttempts": 30}
# DynamoDB Local has one text for both planes; AWS has one for items and a longer one for tables.
MISSING_TABLE = re.compile(
    r"^(Cannot do operations on a non-existent table" r"|Requested resource not found(: Table: \S+ not found)?)$"
)


def index_named(description: dict, name: str) -> dict | None:
    return next((index for index in description.get("GlobalSecondaryIndexes", []) if index["IndexName"] == name), None)


def wait_for_index(client, table_name: str, index_name: str, wanted: str | None) -> None:
    """boto3 has no waiter for an index; people poll DescribeTable like this."""
    deadline = time.monotonic() + 60
    while True:
        index = index_named(client.describe_table(TableName=table_name)["Table"], index_name)
        status = index and index["IndexStatus"]
        if status == wanted:
            return
        assert time.monotonic() < deadline, f"{index_name} is {status}, not {wanted}"
        time.sleep(0.1)


def test_a_new_table_describes_itself_as_the_seed_asks(client, table_name):
    properties = platform_seed.table_properties(table_name)
    before = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=2)

    created = client.create_table(**properties)["TableDescription"]
    assert created["TableName"] == table_name
    assert created["TableStatus"] in ("CREATING", "ACTIVE")
    client.get_waiter("table_exists").wait(TableName=table_name, WaiterConfig=QUICK)

    table = client.describe_table(TableName=table_name)["Table"]
    assert table["TableStatus"] == "ACTIVE"
    assert table["KeySchema"] == properties["KeySchema"]
    by_name = sorted(table["AttributeDefinitions"], key=lambda definition: definition["AttributeName"])
    assert by_name == sorted(properties["AttributeDefinitions"], key=lambda definition: definition["AttributeName"])
    assert table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert table["ProvisionedThroughput"]["ReadCapacityUnits"] == 0
    assert table["ProvisionedThroughput"]["WriteCapacityUnits"] == 0
    assert table["ProvisionedThroughput"]["NumberOfDecreasesToday"] == 0
    assert (table["ItemCount"], table["TableSizeBytes"]) == (0, 0)
    assert table["DeletionProtectionEnabled"] is False
    assert before <= table["CreationDateTime"] <= before + datetime.timedelta(seconds=60)
    assert re.fullmatch(rf"arn:aws:dynamodb:[a-z0-9-]+:\d{{12}}:table/{table_name}", table["TableArn"])

    assert [index["IndexName"] for index in sorted(table["GlobalSecondaryIndexes"], key=lambda i: i["IndexName"])] == [
        "GSI1",
        "GSI2",
        "GSI3",
    ]
    for wanted in properties["GlobalSecondaryIndexes"]:
        index = index_named(table, wanted["IndexName"])
        assert index["KeySchema"] == wanted["KeySchema"]
        assert index["Projection"] == {"ProjectionType": "ALL"}
        assert index["IndexStatus"] == "ACTIVE"
        assert (index["ItemCount"], index["IndexSizeBytes"]) == (0, 0)
        assert index["IndexArn"] == f"{table['TableArn']}/index/{wanted['IndexName']}"
    assert "LocalSecondaryIndexes" not in table


def test_resource_attributes_reload_from_the_service(table):
    assert table.table_status == "ACTIVE"
    assert table.item_count == 0
    assert table.key_schema == [
        {"AttributeName": "PK", "KeyType": "HASH"},
        {"AttributeName": "SK", "KeyType": "RANGE"},
    ]
    table.put_item(Item=platform_seed.item("ACCOUNT#acme"))
    table.reload()
    assert table.table_arn.endswith(f":table/{table.name}")


def test_waiters_follow_a_table_from_creation_to_deletion(client, table_name):
    with pytest.raises(WaiterError, match="Max attempts exceeded"):
        client.get_waiter("table_exists").wait(TableName=table_name, WaiterConfig={"Delay": 0, "MaxAttempts": 2})
    client.create_table(**platform_seed.table_properties(table_name))
    client.get_waiter("table_exists").wait(TableName=table_name, WaiterConfig=QUICK)
    deleted = client.delete_table(TableName=table_name)["TableDescription"]
    assert deleted["TableName"] == table_name
    client.get_waiter("table_not_exists").wait(TableName=table_name, WaiterConfig=QUICK)
    with pytest.raises(client.exceptions.ResourceNotFoundException) as missing:
        client.describe_table(TableName=table_name)
    assert MISSING_TABLE.match(missing.value.response["Error"]["Message"])


def test_a_table_cannot_be_created_twice(client, table):
    with pytest.raises(client.exceptions.ResourceInUseException) as refused:
        client.create_table(**platform_seed.table_properties(table.name))
    message = refused.value.response["Error"]["Message"]
    assert message in ("Cannot create preexisting table", f"Table already exists: {table.name}")
    assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 400


def test_a_missing_table_is_refused_by_every_item_operation(client):
    absent = {"TableName": "app_data_never_made"}
    key = {"PK": {"S": "a"}, "SK": {"S": "b"}}
    calls = [
        lambda: client.get_item(**absent, Key=key),
        lambda: client.put_item(**absent, Item=key),
        lambda: client.update_item(**absent, Key=key),
        lambda: client.delete_item(**absent, Key=key),
        lambda: client.scan(**absent),
        lambda: client.query(
            **absent, KeyConditionExpression="PK = :pk", ExpressionAttributeValues={":pk": {"S": "a"}}
        ),
        lambda: client.batch_get_item(RequestItems={absent["TableName"]: {"Keys": [key]}}),
        lambda: client.batch_write_item(RequestItems={absent["TableName"]: [{"DeleteRequest": {"Key": key}}]}),
        lambda: client.delete_table(**absent),
        lambda: client.update_table(**absent, DeletionProtectionEnabled=True),
        lambda: client.describe_time_to_live(**absent),
    ]
    for call in calls:
        with pytest.raises(client.exceptions.ResourceNotFoundException) as missing:
            call()
        assert MISSING_TABLE.match(missing.value.response["Error"]["Message"])


def test_listing_pages_through_every_table_in_name_order(client, table_name):
    names = [f"{table_name}_{letter}" for letter in "abcde"]
    definition = {
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        "BillingMode": "PAY_PER_REQUEST",
    }
    try:
        for name in names:
            client.create_table(TableName=name, **definition)

        page = client.list_tables(ExclusiveStartTableName=names[0], Limit=2)
        assert page["TableNames"] == names[1:3]
        assert page["LastEvaluatedTableName"] == names[2]

        listed = client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 1}).build_full_result()
        ours = [name for name in listed["TableNames"] if name.startswith(table_name)]
        assert ours == names
        assert listed["TableNames"] == sorted(listed["TableNames"])
    finally:
        for name in names:
            client.delete_table(TableName=name)


def test_an_index_is_added_to_a_live_table_and_backfilled_then_deleted(client, seeded):
    name = seeded.name
    answer = client.update_table(
        TableName=name,
        AttributeDefinitions=[
            {"AttributeName": "accountId", "AttributeType": "S"},
            {"AttributeName": "seats", "AttributeType": "N"},
        ],
        GlobalSecondaryIndexUpdates=[
            {
                "Create": {
                    "IndexName": "bySeats",
                    "KeySchema": [
                        {"AttributeName": "accountId", "KeyType": "HASH"},
                        {"AttributeName": "seats", "KeyType": "RANGE"},
                    ],
                    "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["endDate"]},
                }
            }
        ],
    )["TableDescription"]
    assert index_named(answer, "bySeats")["IndexStatus"] in ("CREATING", "ACTIVE")
    wait_for_index(client, name, "bySeats", "ACTIVE")

    described = client.describe_table(TableName=name)["Table"]
    assert sorted(index["IndexName"] for index in described["GlobalSecondaryIndexes"]) == [
        "GSI1",
        "GSI2",
        "GSI3",
        "bySeats",
    ]
    assert index_named(described, "bySeats")["Projection"] == {
        "ProjectionType": "INCLUDE",
        "NonKeyAttributes": ["endDate"],
    }
    # The backfill found exactly the items that have both attributes, and later writes follow.
    seeded.put_item(Item={"PK": "ACCOUNT#acme", "SK": "LICENSE#l9", "accountId": "acme", "seats": 6, "note": "late"})
    found = client.query(
        TableName=name,
        IndexName="bySeats",
        KeyConditionExpression="accountId = :account AND seats < :limit",
        ExpressionAttributeValues={":account": {"S": "acme"}, ":limit": {"N": "100"}},
        ScanIndexForward=False,
    )["Items"]
    assert found == [
        {
            "PK": {"S": "ACCOUNT#acme"},
            "SK": {"S": "LICENSE#l1"},
            "accountId": {"S": "acme"},
            "seats": {"N": "25"},
            "endDate": {"S": "2020-03-15"},
        },
        {"PK": {"S": "ACCOUNT#acme"}, "SK": {"S": "LICENSE#l9"}, "accountId": {"S": "acme"}, "seats": {"N": "6"}},
        {
            "PK": {"S": "ACCOUNT#acme"},
            "SK": {"S": "LICENSE#l2"},
            "accountId": {"S": "acme"},
            "seats": {"N": "5"},
            "endDate": {"S": "2019-12-31"},
        },
    ]

    client.update_table(TableName=name, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "bySeats"}}])
    wait_for_index(client, name, "bySeats", None)
    with pytest.raises(ClientError) as refused:
        seeded.query(
            IndexName="bySeats",
            KeyConditionExpression="accountId = :account",
            ExpressionAttributeValues={":account": "acme"},
        )
    assert refused.value.response["Error"] == {
        "Code": "ValidationException",
        "Message": "The table does not have the specified index: bySeats",
    }
    # An attribute that no key uses any more may hold any type again.
    seeded.put_item(Item={"PK": "ACCOUNT#acme", "SK": "LICENSE#l9", "accountId": "acme", "seats": "many"})


def test_an_index_that_is_not_there_cannot_be_deleted(client, table):
    with pytest.raises(client.exceptions.ResourceNotFoundException) as refused:
        client.update_table(TableName=table.name, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "GSI9"}}])
    assert refused.value.response["Error"]["Message"] in (
        "Requested resource not found",
        "Requested resource not found: Index: GSI9 not found",
    )


def test_deletion_protection_keeps_the_table(client, table):
    client.update_table(TableName=table.name, DeletionProtectionEnabled=True)
    assert client.describe_table(TableName=table.name)["Table"]["DeletionProtectionEnabled"] is True
    with pytest.raises(ClientError) as refused:
        client.delete_table(TableName=table.name)
    assert refused.value.response["Error"] == {
        "Code": "ValidationException",
        "Message": "Resource cannot be deleted as it is currently protected against deletion. "
        "Disable deletion protection first.",
    }
    client.update_table(TableName=table.name, DeletionProtectionEnabled=False)
    assert client.describe_table(TableName=table.name)["Table"]["DeletionProtectionEnabled"] is False


def test_billing_changes_between_on_demand_and_provisioned(client, table_name):
    client.create_table(
        TableName=table_name,
        AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
        ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 7},
    )
    client.get_waiter("table_exists").wait(TableName=table_name, WaiterConfig=QUICK)
    throughput = client.describe_table(TableName=table_name)["Table"]["ProvisionedThroughput"]
    assert (throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]) == (5, 7)

    client.update_table(TableName=table_name, ProvisionedThroughput={"ReadCapacityUnits": 6, "WriteCapacityUnits": 7})
    client.get_waiter("table_exists").wait(TableName=table_name, WaiterConfig=QUICK)
    throughput = client.describe_table(TableName=table_name)["Table"]["ProvisionedThroughput"]
    assert (throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]) == (6, 7)

    client.update_table(TableName=table_name, BillingMode="PAY_PER_REQUEST")
    client.get_waiter("table_exists").wait(TableName=table_name, WaiterConfig=QUICK)
    described = client.describe_table(TableName=table_name)["Table"]
    assert described["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert described["ProvisionedThroughput"]["ReadCapacityUnits"] == 0
