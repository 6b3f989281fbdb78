//! A scenario: tables to create, then steps to play in order on both sides.

use crate::endpoint::in_order;
use serde_json::{Map, Value};

/// A named list of steps.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub name: String,
    /// Where it was read from, or how it was made.
    pub origin: String,
    pub steps: Vec<Step>,
}

/// One request and how its responses are compared.
#[derive(Clone, Debug)]
pub struct Step {
    pub label: String,
    pub action: Action,
    /// Members that the right side's response must have, whatever the left side says.
    pub expect: Option<Value>,
}

#[derive(Clone, Debug)]
pub enum Action {
    Call {
        operation: String,
        request: Value,
        paging: Paging,
    },
    /// A body that need not be JSON, with headers added, replaced or (when `null`) removed.
    Raw {
        operation: String,
        body: String,
        headers: Map<String, Value>,
    },
}

/// How much of a result one step compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paging {
    /// DynamoDB promises an order: one request is compared as it is.
    Single,
    /// All pages are read; their items and the number of items read for each page are compared.
    Pages,
    /// All pages are read, but where a page ends is not promised.
    Union,
    /// Every segment of a parallel scan is read to its end.
    Segments(u64),
}

impl Paging {
    /// What can be compared of an operation when a scenario does not say: the order of a scan and of equal sort keys in
    /// an index is DynamoDB's own affair, so that a single page may hold any of the items.
    #[must_use]
    pub fn natural(operation: &str, request: &Value) -> Self {
        match operation {
            "Scan" => Self::Pages,
            "Query" if request.get("IndexName").is_some() => Self::Pages,
            _ => Self::Single,
        }
    }
}

impl Action {
    #[must_use]
    pub fn operation(&self) -> &str {
        match self {
            Self::Call { operation, .. } | Self::Raw { operation, .. } => operation,
        }
    }

    /// The request as it is shown to a reader.
    #[must_use]
    pub fn request_text(&self) -> String {
        match self {
            Self::Call { request, .. } => in_order(request).to_string(),
            Self::Raw { body, headers, .. } if headers.is_empty() => body.clone(),
            Self::Raw { body, headers, .. } => format!("{body} with headers {}", Value::Object(headers.clone())),
        }
    }
}

impl Step {
    /// A step compared in the natural way.
    #[must_use]
    pub fn call(label: String, operation: &str, request: Value) -> Self {
        let paging = Paging::natural(operation, &request);
        Self { label, action: Action::Call { operation: operation.to_owned(), request, paging }, expect: None }
    }
}
