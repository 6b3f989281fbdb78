"""One working day with the AWS CLI on the table of the seed's CloudFormation template, under its own name."""

import json
import time
import uuid

import pytest

import platform_seed
from aws_cli import SERVICE_ERROR, USAGE_ERROR, dynamodb, low_level, refusal, text

TABLE = ("--table-name", "app_data")
ACME = text({"PK": {"S": "ACCOUNT#acme"}, "SK": {"S": "METADATA"}})
LICENSE = text({"PK": {"S": "ACCOUNT#acme"}, "SK": {"S": "LICENSE#l1"}})


def write_requests(folder, items: list[dict], number: int) -> str:
    path = folder / f"batch-{number}.json"
    path.write_text(json.dumps({"app_data": [{"PutRequest": {"Item": low_level(item)}} for item in items]}))
    return f"file://{path}"


@pytest.fixture(scope="module", autouse=True)
def app_data(tmp_path_factory):
    """Creates the table from the template's properties and fills it from files, as an operator would."""
    folder = tmp_path_factory.mktemp("cli")
    properties = folder / "app_data.json"
    properties.write_text(json.dumps(platform_seed.table_properties()))
    created = dynamodb("create-table", "--cli-input-json", f"file://{properties}")
    assert created.status == 0, created.errors
    try:
        assert created.json["TableDescription"]["TableName"] == "app_data"
        waited = dynamodb("wait", "table-exists", *TABLE)
        assert (waited.status, waited.output, waited.errors) == (0, "", "")
        items = platform_seed.items()
        for number, start in enumerate(range(0, len(items), 25)):
            written = dynamodb(
                "batch-write-item", "--request-items", write_requests(folder, items[start : start + 25], number)
            )
            assert written.json == {"UnprocessedItems": {}}
        yield
    finally:
        deleted = dynamodb("delete-table", *TABLE)
        assert deleted.json["TableDescription"]["TableName"] == "app_data"
        assert dynamodb("wait", "table-not-exists", *TABLE).status == 0


def sort_keys(outcome) -> list[str]:
    return [item["SK"]["S"] for item in outcome.json["Items"]]


def test_the_table_is_described(app_data):
    status = dynamodb("describe-table", *TABLE, "--query", "Table.[TableName,TableStatus]", "--output", "text")
    assert (status.status, status.output) == (0, "app_data\tACTIVE\n")
    indexes = dynamodb(
        "describe-table", *TABLE,
        "--query", "sort(Table.GlobalSecondaryIndexes[?IndexStatus==`ACTIVE`].IndexName)",
    )  # fmt: skip
    assert indexes.json == ["GSI1", "GSI2", "GSI3"]
    assert "app_data" in dynamodb("list-tables").json["TableNames"]


def test_an_item_is_read_and_printed_as_it_was_written():
    read = dynamodb("get-item", *TABLE, "--key", ACME, "--consistent-read")
    assert read.json == {"Item": low_level(platform_seed.item("ACCOUNT#acme"))}
    part = dynamodb(
        "get-item", *TABLE, "--key", ACME,
        "--projection-expression", "#n, settings.features[0]",
        "--expression-attribute-names", '{"#n": "name"}',
        "--return-consumed-capacity", "TOTAL",
    )  # fmt: skip
    assert part.json == {
        "Item": {"name": {"S": "Acme"}, "settings": {"M": {"features": {"L": [{"S": "sso"}]}}}},
        "ConsumedCapacity": {"TableName": "app_data", "CapacityUnits": 0.5},
    }
    # An absent item prints nothing at all.
    absent = dynamodb("get-item", *TABLE, "--key", text({"PK": {"S": "ACCOUNT#none"}, "SK": {"S": "METADATA"}}))
    assert (absent.status, absent.output, absent.errors) == (0, "", "")


