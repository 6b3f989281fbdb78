// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

/// `kind` of Option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub enum OptionEntityKind {
    #[serde(rename = "fn")]
    Fn,
    #[serde(rename = "Self")]
    SelfValue,
    #[serde(rename = "self")]
    SelfValue2,
    #[serde(rename = "2nd")]
    _2nd,
}

impl typed::Enumeration for OptionEntityKind {
    const ALL: &'static [Self] = &[Self::Fn, Self::SelfValue, Self::SelfValue2, Self::_2nd];

    fn as_str(self) -> &'static str {
        match self {
            Self::Fn => "fn",
            Self::SelfValue => "Self",
            Self::SelfValue2 => "self",
            Self::_2nd => "2nd",
        }
    }
}

/// `kind` of Result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub enum ResultEntityKind {
    #[serde(rename = "a")]
    A,
    #[serde(rename = "b")]
    B,
}

impl typed::Enumeration for ResultEntityKind {
    const ALL: &'static [Self] = &[Self::A, Self::B];

    fn as_str(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::B => "b",
        }
    }
}
