//! `Select` and `ProjectionExpression`: which attributes of the items found are returned.

use std::collections::BTreeSet;

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::expression::{Condition, Projection};
use keyfold_dynamo::operation::{PageOptions, Select};

use super::source::Source;
use crate::catalog::{IndexDefinition, IndexKind, IndexProjection};

pub(super) enum Shape<'a> {
    Count,
    All,
    Projected(&'a Projection),
}

/// Checks that do not need the table.
pub(super) fn check_select(page: &PageOptions) -> Result<(), ServiceError> {
    let projected = page.projection.is_some();
    let refuse = |choice: &str| {
        Err(ServiceError::validation(format!("Cannot specify the ProjectionExpression when choosing to get {choice}")))
    };
    match page.select {
        Some(Select::SpecificAttributes) if !projected => Err(ServiceError::validation(
            "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES",
        )),
        Some(Select::AllAttributes) if projected => refuse("ALL_ATTRIBUTES"),
        Some(Select::AllProjectedAttributes) if projected => refuse("ALL_PROJECTED_ATTRIBUTES"),
        Some(Select::Count) if projected => refuse("only the Count"),
        Some(Select::AllProjectedAttributes) if page.index_name.is_none() => {
            Err(ServiceError::validation("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"))
        }
        _ => Ok(()),
    }
}

/// The shape of the returned items, and whether a local index must fetch whole items from the table.
pub(super) fn shape<'a>(source: &Source<'_>, page: &'a PageOptions) -> Result<(Shape<'a>, bool), ServiceError> {
    let mut whole = false;
    if let Some(index) = source.index {
        let wants_all = page.select == Some(Select::AllAttributes);
        if wants_all && index.kind == IndexKind::Global && index.projection != IndexProjection::All {
            return Err(ServiceError::validation(format!(
                "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index {} because its projection type is not ALL",
                index.name
            )));
        }
        let missing = unprojected(source, index, page.projection.iter().flat_map(Projection::roots));
        if index.kind == IndexKind::Global && !missing.is_empty() {
            return Err(ServiceError::validation(format!(
                "One or more parameter values were invalid: Global secondary index {} does not project [{}]",
                index.name,
                missing.into_iter().collect::<Vec<_>>().join(", ")
            )));
        }
        whole = index.kind == IndexKind::Local
            && index.projection != IndexProjection::All
            && (wants_all || !missing.is_empty());
    }
    let shape = match (page.select, &page.projection) {
        (Some(Select::Count), _) => Shape::Count,
        (_, Some(projection)) => Shape::Projected(projection),
        _ => Shape::All,
    };
    Ok((shape, whole))
}

/// A query may filter only on what its index projects; a scan may name anything.
pub(super) fn refuse_unprojected_filter(source: &Source<'_>, filter: &Condition) -> Result<(), ServiceError> {
    let Some(index) = source.index else { return Ok(()) };
    let missing = unprojected(source, index, filter.paths().map(|path| path.root.as_str()));
    if missing.is_empty() {
        return Ok(());
    }
    Err(ServiceError::validation(format!(
        "One or more parameter values were invalid: Secondary index {} does not project one or more filter attributes: [{}]",
        index.name,
        missing.into_iter().collect::<Vec<_>>().join(", ")
    )))
}

/// The attributes that an index lacks, in order.
fn unprojected<'r>(
    source: &Source<'_>,
    index: &IndexDefinition,
    roots: impl Iterator<Item = &'r str>,
) -> BTreeSet<String> {
    roots.filter(|root| !source.table.projects(index, root)).map(str::to_owned).collect()
}
