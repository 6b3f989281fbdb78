//! A table with a global index, in an engine that keeps it in memory.

use std::sync::Arc;

use keyfold_dynamo::Backend;
use keyfold_dynamo::operation::CreateTableInput;
use keyfold_dynamo::table::{
    AttributeDefinition, BillingMode, IndexSpec, KeyRole, KeySchemaElement, KeyType, ProjectionSpec, ProjectionType,
};
use keyfold_engine::store::{Durability, Store};
use keyfold_engine::{Engine, Options};
use pollster::block_on;

pub const TABLE: &str = "fuzzed";

/// An engine on a store. What it does in the background is held off, so that a run depends on its input alone.
pub fn engine_on(store: Arc<dyn Store>) -> Engine {
    let options = Options { durability: Durability::Relaxed, sweep_interval: None, ..Options::default() };
    Engine::with_store(store, options).expect("an empty store opens")
}

/// Makes a table whose keys are `pk` (a string) and `sk`, with an index `by_g` on `g` (a number) and `pk`.
pub fn create_table(engine: &Engine, name: &str, sort: KeyType) {
    let schema = |hash: &str, range: &str| {
        [(hash, KeyRole::Hash), (range, KeyRole::Range)]
            .map(|(name, role)| KeySchemaElement { name: name.to_owned(), role })
            .to_vec()
    };
    let index = IndexSpec {
        name: "by_g".to_owned(),
        key_schema: schema("g", "pk"),
        projection: ProjectionSpec { projection_type: Some(ProjectionType::All), non_key_attributes: None },
        throughput: None,
        on_demand: None,
    };
    let attributes = [("pk", KeyType::S), ("sk", sort), ("g", KeyType::N)];
    let input = CreateTableInput {
        table_name: name.to_owned(),
        attribute_definitions: attributes
            .map(|(name, key_type)| AttributeDefinition { name: name.to_owned(), key_type })
            .to_vec(),
        key_schema: schema("pk", "sk"),
        global_indexes: Some(vec![index]),
        billing_mode: Some(BillingMode::PayPerRequest),
        ..CreateTableInput::default()
    };
    block_on(engine.create_table(input)).expect("the table is valid");
}
