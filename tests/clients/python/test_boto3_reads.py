"""Query and Scan on the seed's data: every access pattern, ranges, order, filters, pages, segments."""

from decimal import Decimal

import pytest
from boto3.dynamodb.conditions import Attr, Key

import platform_seed
from platform_seed import keys
from refusals import validation_message


@pytest.mark.parametrize(
    ("index", "condition", "expected"),
    [
        ("GSI1", Key("GSI1PK").eq("ENTITY#ACCOUNT"), [("ACCOUNT#acme", "METADATA"), ("ACCOUNT#globex", "METADATA")]),
        (
            "GSI1",
            Key("GSI1PK").eq("ENTITY#ENTERPRISE"),
            [("ENTERPRISE#north", "METADATA"), ("ENTERPRISE#south", "METADATA")],
        ),
        (
            None,
            Key("PK").eq("ACCOUNT#acme"),
            [
                ("ACCOUNT#acme", "ADDRESS#billing"),
                ("ACCOUNT#acme", "ADDRESS#shipping"),
                ("ACCOUNT#acme", "LICENSE#l1"),
                ("ACCOUNT#acme", "LICENSE#l2"),
                ("ACCOUNT#acme", "LICENSE#l3"),
                ("ACCOUNT#acme", "METADATA"),
                ("ACCOUNT#acme", "TECH_USER#robot"),
                ("ACCOUNT#acme", "WORKSTREAM#w1"),
                ("ACCOUNT#acme", "WORKSTREAM#w2"),
            ],
        ),
        (
            None,
            Key("PK").eq("ENTERPRISE#north"),
            [
                ("ENTERPRISE#north", "METADATA"),
                ("ENTERPRISE#north", "PRODUCT#ledger"),
                ("ENTERPRISE#north", "SERVICE#hosting"),
            ],
        ),
        ("GSI2", Key("GSI2PK").eq("ACCOUNT#acme#USERS"), [("USER#u1", "METADATA"), ("USER#u2", "METADATA")]),
        ("GSI2", Key("GSI2PK").eq("ACCOUNT#acme#ROLES"), [("ROLE#admin", "METADATA")]),
        (
            None,
            Key("PK").eq("ACCOUNT#acme") & Key("SK").begins_with("LICENSE#"),
            [("ACCOUNT#acme", "LICENSE#l1"), ("ACCOUNT#acme", "LICENSE#l2"), ("ACCOUNT#acme", "LICENSE#l3")],
        ),
        (
            "GSI2",
            Key("GSI2PK").eq("ENTERPRISE#north") & Key("GSI2SK").begins_with("LICENSE#"),
            [("ACCOUNT#acme", "LICENSE#l1"), ("ACCOUNT#acme", "LICENSE#l2"), ("ACCOUNT#globex", "LICENSE#l4")],
        ),
        (
            "GSI2",
            Key("GSI2PK").eq("ENTERPRISE#north") & Key("GSI2SK").begins_with("WORKSTREAM#"),
            [("ACCOUNT#acme", "WORKSTREAM#w1"), ("ACCOUNT#globex", "WORKSTREAM#w3")],
        ),
        (
            None,
            Key("PK").eq("ROLE#admin"),
            [
                ("ROLE#admin", "METADATA"),
                ("ROLE#admin", "PERMISSION#dashboard"),
                ("ROLE#admin", "PERMISSION#settings"),
                ("ROLE#admin", "PERMISSION#users"),
            ],
        ),
        (
            None,
            Key("PK").eq("USER#u1"),
            [("USER#u1", "METADATA"), ("USER#u1", "WORKSTREAM#w1"), ("USER#u1", "WORKSTREAM#w2")],
        ),
        (
            "GSI3",
            Key("GSI3PK").eq("LICENSE#STATUS#active") & Key("GSI3SK").lte("2020-12-31"),
            [("ACCOUNT#globex", "LICENSE#l4"), ("ACCOUNT#acme", "LICENSE#l1")],
        ),
        ("GSI3", Key("GSI3PK").eq("USER#STATUS#inactive"), [("USER#u2", "METADATA")]),
        (
            "GSI2",
            Key("GSI2PK").eq("ACCOUNT#acme#NOTIFICATIONS"),
            [
                ("NOTIFICATION_AUDIT#n1", "METADATA"),
                ("NOTIFICATION_AUDIT#n2", "METADATA"),
                ("NOTIFICATION_AUDIT#n4", "METADATA"),
            ],
        ),
        ("GSI3", Key("GSI3PK").eq("NOTIFICATION#STATUS#failed"), [("NOTIFICATION_AUDIT#n2", "METADATA")]),
        (
            "GSI3",
            Key("GSI3PK").eq("NOTIFICATION#STATUS#sent") & Key("GSI3SK").between("2025-01-01", "2025-02-01"),
            [("NOTIFICATION_AUDIT#n1", "METADATA")],
        ),
        ("GSI3", Key("GSI3PK").eq("LICENSE#STATUS#active") & Key("GSI3SK").gt("3000"), []),
    ],
)
def test_access_patterns_of_the_seed(seeded, index, condition, expected):
    request = {"KeyConditionExpression": condition} | ({"IndexName": index} if index else {})
    forward = seeded.query(**request)
    assert keys(forward["Items"]) == expected
    assert forward["Items"] == [platform_seed.item(*key) for key in expected]
    assert (forward["Count"], forward["ScannedCount"]) == (len(expected), len(expected))
    assert "LastEvaluatedKey" not in forward
    backward = seeded.query(**request, ScanIndexForward=False)
    assert keys(backward["Items"]) == expected[::-1]


