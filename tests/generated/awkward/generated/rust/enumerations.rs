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

/// `letter` of Promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub enum PromiseLetter {
    #[serde(rename = "a")]
    A,
    #[serde(rename = "b")]
    B,
    #[serde(rename = "c")]
    C,
    #[serde(rename = "d")]
    D,
    #[serde(rename = "e")]
    E,
    #[serde(rename = "f")]
    F,
    #[serde(rename = "g")]
    G,
    #[serde(rename = "h")]
    H,
    #[serde(rename = "i")]
    I,
    #[serde(rename = "j")]
    J,
    #[serde(rename = "k")]
    K,
    #[serde(rename = "l")]
    L,
    #[serde(rename = "m")]
    M,
    #[serde(rename = "n")]
    N,
    #[serde(rename = "o")]
    O,
    #[serde(rename = "p")]
    P,
    #[serde(rename = "q")]
    Q,
    #[serde(rename = "r")]
    R,
    #[serde(rename = "s")]
    S,
    #[serde(rename = "t")]
    T,
    #[serde(rename = "u")]
    U,
    #[serde(rename = "v")]
    V,
    #[serde(rename = "w")]
    W,
    #[serde(rename = "x")]
    X,
    #[serde(rename = "y")]
    Y,
    #[serde(rename = "z")]
    Z,
}

impl typed::Enumeration for PromiseLetter {
    const ALL: &'static [Self] = &[
        Self::A,
        Self::B,
        Self::C,
        Self::D,
        Self::E,
        Self::F,
        Self::G,
        Self::H,
        Self::I,
        Self::J,
        Self::K,
        Self::L,
        Self::M,
        Self::N,
        Self::O,
        Self::P,
        Self::Q,
        Self::R,
        Self::S,
        Self::T,
        Self::U,
        Self::V,
        Self::W,
        Self::X,
        Self::Y,
        Self::Z,
    ];

    fn as_str(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::B => "b",
            Self::C => "c",
            Self::D => "d",
            Self::E => "e",
            Self::F => "f",
            Self::G => "g",
            Self::H => "h",
            Self::I => "i",
            Self::J => "j",
            Self::K => "k",
            Self::L => "l",
            Self::M => "m",
            Self::N => "n",
            Self::O => "o",
            Self::P => "p",
            Self::Q => "q",
            Self::R => "r",
            Self::S => "s",
            Self::T => "t",
            Self::U => "u",
            Self::V => "v",
            Self::W => "w",
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
        }
    }
}