def test_put_update_and_delete_one_item():
    key = {"PK": {"S": "USER#cli"}, "SK": {"S": "METADATA"}}
    # Version 1 of the CLI takes binary as plain text and prints it in base64.
    item = key | {"logins": {"N": "1"}, "tags": {"SS": ["a", "b"]}, "photo": {"B": "a photo"}}
    put = dynamodb("put-item", *TABLE, "--item", text(item), "--condition-expression", "attribute_not_exists(PK)")
    assert (put.status, put.output, put.errors) == (0, "", "")
    read = dynamodb("get-item", *TABLE, "--key", text(key)).json["Item"]
    assert sorted(read.pop("tags")["SS"]) == ["a", "b"]
    assert read == key | {"logins": {"N": "1"}, "photo": {"B": "YSBwaG90bw=="}}

    updated = dynamodb(
        "update-item", *TABLE, "--key", text(key),
        "--update-expression", "SET #n = :name ADD logins :one REMOVE photo DELETE tags :b",
        "--expression-attribute-names", '{"#n": "name"}',
        "--expression-attribute-values", text({":name": {"S": "Cleo"}, ":one": {"N": "1"}, ":b": {"SS": ["b"]}}),
        "--return-values", "ALL_NEW",
    )  # fmt: skip
    stored = key | {"name": {"S": "Cleo"}, "logins": {"N": "2"}, "tags": {"SS": ["a"]}}
    assert updated.json == {"Attributes": stored}

    deleted = dynamodb("delete-item", *TABLE, "--key", text(key), "--return-values", "ALL_OLD")
    assert deleted.json == {"Attributes": stored}
    again = dynamodb("delete-item", *TABLE, "--key", text(key), "--return-values", "ALL_OLD")
    assert again.status == 0
    assert "Attributes" not in again.output


def test_queries_by_table_and_by_index():
    expiring = dynamodb(
        "query", *TABLE, "--index-name", "GSI3",
        "--key-condition-expression", "GSI3PK = :pk AND GSI3SK <= :date",
        "--expression-attribute-values", text({":pk": {"S": "LICENSE#STATUS#active"}, ":date": {"S": "2020-12-31"}}),
    )  # fmt: skip
    assert expiring.json == {
        "Items": [
            low_level(platform_seed.item("ACCOUNT#globex", "LICENSE#l4")),
            low_level(platform_seed.item("ACCOUNT#acme", "LICENSE#l1")),
        ],
        "Count": 2,
        "ScannedCount": 2,
        "ConsumedCapacity": None,
    }
    backward = dynamodb(
        "query", *TABLE, "--no-scan-index-forward",
        "--key-condition-expression", "PK = :pk AND begins_with(SK, :prefix)",
        "--filter-expression", "seats > :few",
        "--expression-attribute-values",
        text({":pk": {"S": "ACCOUNT#acme"}, ":prefix": {"S": "LICENSE#"}, ":few": {"N": "5"}}),
        "--query", "[Items[].SK.S, Count, ScannedCount]",
    )  # fmt: skip
    assert backward.json == [["LICENSE#l3", "LICENSE#l1"], 2, 3]
    counted = dynamodb(
        "query", *TABLE, "--select", "COUNT", "--index-name", "GSI1",
        "--key-condition-expression", "GSI1PK = :pk",
        "--expression-attribute-values", text({":pk": {"S": "ENTITY#USER"}}),
        "--output", "text", "--query", "Count",
    )  # fmt: skip
    assert counted.output == "3\n"


def test_pages_by_size_by_count_and_by_token():
    query = (
        "query", *TABLE,
        "--key-condition-expression", "PK = :pk",
        "--expression-attribute-values", text({":pk": {"S": "ACCOUNT#acme"}}),
    )  # fmt: skip
    everything = [
        "ADDRESS#billing", "ADDRESS#shipping", "LICENSE#l1", "LICENSE#l2", "LICENSE#l3", "METADATA",
        "TECH_USER#robot", "WORKSTREAM#w1", "WORKSTREAM#w2",
    ]  # fmt: skip
    # However small the pages of the service, the CLI prints one listing.
    assert sort_keys(dynamodb(*query, "--page-size", "2")) == everything

    found, token = [], None
    while True:
        page = dynamodb(*query, "--max-items", "4", *(("--starting-token", token) if token else ()))
        found.append(sort_keys(page))
        token = page.json.get("NextToken")
        if token is None:
            break
    assert found == [everything[:4], everything[4:8], everything[8:]]

    bare = dynamodb(*query, "--no-paginate", "--limit", "3").json
    assert bare["LastEvaluatedKey"] == {"PK": {"S": "ACCOUNT#acme"}, "SK": {"S": "LICENSE#l1"}}
    resumed = dynamodb(*query, "--no-paginate", "--exclusive-start-key", text(bare["LastEvaluatedKey"]))
    assert sort_keys(resumed) == everything[3:]
    assert "LastEvaluatedKey" not in resumed.json


