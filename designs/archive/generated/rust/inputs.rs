// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use std::collections::BTreeMap;

use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::enumerations::*;

/// The identity of a Category.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CategoryIdentity {
    pub id: String,
}

impl CategoryIdentity {
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into() }
    }
}

impl typed::Identity for CategoryIdentity {
    type Entity = super::Category;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "id", &self.id);
    }
}

impl super::Category {
    /// The identity of the item.
    pub fn identity(&self) -> CategoryIdentity {
        CategoryIdentity {
            id: self.id.clone(),
        }
    }
}

/// The attributes of a Category to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewCategory {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub name: String,
}

impl NewCategory {
    /// Takes the required attributes and leaves out all others.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            id: None,
        }
    }
}

impl typed::New for NewCategory {
    type Entity = super::Category;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "id", &self.id);
        typed::set(item, "name", &self.name);
    }
}

/// A patch of a Category: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct CategoryPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl typed::Patch for CategoryPatch {
    type Entity = super::Category;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "name", &self.name);
    }
}

impl typed::Removable for super::Category {}

/// The identity of a Collection.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CollectionIdentity {
    pub id: String,
}

impl CollectionIdentity {
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into() }
    }
}

impl typed::Identity for CollectionIdentity {
    type Entity = super::Collection;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "id", &self.id);
    }
}

impl super::Collection {
    /// The identity of the item.
    pub fn identity(&self) -> CollectionIdentity {
        CollectionIdentity {
            id: self.id.clone(),
        }
    }
}

/// The attributes of a Collection to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewCollection {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub name: String,
}

impl NewCollection {
    /// Takes the required attributes and leaves out all others.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            id: None,
        }
    }
}

impl typed::New for NewCollection {
    type Entity = super::Collection;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "id", &self.id);
        typed::set(item, "name", &self.name);
    }
}

/// A patch of a Collection: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct CollectionPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl typed::Patch for CollectionPatch {
    type Entity = super::Collection;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "name", &self.name);
    }
}

impl typed::Removable for super::Collection {}

/// The identity of a CollectionCategory.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CollectionCategoryIdentity {
    pub collection_id: String,
    pub category_id: String,
}

impl CollectionCategoryIdentity {
    pub fn new(collection_id: impl Into<String>, category_id: impl Into<String>) -> Self {
        Self {
            collection_id: collection_id.into(),
            category_id: category_id.into(),
        }
    }
}

impl typed::Identity for CollectionCategoryIdentity {
    type Entity = super::CollectionCategory;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "collectionId", &self.collection_id);
        typed::set(item, "categoryId", &self.category_id);
    }
}

impl super::CollectionCategory {
    /// The identity of the item.
    pub fn identity(&self) -> CollectionCategoryIdentity {
        CollectionCategoryIdentity {
            collection_id: self.collection_id.clone(),
            category_id: self.category_id.clone(),
        }
    }
}

/// The attributes of a CollectionCategory to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewCollectionCategory {
    pub collection_id: String,
    pub category_id: String,
}

impl NewCollectionCategory {
    /// Takes the required attributes and leaves out all others.
    pub fn new(collection_id: impl Into<String>, category_id: impl Into<String>) -> Self {
        Self {
            collection_id: collection_id.into(),
            category_id: category_id.into(),
        }
    }
}

impl typed::New for NewCollectionCategory {
    type Entity = super::CollectionCategory;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "collectionId", &self.collection_id);
        typed::set(item, "categoryId", &self.category_id);
    }
}

impl typed::Removable for super::CollectionCategory {}

/// The identity of a Place.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlaceIdentity {
    pub id: String,
}

impl PlaceIdentity {
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into() }
    }
}

impl typed::Identity for PlaceIdentity {
    type Entity = super::Place;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "id", &self.id);
    }
}

impl super::Place {
    /// The identity of the item.
    pub fn identity(&self) -> PlaceIdentity {
        PlaceIdentity {
            id: self.id.clone(),
        }
    }
}

/// The attributes of a Place to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewPlace {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub full_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latitude: Option<typed::Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longitude: Option<typed::Number>,
}

impl NewPlace {
    /// Takes the required attributes and leaves out all others.
    pub fn new(full_name: impl Into<String>) -> Self {
        Self {
            full_name: full_name.into(),
            id: None,
            latitude: None,
            longitude: None,
        }
    }
}

