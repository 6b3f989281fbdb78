//! The configuration of the backend: flag over environment over file, all from one table of settings.

mod file;
mod flags;
mod issuers;
mod raw_value;
mod read;
mod resolve;
mod setting;
pub(crate) mod settings;
mod show;
#[cfg(test)]
mod tests;

pub(crate) use flags::Flags;
pub(crate) use issuers::{IssuerConfig, read_issuers};
pub(crate) use raw_value::Source;
pub(crate) use read::{RateStore, TokenSecret};
pub(crate) use resolve::Config;
pub(crate) use show::Command;
