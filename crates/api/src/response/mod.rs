//! Responses: items as JSON, headers, and problems.

pub(crate) mod header;
pub(crate) mod item_json;
pub(crate) mod problem;