impl typed::New for NewPlace {
    type Entity = super::Place;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "id", &self.id);
        typed::set(item, "fullName", &self.full_name);
        typed::set_if(item, "latitude", &self.latitude);
        typed::set_if(item, "longitude", &self.longitude);
    }
}

/// A patch of a Place: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct PlacePatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_name: Option<String>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub latitude: typed::AttributeChange<typed::Number>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub longitude: typed::AttributeChange<typed::Number>,
}

impl typed::Patch for PlacePatch {
    type Entity = super::Place;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "fullName", &self.full_name);
        typed::set_change(item, "latitude", &self.latitude);
        typed::set_change(item, "longitude", &self.longitude);
    }
}

/// Operators of a patch of a Place.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlaceOperators(pub typed::Operators);

impl PlaceOperators {
    /// Adds to `latitude`.
    pub fn add_latitude(&mut self, value: typed::Number) -> &mut Self {
        typed::add(&mut self.0, "latitude", &value);
        self
    }

    /// Subtracts from `latitude`.
    pub fn subtract_latitude(&mut self, value: typed::Number) -> &mut Self {
        typed::subtract(&mut self.0, "latitude", &value);
        self
    }

    /// Adds to `longitude`.
    pub fn add_longitude(&mut self, value: typed::Number) -> &mut Self {
        typed::add(&mut self.0, "longitude", &value);
        self
    }

    /// Subtracts from `longitude`.
    pub fn subtract_longitude(&mut self, value: typed::Number) -> &mut Self {
        typed::subtract(&mut self.0, "longitude", &value);
        self
    }
}

impl typed::Removable for super::Place {}

/// The identity of a PlaceSettings.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub struct PlaceSettingsIdentity;

impl typed::Identity for PlaceSettingsIdentity {
    type Entity = super::PlaceSettings;

    fn write(&self, _item: &mut typed::Attributes) {}
}

impl super::PlaceSettings {
    /// The identity of the item.
    pub fn identity(&self) -> PlaceSettingsIdentity {
        PlaceSettingsIdentity
    }
}

/// The attributes of a PlaceSettings to be written.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NewPlaceSettings {
    /// Attributes that the design does not declare.
    #[serde(flatten)]
    pub other: BTreeMap<String, typed::Any>,
}

impl typed::New for NewPlaceSettings {
    type Entity = super::PlaceSettings;

    fn write(&self, item: &mut typed::Attributes) {
        for (name, value) in &self.other {
            typed::set(item, name, value);
        }
    }
}

/// A patch of a PlaceSettings: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PlaceSettingsPatch {
    /// Attributes that the design does not declare.
    #[serde(flatten)]
    pub other: BTreeMap<String, typed::Any>,
}

impl typed::Patch for PlaceSettingsPatch {
    type Entity = super::PlaceSettings;

    fn write(&self, item: &mut typed::Attributes) {
        for (name, value) in &self.other {
            typed::set(item, name, value);
        }
    }
}

impl typed::Removable for super::PlaceSettings {}

/// The identity of a PlaceWord.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlaceWordIdentity {
    pub word: String,
}

impl PlaceWordIdentity {
    pub fn new(word: impl Into<String>) -> Self {
        Self { word: word.into() }
    }
}

impl typed::Identity for PlaceWordIdentity {
    type Entity = super::PlaceWord;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "word", &self.word);
    }
}

impl super::PlaceWord {
    /// The identity of the item.
    pub fn identity(&self) -> PlaceWordIdentity {
        PlaceWordIdentity {
            word: self.word.clone(),
        }
    }
}

/// The identity of a Post.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PostIdentity {
    pub id: String,
}

impl PostIdentity {
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into() }
    }
}

impl typed::Identity for PostIdentity {
    type Entity = super::Post;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "id", &self.id);
    }
}

impl super::Post {
    /// The identity of the item.
    pub fn identity(&self) -> PostIdentity {
        PostIdentity {
            id: self.id.clone(),
        }
    }
}

/// The attributes of a Post to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewPost {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub collection_id: String,
    pub name: String,
}

impl NewPost {
    /// Takes the required attributes and leaves out all others.
    pub fn new(collection_id: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            collection_id: collection_id.into(),
            name: name.into(),
            id: None,
        }
    }
}

