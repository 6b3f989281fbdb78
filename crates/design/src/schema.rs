//! The JSON Schema of design files, for completion in editors.

use serde_json::{Map, Value, json};

use crate::build::words;
use crate::entity_keyword::EntityKeyword;

/// The schema of keys, words and texts. `keyfold check` validates the content of lines.
pub fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Keyfold design",
        "description": "A single-table design for DynamoDB: entities, key templates, access patterns and rules.",
        "type": "object",
        "required": ["design", "table", "entities"],
        "additionalProperties": false,
        "properties": top_level(),
    })
}

fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

fn described(mut schema: Value, description: &str) -> Value {
    if let Some(object) = schema.as_object_mut() {
        object.insert("description".to_owned(), json!(description));
    }
    schema
}

/// A list, or a text with commas.
fn words_of(choices: &[&str]) -> Value {
    json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"enum": choices}}]})
}

fn texts() -> Value {
    json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]})
}

fn top_level() -> Value {
    let mut properties = Map::new();
    let mut add = |name: &str, schema: Value| properties.insert(name.to_owned(), schema);
    add("design", json!({"type": "string", "pattern": "^[a-z][a-z0-9-]*$", "description": "The name of the design."}));
    add("description", text("A description of the design."));
    add("table", table());
    add("tenant", tenant());
    add(
        "targets",
        described(words_of(&["embedded", "dynamodb", "alternator"]), "The backends that the design must support."),
    );
    add("conventions", described(words_of(&["gsi-n", "upper-case-lookups"]), "Naming checks to enable."));
    add(
        "indexes",
        described(json!({"type": "object", "additionalProperties": index()}), "The secondary indexes, by name."),
    );
    add("entities", described(json!({"type": "object", "additionalProperties": entity()}), "The entities, by name."));
    add(
        "patterns",
        described(json!({"type": "object", "additionalProperties": pattern()}), "The access patterns, by name."),
    );
    add("budgets", budgets());
    add("callers", callers());
    add("allow", rules());
    add(
        "accept",
        json!({
            "type": "object",
            "description": "Known weaknesses: `KF031 ENTITY#USER: the reason`.",
            "propertyNames": {"pattern": "^KF[0-9]{3} .+$"},
            "additionalProperties": {"type": "string"},
        }),
    );
    add("examples", examples());
    Value::Object(properties)
}

fn table() -> Value {
    let flag = json!({"enum": ["yes", "no", true, false]});
    json!({
        "description": "The table: its name, or a mapping.",
        "anyOf": [
            {"type": "string"},
            {
                "type": "object",
                "required": ["name"],
                "additionalProperties": false,
                "properties": {
                    "name": {"type": "string"},
                    "description": text("What generated infrastructure says about the table."),
                    "resource": {
                        "description": "The name of the table's resource in generated infrastructure.",
                        "anyOf": [
                            {"type": "string"},
                            {
                                "type": "object",
                                "additionalProperties": false,
                                "properties": {
                                    "terraform": text("The name of the `aws_dynamodb_table`."),
                                    "cloudformation": text("The logical id in CloudFormation."),
                                    "cdk": text("The logical id in the template that the CDK makes."),
                                },
                            },
                        ],
                    },
                    "variable": text("The variable that holds the name in generated infrastructure."),
                    "partition": text("`PK`, `PK number` or `PK binary`."),
                    "sort": text("`SK`, `SK number`, `SK binary` or `none`."),
                    "billing": text("`on demand` or `provisioned 5/5` (read/write)."),
                    "ttl": text("The attribute with the expiry time, in seconds since the epoch."),
                    "stream": {"enum": ["new and old images", "new images", "old images", "keys", "no", false]},
                    "point in time recovery": flag,
                    "deletion protection": flag,
                    "encryption": text("`aws owned`, `aws managed` or `customer key ALIAS`."),
                    "tags": {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}},
                    "outputs": {"type": "object", "additionalProperties": {"type": "string"}},
                    "delimiter": {"type": "string", "minLength": 1, "maxLength": 1},
                },
            },
        ],
    })
}

