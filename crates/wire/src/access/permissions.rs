//! What a caller may do: everything, or reads alone, and in all tables or in some.

use keyfold_dynamo::ServiceError;

use crate::operation::{self, Operation, Request};
use crate::request_tables::Tables;

/// The limits of an access key. By default there are none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Permissions {
    /// Whether it may read items and definitions, and change neither.
    pub(crate) is_read_only: bool,
    /// The tables that it may use; absent: all, and only then it may list them.
    pub(crate) tables: Option<Vec<TablePattern>>,
}

/// The name of a table, or the beginning of names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TablePattern {
    Name(String),
    StartsWith(String),
}

impl TablePattern {
    /// A name, or `prefix*`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (text, pattern): (_, fn(String) -> Self) = match text.strip_suffix('*') {
            Some(prefix) => (prefix, Self::StartsWith),
            None => (text, Self::Name),
        };
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
        (!text.is_empty() && text.chars().all(is_name)).then(|| pattern(text.to_owned()))
    }

    fn matches(&self, table: &str) -> bool {
        match self {
            Self::Name(name) => table == name,
            Self::StartsWith(prefix) => table.starts_with(prefix.as_str()),
        }
    }
}

impl Permissions {
    /// Refuses a request beyond the limits, as AWS does.
    pub(crate) fn check(&self, operation: Operation, request: &Request) -> Result<(), ServiceError> {
        if *self == Self::default() {
            return Ok(());
        }
        let denied = |resource: &str| {
            let action = format!("dynamodb:{}", operation.name());
            ServiceError::AccessDenied(format!(
                "User is not authorized to perform: {action} on resource: {resource} because no identity-based policy \
                 allows the {action} action"
            ))
        };
        let tables = match operation::tables(request) {
            Tables::All if self.tables.is_some() => return Err(denied("*")),
            Tables::None | Tables::All => Vec::new(),
            Tables::Named(tables) => tables,
        };
        let is_forbidden = |table: &&&str| {
            (operation.is_write() && self.is_read_only)
                || self.tables.as_ref().is_some_and(|allowed| !allowed.iter().any(|pattern| pattern.matches(table)))
        };
        match tables.iter().find(is_forbidden) {
            Some(table) => Err(denied(&format!("table/{table}"))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::decode_request;

    const KEY: &str = r#""Key":{"p":{"S":"k"}}"#;

    /// A request of an operation to a table, and whether it changes anything.
    fn example(operation: Operation, table: &str) -> (String, bool) {
        let named = format!(r#""TableName":"{table}""#);
        let arn = format!(r#""ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/{table}""#);
        let keys = r#""AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"}],"BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"p","KeyType":"HASH"}]"#;
        match operation {
            Operation::GetItem => (format!("{{{named},{KEY}}}"), false),
            Operation::Query => {
                let values = r#"{":p":{"S":"k"}}"#;
                let condition = r#""KeyConditionExpression":"p = :p","ExpressionAttributeValues""#;
                (format!("{{{named},{condition}:{values}}}"), false)
            }
            Operation::Scan | Operation::DescribeTable | Operation::DescribeTimeToLive => {
                (format!("{{{named}}}"), false)
            }
            Operation::DescribeContinuousBackups | Operation::DescribeKinesisStreamingDestination => {
                (format!("{{{named}}}"), false)
            }
            Operation::BatchGetItem => {
                let keys = r#"{"Keys":[{"p":{"S":"k"}}]}"#;
                (format!(r#"{{"RequestItems":{{"orders":{keys},"{table}x":{keys}}}}}"#), false)
            }
            Operation::TransactGetItems => (format!(r#"{{"TransactItems":[{{"Get":{{{named},{KEY}}}}}]}}"#), false),
            Operation::ListTagsOfResource => (format!("{{{arn}}}"), false),
            Operation::ListTables | Operation::DescribeLimits | Operation::DescribeEndpoints => {
                ("{}".to_owned(), false)
            }
            Operation::PutItem => (format!(r#"{{{named},"Item":{{"p":{{"S":"k"}}}}}}"#), true),
            Operation::UpdateItem | Operation::DeleteItem => (format!("{{{named},{KEY}}}"), true),
            Operation::BatchWriteItem => {
                (format!(r#"{{"RequestItems":{{"{table}":[{{"DeleteRequest":{{{KEY}}}}}]}}}}"#), true)
            }
            Operation::TransactWriteItems => (format!(r#"{{"TransactItems":[{{"Delete":{{{named},{KEY}}}}}]}}"#), true),
            Operation::CreateTable => (format!("{{{named},{keys}}}"), true),
            Operation::UpdateTable => (format!(r#"{{{named},"BillingMode":"PAY_PER_REQUEST"}}"#), true),
            Operation::DeleteTable => (format!("{{{named}}}"), true),
            Operation::UpdateTimeToLive => {
                (format!(r#"{{{named},"TimeToLiveSpecification":{{"AttributeName":"t","Enabled":true}}}}"#), true)
            }
            Operation::TagResource => (format!(r#"{{{arn},"Tags":[{{"Key":"a","Value":"b"}}]}}"#), true),
            Operation::UntagResource => (format!(r#"{{{arn},"TagKeys":["a"]}}"#), true),
        }
    }

    fn check(permissions: &Permissions, operation: Operation, table: &str) -> Result<(), String> {
        let (body, _) = example(operation, table);
        let target = format!("DynamoDB_20120810.{}", operation.name());
        let request = decode_request(&target, body.as_bytes()).unwrap_or_else(|error| panic!("{body}: {error}"));
        permissions.check(operation, &request).map_err(|error| error.to_string())
    }

    fn denied(operation: Operation, resource: &str) -> Result<(), String> {
        let action = format!("dynamodb:{}", operation.name());
        Err(format!(
            "User is not authorized to perform: {action} on resource: {resource} because no identity-based policy allows \
             the {action} action"
        ))
    }

    #[test]
    fn a_key_without_limits_may_do_everything() {
        for operation in Operation::ALL {
            assert_eq!(check(&Permissions::default(), *operation, "other"), Ok(()), "{operation:?}");
        }
    }

    #[test]
    fn a_read_only_key_changes_nothing() {
        let permissions = Permissions { is_read_only: true, tables: None };
        for operation in Operation::ALL {
            let (_, is_write) = example(*operation, "orders");
            let expected = if is_write { denied(*operation, "table/orders") } else { Ok(()) };
            assert_eq!(check(&permissions, *operation, "orders"), expected, "{operation:?}");
        }
    }

    #[test]
    fn a_key_of_some_tables_reaches_no_other() {
        let tables = ["orders", "ordersx", "audit_*"].map(|name| TablePattern::parse(name).unwrap()).to_vec();
        let permissions = Permissions { is_read_only: false, tables: Some(tables) };
        for operation in Operation::ALL {
            let allowed = match operation {
                Operation::ListTables => denied(*operation, "*"),
                _ => Ok(()),
            };
            for table in ["orders", "audit_2026", "audit_"] {
                assert_eq!(check(&permissions, *operation, table), allowed, "{operation:?} {table}");
            }
            let refused = match operation {
                Operation::ListTables => denied(*operation, "*"),
                Operation::DescribeLimits | Operation::DescribeEndpoints => Ok(()),
                Operation::BatchGetItem => denied(*operation, "table/Ordersx"),
                _ => denied(*operation, "table/Orders"),
            };
            assert_eq!(check(&permissions, *operation, "Orders"), refused, "{operation:?}");
        }
    }
}
