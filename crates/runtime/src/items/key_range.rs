//! Items in a key range, such as those that refer to an item.

use std::collections::VecDeque;

use keyfold_design::model::{Entity, Reference, ReferenceRange};
use keyfold_design::template::TemplateError;
use keyfold_dynamo::expression::{Condition, KeyCondition};
use keyfold_dynamo::limits::{PARTITION_KEY_BYTES, SORT_KEY_BYTES, TRANSACTION_ACTIONS};
use keyfold_dynamo::operation::{PageOptions, QueryInput};
use keyfold_dynamo::{AttributeValue, Attributes};

use super::Items;
use crate::error::Error;
use crate::record::{Record, undecodable};

/// How many referring items are read at once: those that one transaction can write. A page of 1 MB would hold thousands
/// of small items, each of which takes far more memory than bytes in the table.
const PAGE_ITEMS: i64 = TRANSACTION_ACTIONS as i64;

/// The items that refer to a target, page by page.
pub(crate) struct ReferringPages<'d> {
    pub child: &'d Entity,
    pub reference: &'d Reference,
    /// The requests of the pages that are still to be read.
    requests: VecDeque<QueryInput>,
}

impl Items<'_> {
    /// The pages of the items that refer to a target. None if no key range leads to them.
    pub(crate) fn referring_pages<'d>(
        &self,
        child: &'d Entity,
        reference: &'d Reference,
        target: &Attributes,
    ) -> Result<ReferringPages<'d>, Error> {
        let requests = self.referring_requests(reference, target)?.into();
        Ok(ReferringPages { child, reference, requests })
    }

    /// The current items of the next page, perhaps none; `None` after the last page.
    pub(crate) async fn next_referring(
        &self,
        pages: &mut ReferringPages<'_>,
        target: &Attributes,
    ) -> Result<Option<Vec<Record>>, Error> {
        let ReferringPages { child, reference, requests } = pages;
        let (Some(range), Some(mut input)) = (&reference.range, requests.pop_front()) else { return Ok(None) };
        let (items, next) = self.query_attributes(input.clone()).await?;
        if let Some(key) = next {
            input.page.exclusive_start_key = Some(key);
            requests.push_front(input);
        }
        let mut records = Vec::with_capacity(items.len());
        for stored in items {
            records.extend(self.record_in_range(child, range, &reference.mapping, stored, target).await?);
        }
        Ok(Some(records))
    }

    /// Whether an item refers to a target. Not if no key range leads to it.
    pub(crate) async fn is_referred_to(
        &self,
        child: &Entity,
        reference: &Reference,
        target: &Attributes,
    ) -> Result<bool, Error> {
        let Some(range) = &reference.range else { return Ok(false) };
        let requests = self.referring_requests(reference, target)?;
        let first = self.in_requests(child, range, &reference.mapping, target, requests, Some(1)).await?;
        Ok(!first.is_empty())
    }

    fn referring_requests(&self, reference: &Reference, target: &Attributes) -> Result<Vec<QueryInput>, TemplateError> {
        let Some(range) = &reference.range else { return Ok(Vec::new()) };
        let mut requests = self.range_requests(range, target)?;
        requests.iter_mut().for_each(|input| input.page.limit = Some(PAGE_ITEMS));
        Ok(requests)
    }

    /// The current items of an entity whose attributes equal the target's, by pairs `(target's attribute, own)`, with
    /// the requests of their range.
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

    /// The first request of each key range that holds items with the target's values. An error says that no key can
    /// hold a value.
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
        // An index may lack what tells entities with the same keys apart; the item is read again below.
        let is_of_holder = match self.design.lacks_kind(&stored) {
            true => holder.layout.owns(&stored),
            false => self.design.recognize(&stored) == Some(holder.id),
        };
        if !is_of_holder {
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
