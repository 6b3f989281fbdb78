//! Policy documents.

use std::collections::{BTreeMap, BTreeSet};

use keyfold_design::Design;
use serde_json::{Value, json};

use super::grants::{Grants, TableOrIndex, grants};
use super::leading_key::LeadingKey;
use super::roles::{Role, SUBJECT_TAG};
use crate::naming::{camel, pascal};

/// The policy of one role.
pub(super) struct Policy<'d> {
    pub role: &'d Role,
    pub grants: Grants<'d>,
}

impl<'d> Policy<'d> {
    pub(super) fn new(design: &'d Design, role: &'d Role) -> Self {
        Self { role, grants: grants(design, role) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.grants.actions.is_empty()
    }

    pub(super) fn text(&self, design: &Design) -> String {
        let mut statements = self.guards(design);
        statements.extend(self.statements(design));
        document(statements)
    }

    /// Statements with equal actions on equal places are one.
    fn statements(&self, design: &Design) -> Vec<Value> {
        let mut gathered: BTreeMap<(TableOrIndex, Comparison, BTreeSet<&str>), BTreeSet<String>> = BTreeMap::new();
        for ((place, key), actions) in &self.grants.actions {
            let (comparison, text) = match key {
                LeadingKey::Exact(text) => (Comparison::Equals, Some(text)),
                LeadingKey::Like(text) => (Comparison::Like, Some(text)),
                LeadingKey::Any => (Comparison::None, None),
            };
            let actions: BTreeSet<&str> = actions.iter().copied().collect();
            gathered.entry((*place, comparison, actions)).or_default().extend(text.cloned());
        }
        let mut statements = Vec::new();
        for (number, ((place, comparison, actions), keys)) in gathered.into_iter().enumerate() {
            let name = place.map_or("Table".to_owned(), |id| identifier(&design[id].name));
            let operator = match comparison {
                Comparison::Equals => Some("ForAllValues:StringEquals"),
                Comparison::Like => Some("ForAllValues:StringLike"),
                Comparison::None => None,
            };
            let actions: Vec<&str> = actions.into_iter().collect();
            let mut statement =
                allow(&format!("{name}Statement{}", number + 1), &actions, resource(design, place).into());
            if let (Some(operator), Some(statement)) = (operator, statement.as_object_mut()) {
                // A request without leading keys would satisfy "for all of none".
                let condition = json!({
                    operator: {"dynamodb:LeadingKeys": keys},
                    "Null": {"dynamodb:LeadingKeys": "false"}
                });
                statement.insert("Condition".to_owned(), condition);
            }
            statements.push(statement);
        }
        statements
    }

    /// A tag that holds a delimiter or a wildcard would reach beyond the caller's own keys.
    fn guards(&self, design: &Design) -> Vec<Value> {
        let tenant = design.tenant.as_ref().map(|tenant| tenant.attribute.clone());
        let used = |tag: &String| {
            let variable = super::leading_key::tag(tag);
            self.grants.actions.keys().any(|(_, key)| match key {
                LeadingKey::Exact(text) | LeadingKey::Like(text) => text.contains(&variable),
                LeadingKey::Any => false,
            })
        };
        let tags = tenant.into_iter().chain([SUBJECT_TAG.to_owned()]).filter(used);
        tags.map(|tag| {
            let delimiter = match design.table.delimiter {
                special @ ('*' | '?' | '$') => format!("${{{special}}}"),
                other => other.to_string(),
            };
            let tag_key = format!("aws:PrincipalTag/{tag}");
            json!({
                "Sid": format!("DenyUnsafe{}", identifier(&tag)),
                "Effect": "Deny",
                "Action": "dynamodb:*",
                "Resource": "*",
                "Condition": {"StringLike": {tag_key: [format!("*{delimiter}*"), "*${*}*", "*${?}*"]}}
            })
        })
        .collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Comparison {
    Equals,
    Like,
    None,
}

/// The policy of the process that runs the design: every request it sends, and no scan.
pub(super) fn service(design: &Design) -> String {
    let actions = [
        "BatchGetItem",
        "BatchWriteItem",
        "ConditionCheckItem",
        "DeleteItem",
        "DescribeTable",
        "GetItem",
        "PutItem",
        "Query",
        "UpdateItem",
    ];
    let mut statements = vec![allow("Table", &actions, resource(design, None).into())];
    if !design.indexes.is_empty() {
        let indexes: Vec<String> = design.indexes.iter().map(|index| resource(design, Some(index.id))).collect();
        statements.push(allow("Indexes", &["Query"], indexes.into()));
    }
    document(statements)
}

/// `Gsi1` for `GSI1`: a `Sid` consists of letters and digits.
fn identifier(name: &str) -> String {
    pascal(&camel(name)).trim_start_matches('_').to_owned()
}

fn resource(design: &Design, place: TableOrIndex) -> String {
    let table = format!("arn:aws:dynamodb:*:*:table/{}", design.table.name);
    match place.map(|id| &design[id]) {
        Some(index) => format!("{table}/index/{}", index.name),
        None => table,
    }
}

/// A statement that allows actions on resources.
fn allow(name: &str, actions: &[&str], resources: Value) -> Value {
    let actions: Vec<String> = actions.iter().map(|action| format!("dynamodb:{action}")).collect();
    json!({"Sid": name, "Effect": "Allow", "Action": actions, "Resource": resources})
}

fn document(statements: Vec<Value>) -> String {
    format!("{:#}\n", json!({"Version": "2012-10-17", "Statement": statements}))
}
