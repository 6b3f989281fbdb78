//! Who may send requests, and what they may do.

mod access_keys;
mod credentials_file;
mod hosts;
mod permissions;

pub(crate) use access_keys::AccessKey;
pub use access_keys::AccessKeys;
pub use credentials_file::{CredentialsError, Mistake};
pub(crate) use hosts::AllowedHosts;
pub(crate) use permissions::Permissions;
