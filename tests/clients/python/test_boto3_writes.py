"""Single-item writes: every return value, every update action, conditions and what they report when they fail."""

from decimal import Decimal

import pytest
from boto3.dynamodb.conditions import Attr

import platform_seed
from refusals import validation_message

LICENSE = platform_seed.key("ACCOUNT#acme", "LICENSE#l1")


def test_put_replaces_the_whole_item_and_returns_the_old_one_on_request(table):
    first = platform_seed.item("ACCOUNT#acme", "LICENSE#l1")
    assert "Attributes" not in table.put_item(Item=first)
    assert "Attributes" not in table.put_item(Item=first, ReturnValues="NONE")

    second = {**LICENSE, "seats": Decimal(30)}
    assert table.put_item(Item=second, ReturnValues="ALL_OLD")["Attributes"] == first
    assert table.get_item(Key=LICENSE)["Item"] == second
    # The index entries of the replaced item are gone with it.
    assert (
        table.query(
            IndexName="GSI3",
            KeyConditionExpression="GSI3PK = :pk",
            ExpressionAttributeValues={":pk": "LICENSE#STATUS#active"},
        )["Items"]
        == []
    )
    assert "Attributes" not in table.put_item(Item={**LICENSE, "SK": "LICENSE#new"}, ReturnValues="ALL_OLD")


def test_put_accepts_only_two_return_values(table):
    for unsupported in ("ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"):
        message = validation_message(lambda: table.put_item(Item=LICENSE, ReturnValues=unsupported))
        # AWS's words, and DynamoDB Local's.
        assert message in ("ReturnValues can only be ALL_OLD or NONE", "Return values set to invalid value")


def test_delete_is_idempotent_and_returns_the_old_item_on_request(seeded):
    stored = platform_seed.item("ACCOUNT#acme", "LICENSE#l1")
    assert seeded.delete_item(Key=LICENSE, ReturnValues="ALL_OLD")["Attributes"] == stored
    assert "Item" not in seeded.get_item(Key=LICENSE)
    assert "Attributes" not in seeded.delete_item(Key=LICENSE, ReturnValues="ALL_OLD")
    assert "Attributes" not in seeded.delete_item(Key=LICENSE)


def test_update_returns_each_of_the_five_views(seeded):
    before = platform_seed.item("ACCOUNT#acme", "LICENSE#l1")

    def update(returned, seats):
        return seeded.update_item(
            Key=LICENSE,
            UpdateExpression="SET seats = :seats, renewed = :renewed REMOVE note",
            ExpressionAttributeValues={":seats": seats, ":renewed": True},
            ReturnValues=returned,
        ).get("Attributes")

    assert update("UPDATED_OLD", 26) == {"seats": Decimal(25), "note": "renewal pending"}
    assert update("UPDATED_NEW", 27) == {"seats": Decimal(27), "renewed": True}
    after = {name: value for name, value in before.items() if name != "note"} | {"renewed": True}
    assert update("ALL_OLD", 28) == after | {"seats": Decimal(27)}
    assert update("ALL_NEW", 29) == after | {"seats": Decimal(29)}
    assert update("NONE", 30) is None
    assert seeded.get_item(Key=LICENSE, ConsistentRead=True)["Item"] == after | {"seats": Decimal(30)}


def test_update_creates_an_item_that_was_not_there(table):
    created = table.update_item(
        Key=platform_seed.key("ACCOUNT#new"),
        UpdateExpression="SET GSI1PK = :type, GSI1SK = :id, visits = if_not_exists(visits, :zero) + :one",
        ExpressionAttributeValues={":type": "ENTITY#ACCOUNT", ":id": "ACCOUNT#new", ":zero": 0, ":one": 1},
        ReturnValues="ALL_NEW",
    )["Attributes"]
    assert created == {
        "PK": "ACCOUNT#new",
        "SK": "METADATA",
        "GSI1PK": "ENTITY#ACCOUNT",
        "GSI1SK": "ACCOUNT#new",
        "visits": Decimal(1),
    }
    # Without an expression the update still creates the bare key.
    bare = table.update_item(Key=platform_seed.key("ACCOUNT#bare"), ReturnValues="ALL_NEW")["Attributes"]
    assert bare == {"PK": "ACCOUNT#bare", "SK": "METADATA"}