impl typed::New for NewPost {
    type Entity = super::Post;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "id", &self.id);
        typed::set(item, "collectionId", &self.collection_id);
        typed::set(item, "name", &self.name);
    }
}

/// A patch of a Post: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct PostPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl typed::Patch for PostPatch {
    type Entity = super::Post;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "collectionId", &self.collection_id);
        typed::set_if(item, "name", &self.name);
    }
}

impl typed::Removable for super::Post {}

/// The identity of a Record.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordIdentity {
    pub id: String,
}

impl RecordIdentity {
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into() }
    }
}

impl typed::Identity for RecordIdentity {
    type Entity = super::Record;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "id", &self.id);
    }
}

impl super::Record {
    /// The identity of the item.
    pub fn identity(&self) -> RecordIdentity {
        RecordIdentity {
            id: self.id.clone(),
        }
    }
}

/// The attributes of a Record to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewRecord {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub post_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub household: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<BTreeMap<String, typed::Any>>,
}

impl NewRecord {
    /// Takes the required attributes and leaves out all others.
    pub fn new(post_id: impl Into<String>) -> Self {
        Self {
            post_id: post_id.into(),
            id: None,
            household: None,
            data: None,
        }
    }
}

impl typed::New for NewRecord {
    type Entity = super::Record;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "id", &self.id);
        typed::set(item, "postId", &self.post_id);
        typed::set_if(item, "household", &self.household);
        typed::set_if(item, "data", &self.data);
    }
}

/// A patch of a Record: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct RecordPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_id: Option<String>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub household: typed::AttributeChange<String>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub data: typed::AttributeChange<BTreeMap<String, typed::Any>>,
}

impl typed::Patch for RecordPatch {
    type Entity = super::Record;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "postId", &self.post_id);
        typed::set_change(item, "household", &self.household);
        typed::set_change(item, "data", &self.data);
    }
}

impl typed::Removable for super::Record {}

/// The identity of a RecordHousehold.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordHouseholdIdentity {
    pub post_id: String,
    pub household: String,
}

impl RecordHouseholdIdentity {
    pub fn new(post_id: impl Into<String>, household: impl Into<String>) -> Self {
        Self {
            post_id: post_id.into(),
            household: household.into(),
        }
    }
}

impl typed::Identity for RecordHouseholdIdentity {
    type Entity = super::RecordHousehold;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "postId", &self.post_id);
        typed::set(item, "household", &self.household);
    }
}

impl super::RecordHousehold {
    /// The identity of the item.
    pub fn identity(&self) -> RecordHouseholdIdentity {
        RecordHouseholdIdentity {
            post_id: self.post_id.clone(),
            household: self.household.clone(),
        }
    }
}

/// The identity of a Settings.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub struct SettingsIdentity;

impl typed::Identity for SettingsIdentity {
    type Entity = super::Settings;

    fn write(&self, _item: &mut typed::Attributes) {}
}

impl super::Settings {
    /// The identity of the item.
    pub fn identity(&self) -> SettingsIdentity {
        SettingsIdentity
    }
}

/// The attributes of a Settings to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NewSettings {
    pub name: String,
    /// Attributes that the design does not declare.
    #[serde(flatten)]
    pub other: BTreeMap<String, typed::Any>,
}

impl NewSettings {
    /// Takes the required attributes and leaves out all others.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            other: BTreeMap::new(),
        }
    }
}

impl typed::New for NewSettings {
    type Entity = super::Settings;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "name", &self.name);
        for (name, value) in &self.other {
            typed::set(item, name, value);
        }
    }
}

/// A patch of a Settings: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SettingsPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Attributes that the design does not declare.
    #[serde(flatten)]
    pub other: BTreeMap<String, typed::Any>,
}

impl typed::Patch for SettingsPatch {
    type Entity = super::Settings;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "name", &self.name);
        for (name, value) in &self.other {
            typed::set(item, name, value);
        }
    }
}

impl typed::Removable for super::Settings {}

/// The identity of a Sequence.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub struct SequenceIdentity;

impl typed::Identity for SequenceIdentity {
    type Entity = super::Sequence;

    fn write(&self, _item: &mut typed::Attributes) {}
}

impl super::Sequence {
    /// The identity of the item.
    pub fn identity(&self) -> SequenceIdentity {
        SequenceIdentity
    }
}

/// The attributes of a Sequence to be written.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewSequence {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<i64>,
}

