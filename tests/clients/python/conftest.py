"""Connections to the endpoint under test, and tables that exist for one test."""

import os
import secrets
import urllib.error
import urllib.request

import boto3
import pytest
from botocore.config import Config

import platform_seed

ENDPOINT = os.environ.get("KEYFOLD_ENDPOINT", "http://127.0.0.1:8000")
# One attempt and short timeouts: a story must not pass because a retry hid a failure.
CONFIG = Config(retries={"total_max_attempts": 1}, connect_timeout=5, read_timeout=30)


def is_dynamodb_local() -> bool:
    try:
        response = urllib.request.urlopen(ENDPOINT, timeout=10)
    except urllib.error.HTTPError as refusal:
        response = refusal
    return response.headers.get("Server", "").startswith("Jetty")


def pytest_collection_modifyitems(items):
    marked = [item for item in items if item.get_closest_marker("beyond_dynamodb_local")]
    if not marked or not is_dynamodb_local():
        return
    for item in marked:
        reason = item.get_closest_marker("beyond_dynamodb_local").args[0]
        item.add_marker(pytest.mark.xfail(reason=f"DynamoDB Local: {reason}", strict=True))


@pytest.fixture(scope="session")
def client():
    return boto3.client("dynamodb", endpoint_url=ENDPOINT, config=CONFIG)


@pytest.fixture(scope="session")
def resource():
    return boto3.resource("dynamodb", endpoint_url=ENDPOINT, config=CONFIG)


@pytest.fixture
def table_name(client):
    """A name of its own for each test; the table, if the test made one, is deleted afterwards."""
    name = f"app_data_{secrets.token_hex(6)}"
    yield name
    try:
        client.delete_table(TableName=name)
    except client.exceptions.ResourceNotFoundException:
        return
    client.get_waiter("table_not_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 30})


@pytest.fixture
def table(resource, table_name):
    """An empty table shaped like the seed's."""
    table = resource.create_table(**platform_seed.table_properties(table_name))
    table.meta.client.get_waiter("table_exists").wait(
        TableName=table_name, WaiterConfig={"Delay": 1, "MaxAttempts": 30}
    )
    return table


@pytest.fixture
def seeded(table):
    """The same table with every seed item in it."""
    with table.batch_writer() as batch:
        for item in platform_seed.items():
            batch.put_item(Item=item)
    return table