def test_update_applies_every_action_to_the_old_values(table):
    key = platform_seed.key("USER#u1")
    table.put_item(
        Item={
            **key,
            "a": 1,
            "b": 2,
            "tally": 10,
            "tags": {"red", "green", "blue"},
            "list": ["x", "y", "z"],
            "map": {"inner": {"deep": "old", "kept": True}},
            "dropped": "gone",
        }
    )
    updated = table.update_item(
        Key=key,
        UpdateExpression="SET a = b, b = a, #l[1] = :new, #l[9] = :end, #m.#inner.deep = :deep, "
        "joined = list_append(#l, :more), difference = tally - :three "
        "REMOVE dropped, #l[0] ADD tally :five, fresh :three, numbers :some DELETE tags :red",
        ExpressionAttributeNames={"#l": "list", "#m": "map", "#inner": "inner"},
        ExpressionAttributeValues={
            ":new": "Y",
            ":end": "appended",
            ":deep": "new",
            ":more": ["w"],
            ":three": 3,
            ":five": 5,
            ":some": {Decimal(1), Decimal("2.5")},
            ":red": {"red", "absent"},
        },
        ReturnValues="ALL_NEW",
    )["Attributes"]
    assert updated == {
        **key,
        "a": Decimal(2),
        "b": Decimal(1),
        "tally": Decimal(15),
        "difference": Decimal(7),
        "fresh": Decimal(3),
        "numbers": {Decimal(1), Decimal("2.5")},
        "tags": {"green", "blue"},
        "list": ["Y", "z", "appended"],
        "joined": ["x", "y", "z", "w"],
        "map": {"inner": {"deep": "new", "kept": True}},
    }
    # A set that loses its last element is no attribute at all.
    emptied = table.update_item(
        Key=key,
        UpdateExpression="DELETE tags :rest",
        ExpressionAttributeValues={":rest": {"green", "blue"}},
        ReturnValues="UPDATED_OLD",
    )["Attributes"]
    assert emptied == {"tags": {"green", "blue"}}
    assert "tags" not in table.get_item(Key=key)["Item"]


def test_updating_an_index_key_moves_the_item_between_partitions(seeded):
    def licenses(status):
        return platform_seed.keys(
            seeded.query(
                IndexName="GSI3",
                KeyConditionExpression="GSI3PK = :pk",
                ExpressionAttributeValues={":pk": f"LICENSE#STATUS#{status}"},
            )["Items"]
        )

    assert licenses("expired") == [("ACCOUNT#acme", "LICENSE#l2")]
    seeded.update_item(
        Key=LICENSE,
        UpdateExpression="SET #status = :expired, GSI3PK = :partition",
        ExpressionAttributeNames={"#status": "status"},
        ExpressionAttributeValues={":expired": "expired", ":partition": "LICENSE#STATUS#expired"},
    )
    assert licenses("active") == [("ACCOUNT#globex", "LICENSE#l4"), ("ACCOUNT#acme", "LICENSE#l3")]
    assert licenses("expired") == [("ACCOUNT#acme", "LICENSE#l2"), ("ACCOUNT#acme", "LICENSE#l1")]
    # Without one of the two index keys the item leaves the index and stays in the table.
    seeded.update_item(Key=LICENSE, UpdateExpression="REMOVE GSI3SK")
    assert licenses("expired") == [("ACCOUNT#acme", "LICENSE#l2")]
    assert seeded.get_item(Key=LICENSE)["Item"]["status"] == "expired"


