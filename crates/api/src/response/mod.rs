//! Responses: items as JSON, and problems.

pub(crate) mod item_json;
pub(crate) mod problem;
