//! What a design needs of the live table before it can be served: without it, reads fail or find nothing.

use keyfold_dynamo::operation::CreateTableInput;
use keyfold_dynamo::table::{TableDescription, TableStatus};

use super::indexes::IndexShape;
use super::obstacles::same_keys;
use super::text;

/// Keys that differ, and indexes that are missing, are still being filled, or have other keys. Indexes that the design
/// does not know do no harm, and neither do other projections or settings: a plan reports those.
pub fn missing_for_serving(desired: &CreateTableInput, live: &TableDescription) -> Vec<String> {
    let mut missing = Vec::new();
    let (wanted, found) = (&desired.attribute_definitions, &live.attribute_definitions);
    if !same_keys((&desired.key_schema, wanted), (&live.key_schema, found)) {
        let [has, wants] = [text::keys(&live.key_schema, found), text::keys(&desired.key_schema, wanted)];
        missing.push(format!("the table has {has} but should have {wants}"));
    }
    for spec in desired.local_indexes.iter().chain(&desired.global_indexes).flatten() {
        let index = live.local_indexes.iter().chain(&live.global_indexes).find(|index| index.name == spec.name);
        match index.map(|index| (index.status, IndexShape::live(index, found))) {
            None | Some((Some(TableStatus::Deleting), _)) => missing.push(format!("index `{}` is missing", spec.name)),
            Some((Some(TableStatus::Creating), _)) => {
                missing.push(format!("index `{}` is still being filled", spec.name));
            }
            Some((_, shape)) => missing.extend(
                IndexShape::desired(spec, wanted)
                    .key_difference(&shape)
                    .map(|difference| format!("index `{}` {difference}", spec.name)),
            ),
        }
    }
    missing
}
