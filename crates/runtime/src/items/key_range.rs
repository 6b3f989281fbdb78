//! Items in a key range, such as those that refer to an item.

use keyfold_design::model::{Entity, Reference, ReferenceRange};
use keyfold_design::template::TemplateError;
use keyfold_dynamo::expression::{Condition, KeyCondition};
use keyfold_dynamo::limits::{PARTITION_KEY_BYTES, SORT_KEY_BYTES};
use keyfold_dynamo::operation::{PageOptions, QueryInput};
use keyfold_dynamo::{AttributeValue, Attributes};

use super::Items;
use crate::error::Error;
use crate::record::{Record, undecodable};

impl Items<'_> {
    /// The current items that refer to a target. Empty if no key range leads to them.
    pub(crate) async fn referring(
        &self,
        child: &Entity,
        reference: &Reference,
        target: &Attributes,
        limit: Option<usize>,
    ) -> Result<Vec<Record>, Error> {
        let Some(range) = &reference.range else { return Ok(Vec::new()) };
        self.in_range(child, range, &reference.mapping, target, limit).await
    }

    /// The current items of an entity in a range whose attributes equal the target's, by pairs `(target's attribute, own)`.
    pub(crate) async fn in_range(
        &self,
        entity: &Entity,
        range: &ReferenceRange,
        mapping: &[(String, String)],
        target: &Attributes,
        limit: Option<usize>,
    ) -> Result<Vec<Record>, Error> {
        let requests = self.range_requests(range, target)?;
        self.in_requests(entity, range, mapping, target, requests, limit).await
    }

    /// The same as [`Items::in_range`], with the range's requests.
    pub(crate) async fn in_requests(
        &self,
        entity: &Entity,
        range: &ReferenceRange,
        mapping: &[(String, String)],
        target: &Attributes,
        requests: Vec<QueryInput>,
        limit: Option<usize>,
    ) -> Result<Vec<Record>, Error> {
        let mut records = Vec::new();
        for mut input in requests {
            loop {
                let (items, next) = self.query_attributes(input.clone()).await?;
                for stored in items {
                    if let Some(record) = self.record_in_range(entity, range, mapping, stored, target).await? {
                        records.push(record);
                    }
                    if limit.is_some_and(|limit| records.len() >= limit) {
                        return Ok(records);
                    }
                }
                match next {
                    Some(key) => input.page.exclusive_start_key = Some(key),
                    None => break,
                }
            }
        }
        Ok(records)
    }

    /// The first request of each key range that holds items with the target's values. An error says that no key can hold a
    /// value.
    pub(crate) fn range_requests(
        &self,
        range: &ReferenceRange,
        target: &Attributes,
    ) -> Result<Vec<QueryInput>, TemplateError> {
        let mut requests = Vec::new();
        for given in combinations(range, target) {
            let Some(key_condition) = range_condition(range, &given)? else { continue };
            requests.push(QueryInput {
                table_name: self.table.to_owned(),
                key_condition,
                forward: true,
                page: PageOptions {
                    index_name: range.index.map(|id| self.design[id].name.clone()),
                    consistent_read: range.is_consistent(),
                    ..PageOptions::default()
                },
            });
        }
        Ok(requests)
    }

    /// The current item of the entity behind an item of the range, if it still refers to the target.
    async fn record_in_range(
        &self,
        entity: &Entity,
        range: &ReferenceRange,
        mapping: &[(String, String)],
        stored: Attributes,
        target: &Attributes,
    ) -> Result<Option<Record>, Error> {
        let holder = &self.design[range.through.unwrap_or(entity.id)];
        if self.design.recognize(&stored) != Some(holder.id) {
            return Ok(None);
        }
        let found = Record::read(holder, stored)?;
        // An index may lag behind the table, so its items are read again from the table.
        let record = match (range.is_consistent(), range.through) {
            (true, None) => Some(found),
            _ => self.find_stored(entity, &found.attributes).await.map_err(|error| match error {
                // The attributes of a stored item do not give its key: another program wrote it.
                Error::Constraint(violation) => undecodable(holder, &found.stored, violation.message),
                error => error,
            })?,
        };
        Ok(record.filter(|record| mapping.iter().all(|(theirs, own)| record.attributes.get(own) == target.get(theirs))))
    }
}

/// The values of the range's templates: those of the target, with every combination of the others.
fn combinations(range: &ReferenceRange, target: &Attributes) -> Vec<Attributes> {
    let known: Attributes =
        range.given.iter().filter_map(|(name, theirs)| Some((name.clone(), target.get(theirs)?.clone()))).collect();
    range.over.iter().fold(vec![known], |combinations, (name, values)| {
        let with = |known: &Attributes, value: &AttributeValue| {
            let mut known = known.clone();
            known.insert(name.clone(), value.clone());
            known
        };
        combinations.iter().flat_map(|known| values.iter().map(move |value| with(known, value))).collect()
    })
}

/// The condition of a range; `None` if a value is missing, or no key can hold it.
fn range_condition(range: &ReferenceRange, given: &Attributes) -> Result<Option<KeyCondition>, TemplateError> {
    let mut conditions = Vec::new();
    let mut partition_bytes = 0;
    for (name, template) in &range.partition {
        let Some(value) = template.render(|attribute| given.get(attribute))? else { return Ok(None) };
        partition_bytes += value.as_str().map_or(0, str::len);
        conditions.push(Condition::equals(name, value));
    }
    if let Some((name, template)) = &range.sort_prefix
        && let Some(prefix) = template.render_text(|attribute| given.get(attribute))?
        && !prefix.is_empty()
    {
        // No item has a longer key, and the table rejects a query for one.
        if prefix.len() > SORT_KEY_BYTES {
            return Ok(None);
        }
        conditions.push(Condition::begins_with(name, AttributeValue::S(prefix)));
    }
    Ok(KeyCondition::all(conditions).filter(|_| partition_bytes <= PARTITION_KEY_BYTES))
}
