//! The two tables of the model, as the reference and the generator know them.

use keyfold_dynamo::operation::CreateTableInput;
use keyfold_dynamo::table::{KeyType, ProjectionSpec};
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::scene::tables::{all, include, keys_only, table};

pub(super) type Part = (&'static str, KeyType);

#[derive(Debug)]
pub(super) enum Projected {
    All,
    KeysOnly,
    Include(&'static [&'static str]),
}

#[derive(Debug)]
pub(super) struct IndexSchema {
    pub name: &'static str,
    pub partition: Part,
    pub sort: Option<Part>,
    pub local: bool,
    pub projected: Projected,
}

#[derive(Debug)]
pub(super) struct TableSchema {
    pub name: &'static str,
    pub partition: Part,
    pub sort: Option<Part>,
    pub indexes: &'static [IndexSchema],
}

/// A table with a sort key, three global indexes and a local one.
pub(super) static ORDERS: TableSchema = TableSchema {
    name: "orders",
    partition: ("pk", KeyType::S),
    sort: Some(("sk", KeyType::N)),
    indexes: &[
        IndexSchema {
            name: "by_label",
            partition: ("pk", KeyType::S),
            sort: Some(("label", KeyType::S)),
            local: true,
            projected: Projected::Include(&["note"]),
        },
        IndexSchema {
            name: "by_state",
            partition: ("state", KeyType::S),
            sort: Some(("rank", KeyType::N)),
            local: false,
            projected: Projected::All,
        },
        IndexSchema {
            name: "by_rank",
            partition: ("rank", KeyType::N),
            sort: None,
            local: false,
            projected: Projected::KeysOnly,
        },
        IndexSchema {
            name: "by_owner",
            partition: ("owner", KeyType::S),
            sort: Some(("state", KeyType::S)),
            local: false,
            projected: Projected::Include(&["note", "map"]),
        },
    ],
};

/// A table with a partition key alone, and an index whose sort key is that key.
pub(super) static PLAIN: TableSchema = TableSchema {
    name: "plain",
    partition: ("id", KeyType::N),
    sort: None,
    indexes: &[
        IndexSchema {
            name: "by_state",
            partition: ("state", KeyType::S),
            sort: None,
            local: false,
            projected: Projected::KeysOnly,
        },
        IndexSchema {
            name: "by_blob",
            partition: ("blob", KeyType::B),
            sort: Some(("id", KeyType::N)),
            local: false,
            projected: Projected::Include(&["list"]),
        },
    ],
};

/// An index of `orders` that comes and goes.
pub(super) static LATE: IndexSchema = IndexSchema {
    name: "late",
    partition: ("kind", KeyType::S),
    sort: Some(("rank", KeyType::N)),
    local: false,
    projected: Projected::Include(&["list"]),
};

pub(super) static TABLES: [&TableSchema; 2] = [&ORDERS, &PLAIN];

pub(super) fn schema(name: &str) -> &'static TableSchema {
    TABLES.into_iter().find(|table| table.name == name).unwrap()
}

impl TableSchema {
    pub(super) fn key_parts(&self) -> impl Iterator<Item = Part> {
        std::iter::once(self.partition).chain(self.sort)
    }

    pub(super) fn key_of(&self, item: &Attributes) -> Attributes {
        self.key_parts().map(|(name, _)| (name.to_owned(), item[name].clone())).collect()
    }

    pub(super) fn index(&self, name: &str) -> &'static IndexSchema {
        self.indexes.iter().chain([&LATE]).find(|index| index.name == name).unwrap()
    }

    pub(super) fn input(&self) -> CreateTableInput {
        let mut maker = table(self.name, self.partition, self.sort);
        for index in self.indexes {
            maker = match index.sort {
                Some(sort) if index.local => maker.local(index.name, index.partition, sort, index.spec()),
                _ => maker.global(index.name, index.partition, index.sort, index.spec()),
            };
        }
        maker.input()
    }
}

fn has_type(value: &AttributeValue, key_type: KeyType) -> bool {
    match key_type {
        KeyType::S => matches!(value, AttributeValue::S(_)),
        KeyType::N => matches!(value, AttributeValue::N(_)),
        KeyType::B => matches!(value, AttributeValue::B(_)),
    }
}

impl IndexSchema {
    pub(super) fn key_parts(&self) -> impl Iterator<Item = Part> {
        std::iter::once(self.partition).chain(self.sort)
    }

    /// Whether an item has a place in the index: it has all its key attributes, and they have their types.
    pub(super) fn holds(&self, item: &Attributes) -> bool {
        self.key_parts().all(|(name, key_type)| item.get(name).is_some_and(|value| has_type(value, key_type)))
    }

    /// Whether an item has a key attribute of the index with another type, which no write may leave behind.
    pub(super) fn is_offended_by(&self, item: &Attributes) -> bool {
        self.key_parts().any(|(name, key_type)| item.get(name).is_some_and(|value| !has_type(value, key_type)))
    }

    pub(super) fn projects(&self, table: &TableSchema, name: &str) -> bool {
        let in_keys = table.key_parts().chain(self.key_parts()).any(|(key, _)| key == name);
        match self.projected {
            Projected::All => true,
            Projected::KeysOnly => in_keys,
            Projected::Include(names) => in_keys || names.contains(&name),
        }
    }

    pub(super) fn spec(&self) -> ProjectionSpec {
        match self.projected {
            Projected::All => all(),
            Projected::KeysOnly => keys_only(),
            Projected::Include(names) => include(names),
        }
    }
}