def test_scans_page_filter_and_split():
    scanned = dynamodb("scan", *TABLE, "--page-size", "4").json
    assert (scanned["Count"], scanned["ScannedCount"], len(scanned["Items"])) == (35, 35, 35)
    first = dynamodb("scan", *TABLE, "--max-items", "10", "--page-size", "3").json
    rest = dynamodb("scan", *TABLE, "--starting-token", first["NextToken"]).json
    assert first["Items"] + rest["Items"] == scanned["Items"]
    segments = [
        dynamodb("scan", *TABLE, "--total-segments", "2", "--segment", segment, "--query", "Items[].[PK.S, SK.S]").json
        for segment in ("0", "1")
    ]
    assert sorted(segments[0] + segments[1]) == sorted([item["PK"], item["SK"]] for item in platform_seed.items())
    tenants = dynamodb(
        "scan", *TABLE, "--filter-expression", "accountId = :a AND attribute_exists(seats)",
        "--expression-attribute-values", text({":a": {"S": "acme"}}),
        "--query", "sort(Items[].licenseId.S)", "--output", "text",
    )  # fmt: skip
    assert tenants.output == "l1\tl2\tl3\n"


def test_a_batch_reads_from_a_file(tmp_path):
    request = tmp_path / "read.json"
    wanted = [platform_seed.key("USER#u1"), platform_seed.key("USER#u2"), platform_seed.key("USER#none")]
    request.write_text(
        text({"app_data": {"Keys": [low_level(key) for key in wanted], "ProjectionExpression": "userId"}})
    )
    read = dynamodb("batch-get-item", "--request-items", f"file://{request}").json
    assert sorted(item["userId"]["S"] for item in read["Responses"]["app_data"]) == ["u1", "u2"]
    assert read["UnprocessedKeys"] == {}


def test_a_transaction_commits_or_is_cancelled(tmp_path):
    def transact(name, actions, *more):
        path = tmp_path / f"{name}.json"
        path.write_text(text(actions))
        return dynamodb("transact-write-items", "--transact-items", f"file://{path}", *more)

    fresh = {"PK": {"S": "ACCOUNT#cli"}, "SK": {"S": "METADATA"}}
    create = {"Put": {"TableName": "app_data", "Item": fresh, "ConditionExpression": "attribute_not_exists(PK)"}}
    check = {
        "ConditionCheck": {
            "TableName": "app_data",
            "Key": json.loads(ACME),
            "ConditionExpression": "active = :yes",
            "ExpressionAttributeValues": {":yes": {"BOOL": True}},
        }
    }
    once = str(uuid.uuid4())
    committed = transact("commit", [check, create], "--client-request-token", once)
    assert (committed.status, committed.output, committed.errors) == (0, "", "")
    repeated = transact("again", [check, create], "--client-request-token", once)
    assert (repeated.status, repeated.errors) == (0, "")

    cancelled = transact("cancelled", [check, create], "--client-request-token", str(uuid.uuid4()))
    assert cancelled.status == SERVICE_ERROR
    assert cancelled.errors.startswith(
        refusal(
            "TransactionCanceledException",
            "TransactWriteItems",
            "Transaction cancelled, please refer cancellation reasons for specific reasons "
            "[None, ConditionalCheckFailed]",
        ).rstrip("\n")
    )
    absent = {"PK": {"S": "x"}, "SK": {"S": "y"}}
    gets = [{"Get": {"TableName": "app_data", "Key": key}} for key in (fresh, absent)]
    read = dynamodb("transact-get-items", "--transact-items", text(gets))
    assert read.json == {"Responses": [{"Item": fresh}, {}]}
    assert dynamodb("delete-item", *TABLE, "--key", text(fresh)).status == 0


def test_refusals_go_to_stderr_with_the_services_words():
    unmet = dynamodb("delete-item", *TABLE, "--key", LICENSE, "--condition-expression", "attribute_not_exists(PK)")
    assert (unmet.status, unmet.output) == (SERVICE_ERROR, "")
    assert unmet.errors == refusal("ConditionalCheckFailedException", "DeleteItem", "The conditional request failed")
    reserved = dynamodb(
        "update-item", *TABLE, "--key", LICENSE, "--update-expression", "SET status = :s",
        "--expression-attribute-values", text({":s": {"S": "expired"}}),
    )  # fmt: skip
    assert reserved.status == SERVICE_ERROR
    assert reserved.errors == refusal(
        "ValidationException",
        "UpdateItem",
        "Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: status",
    )
    no_index = dynamodb("scan", *TABLE, "--index-name", "GSI9")
    assert no_index.status == SERVICE_ERROR
    assert no_index.errors == refusal(
        "ValidationException", "Scan", "The table does not have the specified index: GSI9"
    )
    no_table = dynamodb("describe-table", "--table-name", "app_data_absent")
    assert no_table.status == SERVICE_ERROR
    assert no_table.errors.startswith(
        "\nAn error occurred (ResourceNotFoundException) when calling the DescribeTable operation: "
    )
    # What the CLI itself refuses never reaches the service.
    assert dynamodb("get-item", *TABLE).status == USAGE_ERROR


