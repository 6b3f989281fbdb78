//! The documents of a design: OpenAPI for programs, a page for people.

pub mod openapi;
pub mod page;
