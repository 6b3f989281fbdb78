//! Responses: items as JSON, and problems.

pub mod item_json;
pub mod problem;
