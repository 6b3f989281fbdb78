"""Transactions: all or nothing, reasons in order, idempotent tokens, consistent reads."""

import uuid

import pytest
from botocore.exceptions import ClientError, ParamValidationError

import platform_seed

ACME = {"PK": {"S": "ACCOUNT#acme"}, "SK": {"S": "METADATA"}}
GLOBEX = {"PK": {"S": "ACCOUNT#globex"}, "SK": {"S": "METADATA"}}
LICENSE = {"PK": {"S": "ACCOUNT#acme"}, "SK": {"S": "LICENSE#l1"}}
FRESH = {"PK": {"S": "ACCOUNT#acme"}, "SK": {"S": "LICENSE#fresh"}}
TECH_USER = {"PK": {"S": "ACCOUNT#acme"}, "SK": {"S": "TECH_USER#robot"}}
NOBODY = {"PK": {"S": "USER#nobody"}, "SK": {"S": "METADATA"}}


def item_of(client, table, key):
    return client.get_item(TableName=table.name, Key=key, ConsistentRead=True).get("Item")


def snapshot(table):
    return sorted(table.scan(ConsistentRead=True)["Items"], key=lambda item: (item["PK"], item["SK"]))


def add_seats(table, count: int, key=LICENSE, **more) -> dict:
    return {
        "Update": {
            "TableName": table.name,
            "Key": key,
            "UpdateExpression": "ADD seats :count",
            "ExpressionAttributeValues": {":count": {"N": str(count)}},
            **more,
        }
    }


def test_a_transaction_applies_all_four_kinds_of_action_at_once(client, seeded):
    name = seeded.name
    answer = client.transact_write_items(
        TransactItems=[
            {
                "ConditionCheck": {
                    "TableName": name,
                    "Key": ACME,
                    "ConditionExpression": "active = :yes",
                    "ExpressionAttributeValues": {":yes": {"BOOL": True}},
                }
            },
            {
                "Put": {
                    "TableName": name,
                    "Item": FRESH | {"GSI3PK": {"S": "LICENSE#STATUS#active"}, "GSI3SK": {"S": "2020-02-02#fresh"}},
                    "ConditionExpression": "attribute_not_exists(PK)",
                }
            },
            add_seats(seeded, 10),
            {"Delete": {"TableName": name, "Key": TECH_USER}},
        ]
    )
    assert set(answer) == {"ResponseMetadata"}
    assert item_of(client, seeded, LICENSE)["seats"] == {"N": "35"}
    assert item_of(client, seeded, TECH_USER) is None
    active = client.query(
        TableName=name,
        IndexName="GSI3",
        KeyConditionExpression="GSI3PK = :pk AND GSI3SK < :end",
        ExpressionAttributeValues={":pk": {"S": "LICENSE#STATUS#active"}, ":end": {"S": "2021"}},
    )["Items"]
    assert [item["SK"]["S"] for item in active] == ["LICENSE#l4", "LICENSE#fresh", "LICENSE#l1"]


def test_a_cancelled_transaction_gives_its_reasons_in_order_and_changes_nothing(client, seeded):
    before = snapshot(seeded)
    name = seeded.name
    with pytest.raises(client.exceptions.TransactionCanceledException) as cancelled:
        client.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": name, "Item": FRESH}},
                {
                    "Update": {
                        "TableName": name,
                        "Key": LICENSE,
                        "UpdateExpression": "SET seats = :none",
                        "ConditionExpression": "seats < :limit",
                        "ExpressionAttributeValues": {":none": {"N": "0"}, ":limit": {"N": "25"}},
                        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
                    }
                },
                {"Delete": {"TableName": name, "Key": TECH_USER}},
                {
                    "ConditionCheck": {
                        "TableName": name,
                        "Key": GLOBEX,
                        "ConditionExpression": "attribute_not_exists(PK)",
                    }
                },
                {
                    "Delete": {
                        "TableName": name,
                        "Key": NOBODY,
                        "ConditionExpression": "attribute_exists(PK)",
                        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
                    }
                },
            ]
        )
    response = cancelled.value.response
    assert response["Error"] == {
        "Code": "TransactionCanceledException",
        "Message": "Transaction cancelled, please refer cancellation reasons for specific reasons "
        "[None, ConditionalCheckFailed, None, ConditionalCheckFailed, ConditionalCheckFailed]",
    }
    failed = {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}
    reasons = response["CancellationReasons"]
    assert [reason["Code"] for reason in reasons] == [
        "None",
        "ConditionalCheckFailed",
        "None",
        "ConditionalCheckFailed",
        "ConditionalCheckFailed",
    ]
    assert reasons[0] == {"Code": "None"}
    assert reasons[1] == failed | {"Item": item_of(client, seeded, LICENSE)}
    # DynamoDB Local ends the text of a ConditionCheck with a full stop.
    assert reasons[3] | {"Message": reasons[3]["Message"].removesuffix(".")} == failed
    assert reasons[4] == failed
    assert snapshot(seeded) == before