def test_a_condition_that_fails_changes_nothing_and_hands_out_the_item(client, seeded):
    stored = platform_seed.item("ACCOUNT#acme", "LICENSE#l1")
    attempts = [
        lambda **more: client.put_item(
            TableName=seeded.name,
            Item={"PK": {"S": stored["PK"]}, "SK": {"S": stored["SK"]}},
            ConditionExpression="attribute_not_exists(PK)",
            **more,
        ),
        lambda **more: client.delete_item(
            TableName=seeded.name,
            Key={"PK": {"S": stored["PK"]}, "SK": {"S": stored["SK"]}},
            ConditionExpression="seats > :limit",
            ExpressionAttributeValues={":limit": {"N": "25"}},
            **more,
        ),
        lambda **more: client.update_item(
            TableName=seeded.name,
            Key={"PK": {"S": stored["PK"]}, "SK": {"S": stored["SK"]}},
            UpdateExpression="SET seats = :limit",
            ConditionExpression="#status = :expired OR begins_with(note, :prefix)",
            ExpressionAttributeNames={"#status": "status"},
            ExpressionAttributeValues={":limit": {"N": "0"}, ":expired": {"S": "expired"}, ":prefix": {"S": "pending"}},
            **more,
        ),
    ]
    for attempt in attempts:
        with pytest.raises(client.exceptions.ConditionalCheckFailedException) as refused:
            attempt()
        assert refused.value.response["Error"] == {
            "Code": "ConditionalCheckFailedException",
            "Message": "The conditional request failed",
        }
        assert "Item" not in refused.value.response

        with pytest.raises(client.exceptions.ConditionalCheckFailedException) as refused:
            attempt(ReturnValuesOnConditionCheckFailure="ALL_OLD")
        assert refused.value.response["Item"]["note"] == {"S": "renewal pending"}
        assert refused.value.response["Item"]["seats"] == {"N": "25"}
        assert len(refused.value.response["Item"]) == len(stored)
    assert seeded.get_item(Key=LICENSE)["Item"] == stored


def test_no_item_is_handed_out_when_there_is_none(client, table):
    with pytest.raises(client.exceptions.ConditionalCheckFailedException) as refused:
        table.delete_item(
            Key=LICENSE,
            ConditionExpression=Attr("PK").exists(),
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    assert "Item" not in refused.value.response


def test_conditions_cover_the_whole_language(seeded):
    account = platform_seed.key("ACCOUNT#acme")
    satisfied = [
        Attr("name").eq("Acme") & Attr("name").ne("acme"),
        Attr("employees").between(120, 121) & ~Attr("employees").lt(120),
        Attr("employees").is_in([1, 120]) & Attr("employees").gte(120) & Attr("employees").lte(120),
        Attr("settings.features").contains("sso") & Attr("settings.features").size().eq(2),
        Attr("settings.locale").begins_with("en-") & Attr("settings.features[1]").eq("audit"),
        Attr("absent").not_exists() & Attr("active").attribute_type("BOOL"),
        Attr("absent").eq(1) | Attr("employees").gt(119),
        ~Attr("absent").eq(1),
    ]
    for condition in satisfied:
        seeded.update_item(
            Key=account,
            UpdateExpression="SET touched = :yes",
            ConditionExpression=condition,
            ExpressionAttributeValues={":yes": True},
        )
    refused = [
        Attr("absent").ne(1) & Attr("absent").exists(),
        Attr("employees").eq("120"),
        Attr("employees").lt("999"),
        Attr("name").contains("ACME"),
        Attr("settings.features[2]").exists(),
    ]
    for condition in refused:
        with pytest.raises(seeded.meta.client.exceptions.ConditionalCheckFailedException):
            seeded.delete_item(Key=account, ConditionExpression=condition)


def test_malformed_requests_are_refused_with_the_services_own_words(seeded):
    values = {":one": 1}
    cases = [
        (
            {"UpdateExpression": "SET PK = :one", "ExpressionAttributeValues": values},
            "One or more parameter values were invalid: Cannot update attribute PK. This attribute is part of the key",
        ),
        (
            {"UpdateExpression": "SET a = :one", "ExpressionAttributeValues": {":one": 1, ":two": 2}},
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:two}",
        ),
        (
            {
                "UpdateExpression": "SET a = :one",
                "ExpressionAttributeNames": {"#b": "b"},
                "ExpressionAttributeValues": values,
            },
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}",
        ),
        (
            {"UpdateExpression": "SET status = :one", "ExpressionAttributeValues": values},
            "Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: status",
        ),
        (
            {"UpdateExpression": "SET a = :one, a.b = :one", "ExpressionAttributeValues": values},
            "Invalid UpdateExpression: Two document paths overlap with each other; "
            "must remove or rewrite one of these paths; path one: [a], path two: [a, b]",
        ),
        (
            {"UpdateExpression": "SET a = :nowhere", "ExpressionAttributeValues": values},
            "Invalid UpdateExpression: An expression attribute value used in expression is not defined; "
            "attribute value: :nowhere",
        ),
        (
            {"UpdateExpression": "SET absent.part = :one", "ExpressionAttributeValues": values},
            "The document path provided in the update expression is invalid for update",
        ),
        (
            {"UpdateExpression": "SET a = absent + :one", "ExpressionAttributeValues": values},
            "The provided expression refers to an attribute that does not exist in the item",
        ),
        (
            {"UpdateExpression": "SET a = endDate + :one", "ExpressionAttributeValues": values},
            "An operand in the update expression has an incorrect data type",
        ),
    ]
    for request, message in cases:
        assert validation_message(lambda: seeded.update_item(Key=LICENSE, **request)) == message, request
    message = validation_message(
        lambda: seeded.update_item(Key=LICENSE, UpdateExpression="SET GSI1PK = :one", ExpressionAttributeValues=values)
    )
    # AWS's words, and the beginning that DynamoDB Local leaves at that.
    assert message == "The update expression attempted to update the secondary index key to unsupported type" or (
        message.startswith("One or more parameter values were invalid: Type mismatch for Index Key")
    )
    assert seeded.get_item(Key=LICENSE)["Item"] == platform_seed.item("ACCOUNT#acme", "LICENSE#l1")


