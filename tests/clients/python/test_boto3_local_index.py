"""A local secondary index: the table's partitions in another order, read consistently."""

QUICK = {"Delay": 1, "MaxAttempts": 30}


def test_a_local_index_shares_the_partition_and_reads_consistently(client, table_name):
    client.create_table(
        TableName=table_name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[
            {"AttributeName": "PK", "AttributeType": "S"},
            {"AttributeName": "SK", "AttributeType": "S"},
            {"AttributeName": "endDate", "AttributeType": "S"},
        ],
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        LocalSecondaryIndexes=[
            {
                "IndexName": "byEndDate",
                "KeySchema": [
                    {"AttributeName": "PK", "KeyType": "HASH"},
                    {"AttributeName": "endDate", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
    )
    client.get_waiter("table_exists").wait(TableName=table_name, WaiterConfig=QUICK)
    index = client.describe_table(TableName=table_name)["Table"]["LocalSecondaryIndexes"][0]
    assert index["IndexName"] == "byEndDate"
    assert index["Projection"] == {"ProjectionType": "KEYS_ONLY"}

    for license_id, end in (("l1", "2026-03-01"), ("l2", "2025-12-31"), ("l3", None), ("l4", "2025-12-31")):
        item = {"PK": {"S": "ACCOUNT#acme"}, "SK": {"S": f"LICENSE#{license_id}"}, "seats": {"N": "5"}}
        if end:
            item["endDate"] = {"S": end}
        client.put_item(TableName=table_name, Item=item)

    def by_end_date(**options):
        return client.query(
            TableName=table_name,
            IndexName="byEndDate",
            ConsistentRead=True,
            KeyConditionExpression="PK = :pk",
            ExpressionAttributeValues={":pk": {"S": "ACCOUNT#acme"}},
            **options,
        )

    # Equal index keys are ordered by the table's sort key, and the item without the attribute is absent.
    assert [item["SK"]["S"] for item in by_end_date()["Items"]] == ["LICENSE#l2", "LICENSE#l4", "LICENSE#l1"]
    assert by_end_date()["Items"][0] == {
        "PK": {"S": "ACCOUNT#acme"},
        "SK": {"S": "LICENSE#l2"},
        "endDate": {"S": "2025-12-31"},
    }
    # Unlike a global index, a local one fetches what it does not project.
    whole = by_end_date(Select="ALL_ATTRIBUTES")["Items"]
    assert [item["seats"]["N"] for item in whole] == ["5", "5", "5"]
    page = by_end_date(Limit=1)
    assert page["LastEvaluatedKey"] == {
        "PK": {"S": "ACCOUNT#acme"},
        "SK": {"S": "LICENSE#l2"},
        "endDate": {"S": "2025-12-31"},
    }
    rest = by_end_date(ExclusiveStartKey=page["LastEvaluatedKey"])
    assert [item["SK"]["S"] for item in rest["Items"]] == ["LICENSE#l4", "LICENSE#l1"]
