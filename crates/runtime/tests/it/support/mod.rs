//! Designs on the embedded engine, behind a backend that can be watched, delayed and broken.

pub(crate) mod disturbed;
pub(crate) mod recorder;
pub(crate) mod shop;
pub(crate) mod watched;
pub(crate) mod world;

pub(crate) use recorder::Recorder;
pub(crate) use watched::{Call, Hook, Nothing};
pub(crate) use world::*;
