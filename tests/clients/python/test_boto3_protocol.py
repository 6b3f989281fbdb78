"""What the SDK relies on beneath the operations: checksums, compression, request ids, errors on the wire."""

import gzip
import json
import zlib

import boto3
import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.httpsession import URLLib3Session

from conftest import ENDPOINT


def send(operation: str, body: bytes, **headers):
    """A signed request as botocore sends it, with the answer's bytes as they came over the wire."""
    request = AWSRequest(
        "POST",
        f"{ENDPOINT}/",
        data=body,
        headers={
            "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Target": f"DynamoDB_20120810.{operation}",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        },
    )
    SigV4Auth(boto3.Session().get_credentials(), "dynamodb", "us-east-1").add_auth(request)
    return URLLib3Session(timeout=20).send(request.prepare())


def test_every_answer_carries_a_checksum_of_its_bytes_and_an_id_of_its_own(seeded):
    body = json.dumps({"TableName": seeded.name}).encode()
    answers = [send("Scan", body), send("Scan", body), send("DescribeTable", body)]
    for answer in answers:
        assert answer.status_code == 200
        assert answer.headers["Content-Type"] == "application/x-amz-json-1.0"
        assert int(answer.headers["x-amz-crc32"]) == zlib.crc32(answer.content)
    assert len({answer.headers["x-amzn-RequestId"] for answer in answers}) == 3


def test_botocore_reads_the_request_id_and_verifies_the_checksum(client, seeded):
    # botocore raises ChecksumError on a wrong x-amz-crc32; a missing one would pass unnoticed, hence the look.
    metadata = client.scan(TableName=seeded.name)["ResponseMetadata"]
    assert metadata["HTTPStatusCode"] == 200
    assert metadata["RetryAttempts"] == 0
    assert metadata["RequestId"] == metadata["HTTPHeaders"]["x-amzn-requestid"]
    assert metadata["HTTPHeaders"]["x-amz-crc32"].isdigit()


@pytest.mark.beyond_dynamodb_local("never compresses")
def test_a_large_answer_is_compressed_for_a_client_that_asks(seeded):
    body = json.dumps({"TableName": seeded.name}).encode()
    plain = send("Scan", body, Accept_Encoding="identity")
    packed = send("Scan", body, Accept_Encoding="gzip")
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    # The checksum is that of the bytes sent, so of the compressed ones.
    assert int(packed.headers["x-amz-crc32"]) == zlib.crc32(packed.content)
    assert len(packed.content) < len(plain.content) / 2
    assert json.loads(gzip.decompress(packed.content)) == json.loads(plain.content)


def test_an_unknown_operation_is_named_as_such():
    answer = send("MakeCoffee", b"{}")
    assert answer.status_code == 400
    # AWS and DynamoDB Local disagree on the namespace; SDKs read what follows the number sign.
    assert json.loads(answer.content)["__type"].split("#")[1] == "UnknownOperationException"


@pytest.mark.beyond_dynamodb_local("answers malformed JSON with an internal failure")
def test_malformed_json_is_a_serialization_error():
    for body in (b"{", b"[]", b'{"TableName": 7}'):
        answer = send("DescribeTable", body)
        assert answer.status_code == 400
        assert json.loads(answer.content)["__type"].split("#")[1] == "SerializationException"


def test_an_error_names_its_exception_in_the_body():
    answer = send("DescribeTable", b'{"TableName": "app_data_never_made"}')
    assert answer.status_code == 400
    assert json.loads(answer.content)["__type"] == "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"
    assert answer.headers["x-amzn-RequestId"]
