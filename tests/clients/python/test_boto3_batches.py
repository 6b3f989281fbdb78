"""Batch reads and writes: the batch writer, several tables at once, and the limits."""

import platform_seed
from refusals import validation_message


def numbered(count: int) -> list[dict]:
    return [{"PK": "BATCH", "SK": f"{number:04}", "number": number} for number in range(count)]


def low_level(item: dict) -> dict:
    return {"PK": {"S": item["PK"]}, "SK": {"S": item["SK"]}}


def test_the_batch_writer_sends_more_than_one_batch(table):
    with table.batch_writer() as batch:
        for item in numbered(130):
            batch.put_item(Item=item)
    assert table.scan(Select="COUNT")["Count"] == 130
    with table.batch_writer() as batch:
        for item in numbered(130)[:127]:
            batch.delete_item(Key=platform_seed.key(item))
    left = sorted(table.scan()["Items"], key=lambda item: item["SK"])
    assert left == numbered(130)[127:]


def test_the_batch_writer_drops_earlier_duplicates_when_told_the_keys(table):
    with table.batch_writer(overwrite_by_pkeys=["PK", "SK"]) as batch:
        for number in range(60):
            batch.put_item(Item={"PK": "BATCH", "SK": str(number % 3), "number": number})
    assert sorted((item["SK"], int(item["number"])) for item in table.scan()["Items"]) == [
        ("0", 57),
        ("1", 58),
        ("2", 59),
    ]


def test_a_batch_write_keeps_indexes_in_step(client, seeded):
    answer = client.batch_write_item(
        RequestItems={
            seeded.name: [
                {"DeleteRequest": {"Key": low_level(platform_seed.key("ACCOUNT#acme", "LICENSE#l1"))}},
                {"DeleteRequest": {"Key": low_level(platform_seed.key("ACCOUNT#acme", "never there"))}},
                {
                    "PutRequest": {
                        "Item": {
                            "PK": {"S": "ACCOUNT#globex"},
                            "SK": {"S": "LICENSE#l5"},
                            "GSI3PK": {"S": "LICENSE#STATUS#active"},
                            "GSI3SK": {"S": "2021-06-30#l5"},
                        }
                    }
                },
            ]
        }
    )
    assert answer["UnprocessedItems"] == {}
    active = client.query(
        TableName=seeded.name,
        IndexName="GSI3",
        KeyConditionExpression="GSI3PK = :pk",
        ExpressionAttributeValues={":pk": {"S": "LICENSE#STATUS#active"}},
    )["Items"]
    assert [item["SK"]["S"] for item in active] == ["LICENSE#l4", "LICENSE#l5", "LICENSE#l3"]


def test_a_batch_get_reads_from_several_tables_and_skips_what_is_absent(client, resource, seeded, table_name):
    other_name = f"{table_name}_other"
    other = resource.create_table(
        TableName=other_name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "N"}],
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
    )
    try:
        client.get_waiter("table_exists").wait(TableName=other_name, WaiterConfig={"Delay": 1, "MaxAttempts": 30})
        other.put_item(Item={"id": 7, "text": "seven"})
        answer = resource.batch_get_item(
            RequestItems={
                seeded.name: {
                    "Keys": [
                        platform_seed.key("USER#u1"),
                        platform_seed.key("USER#u2"),
                        platform_seed.key("USER#nobody"),
                    ],
                    "ProjectionExpression": "userId, #n",
                    "ExpressionAttributeNames": {"#n": "name"},
                    "ConsistentRead": True,
                },
                other_name: {"Keys": [{"id": 7}, {"id": 8}]},
            }
        )
        assert answer["UnprocessedKeys"] == {}
        assert sorted(answer["Responses"][seeded.name], key=lambda item: item["userId"]) == [
            {"userId": "u1", "name": "Ada"},
            {"userId": "u2", "name": "Linus"},
        ]
        assert answer["Responses"][other_name] == [{"id": 7, "text": "seven"}]
    finally:
        client.delete_table(TableName=other_name)


def test_one_hundred_keys_are_read_in_one_request(client, table):
    with table.batch_writer() as batch:
        for item in numbered(100):
            batch.put_item(Item=item)
    request = {table.name: {"Keys": [low_level(item) for item in numbered(100)]}}
    answer = client.batch_get_item(RequestItems=request)
    assert sorted(int(item["number"]["N"]) for item in answer["Responses"][table.name]) == list(range(100))
    assert answer["UnprocessedKeys"] == {}


def test_a_batch_get_stops_at_16_megabytes_and_hands_back_the_rest(client, table):
    with table.batch_writer() as batch:
        for item in numbered(50):
            batch.put_item(Item=item | {"blob": "x" * 380_000})
    wanted, rounds, found = [low_level(item) for item in numbered(50)], 0, []
    while wanted:
        answer = client.batch_get_item(RequestItems={table.name: {"Keys": wanted}})
        found += [item["SK"]["S"] for item in answer["Responses"][table.name]]
        wanted = answer["UnprocessedKeys"].get(table.name, {}).get("Keys", [])
        rounds += 1
        assert rounds < 10
    assert sorted(found) == [item["SK"] for item in numbered(50)]
    assert rounds == 2


def test_batches_refuse_excess_duplicates_and_emptiness(client, table):
    name = table.name
    keys = [low_level(item) for item in numbered(101)]
    # AWS names the constraint, DynamoDB Local the operation.
    message = validation_message(lambda: client.batch_get_item(RequestItems={name: {"Keys": keys}}))
    assert message == "Too many items requested for the BatchGetItem call" or (
        message.endswith("Member must have length less than or equal to 100")
    )
    puts = [{"PutRequest": {"Item": key}} for key in keys[:26]]
    message = validation_message(lambda: client.batch_write_item(RequestItems={name: puts}))
    assert message == "Too many items requested for the BatchWriteItem call" or (
        "Member must have length less than or equal to 25" in message
    )
    assert (
        validation_message(lambda: client.batch_get_item(RequestItems={name: {"Keys": [keys[0], keys[0]]}}))
        == "Provided list of item keys contains duplicates"
    )
    assert (
        validation_message(
            lambda: client.batch_write_item(
                RequestItems={name: [{"PutRequest": {"Item": keys[0]}}, {"DeleteRequest": {"Key": keys[0]}}]}
            )
        )
        == "Provided list of item keys contains duplicates"
    )
    # One bad request fails the whole batch before anything is written.
    message = validation_message(
        lambda: client.batch_write_item(
            RequestItems={name: [{"PutRequest": {"Item": keys[0]}}, {"PutRequest": {"Item": {"PK": {"S": "a"}}}}]}
        )
    )
    assert message in (
        "The provided key element does not match the schema",
        "One of the required keys was not given a value",
    )
    assert table.scan()["Count"] == 0