def test_a_filter_drops_items_after_they_were_read(seeded):
    page = seeded.query(
        KeyConditionExpression=Key("PK").eq("ACCOUNT#acme"),
        FilterExpression=Attr("seats").gte(25) & Attr("status").eq("active"),
    )
    assert keys(page["Items"]) == [("ACCOUNT#acme", "LICENSE#l1"), ("ACCOUNT#acme", "LICENSE#l3")]
    assert (page["Count"], page["ScannedCount"]) == (2, 9)

    # Limit counts what was read, so a page may be empty and still have a successor.
    empty = seeded.query(
        KeyConditionExpression=Key("PK").eq("ACCOUNT#acme"), FilterExpression=Attr("seats").exists(), Limit=2
    )
    assert (empty["Items"], empty["Count"], empty["ScannedCount"]) == ([], 0, 2)
    assert empty["LastEvaluatedKey"] == {"PK": "ACCOUNT#acme", "SK": "ADDRESS#shipping"}


def test_counting_and_projecting(seeded):
    counted = seeded.query(KeyConditionExpression=Key("PK").eq("ACCOUNT#acme"), Select="COUNT")
    assert (counted["Count"], counted["ScannedCount"]) == (9, 9)
    assert "Items" not in counted

    projected = seeded.query(
        KeyConditionExpression=Key("PK").eq("ACCOUNT#acme") & Key("SK").eq("METADATA"),
        ProjectionExpression="#n, settings.features[1], settings.locale, absent",
        ExpressionAttributeNames={"#n": "name"},
    )
    assert projected["Items"] == [{"name": "Acme", "settings": {"features": ["audit"], "locale": "en-GB"}}]
    read = seeded.get_item(Key=platform_seed.key("ACCOUNT#acme"), ProjectionExpression="employees, active")
    assert read["Item"] == {"employees": Decimal(120), "active": True}
    # An item of which nothing is projected is still an item.
    assert seeded.get_item(Key=platform_seed.key("ACCOUNT#acme"), ProjectionExpression="absent")["Item"] == {}


