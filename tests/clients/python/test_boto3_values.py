"""Attribute values survive the round trip: numbers to the last digit, binary, sets, documents, emptiness."""

from decimal import Decimal

import pytest
from boto3.dynamodb.types import Binary

import platform_seed
from refusals import validation_message

KEY = platform_seed.key("USER#values")


def round_trip(table, value):
    table.put_item(Item={**KEY, "value": value})
    return table.get_item(Key=KEY, ConsistentRead=True)["Item"]["value"]


def number_round_trip(client, table, text: str) -> str:
    item = {"PK": {"S": KEY["PK"]}, "SK": {"S": KEY["SK"]}, "value": {"N": text}}
    client.put_item(TableName=table.name, Item=item)
    key = {"PK": {"S": KEY["PK"]}, "SK": {"S": KEY["SK"]}}
    return client.get_item(TableName=table.name, Key=key)["Item"]["value"]["N"]


@pytest.mark.parametrize(
    "number",
    [
        "0",
        "-1",
        "3.1415926535897932384626433832795028841",
        "-3.1415926535897932384626433832795028841",
        "12345678901234567890123456789012345678",
        "99999999999999999999999999999999999999",
        "0.00000000000000000000000000000000000001",
        "9.9999999999999999999999999999999999999E+125",
        "-9.9999999999999999999999999999999999999E+125",
        "1E-130",
        "-1E-130",
    ],
)
def test_numbers_keep_38_digits_over_the_whole_range(client, table, number):
    # Through the client: the resource cannot read back 1E125 written out with its zeros.
    assert Decimal(number_round_trip(client, table, number)) == Decimal(number)


def test_the_resource_level_hands_out_decimals(table):
    pi = Decimal("3.1415926535897932384626433832795028841")
    assert len(pi.as_tuple().digits) == 38
    assert round_trip(table, pi) == pi
    assert round_trip(table, [Decimal("1E-130"), {"n": Decimal("-12345678901234567890123456789012345678")}]) == [
        Decimal("1E-130"),
        {"n": Decimal("-12345678901234567890123456789012345678")},
    ]


@pytest.mark.parametrize(
    ("sent", "canonical"),
    [
        ("1.500", "1.5"),
        ("0007", "7"),
        ("-0", "0"),
        ("0.0", "0"),
        ("100", "100"),
        ("1e3", "1000"),
        ("1.23E+2", "123"),
        ("+5", "5"),
        ("1E-3", "0.001"),
        ("12345678901234567890123456789012345678.000", "12345678901234567890123456789012345678"),
    ],
)
def test_numbers_come_back_in_canonical_form(client, table, sent, canonical):
    assert number_round_trip(client, table, sent) == canonical


PRECISION = (
    "Attempting to store more than 38 significant digits in a Number",
    "DynamoDB only supports precision up to 38 digits",
)
OVERFLOW = ("Number overflow. Attempting to store a number with magnitude larger than supported range",)
UNDERFLOW = ("Number underflow. Attempting to store a number with magnitude smaller than supported range",)


def not_a_number(sent: str) -> tuple[str, str]:
    return (
        f"The parameter cannot be converted to a numeric value: {sent}",
        "A value provided cannot be converted into a number",
    )


@pytest.mark.parametrize(
    ("sent", "messages"),
    [
        ("1" * 39, PRECISION),
        ("0." + "1" * 39, PRECISION),
        ("1E126", OVERFLOW),
        ("-1E126", OVERFLOW),
        ("1E-131", UNDERFLOW),
        ("", (*not_a_number(""), "The parameter cannot be converted to a numeric value")),
        ("seven", not_a_number("seven")),
        ("NaN", not_a_number("NaN")),
        ("1_000", not_a_number("1_000")),
    ],
)
def test_numbers_outside_are_refused(client, table, sent, messages):
    """Where there are two texts, the first is AWS's and the second DynamoDB Local's."""
    assert validation_message(lambda: number_round_trip(client, table, sent)) in messages


def test_arithmetic_is_decimal_not_binary(table):
    table.put_item(Item={**KEY, "sum": Decimal("0.1"), "total": Decimal("99999999999999999999999999999999999990")})
    updated = table.update_item(
        Key=KEY,
        UpdateExpression="SET #sum = #sum + :tenths ADD #total :nine",
        ExpressionAttributeNames={"#sum": "sum", "#total": "total"},
        ExpressionAttributeValues={":tenths": Decimal("0.2"), ":nine": 9},
        ReturnValues="UPDATED_NEW",
    )["Attributes"]
    assert updated == {"sum": Decimal("0.3"), "total": Decimal("99999999999999999999999999999999999999")}