impl typed::New for NewSequence {
    type Entity = super::Sequence;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "category", &self.category);
        typed::set_if(item, "collection", &self.collection);
        typed::set_if(item, "place", &self.place);
        typed::set_if(item, "post", &self.post);
        typed::set_if(item, "record", &self.record);
    }
}

/// A patch of a Sequence: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct SequencePatch {
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub category: typed::AttributeChange<i64>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub collection: typed::AttributeChange<i64>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub place: typed::AttributeChange<i64>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub post: typed::AttributeChange<i64>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub record: typed::AttributeChange<i64>,
}

impl typed::Patch for SequencePatch {
    type Entity = super::Sequence;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_change(item, "category", &self.category);
        typed::set_change(item, "collection", &self.collection);
        typed::set_change(item, "place", &self.place);
        typed::set_change(item, "post", &self.post);
        typed::set_change(item, "record", &self.record);
    }
}

/// Operators of a patch of a Sequence.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SequenceOperators(pub typed::Operators);

impl SequenceOperators {
    /// Adds to `category`.
    pub fn add_category(&mut self, value: i64) -> &mut Self {
        typed::add(&mut self.0, "category", &value);
        self
    }

    /// Subtracts from `category`.
    pub fn subtract_category(&mut self, value: i64) -> &mut Self {
        typed::subtract(&mut self.0, "category", &value);
        self
    }

    /// Adds to `collection`.
    pub fn add_collection(&mut self, value: i64) -> &mut Self {
        typed::add(&mut self.0, "collection", &value);
        self
    }

    /// Subtracts from `collection`.
    pub fn subtract_collection(&mut self, value: i64) -> &mut Self {
        typed::subtract(&mut self.0, "collection", &value);
        self
    }

    /// Adds to `place`.
    pub fn add_place(&mut self, value: i64) -> &mut Self {
        typed::add(&mut self.0, "place", &value);
        self
    }

    /// Subtracts from `place`.
    pub fn subtract_place(&mut self, value: i64) -> &mut Self {
        typed::subtract(&mut self.0, "place", &value);
        self
    }

    /// Adds to `post`.
    pub fn add_post(&mut self, value: i64) -> &mut Self {
        typed::add(&mut self.0, "post", &value);
        self
    }

    /// Subtracts from `post`.
    pub fn subtract_post(&mut self, value: i64) -> &mut Self {
        typed::subtract(&mut self.0, "post", &value);
        self
    }

    /// Adds to `record`.
    pub fn add_record(&mut self, value: i64) -> &mut Self {
        typed::add(&mut self.0, "record", &value);
        self
    }

    /// Subtracts from `record`.
    pub fn subtract_record(&mut self, value: i64) -> &mut Self {
        typed::subtract(&mut self.0, "record", &value);
        self
    }
}

impl typed::Removable for super::Sequence {}

/// The identity of a User.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UserIdentity {
    pub id: String,
}

impl UserIdentity {
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into() }
    }
}

impl typed::Identity for UserIdentity {
    type Entity = super::User;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "id", &self.id);
    }
}

impl super::User {
    /// The identity of the item.
    pub fn identity(&self) -> UserIdentity {
        UserIdentity {
            id: self.id.clone(),
        }
    }
}

/// The attributes of a User to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewUser {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub issuer: String,
    pub subject: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<UserRole>,
}

impl NewUser {
    /// Takes the required attributes and leaves out all others.
    pub fn new(
        issuer: impl Into<String>,
        subject: impl Into<String>,
        name: impl Into<String>,
    ) -> Self {
        Self {
            issuer: issuer.into(),
            subject: subject.into(),
            name: name.into(),
            id: None,
            role: None,
        }
    }
}

impl typed::New for NewUser {
    type Entity = super::User;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "id", &self.id);
        typed::set(item, "issuer", &self.issuer);
        typed::set(item, "subject", &self.subject);
        typed::set(item, "name", &self.name);
        typed::set_if(item, "role", &self.role);
    }
}

/// A patch of a User: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct UserPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub role: typed::AttributeChange<UserRole>,
}

impl typed::Patch for UserPatch {
    type Entity = super::User;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "issuer", &self.issuer);
        typed::set_if(item, "subject", &self.subject);
        typed::set_if(item, "name", &self.name);
        typed::set_change(item, "role", &self.role);
    }
}

impl typed::Removable for super::User {}
