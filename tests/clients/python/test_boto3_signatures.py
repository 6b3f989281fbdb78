"""Signatures, against a server with credentials. Skipped where there is no such server."""

import os
import pathlib
import time

import boto3
import pytest
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import ClientError

from conftest import CONFIG

NEEDED = ("KEYFOLD_SIGNED_ENDPOINT", "KEYFOLD_ACCESS_KEY", "KEYFOLD_SECRET_KEY", "KEYFOLD_CREDENTIALS_FILE")
pytestmark = pytest.mark.skipif(not all(os.environ.get(name) for name in NEEDED), reason=f"needs {', '.join(NEEDED)}")


def connect(access_key=None, secret_key=None, region="us-east-1"):
    return boto3.client(
        "dynamodb",
        endpoint_url=os.environ["KEYFOLD_SIGNED_ENDPOINT"],
        aws_access_key_id=access_key or os.environ["KEYFOLD_ACCESS_KEY"],
        aws_secret_access_key=secret_key or os.environ["KEYFOLD_SECRET_KEY"],
        region_name=region,
        config=CONFIG,
    )


def refusal(call) -> dict:
    with pytest.raises(ClientError) as refused:
        call()
    assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 400
    return refused.value.response["Error"]


def test_the_right_credentials_are_accepted():
    client = connect()
    assert client.list_tables()["TableNames"] == []
    # A body that is not ASCII is signed by its bytes.
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.get_item(TableName="app_data", Key={"PK": {"S": "Zürich 東京"}, "SK": {"S": "+/=&?"}})


def test_a_signature_for_another_region_is_refused():
    assert refusal(connect(region="eu-central-2").list_tables) == {
        "Code": "InvalidSignatureException",
        "Message": "Credential should be scoped to a valid region, not 'eu-central-2'.",
    }


def test_a_wrong_secret_is_refused():
    error = refusal(connect(secret_key="another-secret").list_tables)
    assert error["Code"] == "InvalidSignatureException"
    assert error["Message"].startswith("The request signature we calculated does not match the signature you provided.")


def test_an_unknown_key_is_refused():
    assert refusal(connect(access_key="AKIDNOBODY").list_tables) == {
        "Code": "UnrecognizedClientException",
        "Message": "The security token included in the request is invalid.",
    }


def test_a_body_changed_after_signing_is_refused():
    client = connect()

    def tamper(request, **_):
        request.body = b'{"Limit": 1}'
        request.headers["Content-Length"] = str(len(request.body))

    client.meta.events.register("before-send.dynamodb.ListTables", tamper)
    assert refusal(client.list_tables)["Code"] == "InvalidSignatureException"


def test_an_unsigned_request_is_refused():
    client = boto3.client(
        "dynamodb",
        endpoint_url=os.environ["KEYFOLD_SIGNED_ENDPOINT"],
        region_name="us-east-1",
        config=CONFIG.merge(Config(signature_version=UNSIGNED)),
    )
    assert refusal(client.list_tables)["Code"] == "MissingAuthenticationTokenException"


TABLE = {
    "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}
ITEM = {"PK": {"S": "a"}}


def denied(action: str, resource: str) -> dict:
    return {
        "Code": "AccessDeniedException",
        "Message": f"User is not authorized to perform: dynamodb:{action} on resource: {resource} because no "
        f"identity-based policy allows the dynamodb:{action} action",
    }


@pytest.fixture
def tables():
    client = connect()
    names = ["orders", "orders_old", "people"]
    for name in names:
        client.create_table(TableName=name, **TABLE)
    yield client
    for name in names:
        client.delete_table(TableName=name)


def test_a_read_only_key_reads_everything_and_writes_nothing(tables):
    tables.put_item(TableName="people", Item=ITEM)
    reader = connect("AKIDREADER", "a-secret-for-reading")
    assert reader.get_item(TableName="people", Key=ITEM)["Item"] == ITEM
    assert reader.scan(TableName="people")["Items"] == [ITEM]
    assert reader.list_tables()["TableNames"] == ["orders", "orders_old", "people"]
    writes = {
        "PutItem": lambda: reader.put_item(TableName="people", Item=ITEM),
        "DeleteItem": lambda: reader.delete_item(TableName="people", Key=ITEM),
        "BatchWriteItem": lambda: reader.batch_write_item(
            RequestItems={"people": [{"DeleteRequest": {"Key": ITEM}}]}
        ),
        "TransactWriteItems": lambda: reader.transact_write_items(
            TransactItems=[{"Delete": {"TableName": "people", "Key": ITEM}}]
        ),
        "DeleteTable": lambda: reader.delete_table(TableName="people"),
    }
    for action, call in writes.items():
        assert refusal(call) == denied(action, "table/people")
    assert tables.get_item(TableName="people", Key=ITEM)["Item"] == ITEM


def test_a_key_of_some_tables_reaches_no_other(tables):
    orders = connect("AKIDORDERS", "a-secret-for-orders")
    for name in ("orders", "orders_old"):
        orders.put_item(TableName=name, Item=ITEM)
        assert orders.get_item(TableName=name, Key=ITEM)["Item"] == ITEM
    assert refusal(lambda: orders.get_item(TableName="people", Key=ITEM)) == denied("GetItem", "table/people")
    both = [{"Put": {"TableName": name, "Item": {"PK": {"S": "b"}}}} for name in ("orders", "people")]
    assert refusal(lambda: orders.transact_write_items(TransactItems=both)) == denied(
        "TransactWriteItems", "table/people"
    )
    assert "Item" not in tables.get_item(TableName="orders", Key={"PK": {"S": "b"}})
    assert refusal(orders.list_tables) == denied("ListTables", "*")
    # A table that does not exist looks like one that does.
    assert refusal(lambda: orders.describe_table(TableName="nothing")) == denied("DescribeTable", "table/nothing")


def test_the_file_is_reloaded_when_it_changes():
    file = pathlib.Path(os.environ["KEYFOLD_CREDENTIALS_FILE"])
    before = file.read_text()
    guest = connect("AKIDGUEST", "a-secret-for-guests")

    def accepted() -> bool:
        try:
            guest.list_tables()
            return True
        except ClientError as error:
            assert error.response["Error"]["Code"] == "UnrecognizedClientException"
            return False

    def settles(expected: bool) -> None:
        deadline = time.monotonic() + 10
        while accepted() != expected:
            assert time.monotonic() < deadline, f"a change of the file is not seen: {expected}"
            time.sleep(0.1)

    assert not accepted()
    file.write_text(before + "AKIDGUEST a-secret-for-guests\n")
    settles(True)
    # A file that everyone can read is not accepted, and neither are its keys.
    file.chmod(0o644)
    settles(False)
    file.chmod(0o600)
    settles(True)
    file.write_text(before)
    settles(False)
