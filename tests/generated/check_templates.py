"""Hands the generated infrastructure of every design to the tools its users run, and compares it with what it says.

Each design's CloudFormation template goes through cfn-lint, its Terraform file through an HCL parser, and both have to
describe the same table. The CDK's synthesized table is compared with the template in check_cdk.mjs, which reads what this
script writes: the templates as JSON.
"""

import json
import pathlib
import subprocess
import sys

import hcl2
import yaml
from cfnlint.decode.cfn_yaml import load as load_template

ROOT = pathlib.Path(__file__).resolve().parents[2]
DESIGNS = sorted(ROOT.glob("designs/*/generated")) + sorted(ROOT.glob("tests/generated/*/generated"))

# What the platform document's own template says, property by property.
PLATFORM = yaml.safe_load("""
TableName: app_data
BillingMode: PAY_PER_REQUEST
AttributeDefinitions:
  - {AttributeName: PK, AttributeType: S}
  - {AttributeName: SK, AttributeType: S}
  - {AttributeName: GSI1PK, AttributeType: S}
  - {AttributeName: GSI1SK, AttributeType: S}
  - {AttributeName: GSI2PK, AttributeType: S}
  - {AttributeName: GSI2SK, AttributeType: S}
  - {AttributeName: GSI3PK, AttributeType: S}
  - {AttributeName: GSI3SK, AttributeType: S}
KeySchema:
  - {AttributeName: PK, KeyType: HASH}
  - {AttributeName: SK, KeyType: RANGE}
GlobalSecondaryIndexes:
  - IndexName: GSI1
    KeySchema: [{AttributeName: GSI1PK, KeyType: HASH}, {AttributeName: GSI1SK, KeyType: RANGE}]
    Projection: {ProjectionType: ALL}
  - IndexName: GSI2
    KeySchema: [{AttributeName: GSI2PK, KeyType: HASH}, {AttributeName: GSI2SK, KeyType: RANGE}]
    Projection: {ProjectionType: ALL}
  - IndexName: GSI3
    KeySchema: [{AttributeName: GSI3PK, KeyType: HASH}, {AttributeName: GSI3SK, KeyType: RANGE}]
    Projection: {ProjectionType: ALL}
Tags:
  - {Key: Environment, Value: production}
  - {Key: Application, Value: multi-tenant-platform}
""")
PLATFORM_OUTPUTS = {
    "TableName": {"Description": "DynamoDB table name", "Value": {"Ref": "AppDataTable"}},
    "TableArn": {"Description": "DynamoDB table ARN", "Value": {"Fn::GetAtt": ["AppDataTable", "Arn"]}},
}


def template_of(folder):
    return json.loads(json.dumps(load_template(str(folder / "cloudformation/template.yaml"))))


def table_of(template):
    (table,) = (found for found in template["Resources"].values() if found["Type"] == "AWS::DynamoDB::Table")
    return table["Properties"]


def text(value):
    """Strings of HCL without their quotes."""
    return value[1:-1] if isinstance(value, str) and value.startswith('"') else value


def clean(value):
    if isinstance(value, dict):
        return {text(key): clean(inner) for key, inner in value.items() if key != "__is_block__"}
    if isinstance(value, list):
        return [clean(inner) for inner in value]
    return text(value)


def keys_of(schema):
    return [(element["AttributeName"], element["KeyType"]) for element in schema]


def terraform_keys(index, table):
    blocks = index.get("key_schema")
    if blocks:
        return [(block["attribute_name"], block["key_type"]) for block in blocks]
    partition = index.get("hash_key", table["hash_key"])
    return [(partition, "HASH")] + ([(index["range_key"], "RANGE")] if "range_key" in index else [])


def compare_terraform(folder, properties):
    with open(folder / "terraform/table.tf", encoding="utf-8") as file:
        parsed = clean(hcl2.load(file))
    (resource,) = parsed["resource"]
    ((table,),) = ([*found.values()] for found in resource.values())
    name = properties["TableName"]
    if isinstance(name, dict):
        variable = name["Ref"]
        assert table["name"] in (f"${{var.{variable}}}", f"var.{variable}"), table["name"]
        assert variable in parsed["variable"][0]
    else:
        assert table["name"] == name
    assert table["billing_mode"] == properties["BillingMode"]
    definitions = [(found["name"], found["type"]) for found in table["attribute"]]
    assert definitions == [(found["AttributeName"], found["AttributeType"]) for found in properties["AttributeDefinitions"]]
    assert terraform_keys(table, table) == keys_of(properties["KeySchema"])
    for blocks, title in (("global_secondary_index", "GlobalSecondaryIndexes"), ("local_secondary_index", "LocalSecondaryIndexes")):
        found = {index["name"]: index for index in table.get(blocks, [])}
        wanted = {index["IndexName"]: index for index in properties.get(title, [])}
        assert found.keys() == wanted.keys()
        for key, index in wanted.items():
            assert terraform_keys(found[key], table) == keys_of(index["KeySchema"])
            assert found[key]["projection_type"] == index["Projection"]["ProjectionType"]
            assert found[key].get("non_key_attributes") == index["Projection"].get("NonKeyAttributes")
    assert table.get("tags", {}) == {tag["Key"]: tag["Value"] for tag in properties.get("Tags", [])}
    if "StreamSpecification" in properties:
        assert table["stream_view_type"] == properties["StreamSpecification"]["StreamViewType"]
    if "TimeToLiveSpecification" in properties:
        (expiry,) = table["ttl"]
        assert expiry["attribute_name"] == properties["TimeToLiveSpecification"]["AttributeName"]
    assert bool(table.get("deletion_protection_enabled")) == properties.get("DeletionProtectionEnabled", False)
    assert ("point_in_time_recovery" in table) == ("PointInTimeRecoverySpecification" in properties)
    assert ("server_side_encryption" in table) == ("SSESpecification" in properties)
    if "SSESpecification" in properties:
        (encryption,) = table["server_side_encryption"]
        assert encryption.get("kms_key_arn") == properties["SSESpecification"].get("KMSMasterKeyId")


def main(scratch):
    linter = pathlib.Path(sys.executable).with_name("cfn-lint")
    for folder in DESIGNS:
        file = folder / "cloudformation/template.yaml"
        # Whether data outlives the stack is for the people who deploy it, and so is the warning about it.
        subprocess.run([linter, "--ignore-checks", "I3011", "--", file], check=True)
        template = template_of(folder)
        properties = table_of(template)
        compare_terraform(folder, properties)
        design = folder.parent.name
        (pathlib.Path(scratch) / f"{design}.json").write_text(json.dumps(template))
        if design == "platform":
            assert properties == PLATFORM, properties
            assert template["Outputs"] == PLATFORM_OUTPUTS, template["Outputs"]
        print(f"{design}: CloudFormation and Terraform describe one table")


main(sys.argv[1])
