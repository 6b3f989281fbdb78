// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use std::collections::BTreeMap;

use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::enumerations::*;

/// An Option.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OptionEntity {
    pub r#type: String,
    pub self_: String,
    pub foo_bar: String,
    #[serde(rename = "foo_bar")]
    pub foo_bar_: String,
    pub kind: OptionEntityKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<i64>,
    pub default: bool,
}

impl typed::Entity for OptionEntity {
    type Design = super::AwkwardDesign;
    const NAME: &'static str = "Option";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            r#type: typed::required(item, "type")?,
            self_: typed::or_default(item, "self", "none \\\"at all\\\"".to_owned())?,
            foo_bar: typed::required(item, "fooBar")?,
            foo_bar_: typed::required(item, "foo_bar")?,
            kind: typed::or_default(item, "kind", OptionEntityKind::Fn)?,
            other: typed::optional(item, "other")?,
            default: typed::or_default(item, "default", true)?,
        })
    }
}

/// A Result.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultEntity {
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

impl typed::Entity for ResultEntity {
    type Design = super::AwkwardDesign;
    const NAME: &'static str = "Result";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            r#type: typed::required(item, "type")?,
            options: typed::required(item, "options")?,
            item: typed::required(item, "item")?,
            other_: typed::optional(item, "other")?,
            kind: typed::optional(item, "kind")?,
            other: typed::other(item, &["type", "options", "item", "other", "kind"]),
        })
    }
}

/// A Promise.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Promise {
    pub r#await: String,
    pub letter: PromiseLetter,
}

impl typed::Entity for Promise {
    type Design = super::AwkwardDesign;
    const NAME: &'static str = "Promise";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            r#await: typed::required(item, "await")?,
            letter: typed::or_default(item, "letter", PromiseLetter::A)?,
        })
    }
}

/// A NewOption.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NewOption {
    pub crate_: String,
    pub the_longest_name_in_all_of_this_design: String,
}

impl typed::Entity for NewOption {
    type Design = super::AwkwardDesign;
    const NAME: &'static str = "NewOption";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            crate_: typed::required(item, "crate")?,
            the_longest_name_in_all_of_this_design: typed::required(
                item,
                "theLongestNameInAllOfThisDesign",
            )?,
        })
    }
}
