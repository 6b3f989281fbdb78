//! Designs on the embedded engine, behind a backend that can be watched, delayed and broken.

#![allow(dead_code, unused_imports)]

pub mod disturbed;
pub mod recorder;
pub mod shop;
pub mod watched;
pub mod world;

pub use recorder::Recorder;
pub use watched::{Call, Hook, Nothing, Watched};
pub use world::*;