fn tenant() -> Value {
    json!({
        "description": "The attribute that isolates tenants.",
        "anyOf": [
            {"type": "string"},
            {
                "type": "object",
                "required": ["attribute"],
                "additionalProperties": false,
                "properties": {"attribute": {"type": "string"}, "entity": text("The entity that represents the tenant.")},
            },
        ],
    })
}

fn index() -> Value {
    let key = json!({"anyOf": [{"type": "string"}, {"type": "array", "minItems": 1, "maxItems": 4, "items": {"type": "string"}}]});
    json!({
        "anyOf": [
            {"type": "string"},
            {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "purpose": {"type": "string"},
                    "partition": key,
                    "sort": key,
                    "projection": text("`all`, `keys` or `include a, b`."),
                    "local": {"enum": ["yes", "no", true, false]},
                },
            },
        ],
    })
}

fn entity() -> Value {
    let flag = json!({"enum": ["yes", "no", true, false, null]});
    let attribute = json!({
        "anyOf": [
            {"type": "string"},
            {
                "type": "object",
                "required": ["type"],
                "additionalProperties": false,
                "properties": {
                    "type": {"type": "string"},
                    "description": {"type": "string"},
                    "computed": text("What the value is made of: `<last>, <first>`."),
                },
            },
        ],
    });
    let keyword_schema = |keyword: EntityKeyword| match keyword {
        EntityKeyword::Scope => {
            json!({"enum": ["tenant", "global", "tenant or global"], "description": "Whether the items belong to a tenant."})
        }
        EntityKeyword::Description => text("A description of the entity."),
        EntityKeyword::Attributes => {
            json!({"type": "object", "additionalProperties": attribute, "description": "The attributes, each with a type and modifiers."})
        }
        EntityKeyword::Unique => described(
            json!({"anyOf": [texts(), {"type": "object"}]}),
            "Uniqueness constraints: attributes, or a lookup item; `email when active` under a condition.",
        ),
        EntityKeyword::MustHold => {
            json!({"type": "object", "additionalProperties": {"type": "string"}, "description": "Constraints: a message and an expression each."})
        }
        EntityKeyword::DerivedFrom => text("`Site, for each tag in tags`."),
        EntityKeyword::Collects => text("`placeIds <id>`."),
        EntityKeyword::Owner => text("The attribute with the subject of the owner."),
        EntityKeyword::AppendOnly | EntityKeyword::Strict | EntityKeyword::Open | EntityKeyword::AuditReads => {
            flag.clone()
        }
        EntityKeyword::Helpers => {
            json!({"type": "object", "additionalProperties": {"type": "string"}, "description": "Names of key builders."})
        }
        EntityKeyword::Plural => json!({"type": "string"}),
        EntityKeyword::Delete => json!({"enum": ["refused", "cascade when asked", "never"]}),
        EntityKeyword::Identity => described(texts(), "The attributes that identify an item."),
        EntityKeyword::Keeps => json!({"enum": ["sequences"]}),
    };
    let properties: Map<String, Value> =
        EntityKeyword::ALL.into_iter().map(|keyword| (keyword.as_str().to_owned(), keyword_schema(keyword))).collect();
    json!({
        "type": "object",
        "description": "Keywords; any other key is a key attribute or a fixed attribute with its template.",
        "properties": properties,
        "additionalProperties": {"type": ["string", "number", "boolean"], "description": "A template: `ACCOUNT#<accountId>`. In a key of an index, ` when ` begins a condition: `INBOX#<userId> when unread`."},
    })
}

fn pattern() -> Value {
    let properties: Map<String, Value> = words::PATTERN.iter().map(|key| ((*key).to_owned(), json!({}))).collect();
    json!({
        "description": "`KEY CONDITIONS[, OPTIONS] [where FILTER] [-> ENTITIES]`.",
        "anyOf": [
            {"type": "string"},
            {"type": "object", "required": ["key"], "additionalProperties": false, "properties": properties},
        ],
    })
}

fn budgets() -> Value {
    json!({
        "type": "object",
        "description": "Cost limits of patterns and verbs.",
        "additionalProperties": {"type": "string", "pattern": "^at most [0-9]+(\\.[05])? (read|write) units?( for [0-9]+)?$"},
    })
}

