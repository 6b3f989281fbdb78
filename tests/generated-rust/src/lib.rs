//! The generated Rust modules of the shipped designs, compiled as an application compiles them.
//!
//! What a design does not have cannot be written. An item is found by what identifies it,
//!
//! ```
//! use keyfold_generated_rust::platform::{NotificationAuditIdentity, Platform};
//! async fn read(platform: Platform<'_>, audit: NotificationAuditIdentity) {
//!     let _ = platform.get(&audit).await;
//! }
//! ```
//!
//! and not deleted where its entity is append-only,
//!
//! ```compile_fail,E0277
//! use keyfold_generated_rust::platform::{NotificationAuditIdentity, Platform};
//! async fn delete(platform: Platform<'_>, audit: NotificationAuditIdentity) {
//!     let _ = platform.delete(&audit, Default::default()).await;
//! }
//! ```
//!
//! nor is it looked for in another design.
//!
//! ```compile_fail,E0271
//! use keyfold_generated_rust::catalogue::SiteIdentity;
//! use keyfold_generated_rust::platform::Platform;
//! async fn read(platform: Platform<'_>, site: SiteIdentity) {
//!     let _ = platform.get(&site).await;
//! }
//! ```

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
