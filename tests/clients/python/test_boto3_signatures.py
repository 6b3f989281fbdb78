"""Signatures, against a server that knows one pair of credentials. Skipped where there is no such server."""

import os

import boto3
import pytest
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import ClientError

from conftest import CONFIG

NEEDED = ("KEYFOLD_SIGNED_ENDPOINT", "KEYFOLD_ACCESS_KEY", "KEYFOLD_SECRET_KEY")
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
