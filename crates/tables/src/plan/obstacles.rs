//! Differences that no change of an existing table can remove: its keys and its local indexes.

use keyfold_dynamo::operation::CreateTableInput;
use keyfold_dynamo::table::{AttributeDefinition, KeySchemaElement, TableDescription};

use super::indexes::IndexShape;
use super::text;

pub(super) fn find(desired: &CreateTableInput, live: &TableDescription) -> Vec<String> {
    let mut obstacles = Vec::new();
    if !same_keys(
        (&desired.key_schema, &desired.attribute_definitions),
        (&live.key_schema, &live.attribute_definitions),
    ) {
        obstacles.push(format!(
            "the keys of a table cannot change: the table has {} but should have {}",
            text::keys(&live.key_schema, &live.attribute_definitions),
            text::keys(&desired.key_schema, &desired.attribute_definitions),
        ));
    }
    let wanted: Vec<IndexShape> = desired
        .local_indexes
        .iter()
        .flatten()
        .map(|spec| IndexShape::desired(spec, &desired.attribute_definitions))
        .collect();
    let found: Vec<IndexShape> =
        live.local_indexes.iter().map(|index| IndexShape::live(index, &live.attribute_definitions)).collect();
    for form in &wanted {
        match found.iter().find(|other| other.name == form.name) {
            None => obstacles
                .push(format!("a local index can only be created together with its table: `{}` is missing", form.name)),
            Some(other) => obstacles.extend(
                form.difference(other)
                    .map(|difference| format!("a local index cannot change: `{}` {difference}", form.name)),
            ),
        }
    }
    for form in found.iter().filter(|form| !wanted.iter().any(|other| other.name == form.name)) {
        obstacles.push(format!("a local index cannot be deleted: `{}` should not exist", form.name));
    }
    obstacles
}

type Keys<'a> = (&'a [KeySchemaElement], &'a [AttributeDefinition]);

/// Whether two tables have the same keys, with the same types.
pub(crate) fn same_keys((one, its_types): Keys<'_>, (other, other_types): Keys<'_>) -> bool {
    let type_of = |element: &KeySchemaElement, types: &[AttributeDefinition]| {
        types.iter().find(|definition| definition.name == element.name).map(|definition| definition.key_type)
    };
    one == other && one.iter().all(|element| type_of(element, its_types) == type_of(element, other_types))
}
