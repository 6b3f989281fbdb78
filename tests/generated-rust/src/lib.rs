//! The generated Rust modules of the shipped designs, compiled as an application compiles them.
//!
//! A session of one caller has the verbs and the access patterns of the design:
//!
//! ```
//! use keyfold_generated_rust::platform::{LicensePatch, LicenseStatus, NewLicense, Platform};
//! use keyfold_runtime::{Caller, Runtime};
//! use keyfold_typed::{AttributeChange, QueryOptions};
//!
//! # async fn renew(runtime: Runtime) -> Result<(), Box<dyn std::error::Error>> {
//! let platform = Platform::new(&runtime, Caller::member("northwind", "ada"));
//! let license = platform.create(&NewLicense::new("globex", "2026-12-31".parse()?, 25)).await?;
//! let expired = Some(LicenseStatus::Expired);
//! let patch = LicensePatch { status: expired, note: AttributeChange::Clear, ..Default::default() };
//! platform.patch(&license.identity(), &patch).await?;
//! let page = platform.licenses_by_enterprise("globex", &QueryOptions::default()).await?;
//! # assert!(page.items.len() <= 100);
//! # Ok(())
//! # }
//! ```
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
#[path = "../../generated/moves/generated/rust/mod.rs"]
pub mod moves;
#[rustfmt::skip]
#[path = "../../../designs/platform/generated/rust/mod.rs"]
pub mod platform;
#[rustfmt::skip]
#[path = "../../generated/visits/generated/rust/mod.rs"]
pub mod visits;