def test_keys_must_fit_the_schema(client, table):
    # AWS has one text for a key of the wrong shape, DynamoDB Local three others.
    wrong_shape = (
        "The provided key element does not match the schema",
        "The number of conditions on the keys is invalid",
        "One or more parameter values were invalid: Type mismatch for key",
        "One of the required keys was not given a value",
    )
    for key in (
        {"PK": {"S": "a"}},
        {"PK": {"S": "a"}, "SK": {"S": "b"}, "other": {"S": "c"}},
        {"PK": {"S": "a"}, "SK": {"N": "1"}},
        {"PK": {"S": "a"}, "sk": {"S": "b"}},
    ):
        assert validation_message(lambda: client.get_item(TableName=table.name, Key=key)) in wrong_shape, key
    assert (
        validation_message(lambda: table.get_item(Key={"PK": "", "SK": "b"}))
        == "One or more parameter values are not valid. "
        "The AttributeValue for a key attribute cannot contain an empty string value. Key: PK"
    )
    # AWS names the attribute, DynamoDB Local does not always.
    assert validation_message(lambda: table.put_item(Item={"PK": "a"})) in (
        "One or more parameter values were invalid: Missing the key SK in the item",
        "One of the required keys was not given a value",
    )
    for item, aws, local in (
        (
            {"PK": "a", "SK": 1},
            "One or more parameter values were invalid: Type mismatch for key SK expected: S actual: N",
            "One or more parameter values were invalid: Type mismatch for key",
        ),
        (
            {"PK": "a", "SK": "b", "GSI1PK": 1, "GSI1SK": "x"},
            "One or more parameter values were invalid: Type mismatch for Index Key GSI1PK Expected: S Actual: N "
            "IndexName: GSI1",
            "One or more parameter values were invalid: Type mismatch for Index Key",
        ),
    ):
        assert validation_message(lambda: table.put_item(Item=item)) in (aws, local), item
    assert table.scan()["Count"] == 0
