//! DynamoDB's rule for the names of tables and indexes.

/// Whether a table or an index can have the name: 3 to 255 letters, digits, `_`, `-` and `.`, all of them ASCII.
///
/// ```
/// assert!(keyfold_design::is_dynamo_name("app-data_v1.2"));
/// assert!(!keyfold_design::is_dynamo_name("my table"));
/// ```
pub fn is_dynamo_name(name: &str) -> bool {
    (3..=255).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
}
