//! JSON as the protocol needs it: a reader that is driven by the shape of each request, and a writer into a byte
//! buffer. Neither builds a tree of the document.

mod reader;
mod special;
#[cfg(test)]
mod tests;
mod writer;

pub(crate) use reader::{JsonKind, Malformed, Reader};
pub(crate) use writer::Writer;
