//! Tables, described in a line.

use keyfold_dynamo::Backend;
use keyfold_dynamo::operation::CreateTableInput;
use keyfold_dynamo::table::{
    AttributeDefinition, BillingMode, IndexSpec, KeyRole, KeySchemaElement, KeyType, ProjectionSpec, ProjectionType,
};
use keyfold_engine::Engine;

use super::wait;

pub(crate) type KeyPart<'a> = (&'a str, KeyType);

pub(crate) fn all() -> ProjectionSpec {
    ProjectionSpec { projection_type: Some(ProjectionType::All), non_key_attributes: None }
}

pub(crate) fn keys_only() -> ProjectionSpec {
    ProjectionSpec { projection_type: Some(ProjectionType::KeysOnly), non_key_attributes: None }
}

pub(crate) fn include(names: &[&str]) -> ProjectionSpec {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    ProjectionSpec { projection_type: Some(ProjectionType::Include), non_key_attributes: Some(names) }
}

pub(crate) fn definition((name, key_type): KeyPart<'_>) -> AttributeDefinition {
    AttributeDefinition { name: name.to_owned(), key_type }
}

pub(crate) fn key_schema(partition: KeyPart<'_>, sort: Option<KeyPart<'_>>) -> Vec<KeySchemaElement> {
    let element = |(name, _): KeyPart<'_>, role| KeySchemaElement { name: name.to_owned(), role };
    std::iter::once(element(partition, KeyRole::Hash)).chain(sort.map(|part| element(part, KeyRole::Range))).collect()
}

pub(crate) fn index(
    name: &str,
    partition: KeyPart<'_>,
    sort: Option<KeyPart<'_>>,
    projection: ProjectionSpec,
) -> IndexSpec {
    IndexSpec {
        name: name.to_owned(),
        key_schema: key_schema(partition, sort),
        projection,
        throughput: None,
        on_demand: None,
    }
}

/// A table in the making.
pub(crate) struct TableMaker(CreateTableInput);

pub(crate) fn table(name: &str, partition: KeyPart<'_>, sort: Option<KeyPart<'_>>) -> TableMaker {
    let mut maker = TableMaker(CreateTableInput {
        table_name: name.to_owned(),
        key_schema: key_schema(partition, sort),
        billing_mode: Some(BillingMode::PayPerRequest),
        ..CreateTableInput::default()
    });
    maker.define(partition, sort);
    maker
}

impl TableMaker {
    fn define(&mut self, partition: KeyPart<'_>, sort: Option<KeyPart<'_>>) {
        for part in std::iter::once(partition).chain(sort) {
            let definition = definition(part);
            if !self.0.attribute_definitions.contains(&definition) {
                self.0.attribute_definitions.push(definition);
            }
        }
    }

    pub(crate) fn global(
        mut self,
        name: &str,
        partition: KeyPart<'_>,
        sort: Option<KeyPart<'_>>,
        projection: ProjectionSpec,
    ) -> Self {
        self.define(partition, sort);
        let indexes = self.0.global_indexes.get_or_insert_default();
        indexes.push(index(name, partition, sort, projection));
        self
    }

    pub(crate) fn local(
        mut self,
        name: &str,
        partition: KeyPart<'_>,
        sort: KeyPart<'_>,
        projection: ProjectionSpec,
    ) -> Self {
        self.define(partition, Some(sort));
        let indexes = self.0.local_indexes.get_or_insert_default();
        indexes.push(index(name, partition, Some(sort), projection));
        self
    }

    pub(crate) fn input(self) -> CreateTableInput {
        self.0
    }

    pub(crate) fn create(self, engine: &Engine) {
        wait(engine.create_table(self.0)).unwrap();
    }
}
