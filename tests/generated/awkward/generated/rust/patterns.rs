// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::entities::*;
use super::enumerations::*;

/// A result of the access pattern "create".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "entity", content = "item")]
pub enum Create {
    #[serde(rename = "Option")]
    OptionEntity(Box<OptionEntity>),
    #[serde(rename = "Result")]
    ResultEntity(Box<ResultEntity>),
}

impl typed::Returned for Create {
    type Design = super::AwkwardDesign;

    fn read(entity: &str, item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        match entity {
            "Option" => typed::boxed(item).map(Self::OptionEntity),
            "Result" => typed::boxed(item).map(Self::ResultEntity),
            other => Err(typed::TypeMismatch::unexpected_entity(other)),
        }
    }
}

impl super::Awkward<'_> {
    /// create: `PK = OPTION#<type> -> Option, Result`.
    pub async fn create_pattern(
        &self,
        r#type: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Create>, typed::Error> {
        let pattern = "create";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "type", r#type);
        self.page(pattern, arguments, options).await
    }

    /// get: `PK = OPTION#<type> and begins_with(SK, RESULT#)`.
    pub async fn get_pattern(
        &self,
        r#type: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<ResultEntity>, typed::Error> {
        let pattern = "get";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "type", r#type);
        self.page(pattern, arguments, options).await
    }

    /// option identity: `PK = OPTION#<type> and SK = RESULT#<options:width(6)>`.
    pub async fn option_identity(
        &self,
        r#type: &str,
        options_: i64,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<ResultEntity>, typed::Error> {
        let pattern = "option identity";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "type", r#type);
        typed::set(&mut arguments, "options", &options_);
        self.page(pattern, arguments, options).await
    }

    /// optionIdentity: `PK = OPTION#<type> and SK = METADATA`.
    pub async fn option_identity_pattern(
        &self,
        r#type: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<OptionEntity>, typed::Error> {
        let pattern = "optionIdentity";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "type", r#type);
        self.page(pattern, arguments, options).await
    }

    /// new: `GSI1PK = KIND#<kind>`.
    pub async fn new_pattern(
        &self,
        kind: OptionEntityKind,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<OptionEntity>, typed::Error> {
        let pattern = "new";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "kind", &kind);
        self.page(pattern, arguments, options).await
    }

    /// await: `PK = PROMISE`.
    pub async fn r#await(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Promise>, typed::Error> {
        let pattern = "await";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// count: `GSI1PK = KIND#<kind>, count`.
    pub async fn count_pattern(&self, kind: OptionEntityKind) -> Result<usize, typed::Error> {
        let pattern = "count";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "kind", &kind);
        self.count(pattern, arguments).await
    }

    /// option: `PK = NEW#<crate>`.
    pub async fn option(
        &self,
        crate_: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<NewOption>, typed::Error> {
        let pattern = "option";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "crate", crate_);
        self.page(pattern, arguments, options).await
    }
}
