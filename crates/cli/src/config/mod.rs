//! The configuration of the backend: flag over environment over file, all from one table of settings.

mod file;
mod flags;
mod raw_value;
mod read;
mod resolve;
mod setting;
pub(crate) mod settings;
mod show;
#[cfg(test)]
mod tests;

pub use flags::Flags;
pub use raw_value::Source;
pub use resolve::Config;
pub use show::Command;
