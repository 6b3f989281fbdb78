//! The operations that a document lists.

use serde_json::Value;

/// A method on a path of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation<'d> {
    /// In capitals.
    pub method: String,
    /// Relative to the base of the design.
    pub path: &'d str,
    /// What it does, in one line.
    pub summary: &'d str,
}

impl Operation<'_> {
    /// The first segment of the path: that of an entity, or of a kind of route.
    pub fn first_segment(&self) -> &str {
        self.path.split('/').nth(1).unwrap_or_default()
    }
}

/// The operations of a document, in its order.
pub fn operations(document: &Value) -> Vec<Operation<'_>> {
    let mut operations = Vec::new();
    for (path, item) in document.get("paths").and_then(Value::as_object).into_iter().flatten() {
        for (key, operation) in item.as_object().into_iter().flatten() {
            // The parameters of a path are a list beside its methods.
            if let Some(summary) = operation.get("summary").and_then(Value::as_str) {
                operations.push(Operation { method: key.to_ascii_uppercase(), path, summary });
            }
        }
    }
    operations
}
