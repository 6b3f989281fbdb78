// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::entities::*;

/// A result of the access pattern "collection with categories".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "entity", content = "item")]
pub enum CollectionWithCategories {
    Collection(Box<Collection>),
    CollectionCategory(Box<CollectionCategory>),
}

impl typed::Returned for CollectionWithCategories {
    type Design = super::ArchiveDesign;

    fn read(entity: &str, item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        match entity {
            "Collection" => typed::boxed(item).map(Self::Collection),
            "CollectionCategory" => typed::boxed(item).map(Self::CollectionCategory),
            other => Err(typed::TypeMismatch::unexpected_entity(other)),
        }
    }
}

/// A result of the access pattern "post with households".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "entity", content = "item")]
pub enum PostWithHouseholds {
    Post(Box<Post>),
    RecordHousehold(Box<RecordHousehold>),
}

impl typed::Returned for PostWithHouseholds {
    type Design = super::ArchiveDesign;

    fn read(entity: &str, item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        match entity {
            "Post" => typed::boxed(item).map(Self::Post),
            "RecordHousehold" => typed::boxed(item).map(Self::RecordHousehold),
            other => Err(typed::TypeMismatch::unexpected_entity(other)),
        }
    }
}

impl super::Archive<'_> {
    /// categories: `SK = category`.
    pub async fn categories(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Category>, typed::Error> {
        let pattern = "categories";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// collections: `SK = collection`.
    pub async fn collections(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Collection>, typed::Error> {
        let pattern = "collections";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// collection with categories: `PK = <collectionId> -> Collection, CollectionCategory`.
    pub async fn collection_with_categories(
        &self,
        collection_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<CollectionWithCategories>, typed::Error> {
        let pattern = "collection with categories";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "collectionId", collection_id);
        self.page(pattern, arguments, options).await
    }

    /// categories of a collection: `PK = <collectionId> and begins_with(SK, collection_category#)`.
    pub async fn categories_of_a_collection(
        &self,
        collection_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<CollectionCategory>, typed::Error> {
        let pattern = "categories of a collection";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "collectionId", collection_id);
        self.page(pattern, arguments, options).await
    }

    /// collections of a category: `SK = collection_category#<categoryId>`.
    pub async fn collections_of_a_category(
        &self,
        category_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<CollectionCategory>, typed::Error> {
        let pattern = "collections of a category";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "categoryId", category_id);
        self.page(pattern, arguments, options).await
    }

    /// places by name: `SK = place#<name:first(2)> and begins_with(GSISK, <name>)`.
    pub async fn places_by_name(
        &self,
        name: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Place>, typed::Error> {
        let pattern = "places by name";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "name", name);
        self.page(pattern, arguments, options).await
    }

    /// places with a word: `PK = placeWord#<word>`.
    pub async fn places_with_a_word(
        &self,
        word: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<PlaceWord>, typed::Error> {
        let pattern = "places with a word";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "word", word);
        self.page(pattern, arguments, options).await
    }

    /// posts: `SK = post`.
    pub async fn posts(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Post>, typed::Error> {
        let pattern = "posts";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// posts of a collection: `SK = post and GSISK = <collectionId>`.
    pub async fn posts_of_a_collection(
        &self,
        collection_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Post>, typed::Error> {
        let pattern = "posts of a collection";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "collectionId", collection_id);
        self.page(pattern, arguments, options).await
    }

    /// post with households: `PK = <postId> -> Post, RecordHousehold`.
    pub async fn post_with_households(
        &self,
        post_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<PostWithHouseholds>, typed::Error> {
        let pattern = "post with households";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "postId", post_id);
        self.page(pattern, arguments, options).await
    }

    /// records of a post: `SK = record_post#<postId>`.
    pub async fn records_of_a_post(
        &self,
        post_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Record>, typed::Error> {
        let pattern = "records of a post";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "postId", post_id);
        self.page(pattern, arguments, options).await
    }

    /// households of a post: `PK = <postId> and begins_with(SK, record_household#)`.
    pub async fn households_of_a_post(
        &self,
        post_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<RecordHousehold>, typed::Error> {
        let pattern = "households of a post";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "postId", post_id);
        self.page(pattern, arguments, options).await
    }

    /// records of a household: `SK = record_household#<household> and GSISK = <postId>`.
    pub async fn records_of_a_household(
        &self,
        household: &str,
        post_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<RecordHousehold>, typed::Error> {
        let pattern = "records of a household";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "household", household);
        typed::set(&mut arguments, "postId", post_id);
        self.page(pattern, arguments, options).await
    }

    /// settings: `SK = settings`.
    pub async fn settings(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Settings>, typed::Error> {
        let pattern = "settings";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// settings by name: `SK = settings and GSISK = <name>`.
    pub async fn settings_by_name(
        &self,
        name: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Settings>, typed::Error> {
        let pattern = "settings by name";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "name", name);
        self.page(pattern, arguments, options).await
    }

    /// users: `SK = user`.
    pub async fn users(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<User>, typed::Error> {
        let pattern = "users";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// user by identity: `SK = user and GSISK = <issuer><subject> where issuer = <issuer> and subject = <subject>`.
    pub async fn user_by_identity(
        &self,
        issuer: &str,
        subject: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<User>, typed::Error> {
        let pattern = "user by identity";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "issuer", issuer);
        typed::set(&mut arguments, "subject", subject);
        self.page(pattern, arguments, options).await
    }
}
