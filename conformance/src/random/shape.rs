//! The tables that random sequences work on: every key type, with and without sort keys, global and local indexes.

use serde_json::{Value, json};

/// A key attribute and its type (`S`, `N` or `B`).
#[derive(Clone, Copy)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) kind: &'static str,
}

#[derive(Clone, Copy)]
pub(crate) struct Index {
    pub(crate) name: &'static str,
    pub(crate) partition: Key,
    pub(crate) sort: Option<Key>,
    local: bool,
    projection: &'static str,
}

pub(crate) struct Shape {
    pub(crate) table: &'static str,
    pub(crate) partition: Key,
    pub(crate) sort: Option<Key>,
    pub(crate) indexes: &'static [Index],
}

const fn key(name: &'static str, kind: &'static str) -> Key {
    Key { name, kind }
}

const fn global(name: &'static str, partition: Key, sort: Option<Key>, projection: &'static str) -> Index {
    Index { name, partition, sort, local: false, projection }
}

const fn local(name: &'static str, partition: Key, sort: Key, projection: &'static str) -> Index {
    Index { name, partition, sort: Some(sort), local: true, projection }
}

pub(crate) const SHAPES: &[Shape] = &[
    Shape {
        table: "$strings",
        partition: key("pk", "S"),
        sort: Some(key("sk", "S")),
        indexes: &[
            global("g-all", key("g", "S"), Some(key("h", "N")), "ALL"),
            global("g-inverted", key("sk", "S"), Some(key("pk", "S")), "KEYS_ONLY"),
            local("l-all", key("pk", "S"), key("h", "N"), "ALL"),
            local("l-keys", key("pk", "S"), key("g", "S"), "KEYS_ONLY"),
        ],
    },
    Shape {
        table: "$numbers",
        partition: key("pk", "N"),
        sort: None,
        indexes: &[
            global("g-some", key("g", "S"), None, "INCLUDE"),
            global("g-keys", key("h", "N"), Some(key("g", "S")), "KEYS_ONLY"),
        ],
    },
    Shape {
        table: "$mixed",
        partition: key("pk", "S"),
        sort: Some(key("sk", "N")),
        indexes: &[local("l-some", key("pk", "S"), key("h", "N"), "INCLUDE")],
    },
    Shape {
        table: "$bytes",
        partition: key("pk", "B"),
        sort: Some(key("sk", "B")),
        indexes: &[global("g-all", key("g", "S"), Some(key("sk", "B")), "ALL")],
    },
    Shape { table: "$plain", partition: key("pk", "S"), sort: None, indexes: &[] },
];

impl Shape {
    /// The attributes of the table's own key.
    pub(crate) fn keys(&self) -> impl Iterator<Item = Key> {
        std::iter::once(self.partition).chain(self.sort)
    }

    pub(crate) fn create_request(&self) -> Value {
        let mut definitions: Vec<Key> = self.keys().collect();
        for index in self.indexes {
            for key in std::iter::once(index.partition).chain(index.sort) {
                if definitions.iter().all(|known| known.name != key.name) {
                    definitions.push(key);
                }
            }
        }
        let definitions: Vec<_> =
            definitions.iter().map(|key| json!({"AttributeName": key.name, "AttributeType": key.kind})).collect();
        let mut request = json!({
            "TableName": self.table,
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": definitions,
            "KeySchema": key_schema(self.partition, self.sort),
        });
        for (member, local) in [("GlobalSecondaryIndexes", false), ("LocalSecondaryIndexes", true)] {
            let indexes: Vec<_> =
                self.indexes.iter().filter(|index| index.local == local).map(Index::description).collect();
            if let (false, Some(members)) = (indexes.is_empty(), request.as_object_mut()) {
                members.insert(member.to_owned(), indexes.into());
            }
        }
        request
    }
}

impl Index {
    pub(crate) fn projects_all(&self) -> bool {
        self.projection == "ALL"
    }

    fn description(&self) -> Value {
        let projection = match self.projection {
            "INCLUDE" => json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a", "m"]}),
            other => json!({"ProjectionType": other}),
        };
        json!({
            "IndexName": self.name,
            "KeySchema": key_schema(self.partition, self.sort),
            "Projection": projection,
        })
    }
}

fn key_schema(partition: Key, sort: Option<Key>) -> Value {
    let mut elements = vec![json!({"AttributeName": partition.name, "KeyType": "HASH"})];
    if let Some(sort) = sort {
        elements.push(json!({"AttributeName": sort.name, "KeyType": "RANGE"}));
    }
    elements.into()
}
