"""Hands the generated JSON Schemas to a validator, and the sample data to the schemas.

What the runtime read has to fit the schema of its entity, and the attributes that callers set those of a new item, a
replacement and a patch. The items are those that check_patterns.ts wrote down. Items that were spoilt have to be refused.
Argument: the file with the items.
"""

import json
import pathlib
import sys

from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource

ROOT = pathlib.Path(__file__).resolve().parents[2]


def validators_of(schema):
    registry = Registry().with_resource(schema["$id"], Resource.from_contents(schema))
    formats = FormatChecker(["date", "date-time", "email", "uri", "uuid"])
    return {
        name: Draft202012Validator({"$ref": f"{schema['$id']}#/$defs/{name}"}, registry=registry, format_checker=formats)
        for name in schema["$defs"]
    }


def refuses_what_was_spoilt(validator, definition, item):
    """Counts the ways in which an item was spoilt; each has to be noticed."""
    spoilt = [{key: value for key, value in item.items() if key != name} for name in definition.get("required", [])]
    if not definition["additionalProperties"]:
        spoilt.append({**item, "unheardOf": 1})
    for name, value in item.items():
        schema = definition["properties"].get(name, {})
        if "enum" in schema or "format" in schema:
            spoilt.append({**item, name: "none of these"})
        elif schema.get("type") in ("integer", "boolean", "array", "object"):
            spoilt.append({**item, name: "a text"})
        elif schema.get("type") == "string":
            spoilt.append({**item, name: 17.5})
    for wrong in spoilt:
        assert not validator.is_valid(wrong), f"accepted: {wrong}"
    return len(spoilt)


def check(folder, items):
    design = folder.name
    schema = json.loads((folder / f"generated/json-schema/{design}.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    validators = validators_of(schema)
    told = [(item["entity"], item["attributes"]) for item in items if item["design"] == design]
    for entity, attributes in list(told):
        for name in (f"New{entity}", f"{entity}Replacement", f"{entity}Patch"):
            accepted = schema["$defs"].get(name)
            if accepted is not None and not accepted["additionalProperties"]:
                told.append((name, {key: attributes[key] for key in accepted["properties"] if key in attributes}))
    refused = 0
    for name, attributes in told:
        errors = [f"{error.json_path}: {error.message}" for error in validators[name].iter_errors(attributes)]
        assert not errors, f"{design} {name} {attributes}: {errors}"
        refused += refuses_what_was_spoilt(validators[name], schema["$defs"][name], attributes)
    kinds = {name for name, _ in told}
    assert any(name.startswith("New") for name in kinds) and refused > len(told)
    print(f"{design}: JSON Schema accepts {len(told)} items of {len(kinds)} kinds and refuses {refused} spoilt ones")


def main():
    items = json.loads(pathlib.Path(sys.argv[1]).read_text())
    tested = [ROOT / "tests/generated" / name for name in ["moves", "readings", "visits"]]
    folders = [*sorted(file.parent for file in ROOT.glob("designs/*/design.yaml")), *tested]
    for folder in folders:
        check(folder, items)


main()
