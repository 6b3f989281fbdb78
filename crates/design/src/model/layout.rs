//! How an item lies in the table: its keys, its entries in indexes, its fixed attributes.

use keyfold_dynamo::limits::{PARTITION_KEY_BYTES, SORT_KEY_BYTES};
use keyfold_dynamo::{AttributeValue, Attributes};

use super::{EntryCondition, IndexId, KeyAttribute};
use crate::template::{Template, TemplateError, can_meet};

/// The keys of an item and every attribute that is computed from others.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The partition key in the table.
    pub partition: KeyPart,
    /// The sort key in the table; `None` for a table without one.
    pub sort: Option<KeyPart>,
    /// The indexes the item can be in.
    pub index_keys: Vec<IndexKey>,
    /// Attributes made from templates, the keys included; what an entity declares under `attributes` is not here.
    pub computed: Vec<Computed>,
    /// Which items have an item of this layout; `None` if all have. Only lookup items of a unique have a condition.
    pub condition: Option<EntryCondition>,
}

/// A key attribute with what it holds.
#[derive(Debug, Clone)]
pub struct KeyPart {
    /// The attribute of the table.
    pub key: KeyAttribute,
    /// How its value is made.
    pub template: Template,
}

/// The entry of an item in an index.
#[derive(Debug, Clone)]
pub struct IndexKey {
    /// The index that the entry is in.
    pub index: IndexId,
    /// One part, or up to four of a multi-attribute key.
    pub partition: Vec<KeyPart>,
    /// As many parts as the index has sort attributes; empty for an index without a sort key.
    pub sort: Vec<KeyPart>,
    /// Which items are in the index; `None` if all are that have the attributes of its key.
    pub condition: Option<EntryCondition>,
}

/// An attribute that is made from a template.
#[derive(Debug, Clone)]
pub struct Computed {
    /// The attribute of the table.
    pub name: String,
    /// How its value is made.
    pub template: Template,
    /// The indexes the attribute is a key of: it is written only while the item is in one of them. Empty for the keys
    /// of the table and for fixed attributes, which are always written.
    pub indexes: Vec<IndexId>,
}

impl IndexKey {
    /// All parts, the partition key's first.
    pub fn parts(&self) -> impl Iterator<Item = &KeyPart> {
        self.partition.iter().chain(&self.sort)
    }

    /// Whether an item may be absent from the index.
    pub fn is_sparse(&self) -> bool {
        self.condition.is_some() || self.parts().any(|part| part.template.is_sparse())
    }

    /// The attributes on which the entry depends: those that its key is made of, and those of its condition.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        let conditions = self.condition.iter().flat_map(EntryCondition::attributes);
        self.parts().flat_map(|part| part.template.attributes()).chain(conditions)
    }

    /// Whether an item with these attributes is in the index.
    fn holds_item<'v>(&self, lookup: &impl Fn(&str) -> Option<&'v AttributeValue>) -> bool {
        self.parts().all(|part| part.template.is_complete(lookup))
            && self.condition.as_ref().is_none_or(|condition| condition.holds(lookup))
    }
}

impl Layout {
    /// The names of the computed attributes: those a write sets or removes besides what the caller gives.
    pub fn computed_names(&self) -> impl Iterator<Item = &str> {
        self.computed.iter().map(|computed| computed.name.as_str())
    }