def test_time_to_live_is_set():
    assert dynamodb("describe-time-to-live", *TABLE).json == {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}}
    on = dynamodb("update-time-to-live", *TABLE, "--time-to-live-specification", "Enabled=true,AttributeName=expires")
    assert on.json == {"TimeToLiveSpecification": {"Enabled": True, "AttributeName": "expires"}}
    described = dynamodb("describe-time-to-live", *TABLE).json["TimeToLiveDescription"]
    assert described["AttributeName"] == "expires"
    assert described["TimeToLiveStatus"] in ("ENABLING", "ENABLED")


@pytest.mark.beyond_dynamodb_local("has no tags")
def test_tags_are_added_and_removed():
    arn = dynamodb("describe-table", *TABLE, "--query", "Table.TableArn", "--output", "text").output.strip()
    query = ("--query", "sort_by(Tags, &Key)[].[Key, Value]", "--output", "text")
    listed = dynamodb("list-tags-of-resource", "--resource-arn", arn, *query)
    assert listed.output == "Application\tmulti-tenant-platform\nEnvironment\tproduction\n"
    added = dynamodb("tag-resource", "--resource-arn", arn, "--tags", "Key=Owner,Value=platform team")
    assert (added.status, added.output) == (0, "")
    assert dynamodb("untag-resource", "--resource-arn", arn, "--tag-keys", "Application").status == 0
    listed = dynamodb("list-tags-of-resource", "--resource-arn", arn, *query)
    assert listed.output == "Environment\tproduction\nOwner\tplatform team\n"


@pytest.mark.beyond_dynamodb_local("describes neither endpoints nor continuous backups")
def test_endpoints_and_backups_are_described():
    assert dynamodb("describe-endpoints", "--query", "length(Endpoints)", "--output", "text").output == "1\n"
    backups = dynamodb("describe-continuous-backups", *TABLE).json["ContinuousBackupsDescription"]
    assert backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == "DISABLED"


def test_limits_are_described():
    limits = dynamodb("describe-limits", "--query", "[AccountMaxReadCapacityUnits,TableMaxReadCapacityUnits]")
    assert limits.json == [80000, 40000]


def test_an_index_is_added_and_deleted():
    def index_status():
        return dynamodb(
            "describe-table", *TABLE, "--output", "text",
            "--query", "Table.GlobalSecondaryIndexes[?IndexName=='byStatus'].IndexStatus",
        ).output.strip()  # fmt: skip

    def wait_for(wanted):
        deadline = time.monotonic() + 60
        while index_status() != wanted:
            assert time.monotonic() < deadline

    added = dynamodb(
        "update-table", *TABLE,
        "--attribute-definitions", "AttributeName=status,AttributeType=S", "AttributeName=seats,AttributeType=N",
        "--global-secondary-index-updates",
        text([{"Create": {
            "IndexName": "byStatus",
            "KeySchema": [
                {"AttributeName": "status", "KeyType": "HASH"},
                {"AttributeName": "seats", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        }}]),
    )  # fmt: skip
    assert added.status == 0, added.errors
    wait_for("ACTIVE")
    found = dynamodb(
        "query", *TABLE, "--index-name", "byStatus",
        "--key-condition-expression", "#s = :s AND seats BETWEEN :low AND :high",
        "--expression-attribute-names", '{"#s": "status"}',
        "--expression-attribute-values", text({":s": {"S": "active"}, ":low": {"N": "4"}, ":high": {"N": "100"}}),
    )  # fmt: skip
    assert found.json["Items"] == [
        {"PK": {"S": "ACCOUNT#acme"}, "SK": {"S": "LICENSE#l1"}, "status": {"S": "active"}, "seats": {"N": "25"}},
        {"PK": {"S": "ACCOUNT#acme"}, "SK": {"S": "LICENSE#l3"}, "status": {"S": "active"}, "seats": {"N": "100"}},
    ]
    dropped = dynamodb(
        "update-table", *TABLE, "--global-secondary-index-updates", text([{"Delete": {"IndexName": "byStatus"}}])
    )
    assert dropped.status == 0, dropped.errors
    wait_for("")


def test_deletion_protection_holds():
    assert dynamodb("update-table", *TABLE, "--deletion-protection-enabled").status == 0
    refused = dynamodb("delete-table", *TABLE)
    assert refused.status == SERVICE_ERROR
    assert refused.errors == refusal(
        "ValidationException",
        "DeleteTable",
        "Resource cannot be deleted as it is currently protected against deletion. "
        "Disable deletion protection first.",
    )
    off = dynamodb("update-table", *TABLE, "--no-deletion-protection-enabled")
    assert off.json["TableDescription"]["DeletionProtectionEnabled"] is False