fn callers() -> Value {
    json!({
        "type": "object",
        "description": "The sources of roles, groups and permissions.",
        "additionalProperties": false,
        "properties": {
            "operators": text("Callers with access to all tenants: `role operator`."),
            "are": {
                "description": "The items that people are: `User by issuer and subject`. Without it, the subject of a token is the caller.",
                "oneOf": [
                    {"type": "string"},
                    {
                        "type": "object",
                        "required": ["from"],
                        "additionalProperties": false,
                        "properties": {
                            "from": {"type": "string"},
                            "role": {"type": "string"},
                            "created with": {"type": "object", "additionalProperties": {"type": "string", "description": "Claims of the token, of which the first present one is taken: `name or email`."}},
                        },
                    },
                ],
            },
            "members": {
                "description": "The items that make a person a member of a tenant: `Membership by userId`. `tenant`: everyone whose token states it.",
                "oneOf": [
                    {"type": "string"},
                    {"type": "object", "required": ["from"], "additionalProperties": false, "properties": {"from": {"type": "string"}, "role": {"type": "string"}}},
                ],
            },
            "groups": {
                "type": "object",
                "required": ["from", "of", "group"],
                "additionalProperties": false,
                "properties": {"from": {"type": "string"}, "of": {"type": "string"}, "group": {"type": "string"}, "permissions": {"type": "string"}},
            },
            "permissions": {
                "type": "object",
                "required": ["through", "from", "key", "actions"],
                "additionalProperties": false,
                "properties": {
                    "through": {"type": "string"}, "of": {"type": "string"}, "from": {"type": "string"},
                    "role": {"type": "string"}, "key": {"type": "string"}, "actions": {"type": "string"},
                },
            },
            "requires": {
                "type": "array",
                "description": "The items that callers need; each entry is met by one of its entities.",
                "items": {"type": "object", "minProperties": 1, "additionalProperties": {"type": "string", "description": "A condition, or `exists`."}},
            },
            "first administrator": {
                "type": "array",
                "description": "The items that `keyfold admin create` writes, with values and `<parameters>`.",
                "items": {"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": {"type": "object"}},
            },
        },
    })
}

fn rules() -> Value {
    json!({
        "type": "array",
        "description": "Authorization rules. A call that no rule allows is denied.",
        "items": {"type": "object", "minProperties": 1, "additionalProperties": {"type": "string", "description": "`VERBS ENTITIES [when EXPRESSION]`."}},
    })
}

fn examples() -> Value {
    json!({
        "type": "array",
        "description": "Tests: items, a call, and the expected result.",
        "items": {
            "type": "object",
            "required": ["name", "when", "then"],
            "additionalProperties": false,
            "properties": {
                "name": {"type": "string"},
                "given": {"type": "array", "items": {"type": "object", "minProperties": 1, "maxProperties": 1}},
                "when": {"type": "object"},
                "then": {"type": ["array", "object", "null"]},
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The schema is kept by hand; the words of the language are one list, so that none can be missing here.
    #[test]
    fn the_schema_has_every_word_of_the_language() {
        let schema = schema();
        let keys = |value: &Value| -> Vec<String> {
            let mut keys: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
            keys.sort();
            keys
        };
        let sorted = |words: &[&str]| {
            let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            words.sort();
            words
        };
        assert_eq!(keys(&schema["properties"]), sorted(words::TOP_LEVEL));
        assert_eq!(keys(&schema["properties"]["table"]["anyOf"][1]["properties"]), sorted(words::TABLE));
        assert_eq!(
            keys(&schema["properties"]["indexes"]["additionalProperties"]["anyOf"][1]["properties"]),
            sorted(words::INDEX)
        );
    }

    #[test]
    fn the_committed_schema_is_this_one() {
        // The order of keys depends on how the workspace is built.
        let committed: Value = serde_json::from_str(include_str!("../../../docs/design.schema.json")).unwrap();
        assert!(
            committed == schema(),
            "docs/design.schema.json is outdated: keyfold check --schema > docs/design.schema.json"
        );
    }
}
