//! The generated Rust modules of the shipped designs, compiled as an application compiles them.

#[rustfmt::skip]
#[path = "../../../designs/agencies/generated/rust/mod.rs"]
pub mod agencies;
#[rustfmt::skip]
#[path = "../../../designs/albums/generated/rust/mod.rs"]
pub mod albums;
#[rustfmt::skip]
#[path = "../../../designs/archive/generated/rust/mod.rs"]
pub mod archive;
#[rustfmt::skip]
#[path = "../../generated/awkward/generated/rust/mod.rs"]
pub mod awkward;
#[rustfmt::skip]
#[path = "../../../designs/catalogue/generated/rust/mod.rs"]
pub mod catalogue;
#[rustfmt::skip]
#[path = "../../generated/every-option/generated/rust/mod.rs"]
pub mod every_option;
#[rustfmt::skip]
#[path = "../../../designs/platform/generated/rust/mod.rs"]
pub mod platform;
#[rustfmt::skip]
#[path = "../../generated/visits/generated/rust/mod.rs"]
pub mod visits;
