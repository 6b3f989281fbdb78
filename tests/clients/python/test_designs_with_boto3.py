"""One table, two writers: boto3 in the layout of the platform's document, and the design through `keyfold`.

The design must read, patch and delete what boto3 wrote without any of Keyfold's own attributes, and boto3 must find
what the design wrote with the document's own queries. One process owns a data folder, so the two take turns.
"""

import json
import pathlib
import subprocess
import time

import boto3
import pytest
from boto3.dynamodb.conditions import Key

from conftest import CONFIG

ROOT = pathlib.Path(__file__).resolve().parents[3]
KEYFOLD = ROOT / "target" / "checks" / "keyfold"
PLATFORM = ROOT / "designs" / "platform"

pytestmark = pytest.mark.skipif(not KEYFOLD.exists(), reason="needs the keyfold binary of this checkout")


class Folder:
    """A data folder, served for a while or used by a command."""

    def __init__(self, path):
        self.path = path

    def serve(self):
        return Served(self.path)

    def keyfold(self, *arguments, status=0):
        command = [KEYFOLD, *arguments[:1], PLATFORM, *arguments[1:], "--data", self.path, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode == status, done.stderr
        return json.loads(done.stdout) if done.stdout else done.stderr


class Served:
    """The table `app_data` over the wire, until the end of a `with`."""

    def __init__(self, path):
        port = subprocess.run([ROOT / "scripts" / "free-port"], capture_output=True, text=True, check=True).stdout.strip()
        self.endpoint = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [KEYFOLD, "engine", "serve", "--data", path, "--port", port],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )

    def __enter__(self):
        client = boto3.client("dynamodb", endpoint_url=self.endpoint, config=CONFIG)
        deadline = time.monotonic() + 20
        while True:
            try:
                client.list_tables()
                break
            except Exception:
                assert time.monotonic() < deadline, "the server does not answer"
                time.sleep(0.05)
        return boto3.resource("dynamodb", endpoint_url=self.endpoint, config=CONFIG).Table("app_data")

    def __exit__(self, *_):
        self.process.terminate()
        assert self.process.wait(30) == 0


@pytest.fixture
def folder(tmp_path):
    folder = Folder(tmp_path / "data")
    assert subprocess.run([KEYFOLD, "load", PLATFORM, "--data", folder.path]).returncode == 0
    return folder


LICENSE = {
    "PK": "ACCOUNT#northwind", "SK": "LICENSE#b3-1",
    "GSI1PK": "ENTITY#LICENSE", "GSI1SK": "LICENSE#b3-1",
    "GSI2PK": "ENTERPRISE#globex", "GSI2SK": "LICENSE#b3-1",
    "GSI3PK": "LICENSE#STATUS#active", "GSI3SK": "2026-02-01#b3-1",
    "accountId": "northwind", "licenseId": "b3-1", "enterpriseId": "globex",
    "status": "active", "endDate": "2026-02-01", "seats": 4, "legacyCode": "X-17",
}


def test_the_design_reads_patches_and_deletes_what_boto3_wrote(folder):
    with folder.serve() as table:
        table.put_item(Item=LICENSE)

    found = folder.keyfold("get", "License", "accountId=northwind", "licenseId=b3-1")
    assert found["attributes"] == {
        "accountId": "northwind", "licenseId": "b3-1", "enterpriseId": "globex",
        "status": "active", "endDate": "2026-02-01", "seats": 4,
    }
    listed = folder.keyfold("query", "expiring licenses", "before=2026-02-01")
    assert listed["items"][-1]["attributes"]["licenseId"] == "b3-1"

    patched = folder.keyfold("patch", "License", "accountId=northwind", "licenseId=b3-1", "status=expired", "endDate=2026-01-05")
    assert patched["attributes"]["version"] == 1

    with folder.serve() as table:
        stored = table.get_item(Key={"PK": LICENSE["PK"], "SK": LICENSE["SK"]})["Item"]
        assert stored["GSI3PK"] == "LICENSE#STATUS#expired"
        assert stored["GSI3SK"] == "2026-01-05#b3-1"
        # What the design does not know stays with the item.
        assert stored["legacyCode"] == "X-17"
        assert "createdAt" not in stored

    assert folder.keyfold("delete", "License", "accountId=northwind", "licenseId=b3-1") == {}
    with folder.serve() as table:
        assert "Item" not in table.get_item(Key={"PK": LICENSE["PK"], "SK": LICENSE["SK"]})


def test_boto3_finds_what_the_design_wrote_with_the_queries_of_the_document(folder):
    folder.keyfold("create", "License", "accountId=contoso", "licenseId=new", "enterpriseId=umbrella", "endDate=2026-01-15", "seats=1")
    with folder.serve() as table:
        by_enterprise = table.query(
            IndexName="GSI2",
            KeyConditionExpression=Key("GSI2PK").eq("ENTERPRISE#umbrella") & Key("GSI2SK").begins_with("LICENSE#"),
        )
        assert "new" in [item["licenseId"] for item in by_enterprise["Items"]]
        expiring = table.query(
            IndexName="GSI3",
            KeyConditionExpression=Key("GSI3PK").eq("LICENSE#STATUS#active") & Key("GSI3SK").lte("2026-01-16T00:00:00.000Z"),
        )
        assert expiring["Items"][-1]["licenseId"] == "new"
        account = table.query(KeyConditionExpression=Key("PK").eq("ACCOUNT#contoso"))
        assert [item["SK"] for item in account["Items"]][-2:] == ["WORKSTREAM#ct-mobile", "WORKSTREAM#ct-web"]
        enterprise = table.get_item(Key={"PK": "ENTERPRISE#umbrella", "SK": "METADATA"})["Item"]
        assert enterprise["licenseCount"] == 3
