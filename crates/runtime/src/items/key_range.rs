//! From an item back to those who refer to it, and an item whose sort key is not known.

use keyfold_design::model::{AccessPath, Entity, Reference};
use keyfold_dynamo::operation::{PageOptions, QueryInput};
use keyfold_dynamo::{AttributeValue, Attributes, Item, ServiceError};

use crate::error::Error;
use crate::expression::AliasWriter;
use crate::record::Record;
use crate::runtime::Runtime;

impl Runtime {
    /// The items that refer to a target, as they are now. Empty where no key range leads to them.
    pub(crate) async fn referring(
        &self,
        child: &Entity,
        reference: &Reference,
        target: &Attributes,
        limit: Option<usize>,
    ) -> Result<Vec<Record>, Error> {
        let Some(path) = &reference.path else { return Ok(Vec::new()) };
        self.in_range(child, path, &reference.mapping, target, limit).await
    }

    /// The items of an entity in a range, as they are now, that have what the target tells: `(target's attribute, own)`.
    pub(crate) async fn in_range(
        &self,
        entity: &Entity,
        path: &AccessPath,
        mapping: &[(String, String)],
        target: &Attributes,
        limit: Option<usize>,
    ) -> Result<Vec<Record>, Error> {
        let mut records = Vec::new();
        for mut input in self.referring_requests(path, target)? {
            loop {
                let output = self.query_items(input.clone()).await?;
                for item in output.items.unwrap_or_default() {
                    let stored = item.into_attributes().map_err(ServiceError::from)?;
                    if let Some(record) = self.record_in_range(entity, path, mapping, stored, target).await? {
                        records.push(record);
                    }
                    if limit.is_some_and(|limit| records.len() >= limit) {
                        return Ok(records);
                    }
                }
                match output.last_evaluated_key {
                    Some(key) => input.page.exclusive_start_key = Some(key),
                    None => break,
                }
            }
        }
        Ok(records)
    }

    /// The first request of each key range that holds those who refer to a target.
    pub(crate) fn referring_requests(&self, path: &AccessPath, target: &Attributes) -> Result<Vec<QueryInput>, Error> {
        let mut requests = Vec::new();
        for given in combinations(path, target) {
            let Some((condition, aliases)) = range_condition(path, &given)? else { continue };
            requests.push(QueryInput {
                table_name: self.table.clone(),
                key_condition_expression: Some(condition),
                forward: true,
                page: PageOptions {
                    index_name: path.index.and_then(|id| self.design.index(id)).map(|index| index.name.clone()),
                    consistent_read: path.is_consistent(),
                    aliases,
                    ..PageOptions::default()
                },
            });
        }
        Ok(requests)
    }

    /// The entity's item behind an item of the range, if it still has what the target tells.
    async fn record_in_range(
        &self,
        entity: &Entity,
        path: &AccessPath,
        mapping: &[(String, String)],
        stored: Attributes,
        target: &Attributes,
    ) -> Result<Option<Record>, Error> {
        let holder = path.through.and_then(|id| self.design.entity(id)).unwrap_or(entity);
        if self.design.recognise(&stored) != Some(holder.id) {
            return Ok(None);
        }
        let found = Record::read(holder, stored)?;
        // An index may be behind the table, so what it shows is looked up again.
        let record = match (path.is_consistent(), path.through) {
            (true, None) => Some(found),
            _ => self.find_stored(entity, &found.attributes).await?,
        };
        Ok(record.filter(|record| mapping.iter().all(|(theirs, own)| record.attributes.get(own) == target.get(theirs))))
    }

    /// An item whose identity is its partition. It may move while it is looked for, and a query is not isolated from
    /// transactions: what is not there is looked for once more.
    pub(crate) async fn find_by_partition(
        &self,
        entity: &Entity,
        attributes: &Attributes,
    ) -> Result<Option<Record>, Error> {
        match self.look_in_partition(entity, attributes).await? {
            Some(record) => Ok(Some(record)),
            None => self.look_in_partition(entity, attributes).await,
        }
    }

    /// An item whose identity is its partition: the one of this entity that lies there.
    async fn look_in_partition(&self, entity: &Entity, attributes: &Attributes) -> Result<Option<Record>, Error> {
        let partition = &entity.layout.partition;
        let Some(value) = partition.template.render(|name| attributes.get(name))? else {
            return Err(Error::Invalid(format!("{} is identified by {}", entity.name, entity.identity.join(", "))));
        };
        let mut aliases = AliasWriter::default();
        let mut condition = format!("{} = {}", aliases.name(&partition.key.name), aliases.value(&value));
        // Other entities' items may share the partition, and be many.
        if let Some(sort) = entity.layout.sort.as_ref().filter(|sort| sort.template.otherwise.is_none())
            && let prefix = sort.template.literal_prefix()
            && !prefix.is_empty()
        {
            let prefix = AttributeValue::S(prefix.to_owned());
            condition.push_str(&format!(
                " AND begins_with({}, {})",
                aliases.name(&sort.key.name),
                aliases.value(&prefix)
            ));
        }
        let aliases = aliases.into_aliases();
        let mut start = None;
        loop {
            let page = PageOptions {
                consistent_read: true,
                exclusive_start_key: start.take(),
                aliases: aliases.clone(),
                ..PageOptions::default()
            };
            let input = QueryInput {
                table_name: self.table.clone(),
                key_condition_expression: Some(condition.clone()),
                forward: true,
                page,
            };
            let output = self.query_items(input).await?;
            for item in output.items.unwrap_or_default() {
                let stored = Item::into_attributes(item).map_err(ServiceError::from)?;
                if self.design.recognise(&stored) != Some(entity.id) {
                    continue;
                }
                let record = Record::read(entity, stored)?;
                if entity.identity.iter().all(|name| record.attributes.get(name) == attributes.get(name)) {
                    return Ok(Some(record));
                }
            }
            match output.last_evaluated_key {
                Some(key) => start = Some(key),
                None => return Ok(None),
            }
        }
    }
}

/// The values of the range's templates: what the target tells, with every combination of what it does not.
fn combinations(path: &AccessPath, target: &Attributes) -> Vec<Attributes> {
    let known: Attributes =
        path.given.iter().filter_map(|(name, theirs)| Some((name.clone(), target.get(theirs)?.clone()))).collect();
    path.over.iter().fold(vec![known], |combinations, (name, values)| {
        let with = |known: &Attributes, value: &AttributeValue| {
            let mut known = known.clone();
            known.insert(name.clone(), value.clone());
            known
        };
        combinations.iter().flat_map(|known| values.iter().map(move |value| with(known, value))).collect()
    })
}

type Range = (String, keyfold_dynamo::operation::Aliases);

fn range_condition(path: &AccessPath, given: &Attributes) -> Result<Option<Range>, Error> {
    let mut aliases = AliasWriter::default();
    let mut conditions = Vec::new();
    for (name, template) in &path.partition {
        let Some(value) = template.render(|attribute| given.get(attribute))? else { return Ok(None) };
        conditions.push(format!("{} = {}", aliases.name(name), aliases.value(&value)));
    }
    if let Some((name, template)) = &path.sort_prefix
        && let Some(prefix) = template.render_text(|attribute| given.get(attribute))?
        && !prefix.is_empty()
    {
        let prefix = AttributeValue::S(prefix);
        conditions.push(format!("begins_with({}, {})", aliases.name(name), aliases.value(&prefix)));
    }
    Ok(Some((conditions.join(" AND "), aliases.into_aliases())))
}