def test_numeric_sort_keys_order_by_value(client, table_name):
    client.create_table(
        TableName=table_name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[
            {"AttributeName": "series", "AttributeType": "S"},
            {"AttributeName": "at", "AttributeType": "N"},
        ],
        KeySchema=[{"AttributeName": "series", "KeyType": "HASH"}, {"AttributeName": "at", "KeyType": "RANGE"}],
    )
    client.get_waiter("table_exists").wait(TableName=table_name, WaiterConfig={"Delay": 1, "MaxAttempts": 30})
    ascending = [
        "-1000", "-20", "-3.5", "-0.001", "0", "0.000001", "0.5", "1", "2", "9.99", "10", "100",
        "12345678901234567890123456789012345678",
    ]  # fmt: skip
    for number in reversed(ascending):
        client.put_item(TableName=table_name, Item={"series": {"S": "s"}, "at": {"N": number}})

    def query(condition, **values):
        found = client.query(
            TableName=table_name,
            KeyConditionExpression=f"series = :series AND {condition}",
            ExpressionAttributeNames={"#at": "at"},
            ExpressionAttributeValues={":series": {"S": "s"}} | {f":{n}": {"N": v} for n, v in values.items()},
        )
        return [item["at"]["N"] for item in found["Items"]]

    assert query("#at > :low", low="-1E125") == ascending
    assert query("#at BETWEEN :low AND :high", low="-3.50", high="1.0") == [
        "-3.5",
        "-0.001",
        "0",
        "0.000001",
        "0.5",
        "1",
    ]
    assert query("#at > :low", low="9.99") == ["10", "100", "12345678901234567890123456789012345678"]
    # 1.0 and 1 are one key.
    client.put_item(TableName=table_name, Item={"series": {"S": "s"}, "at": {"N": "1.0"}, "note": {"S": "again"}})
    assert query("#at = :one", one="1e0") == ["1"]


def test_binary_keeps_every_byte_and_can_be_compared(table):
    every_byte = bytes(range(256))
    assert round_trip(table, every_byte) == Binary(every_byte)
    assert round_trip(table, b"") == Binary(b"")
    assert round_trip(table, {b"\x00", b"\xff\xfe"}) == {Binary(b"\x00"), Binary(b"\xff\xfe")}
    table.put_item(Item={**KEY, "value": b"\x80\x01"})
    found = table.scan(
        FilterExpression="#v > :low AND begins_with(#v, :prefix) AND size(#v) = :two",
        ExpressionAttributeNames={"#v": "value"},
        ExpressionAttributeValues={":low": b"\x7f\xff", ":prefix": b"\x80", ":two": 2},
    )["Items"]
    assert found == [{**KEY, "value": Binary(b"\x80\x01")}]


def test_sets_are_unordered_and_equal_by_value(table):
    assert round_trip(table, {"b", "a", "c"}) == {"a", "b", "c"}
    assert round_trip(table, {Decimal("1"), Decimal("2.50")}) == {Decimal("1"), Decimal("2.5")}
    table.put_item(
        Item={**KEY, "value": {Decimal("2.5"), Decimal(1)}},
        ConditionExpression="#v = :same",
        ExpressionAttributeNames={"#v": "value"},
        ExpressionAttributeValues={":same": {Decimal("1.0"), Decimal("2.50")}},
    )


def test_sets_refuse_emptiness_and_duplicates(client, table):
    def put(value):
        return lambda: client.put_item(TableName=table.name, Item={"PK": {"S": "a"}, "SK": {"S": "b"}, "value": value})

    assert (
        validation_message(put({"SS": []}))
        == "One or more parameter values were invalid: An string set  may not be empty"
    )
    assert (
        validation_message(put({"NS": []}))
        == "One or more parameter values were invalid: An number set  may not be empty"
    )
    assert (
        validation_message(put({"BS": []}))
        == "One or more parameter values were invalid: Binary sets should not be empty"
    )
    # AWS ends this sentence with a full stop, DynamoDB Local does not.
    assert (
        validation_message(put({"SS": ["x", "y", "x"]})).removesuffix(".")
        == "One or more parameter values were invalid: Input collection [x, y, x] contains duplicates"
    )
    assert validation_message(put({"NS": ["1", "1.0"]})) == "Input collection contains duplicates"


def test_documents_nest_and_keep_emptiness(table):
    document = {
        "empty string": "",
        "empty list": [],
        "empty map": {},
        "null": None,
        "true": True,
        "false": False,
        "unicode": "Zürich 東京 🦀",
        "dots.in.name": {"#": [[], [{}], [None, {"deep": [Decimal("1.10")]}]]},
    }
    assert round_trip(table, document) == document
    nested = "leaf"
    for _ in range(31):
        nested = [nested]
    assert round_trip(table, nested) == nested
    assert (
        validation_message(lambda: round_trip(table, [nested])) == "Nesting Levels have exceeded supported limits: "
        "Attributes in the item have nested levels beyond supported limit"
    )


def test_an_item_may_hold_400_kilobytes_and_not_a_byte_more(table):
    # PK and SK names and values, and the attribute name, count as well.
    overhead = len("PK" + KEY["PK"] + "SK" + KEY["SK"] + "value")
    assert round_trip(table, "x" * (400 * 1024 - overhead)) == "x" * (400 * 1024 - overhead)
    message = validation_message(lambda: round_trip(table, "x" * (400 * 1024 - overhead + 1)))
    assert message == "Item size has exceeded the maximum allowed size"
    grown = validation_message(
        lambda: table.update_item(
            Key=KEY, UpdateExpression="SET more = :more", ExpressionAttributeValues={":more": "x"}
        )
    )
    assert grown == "Item size to update has exceeded the maximum allowed size"
