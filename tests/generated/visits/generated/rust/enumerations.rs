// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

/// `mood` of Visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub enum VisitMood {
    #[serde(rename = "1st-rate")]
    _1stRate,
    #[serde(rename = "so-so")]
    SoSo,
    #[serde(rename = "?")]
    Value,
}

impl typed::Enumeration for VisitMood {
    const ALL: &'static [Self] = &[Self::_1stRate, Self::SoSo, Self::Value];

    fn as_str(self) -> &'static str {
        match self {
            Self::_1stRate => "1st-rate",
            Self::SoSo => "so-so",
            Self::Value => "?",
        }
    }
}
