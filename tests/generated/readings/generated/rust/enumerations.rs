// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

/// `unit` of Reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub enum ReadingUnit {
    #[serde(rename = "celsius")]
    Celsius,
    #[serde(rename = "pascal")]
    Pascal,
}

impl typed::Enumeration for ReadingUnit {
    const ALL: &'static [Self] = &[Self::Celsius, Self::Pascal];

    fn as_str(self) -> &'static str {
        match self {
            Self::Celsius => "celsius",
            Self::Pascal => "pascal",
        }
    }
}
