// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use std::collections::{BTreeMap, BTreeSet};

use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::enumerations::*;

/// A Category.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Category {
    pub id: String,
    pub name: String,
    pub collection_count: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Category {
    type Design = super::ArchiveDesign;
    const NAME: &'static str = "Category";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            id: typed::required(item, "id")?,
            name: typed::required(item, "name")?,
            collection_count: typed::or_default(item, "collectionCount", 0)?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// A Collection.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Collection {
    pub id: String,
    pub name: String,
    pub post_count: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Collection {
    type Design = super::ArchiveDesign;
    const NAME: &'static str = "Collection";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            id: typed::required(item, "id")?,
            name: typed::required(item, "name")?,
            post_count: typed::or_default(item, "postCount", 0)?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// That a collection is in a category. The document calls it collection_category.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CollectionCategory {
    pub collection_id: String,
    pub category_id: String,
}

impl typed::Entity for CollectionCategory {
    type Design = super::ArchiveDesign;
    const NAME: &'static str = "CollectionCategory";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            collection_id: typed::required(item, "collectionId")?,
            category_id: typed::required(item, "categoryId")?,
        })
    }
}

/// A Place.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    pub id: String,
    pub full_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latitude: Option<typed::Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longitude: Option<typed::Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Place {
    type Design = super::ArchiveDesign;
    const NAME: &'static str = "Place";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            id: typed::required(item, "id")?,
            full_name: typed::required(item, "fullName")?,
            latitude: typed::optional(item, "latitude")?,
            longitude: typed::optional(item, "longitude")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// A PlaceSettings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlaceSettings {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// Attributes that the design does not declare.
    #[serde(flatten)]
    pub other: BTreeMap<String, typed::Any>,
}

impl typed::Entity for PlaceSettings {
    type Design = super::ArchiveDesign;
    const NAME: &'static str = "PlaceSettings";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            version: typed::optional(item, "version")?,
            other: typed::other(item, &["version"]),
        })
    }
}

/// The places that have a word in their name, kept in step with the names.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlaceWord {
    pub place_ids: BTreeSet<String>,
    pub word: String,
}

impl typed::Entity for PlaceWord {
    type Design = super::ArchiveDesign;
    const NAME: &'static str = "PlaceWord";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            place_ids: typed::required(item, "placeIds")?,
            word: typed::required(item, "word")?,
        })
    }
}

/// A Post.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Post {
    pub id: String,
    pub collection_id: String,
    pub name: String,
    pub record_count: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Post {
    type Design = super::ArchiveDesign;
    const NAME: &'static str = "Post";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            id: typed::required(item, "id")?,
            collection_id: typed::required(item, "collectionId")?,
            name: typed::required(item, "name")?,
            record_count: typed::or_default(item, "recordCount", 0)?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// A Record.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    pub id: String,
    pub post_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub household: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<BTreeMap<String, typed::Any>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Record {
    type Design = super::ArchiveDesign;
    const NAME: &'static str = "Record";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            id: typed::required(item, "id")?,
            post_id: typed::required(item, "postId")?,
            household: typed::optional(item, "household")?,
            data: typed::optional(item, "data")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// The records of one household of a post, kept in step with them. The document calls it record_household.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordHousehold {
    pub record_ids: BTreeSet<String>,
    pub post_id: String,
    pub household: String,
}

impl typed::Entity for RecordHousehold {
    type Design = super::ArchiveDesign;
    const NAME: &'static str = "RecordHousehold";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            record_ids: typed::required(item, "recordIds")?,
            post_id: typed::required(item, "postId")?,
            household: typed::required(item, "household")?,
        })
    }
}

/// A Settings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// Attributes that the design does not declare.
    #[serde(flatten)]
    pub other: BTreeMap<String, typed::Any>,
}

impl typed::Entity for Settings {
    type Design = super::ArchiveDesign;
    const NAME: &'static str = "Settings";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            name: typed::required(item, "name")?,
            version: typed::optional(item, "version")?,
            other: typed::other(item, &["name", "version"]),
        })
    }
}

/// The last number drawn of each sequence.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sequence {
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

impl typed::Entity for Sequence {
    type Design = super::ArchiveDesign;
    const NAME: &'static str = "Sequence";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            category: typed::optional(item, "category")?,
            collection: typed::optional(item, "collection")?,
            place: typed::optional(item, "place")?,
            post: typed::optional(item, "post")?,
            record: typed::optional(item, "record")?,
        })
    }
}

/// A User.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    pub id: String,
    pub issuer: String,
    pub subject: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<UserRole>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for User {
    type Design = super::ArchiveDesign;
    const NAME: &'static str = "User";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            id: typed::required(item, "id")?,
            issuer: typed::required(item, "issuer")?,
            subject: typed::required(item, "subject")?,
            name: typed::required(item, "name")?,
            role: typed::optional(item, "role")?,
            version: typed::optional(item, "version")?,
        })
    }
}