def test_pages_continue_exactly_where_they_stopped(seeded):
    condition = Key("GSI2PK").eq("ENTERPRISE#north")
    everything = keys(seeded.query(IndexName="GSI2", KeyConditionExpression=condition)["Items"])
    assert len(everything) == 5
    for limit in range(1, 7):
        for forward in (True, False):
            found, start, pages = [], {}, 0
            while True:
                page = seeded.query(
                    IndexName="GSI2", KeyConditionExpression=condition, Limit=limit, ScanIndexForward=forward, **start
                )
                found += keys(page["Items"])
                pages += 1
                if "LastEvaluatedKey" not in page:
                    break
                last = page["LastEvaluatedKey"]
                # A global index's cursor holds the index key and the table key.
                assert set(last) == {"PK", "SK", "GSI2PK", "GSI2SK"}
                assert (last["PK"], last["SK"]) == found[-1]
                start = {"ExclusiveStartKey": last}
            assert found == (everything if forward else everything[::-1])
            # A page that ends exactly at the limit has a cursor, even when nothing follows.
            assert pages == 5 // limit + 1


def test_paginators_merge_pages_and_resume_from_a_token(client, seeded):
    request = {
        "TableName": seeded.name,
        "KeyConditionExpression": "PK = :pk",
        "ExpressionAttributeValues": {":pk": {"S": "ACCOUNT#acme"}},
    }
    paginator = client.get_paginator("query")
    pages = list(paginator.paginate(**request, PaginationConfig={"PageSize": 4}))
    assert [page["Count"] for page in pages] == [4, 4, 1]

    first = paginator.paginate(**request, PaginationConfig={"PageSize": 2, "MaxItems": 3}).build_full_result()
    assert [item["SK"]["S"] for item in first["Items"]] == ["ADDRESS#billing", "ADDRESS#shipping", "LICENSE#l1"]
    rest = paginator.paginate(
        **request, PaginationConfig={"PageSize": 2, "StartingToken": first["NextToken"]}
    ).build_full_result()
    assert [item["SK"]["S"] for item in rest["Items"]] == [
        "LICENSE#l2",
        "LICENSE#l3",
        "METADATA",
        "TECH_USER#robot",
        "WORKSTREAM#w1",
        "WORKSTREAM#w2",
    ]
    assert "NextToken" not in rest

    scanned = client.get_paginator("scan").paginate(TableName=seeded.name, PaginationConfig={"PageSize": 7})
    pages = list(scanned)
    assert [page["Count"] for page in pages] == [7, 7, 7, 7, 7, 0]
    assert len({(item["PK"]["S"], item["SK"]["S"]) for page in pages for item in page["Items"]}) == 35


def test_a_scan_finds_every_item_once(seeded):
    everything = sorted(keys(platform_seed.items()))
    page = seeded.scan()
    assert sorted(keys(page["Items"])) == everything
    assert (page["Count"], page["ScannedCount"]) == (35, 35)
    assert sorted(page["Items"], key=lambda item: (item["PK"], item["SK"])) == sorted(
        platform_seed.items(), key=lambda item: (item["PK"], item["SK"])
    )
    # Within a partition a scan follows the sort key.
    assert [sort for partition, sort in keys(page["Items"]) if partition == "ROLE#admin"] == [
        "METADATA",
        "PERMISSION#dashboard",
        "PERMISSION#settings",
        "PERMISSION#users",
    ]


@pytest.mark.parametrize("segments", [1, 2, 3, 7])
def test_parallel_segments_partition_the_table(seeded, segments):
    found = []
    for segment in range(segments):
        start = {}
        while True:
            page = seeded.scan(TotalSegments=segments, Segment=segment, Limit=3, **start)
            found += keys(page["Items"])
            if "LastEvaluatedKey" not in page:
                break
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    assert sorted(found) == sorted(keys(platform_seed.items()))


def test_scanning_a_sparse_index_sees_only_its_members(seeded):
    members = sorted(key for key in keys(item for item in platform_seed.items() if "GSI3PK" in item))
    assert len(members) == 11
    assert sorted(keys(seeded.scan(IndexName="GSI3")["Items"])) == members
    filtered = seeded.scan(
        IndexName="GSI3",
        FilterExpression=Attr("accountId").eq("globex"),
        ProjectionExpression="PK, SK, seats",
    )
    assert (filtered["Count"], filtered["ScannedCount"]) == (3, 11)
    assert {"PK": "ACCOUNT#globex", "SK": "LICENSE#l4", "seats": Decimal(3)} in filtered["Items"]


