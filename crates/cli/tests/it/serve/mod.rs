//! `keyfold serve` and `keyfold config show`, as people start them.

mod configuration;
mod credentials;
mod encryption;
mod logs;
mod process;
mod story;