    /// All attributes on which an item of this layout depends.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        let base = std::iter::once(&self.partition).chain(&self.sort).map(|part| &part.template);
        let templates = base.chain(self.computed.iter().map(|computed| &computed.template));
        templates.flat_map(Template::attributes).chain(self.conditions().flat_map(EntryCondition::attributes))
    }

    /// The conditions of the item itself and of its index entries.
    pub fn conditions(&self) -> impl Iterator<Item = &EntryCondition> {
        self.condition.iter().chain(self.index_keys.iter().filter_map(|key| key.condition.as_ref()))
    }

    /// The base key of an item; `None` if an attribute is absent or the condition does not hold.
    pub fn key<'v>(
        &self,
        lookup: impl Fn(&str) -> Option<&'v AttributeValue>,
    ) -> Result<Option<Attributes>, TemplateError> {
        if !self.condition.as_ref().is_none_or(|condition| condition.holds(&lookup)) {
            return Ok(None);
        }
        let mut key = Attributes::new();
        for part in std::iter::once(&self.partition).chain(&self.sort) {
            match part.template.render(&lookup)? {
                Some(value) => key.insert(part.key.name.clone(), value),
                None => return Ok(None),
            };
        }
        self.refuse_long(&key, &[], lookup)?;
        Ok(Some(key))
    }

    /// All computed attributes that an item has: both keys of an index or neither. Names that are missing in the result
    /// are not to be in the item.
    pub fn compute<'v>(
        &self,
        lookup: impl Fn(&str) -> Option<&'v AttributeValue>,
    ) -> Result<Attributes, TemplateError> {
        let entered: Vec<IndexId> = self
            .index_keys
            .iter()
            .filter(|index_key| index_key.holds_item(&lookup))
            .map(|index_key| index_key.index)
            .collect();
        let mut attributes = Attributes::new();
        for computed in &self.computed {
            if !computed.indexes.is_empty() && !computed.indexes.iter().any(|index| entered.contains(index)) {
                continue;
            }
            if let Some(value) = computed.template.render(&lookup)? {
                attributes.insert(computed.name.clone(), value);
            }
        }
        self.refuse_empty(&lookup)?;
        self.refuse_long(&attributes, &entered, lookup)?;
        Ok(attributes)
    }

    /// Refuses empty values of declared attributes that are index keys themselves: DynamoDB takes them in no index key,
    /// whether the item enters the index or not.
    fn refuse_empty<'v>(&self, lookup: impl Fn(&str) -> Option<&'v AttributeValue>) -> Result<(), TemplateError> {
        for part in self.index_keys.iter().flat_map(IndexKey::parts) {
            let Some(value) = lookup(&part.key.name) else { continue };
            let is_declared = part.template.plain_attribute().is_some_and(|own| own.attribute == part.key.name);
            if is_declared && is_empty(value) {
                let attribute = part.key.name.clone();
                return Err(TemplateError::Empty { attribute, template: part.template.to_string() });
            }
        }
        Ok(())
    }

    /// Refuses keys that are longer than DynamoDB takes: those of the table and of the indexes that an item enters.
    fn refuse_long<'v>(
        &self,
        made: &Attributes,
        entered: &[IndexId],
        lookup: impl Fn(&str) -> Option<&'v AttributeValue>,
    ) -> Result<(), TemplateError> {
        let indexes = self.index_keys.iter().filter(|key| entered.contains(&key.index));
        let sides =
            [(std::slice::from_ref(&self.partition), PARTITION_KEY_BYTES), (self.sort.as_slice(), SORT_KEY_BYTES)];
        let of_indexes = indexes.flat_map(|key| [(&*key.partition, PARTITION_KEY_BYTES), (&*key.sort, SORT_KEY_BYTES)]);
        for (side, limit) in sides.into_iter().chain(of_indexes) {
            // Keys may be attributes that are declared, which are not made.
            let length = |part: &KeyPart| made.get(&part.key.name).or_else(|| lookup(&part.key.name)).map_or(0, length);
            let bytes = side.iter().map(length).sum();
            if bytes <= limit {
                continue;
            }
            if let Some(part) = side.iter().max_by_key(|part| length(part)) {
                let names = part.template.attributes().into_iter();
                let longest = names.max_by_key(|name| lookup(name).map_or(0, self::length));
                let attribute = longest.unwrap_or(&part.key.name).to_owned();
                return Err(TemplateError::TooLong { attribute, template: part.template.to_string(), bytes, limit });
            }
        }
        Ok(())
    }

    /// The attributes that the base key depends on.
    pub fn key_attributes(&self) -> Vec<&str> {
        let mut names = self.partition.template.attributes();
        for name in self.sort.iter().flat_map(|part| part.template.attributes()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The entry in an index; `None` if items of this layout are never in it.
    pub fn index_key(&self, index: IndexId) -> Option<&IndexKey> {
        self.index_keys.iter().find(|key| key.index == index)
    }
}

fn is_empty(value: &AttributeValue) -> bool {
    match value {
        AttributeValue::S(text) => text.is_empty(),
        AttributeValue::B(bytes) => bytes.is_empty(),
        _ => false,
    }
}

/// The bytes of a value in a key; numbers are never too long.
fn length(value: &AttributeValue) -> usize {
    match value {
        AttributeValue::S(text) => text.len(),
        AttributeValue::B(bytes) => bytes.len(),
        _ => 0,
    }
}

/// Whether the base keys of two layouts could be equal, judged by their literal text alone: cheap enough for all pairs.
pub(crate) fn layouts_can_meet(left: &Layout, right: &Layout) -> bool {
    let sorts_meet = match (&left.sort, &right.sort) {
        (Some(left), Some(right)) => can_meet(&left.template, &right.template),
        _ => true,
    };
    sorts_meet && can_meet(&left.partition.template, &right.partition.template)
}
