//! A table whose definition is lost: its key follows from its items, which are stored under it.

use std::collections::BTreeSet;
use std::sync::Arc;

use keyfold_dynamo::item::codec;
use keyfold_dynamo::table::{AttributeDefinition, BillingMode, KeyType, Tags};
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::catalog::{TableDefinition, ThroughputSetting};
use crate::rows::key_schema::{KeyAttribute, KeySchema};
use crate::rows::layout::{self, RangeId};
use crate::store::FolderView;

/// As many items decide on the key.
const SAMPLE: usize = 100;

/// A definition under which the items of a range can be read; `None` if the rows are not items, or have no key in
/// common.
pub(super) fn infer(view: &Arc<FolderView>, id: RangeId) -> Option<TableDefinition> {
    let rows = view.rows(layout::all_rows(id)).filter_map(Result::ok);
    let items = rows.filter_map(|row| Some((row.key, codec::decode(&row.value?).ok()?)));
    let mut common: Option<BTreeSet<Candidate>> = None;
    for (row, item) in items.take(SAMPLE) {
        let found = candidates(id, &row, &item);
        common = Some(match common {
            None => found,
            Some(before) => before.intersection(&found).cloned().collect(),
        });
    }
    let key = schema(common?.pop_first()?);
    let attribute_definitions = key
        .attributes()
        .map(|attribute| AttributeDefinition { name: attribute.name.clone(), key_type: attribute.key_type })
        .collect();
    Some(TableDefinition {
        id,
        name: format!("recovered-{id}"),
        uuid: format!("00000000-0000-4000-8000-{id:012x}"),
        created_ms: 0,
        key,
        attribute_definitions,
        indexes: Vec::new(),
        billing_mode: BillingMode::PayPerRequest,
        on_demand_since_ms: None,
        throughput: ThroughputSetting::default(),
        on_demand: None,
        deletion_protection: false,
        table_class: None,
        tags: Tags::default(),
        time_to_live: None,
    })
}

/// The names and types of a partition key and a sort key; types by their letter.
type Candidate = ((String, &'static str), Option<(String, &'static str)>);

/// The keys under which an item would be stored in this row.
fn candidates(id: RangeId, row: &[u8], item: &Attributes) -> BTreeSet<Candidate> {
    let keys: Vec<KeyAttribute> = item.iter().filter_map(|(name, value)| key_attribute(name, value)).collect();
    let mut found = BTreeSet::new();
    for partition in &keys {
        let sorts = keys.iter().filter(|sort| sort.name != partition.name).map(Some);
        for sort in std::iter::once(None).chain(sorts) {
            let schema = KeySchema { partition: partition.clone(), sort: sort.cloned() };
            if layout::item_row(id, &schema, item).as_deref() == Some(row) {
                let pair = |attribute: &KeyAttribute| (attribute.name.clone(), attribute.key_type.as_str());
                found.insert((pair(partition), sort.map(pair)));
            }
        }
    }
    found
}

fn key_attribute(name: &str, value: &AttributeValue) -> Option<KeyAttribute> {
    let key_type = match value {
        AttributeValue::S(_) => KeyType::S,
        AttributeValue::N(_) => KeyType::N,
        AttributeValue::B(_) => KeyType::B,
        _ => return None,
    };
    Some(KeyAttribute { name: name.to_owned(), key_type })
}

fn schema((partition, sort): Candidate) -> KeySchema {
    let attribute =
        |(name, letter): (String, &str)| KeyAttribute { name, key_type: KeyType::parse(letter).unwrap_or(KeyType::S) };
    KeySchema { partition: attribute(partition), sort: sort.map(attribute) }
}
