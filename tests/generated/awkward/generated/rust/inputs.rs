// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use std::collections::BTreeMap;

use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::enumerations::*;

/// The identity of an Option.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OptionEntityIdentity {
    pub r#type: String,
}

impl OptionEntityIdentity {
    pub fn new(r#type: impl Into<String>) -> Self {
        Self {
            r#type: r#type.into(),
        }
    }
}

impl typed::Identity for OptionEntityIdentity {
    type Entity = super::OptionEntity;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "type", &self.r#type);
    }
}

impl super::OptionEntity {
    /// The identity of the item.
    pub fn identity(&self) -> OptionEntityIdentity {
        OptionEntityIdentity {
            r#type: self.r#type.clone(),
        }
    }
}

/// The attributes of an Option to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewOptionEntity {
    pub r#type: String,
    /// Defaults to `none \"at all\"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub self_: Option<String>,
    pub foo_bar: String,
    #[serde(rename = "foo_bar")]
    pub foo_bar_: String,
    /// Defaults to `fn`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<OptionEntityKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<bool>,
}

impl NewOptionEntity {
    /// Takes the required attributes and leaves out all others.
    pub fn new(
        r#type: impl Into<String>,
        foo_bar: impl Into<String>,
        foo_bar_: impl Into<String>,
    ) -> Self {
        Self {
            r#type: r#type.into(),
            foo_bar: foo_bar.into(),
            foo_bar_: foo_bar_.into(),
            self_: None,
            kind: None,
            other: None,
            default: None,
        }
    }
}

impl typed::New for NewOptionEntity {
    type Entity = super::OptionEntity;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "type", &self.r#type);
        typed::set_if(item, "self", &self.self_);
        typed::set(item, "fooBar", &self.foo_bar);
        typed::set(item, "foo_bar", &self.foo_bar_);
        typed::set_if(item, "kind", &self.kind);
        typed::set_if(item, "other", &self.other);
        typed::set_if(item, "default", &self.default);
    }
}

/// A patch of an Option: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct OptionEntityPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub self_: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foo_bar: Option<String>,
    #[serde(rename = "foo_bar")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foo_bar_: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<OptionEntityKind>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub other: typed::AttributeChange<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<bool>,
}

impl typed::Patch for OptionEntityPatch {
    type Entity = super::OptionEntity;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "self", &self.self_);
        typed::set_if(item, "fooBar", &self.foo_bar);
        typed::set_if(item, "foo_bar", &self.foo_bar_);
        typed::set_if(item, "kind", &self.kind);
        typed::set_change(item, "other", &self.other);
        typed::set_if(item, "default", &self.default);
    }
}

/// Operators of a patch of an Option.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OptionEntityOperators(pub typed::Operators);

impl OptionEntityOperators {
    /// Adds to `other`.
    pub fn add_other(&mut self, value: i64) -> &mut Self {
        typed::add(&mut self.0, "other", &value);
        self
    }

    /// Subtracts from `other`.
    pub fn subtract_other(&mut self, value: i64) -> &mut Self {
        typed::subtract(&mut self.0, "other", &value);
        self
    }
}

impl typed::Removable for super::OptionEntity {}

/// The identity of a Result.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResultEntityIdentity {
    pub r#type: String,
    pub options: i64,
}

impl ResultEntityIdentity {
    pub fn new(r#type: impl Into<String>, options: i64) -> Self {
        Self {
            r#type: r#type.into(),
            options,
        }
    }
}

impl typed::Identity for ResultEntityIdentity {
    type Entity = super::ResultEntity;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "type", &self.r#type);
        typed::set(item, "options", &self.options);
    }
}

impl super::ResultEntity {
    /// The identity of the item.
    pub fn identity(&self) -> ResultEntityIdentity {
        ResultEntityIdentity {
            r#type: self.r#type.clone(),
            options: self.options,
        }
    }
}

/// The attributes of a Result to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NewResultEntity {
    pub r#type: String,
    pub options: i64,
    pub item: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ResultEntityKind>,
    /// Attributes that the design does not declare.
    #[serde(flatten)]
    pub other: BTreeMap<String, typed::Any>,
}

impl NewResultEntity {
    /// Takes the required attributes and leaves out all others.
    pub fn new(r#type: impl Into<String>, options: i64, item: Vec<String>) -> Self {
        Self {
            r#type: r#type.into(),
            options,
            item,
            other_: None,
            kind: None,
            other: BTreeMap::new(),
        }
    }
}