@pytest.mark.beyond_dynamodb_local("refuses the request; AWS documents this as a ValidationError among the reasons")
def test_a_bad_action_cancels_with_a_validation_reason(client, seeded):
    before = snapshot(seeded)
    with pytest.raises(client.exceptions.TransactionCanceledException) as cancelled:
        client.transact_write_items(
            TransactItems=[
                add_seats(seeded, 1),
                {
                    "Update": {
                        "TableName": seeded.name,
                        "Key": ACME,
                        "UpdateExpression": "ADD #n :one",
                        "ExpressionAttributeNames": {"#n": "name"},
                        "ExpressionAttributeValues": {":one": {"N": "1"}},
                    }
                },
            ]
        )
    reasons = cancelled.value.response["CancellationReasons"]
    assert reasons[0] == {"Code": "None"}
    assert reasons[1]["Code"] == "ValidationError"
    assert reasons[1]["Message"].removesuffix(".") == "An operand in the update expression has an incorrect data type"
    assert snapshot(seeded) == before


def test_a_client_token_makes_the_write_happen_once(client, seeded):
    token = str(uuid.uuid4())
    for _ in range(3):
        client.transact_write_items(TransactItems=[add_seats(seeded, 7)], ClientRequestToken=token)
    assert item_of(client, seeded, LICENSE)["seats"] == {"N": "32"}

    with pytest.raises(client.exceptions.IdempotentParameterMismatchException) as mismatch:
        client.transact_write_items(TransactItems=[add_seats(seeded, 8)], ClientRequestToken=token)
    assert mismatch.value.response["Error"]["Code"] == "IdempotentParameterMismatchException"
    assert item_of(client, seeded, LICENSE)["seats"] == {"N": "32"}

    client.transact_write_items(TransactItems=[add_seats(seeded, 7)], ClientRequestToken=str(uuid.uuid4()))
    assert item_of(client, seeded, LICENSE)["seats"] == {"N": "39"}


def test_a_repeated_token_succeeds_although_its_condition_no_longer_holds(client, seeded):
    create_once = {"Put": {"TableName": seeded.name, "Item": FRESH, "ConditionExpression": "attribute_not_exists(PK)"}}
    token = str(uuid.uuid4())
    client.transact_write_items(TransactItems=[create_once], ClientRequestToken=token)
    client.transact_write_items(TransactItems=[create_once], ClientRequestToken=token)
    with pytest.raises(client.exceptions.TransactionCanceledException):
        client.transact_write_items(TransactItems=[create_once], ClientRequestToken=str(uuid.uuid4()))


def test_transactional_reads_answer_in_order_with_gaps(client, resource, seeded):
    answer = client.transact_get_items(
        TransactItems=[
            {"Get": {"TableName": seeded.name, "Key": GLOBEX, "ProjectionExpression": "employees, settings.locale"}},
            {"Get": {"TableName": seeded.name, "Key": NOBODY}},
            {
                "Get": {
                    "TableName": seeded.name,
                    "Key": ACME,
                    "ProjectionExpression": "#n",
                    "ExpressionAttributeNames": {"#n": "name"},
                }
            },
        ]
    )
    assert answer["Responses"] == [
        {"Item": {"employees": {"N": "7"}, "settings": {"M": {"locale": {"S": "de-CH"}}}}},
        {},
        {"Item": {"name": {"S": "Acme"}}},
    ]
    # The resource's own client marshals the same calls.
    through_resource = resource.meta.client.transact_get_items(
        TransactItems=[{"Get": {"TableName": seeded.name, "Key": platform_seed.key("ACCOUNT#globex")}}]
    )
    assert through_resource["Responses"] == [{"Item": platform_seed.item("ACCOUNT#globex")}]


def test_one_hundred_actions_are_allowed_and_one_more_is_not(client, table):
    def puts(count):
        return [
            {"Put": {"TableName": table.name, "Item": {"PK": {"S": "BULK"}, "SK": {"S": f"{number:03}"}}}}
            for number in range(count)
        ]

    with pytest.raises(ClientError) as refused:
        client.transact_write_items(TransactItems=puts(101))
    assert refused.value.response["Error"]["Code"] == "ValidationException"
    assert "Member must have length less than or equal to 100" in refused.value.response["Error"]["Message"]
    assert table.scan()["Count"] == 0
    client.transact_write_items(TransactItems=puts(100))
    assert table.scan()["Count"] == 100
    with pytest.raises(ParamValidationError):
        client.transact_write_items(TransactItems=[])


def test_a_transaction_may_not_touch_one_item_twice(client, seeded):
    with pytest.raises(ClientError) as refused:
        client.transact_write_items(
            TransactItems=[
                add_seats(seeded, 1),
                {
                    "ConditionCheck": {
                        "TableName": seeded.name,
                        "Key": LICENSE,
                        "ConditionExpression": "attribute_exists(PK)",
                    }
                },
            ]
        )
    assert refused.value.response["Error"] == {
        "Code": "ValidationException",
        "Message": "Transaction request cannot include multiple operations on one item",
    }
    assert item_of(client, seeded, LICENSE)["seats"] == {"N": "25"}
