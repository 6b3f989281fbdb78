//! `keyfold serve` and `keyfold config show`, as people start them.

mod configuration;
mod credentials;
mod logs;
pub(crate) mod process;
mod reload;
mod store_settings;
mod story;
pub(crate) mod tls;
