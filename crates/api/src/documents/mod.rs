//! The documents of a design: OpenAPI for programs, a page for people.

pub(crate) mod openapi;
pub(crate) mod page;
