//! Reads: each sees one snapshot of the store, and waits for no writer.

mod batch;
mod get;
mod page;
mod query;
mod scan;
mod select;
mod source;
mod start_key;

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::expression::{Context, Projection};
use keyfold_dynamo::operation::NameAliases;

/// Parses the projection of a request that has no other expression.
fn parse_projection(text: Option<&str>, names: Option<&NameAliases>) -> Result<Option<Projection>, ServiceError> {
    let mut context = Context::for_request(names, None, text.is_some(), &[])?;
    let projection = text.map(|text| Projection::parse(text, &mut context)).transpose()?;
    context.finish()?;
    Ok(projection)
}
