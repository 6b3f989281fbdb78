"""Time to live, tags and the account-wide descriptions."""

import re
import time

import pytest

from refusals import validation_message


def wait_for_ttl(client, table_name: str, wanted: str) -> dict:
    deadline = time.monotonic() + 30
    while True:
        described = client.describe_time_to_live(TableName=table_name)["TimeToLiveDescription"]
        if described["TimeToLiveStatus"] == wanted:
            return described
        assert time.monotonic() < deadline, described
        time.sleep(0.1)


def test_time_to_live_is_switched_on_and_off(client, table):
    name = table.name
    assert client.describe_time_to_live(TableName=name)["TimeToLiveDescription"] == {"TimeToLiveStatus": "DISABLED"}

    def update(enabled, attribute="expires"):
        return client.update_time_to_live(
            TableName=name, TimeToLiveSpecification={"Enabled": enabled, "AttributeName": attribute}
        )

    assert update(True)["TimeToLiveSpecification"] == {"Enabled": True, "AttributeName": "expires"}
    assert wait_for_ttl(client, name, "ENABLED") == {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"}
    assert validation_message(lambda: update(True)) == "TimeToLive is already enabled"
    # AWS goes on to name the attribute, DynamoDB Local does not.
    different = "TimeToLive is active on a different AttributeName"
    for enabled in (True, False):
        message = validation_message(lambda: update(enabled, "other"))
        assert message in (different, f"{different}: current AttributeName is expires")

    # An expired item may be read until it is swept; one that is not a number never expires.
    hour = 3600
    table.put_item(Item={"PK": "SESSION#1", "SK": "METADATA", "expires": int(time.time()) + hour})
    table.put_item(Item={"PK": "SESSION#2", "SK": "METADATA", "expires": "not a number"})
    assert table.scan()["Count"] == 2

    assert update(False)["TimeToLiveSpecification"] == {"Enabled": False, "AttributeName": "expires"}
    assert wait_for_ttl(client, name, "DISABLED") == {"TimeToLiveStatus": "DISABLED"}
    assert validation_message(lambda: update(False)) == "TimeToLive is already disabled"


@pytest.mark.beyond_dynamodb_local("has no tags")
def test_tags_come_from_creation_and_change_later(client, table):
    arn = table.table_arn

    def tags():
        return sorted((tag["Key"], tag["Value"]) for tag in client.list_tags_of_resource(ResourceArn=arn)["Tags"])

    # The seed's CloudFormation sets the first two.
    assert tags() == [("Application", "multi-tenant-platform"), ("Environment", "production")]
    client.tag_resource(
        ResourceArn=arn, Tags=[{"Key": "Environment", "Value": "staging"}, {"Key": "Owner", "Value": ""}]
    )
    assert tags() == [("Application", "multi-tenant-platform"), ("Environment", "staging"), ("Owner", "")]
    client.untag_resource(ResourceArn=arn, TagKeys=["Application", "Owner", "never there"])
    assert tags() == [("Environment", "staging")]
    paged = client.get_paginator("list_tags_of_resource").paginate(ResourceArn=arn).build_full_result()
    assert paged["Tags"] == [{"Key": "Environment", "Value": "staging"}]
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.list_tags_of_resource(ResourceArn=arn + "_absent")


def test_limits_are_described(client):
    limits = client.describe_limits()
    assert {name: limits[name] for name in limits if name != "ResponseMetadata"} == {
        "AccountMaxReadCapacityUnits": 80000,
        "AccountMaxWriteCapacityUnits": 80000,
        "TableMaxReadCapacityUnits": 40000,
        "TableMaxWriteCapacityUnits": 40000,
    }


@pytest.mark.beyond_dynamodb_local("has no DescribeEndpoints")
def test_endpoints_are_described(client):
    endpoints = client.describe_endpoints()["Endpoints"]
    assert len(endpoints) == 1
    assert re.fullmatch(r"[a-z0-9.-]+(:\d+)?", endpoints[0]["Address"])
    assert endpoints[0]["CachePeriodInMinutes"] == 1440


@pytest.mark.beyond_dynamodb_local("has no DescribeKinesisStreamingDestination")
def test_a_table_streams_to_no_kinesis_data_stream(client, table):
    described = client.describe_kinesis_streaming_destination(TableName=table.name)
    assert described["TableName"] == table.name
    assert described["KinesisDataStreamDestinations"] == []
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.describe_kinesis_streaming_destination(TableName=table.name + "_absent")


@pytest.mark.beyond_dynamodb_local("has no DescribeContinuousBackups")
def test_continuous_backups_are_described(client, table):
    described = client.describe_continuous_backups(TableName=table.name)["ContinuousBackupsDescription"]
    assert described["ContinuousBackupsStatus"] in ("ENABLED", "DISABLED")
    assert described["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == "DISABLED"
    with pytest.raises(client.exceptions.TableNotFoundException):
        client.describe_continuous_backups(TableName=table.name + "_absent")