impl typed::New for NewResultEntity {
    type Entity = super::ResultEntity;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "type", &self.r#type);
        typed::set(item, "options", &self.options);
        typed::set(item, "item", &self.item);
        typed::set_if(item, "other", &self.other_);
        typed::set_if(item, "kind", &self.kind);
        for (name, value) in &self.other {
            typed::set(item, name, value);
        }
    }
}

/// A patch of a Result: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ResultEntityPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<Vec<String>>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub other_: typed::AttributeChange<String>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub kind: typed::AttributeChange<ResultEntityKind>,
    /// Attributes that the design does not declare.
    #[serde(flatten)]
    pub other: BTreeMap<String, typed::Any>,
}

impl typed::Patch for ResultEntityPatch {
    type Entity = super::ResultEntity;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "item", &self.item);
        typed::set_change(item, "other", &self.other_);
        typed::set_change(item, "kind", &self.kind);
        for (name, value) in &self.other {
            typed::set(item, name, value);
        }
    }
}

/// Operators of a patch of a Result.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ResultEntityOperators(pub typed::Operators);

impl ResultEntityOperators {
    /// Adds elements at the end of `item`.
    pub fn append_item(&mut self, value: &[String]) -> &mut Self {
        typed::append(&mut self.0, "item", value);
        self
    }

    /// Adds elements at the beginning of `item`.
    pub fn prepend_item(&mut self, value: &[String]) -> &mut Self {
        typed::prepend(&mut self.0, "item", value);
        self
    }
}

impl typed::Removable for super::ResultEntity {}

/// The identity of a Promise.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub struct PromiseIdentity;

impl typed::Identity for PromiseIdentity {
    type Entity = super::Promise;

    fn write(&self, _item: &mut typed::Attributes) {}
}

impl super::Promise {
    /// The identity of the item.
    pub fn identity(&self) -> PromiseIdentity {
        PromiseIdentity
    }
}

/// The attributes of a Promise to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewPromise {
    pub r#await: String,
    /// Defaults to `a`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub letter: Option<PromiseLetter>,
}

impl NewPromise {
    /// Takes the required attributes and leaves out all others.
    pub fn new(r#await: impl Into<String>) -> Self {
        Self {
            r#await: r#await.into(),
            letter: None,
        }
    }
}

impl typed::New for NewPromise {
    type Entity = super::Promise;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "await", &self.r#await);
        typed::set_if(item, "letter", &self.letter);
    }
}

/// A patch of a Promise: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct PromisePatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#await: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub letter: Option<PromiseLetter>,
}

impl typed::Patch for PromisePatch {
    type Entity = super::Promise;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "await", &self.r#await);
        typed::set_if(item, "letter", &self.letter);
    }
}

impl typed::Removable for super::Promise {}

/// The identity of a NewOption.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewOptionIdentity {
    pub crate_: String,
    pub the_longest_name_in_all_of_this_design: String,
}

impl NewOptionIdentity {
    pub fn new(
        crate_: impl Into<String>,
        the_longest_name_in_all_of_this_design: impl Into<String>,
    ) -> Self {
        Self {
            crate_: crate_.into(),
            the_longest_name_in_all_of_this_design: the_longest_name_in_all_of_this_design.into(),
        }
    }
}

impl typed::Identity for NewOptionIdentity {
    type Entity = super::NewOption;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "crate", &self.crate_);
        typed::set(
            item,
            "theLongestNameInAllOfThisDesign",
            &self.the_longest_name_in_all_of_this_design,
        );
    }
}

impl super::NewOption {
    /// The identity of the item.
    pub fn identity(&self) -> NewOptionIdentity {
        NewOptionIdentity {
            crate_: self.crate_.clone(),
            the_longest_name_in_all_of_this_design: self
                .the_longest_name_in_all_of_this_design
                .clone(),
        }
    }
}

/// The attributes of a NewOption to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewNewOption {
    pub crate_: String,
    pub the_longest_name_in_all_of_this_design: String,
}

impl NewNewOption {
    /// Takes the required attributes and leaves out all others.
    pub fn new(
        crate_: impl Into<String>,
        the_longest_name_in_all_of_this_design: impl Into<String>,
    ) -> Self {
        Self {
            crate_: crate_.into(),
            the_longest_name_in_all_of_this_design: the_longest_name_in_all_of_this_design.into(),
        }
    }
}

impl typed::New for NewNewOption {
    type Entity = super::NewOption;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "crate", &self.crate_);
        typed::set(
            item,
            "theLongestNameInAllOfThisDesign",
            &self.the_longest_name_in_all_of_this_design,
        );
    }
}

impl typed::Removable for super::NewOption {}
