//! The source of a Query or Scan: the table itself, or one of its indexes.

use keyfold_dynamo::value::item_size;
use keyfold_dynamo::{AttributeValue, Attributes, Item, ServiceError};

use super::get::encoded_item;
use crate::catalog::{IndexDefinition, IndexKind, IndexProjection, IndexState, Table, TableDefinition};
use crate::commit::store_failed;
use crate::rows::damage::DamagedRow;
use crate::rows::key_codec;
use crate::rows::key_schema::{KeyAttribute, KeySchema};
use crate::rows::layout::{self, RangeId};
use crate::store::{Row, Snapshot};

pub(super) struct Source<'a> {
    pub table: &'a TableDefinition,
    pub index: Option<&'a IndexDefinition>,
}

/// An item as the source holds it.
pub(super) struct SourceItem {
    pub item: Item,
    /// Its size within the source.
    pub size: usize,
    /// The bytes read from the table because a local index does not project a requested attribute.
    pub fetched: Option<usize>,
}

impl<'a> Source<'a> {
    pub(super) fn new(
        table: &'a TableDefinition,
        index_name: Option<&str>,
        consistent_read: bool,
    ) -> Result<Self, ServiceError> {
        let Some(name) = index_name else { return Ok(Self { table, index: None }) };
        let index = table.index(name).ok_or_else(|| index_not_found(name))?;
        if consistent_read && index.kind == IndexKind::Global {
            return Err(ServiceError::validation("Consistent reads are not supported on global secondary indexes"));
        }
        if index.state == IndexState::Backfilling {
            return Err(ServiceError::validation(format!(
                "Cannot read from backfilling global secondary index: {name}"
            )));
        }
        Ok(Self { table, index: Some(index) })
    }

    /// Fails if the table or the index has been deleted since: the read may have missed some of its rows.
    pub(super) fn check_still_exists(&self, table: &Table) -> Result<(), ServiceError> {
        let gate = table.enter()?;
        match self.index {
            Some(index) if !gate.definition.indexes.iter().any(|other| other.id == index.id) => {
                Err(index_not_found(&index.name))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn id(&self) -> RangeId {
        self.index.map_or(self.table.id, |index| index.id)
    }

    pub(super) fn key(&self) -> &'a KeySchema {
        self.index.map_or(&self.table.key, |index| &index.key)
    }

    /// The attributes of a start key: those of the source's key, and of the table's.
    pub(super) fn start_key_attributes(&self) -> Vec<&'a KeyAttribute> {
        let mut attributes: Vec<_> = self.key().attributes().collect();
        for attribute in self.table.key.attributes() {
            if !attributes.iter().any(|other| other.name == attribute.name) {
                attributes.push(attribute);
            }
        }
        attributes
    }

    /// The `LastEvaluatedKey` of a page that ends with an item.
    pub(super) fn last_key(&self, item: &Attributes) -> Attributes {
        let mut key = self.table.key.key_of(item);
        if let Some(index) = self.index {
            key.append(&mut index.key.key_of(item));
        }
        key
    }

    /// The row of a start key whose attributes have been checked.
    pub(super) fn start_row(&self, key: &Attributes) -> Option<Vec<u8>> {
        let item_row = layout::item_row(self.table.id, &self.table.key, key)?;
        match self.index {
            None => Some(item_row),
            Some(index) => layout::index_row(index.id, &index.key, key, &item_row),
        }
    }

    /// The item of a row. With `whole`, also attributes that a local index does not project.
    pub(super) fn read(
        &self,
        snapshot: &dyn Snapshot,
        row: &Row,
        value: Row,
        whole: bool,
    ) -> Result<SourceItem, ServiceError> {
        let Some(index) = self.index else {
            let item = encoded_item(value);
            return Ok(SourceItem { size: item.size()?, item, fetched: None });
        };
        if index.projection == IndexProjection::KeysOnly && !whole {
            let item = self.keys_of_row(index, row).ok_or(DamagedRow::Index)?;
            let size = item_size(&item);
            return Ok(SourceItem { item: item.into(), size, fetched: None });
        }
        let item_row =
            layout::referenced_item_row(self.table.id, &self.table.key, &index.key, row).ok_or(DamagedRow::Index)?;
        let stored = snapshot.get(&item_row).map_err(|error| store_failed(&error))?;
        let stored = stored.ok_or(DamagedRow::DanglingIndex)?;
        let item = encoded_item(stored);
        let stored_size = item.size()?;
        if index.projection == IndexProjection::All {
            return Ok(SourceItem { item, size: stored_size, fetched: None });
        }
        let size = self.table.projected_size(index, item.attributes()?);
        if whole {
            return Ok(SourceItem { item, size, fetched: Some(stored_size) });
        }
        Ok(SourceItem { item: self.table.projected(index, item.into_attributes()?).into(), size, fetched: None })
    }

    /// The item of an index that projects keys only, decoded from the key of the row.
    fn keys_of_row(&self, index: &IndexDefinition, row: &[u8]) -> Option<Attributes> {
        let mut rest = layout::key_values(row)?;
        let mut item = Attributes::new();
        for attribute in index.key.attributes().chain(self.table.key.attributes()) {
            let (value, length): (AttributeValue, usize) = key_codec::decode(attribute.key_type, rest)?;
            item.insert(attribute.name.clone(), value);
            rest = rest.get(length..)?;
        }
        Some(item)
    }
}

fn index_not_found(name: &str) -> ServiceError {
    ServiceError::validation(format!("The table does not have the specified index: {name}"))
}
