"""The platform design's table and a small tenant's worth of its items, as the seed document lays them out."""

import json
import pathlib
from decimal import Decimal

import yaml

SEED = pathlib.Path(__file__).parent.parent / "seed"


class _TemplateLoader(yaml.SafeLoader):
    """Reads CloudFormation, whose `!Ref` and `!GetAtt` only occur in outputs that are not needed here."""


_TemplateLoader.add_multi_constructor("!", lambda loader, suffix, node: node.value)


def table_properties(table_name: str = "app_data") -> dict:
    """The properties of the seed's CloudFormation table, which are CreateTable's parameters."""
    template = yaml.load((SEED / "platform-table.yaml").read_text(encoding="utf-8"), _TemplateLoader)
    properties = template["Resources"]["AppDataTable"]["Properties"]
    assert properties["TableName"] == "app_data"
    return {**properties, "TableName": table_name}


def items() -> list[dict]:
    """Every seed item, fresh, as the boto3 resource takes it."""
    return json.loads(
        (SEED / "platform-items.json").read_text(encoding="utf-8"), parse_float=Decimal, parse_int=Decimal
    )


def item(partition: str, sort: str = "METADATA") -> dict:
    return next(item for item in items() if item["PK"] == partition and item["SK"] == sort)


def key(item_or_partition, sort: str = "METADATA") -> dict:
    if isinstance(item_or_partition, dict):
        return {"PK": item_or_partition["PK"], "SK": item_or_partition["SK"]}
    return {"PK": item_or_partition, "SK": sort}


def keys(items_read) -> list[tuple[str, str]]:
    return [(item["PK"], item["SK"]) for item in items_read]
