//! The names of tables. Where a table is named, its ARN may stand instead.

use std::fmt::Display;

use super::constraint::{Constraints, has_name_characters};
use crate::failure::Failure;

const INVALID_NAME: &str = "Invalid table/index name.  Table/index names must be between 3 and 255 characters long, and \
                            may contain only the characters a-z, A-Z, 0-9, '_', '-', and '.'";
const INVALID_ARN: &str = "Valid ARN format is 'arn:<awsPartition>:<vendor>:<region>:<subscriber>:resourceType/\
                           resourceName', where Resource name must have length less than or equal to 255, Resource name \
                           must have length greater than or equal to 3, Resource name must satisfyregular expression \
                           pattern: [a-zA-Z0-9_.-]+";

/// The constraints on a member that names a table.
pub(super) fn constrain(constraints: &mut Constraints, path: impl Display, name: Option<&str>) {
    match name {
        None => constraints.breach(None, path, "Member must not be null"),
        Some(name) => constraints.length(path, name, 1, 1024),
    }
}

/// The name of the table that a member names, or an error if it is not a valid name or ARN.
pub(super) fn resolve(name: impl AsRef<str> + Into<String>) -> Result<String, Failure> {
    if name.as_ref().starts_with("arn:") {
        return name_in_arn(name.as_ref());
    }
    if is_name(name.as_ref()) { Ok(name.into()) } else { Err(Failure::validation(INVALID_NAME)) }
}

/// `arn:partition:dynamodb:region:account:table/name`.
fn name_in_arn(arn: &str) -> Result<String, Failure> {
    let resource = arn.splitn(6, ':').nth(5).ok_or_else(|| Failure::validation(INVALID_ARN))?;
    let (kind, name) = resource.split_once('/').ok_or_else(|| Failure::validation(INVALID_ARN))?;
    if kind == "table" && is_name(name) { Ok(name.to_owned()) } else { Err(Failure::validation(INVALID_NAME)) }
}

fn is_name(name: &str) -> bool {
    (3..=255).contains(&name.len()) && has_name_characters(name)
}
