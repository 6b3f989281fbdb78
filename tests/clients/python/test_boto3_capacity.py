"""Consumed capacity, to the unit: reads per 4 KB, writes per 1 KB, doubled in transactions, broken down by index."""

import pytest
from boto3.dynamodb.conditions import Key

import platform_seed

KEY = platform_seed.key("CAPACITY#1")


def sized(kilobytes: float, **more) -> dict:
    """An item whose size is exactly this many kilobytes."""
    overhead = sum(len(name) + len(value) for name, value in (KEY | more).items()) + len("blob")
    return KEY | more | {"blob": "x" * (int(kilobytes * 1024) - overhead)}


def units(answer) -> float:
    return answer["ConsumedCapacity"]["CapacityUnits"]


def test_nothing_is_reported_unless_asked_for(table):
    assert "ConsumedCapacity" not in table.put_item(Item=KEY)
    assert "ConsumedCapacity" not in table.get_item(Key=KEY, ReturnConsumedCapacity="NONE")


@pytest.mark.parametrize(
    ("kilobytes", "strong", "eventual", "write"),
    [
        (0.1, 1.0, 0.5, 1.0),
        (1, 1.0, 0.5, 1.0),
        (1.1, 1.0, 0.5, 2.0),
        (4, 1.0, 0.5, 4.0),
        (4.1, 2.0, 1.0, 5.0),
        (40, 10.0, 5.0, 40.0),
    ],
)
def test_units_follow_the_size_of_the_item(table, kilobytes, strong, eventual, write):
    written = table.put_item(Item=sized(kilobytes), ReturnConsumedCapacity="TOTAL")
    assert written["ConsumedCapacity"] == {"TableName": table.name, "CapacityUnits": write}
    assert units(table.get_item(Key=KEY, ConsistentRead=True, ReturnConsumedCapacity="TOTAL")) == strong
    assert units(table.get_item(Key=KEY, ReturnConsumedCapacity="TOTAL")) == eventual
    # A projection does not make the read cheaper.
    assert units(table.get_item(Key=KEY, ProjectionExpression="PK", ReturnConsumedCapacity="TOTAL")) == eventual
    assert units(table.delete_item(Key=KEY, ReturnConsumedCapacity="TOTAL")) == write
    assert units(table.get_item(Key=KEY, ReturnConsumedCapacity="TOTAL")) == 0.5
    assert units(table.delete_item(Key=KEY, ReturnConsumedCapacity="TOTAL")) == 1.0


def test_replacing_an_item_costs_the_larger_of_the_two(table):
    table.put_item(Item=sized(5))
    assert units(table.put_item(Item=sized(2), ReturnConsumedCapacity="TOTAL")) == 5.0
    assert units(table.put_item(Item=sized(7), ReturnConsumedCapacity="TOTAL")) == 7.0


def test_indexes_are_broken_down_by_name(table):
    item = sized(2.5, GSI1PK="ENTITY#CAPACITY", GSI1SK="CAPACITY#1")
    written = table.put_item(Item=item, ReturnConsumedCapacity="INDEXES")["ConsumedCapacity"]
    assert written == {
        "TableName": table.name,
        "CapacityUnits": 6.0,
        "Table": {"CapacityUnits": 3.0},
        "GlobalSecondaryIndexes": {"GSI1": {"CapacityUnits": 3.0}},
    }
    # Moving an item inside an index is a delete and a put there.
    moved = table.update_item(
        Key=KEY,
        UpdateExpression="SET GSI1SK = :moved",
        ExpressionAttributeValues={":moved": "CAPACITY#2"},
        ReturnConsumedCapacity="INDEXES",
    )["ConsumedCapacity"]
    assert moved == {
        "TableName": table.name,
        "CapacityUnits": 9.0,
        "Table": {"CapacityUnits": 3.0},
        "GlobalSecondaryIndexes": {"GSI1": {"CapacityUnits": 6.0}},
    }
    read = table.query(
        IndexName="GSI1",
        KeyConditionExpression=Key("GSI1PK").eq("ENTITY#CAPACITY"),
        ReturnConsumedCapacity="INDEXES",
    )["ConsumedCapacity"]
    assert read == {
        "TableName": table.name,
        "CapacityUnits": 0.5,
        "Table": {"CapacityUnits": 0.0},
        "GlobalSecondaryIndexes": {"GSI1": {"CapacityUnits": 0.5}},
    }


def test_a_query_rounds_up_once_for_all_its_items(table):
    for number in range(10):
        table.put_item(Item={"PK": "CAPACITY", "SK": str(number), "blob": "x" * 1000})
    condition = Key("PK").eq("CAPACITY")
    # Ten items of a little over 1,000 bytes are 10 KB and so three units of 4 KB.
    strong = table.query(KeyConditionExpression=condition, ConsistentRead=True, ReturnConsumedCapacity="TOTAL")
    assert units(strong) == 3.0
    assert units(table.query(KeyConditionExpression=condition, ReturnConsumedCapacity="TOTAL")) == 1.5
    assert units(table.scan(ReturnConsumedCapacity="TOTAL")) == 1.5
    filtered = table.scan(FilterExpression="attribute_exists(absent)", Select="COUNT", ReturnConsumedCapacity="TOTAL")
    assert (filtered["Count"], units(filtered)) == (0, 1.5)


def test_batches_report_one_entry_per_table(client, table):
    item = {name: {"S": value} for name, value in sized(3).items()}
    key = {name: {"S": value} for name, value in KEY.items()}
    other = key | {"SK": {"S": "other"}}
    written = client.batch_write_item(
        RequestItems={table.name: [{"PutRequest": {"Item": item}}, {"PutRequest": {"Item": other}}]},
        ReturnConsumedCapacity="TOTAL",
    )
    assert written["ConsumedCapacity"] == [{"TableName": table.name, "CapacityUnits": 4.0}]
    read = client.batch_get_item(
        RequestItems={table.name: {"Keys": [key, other], "ConsistentRead": True}}, ReturnConsumedCapacity="TOTAL"
    )
    assert read["ConsumedCapacity"] == [{"TableName": table.name, "CapacityUnits": 2.0}]


def test_transactions_cost_twice(client, table):
    item = {name: {"S": value} for name, value in sized(3).items()}
    written = client.transact_write_items(
        TransactItems=[{"Put": {"TableName": table.name, "Item": item}}], ReturnConsumedCapacity="TOTAL"
    )
    assert written["ConsumedCapacity"][0]["CapacityUnits"] == 6.0
    read = client.transact_get_items(
        TransactItems=[{"Get": {"TableName": table.name, "Key": {name: {"S": value} for name, value in KEY.items()}}}],
        ReturnConsumedCapacity="TOTAL",
    )
    assert read["ConsumedCapacity"][0]["CapacityUnits"] == 2.0