@pytest.fixture
def bulk(table):
    """Twelve items of a little over 119 KB each: the ninth is the one that crosses 1 MB."""
    for number in range(12):
        table.put_item(Item={"PK": "BULK", "SK": f"{number:02}", "blob": "x" * 122_000})
    return table


def test_a_page_ends_once_a_megabyte_was_read(bulk):
    condition = Key("PK").eq("BULK")
    for read in (
        lambda **more: bulk.query(KeyConditionExpression=condition, ProjectionExpression="SK", **more),
        lambda **more: bulk.scan(ProjectionExpression="SK", **more),
    ):
        page = read()
        assert [item["SK"] for item in page["Items"]] == [f"{number:02}" for number in range(9)]
        assert page["LastEvaluatedKey"] == {"PK": "BULK", "SK": "08"}
        rest = read(ExclusiveStartKey=page["LastEvaluatedKey"])
        assert rest["Items"] == [{"SK": "09"}, {"SK": "10"}, {"SK": "11"}]
        assert "LastEvaluatedKey" not in rest


def test_a_scan_counts_the_megabyte_before_the_filter(bulk):
    page = bulk.scan(FilterExpression=Attr("absent").exists())
    assert (page["Count"], page["ScannedCount"]) == (0, 9)
    assert page["LastEvaluatedKey"] == {"PK": "BULK", "SK": "08"}


@pytest.mark.beyond_dynamodb_local(
    "its Query counts only what passes the filter; AWS documents that a page is cut first"
)
def test_a_query_counts_the_megabyte_before_the_filter(bulk):
    page = bulk.query(KeyConditionExpression=Key("PK").eq("BULK"), FilterExpression=Attr("absent").exists())
    assert (page["Count"], page["ScannedCount"]) == (0, 9)
    assert page["LastEvaluatedKey"] == {"PK": "BULK", "SK": "08"}


def test_malformed_reads_are_refused(client, seeded):
    pk = {":pk": "ACCOUNT#acme"}

    def missed(element):
        # AWS names the element, DynamoDB Local does not.
        return (f"Query condition missed key schema element: {element}", "Query condition missed key schema element")

    assert validation_message(
        lambda: seeded.query(KeyConditionExpression="SK = :pk", ExpressionAttributeValues=pk)
    ) in missed("PK")
    assert validation_message(
        lambda: seeded.query(KeyConditionExpression="PK = :pk AND employees = :pk", ExpressionAttributeValues=pk)
    ) in missed("SK")
    assert (
        validation_message(
            lambda: seeded.query(KeyConditionExpression="begins_with(PK, :pk)", ExpressionAttributeValues=pk)
        )
        == "Query key condition not supported"
    )
    assert (
        validation_message(
            lambda: seeded.query(
                KeyConditionExpression="PK = :pk",
                FilterExpression="SK = :pk",
                ExpressionAttributeValues=pk,
            )
        )
        == "Filter Expression can only contain non-primary key attributes: Primary key attribute: SK"
    )
    assert (
        validation_message(
            lambda: seeded.query(
                IndexName="GSI1",
                ConsistentRead=True,
                KeyConditionExpression="GSI1PK = :pk",
                ExpressionAttributeValues=pk,
            )
        )
        == "Consistent reads are not supported on global secondary indexes"
    )
    assert (
        validation_message(lambda: seeded.scan(IndexName="GSI9")) == "The table does not have the specified index: GSI9"
    )
    # AWS's words, and DynamoDB Local's.
    assert validation_message(lambda: seeded.scan(ExclusiveStartKey={"PK": "ACCOUNT#acme"})) in (
        "The provided starting key is invalid: The provided key element does not match the schema",
        "Exclusive Start Key must have same size as table's key schema",
    )
    assert validation_message(lambda: seeded.scan(TotalSegments=2, Segment=2)) in (
        "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
        "Segment: 2 is not less than TotalSegments: 2",
        "1 validation error detected: Value '2' at 'segment' failed to satisfy constraint: "
        "Member must have value less than or equal to 1",
    )
