//! One of the two endpoints, with its own names for the scenario's tables.
//!
//! A name that begins with `$` belongs to the scenario: `$items` becomes a table name of this run and this side, so
//! that both sides may be the same server; `$arn:items` is that table's ARN and `$token:a` a client token never used
//! before. Responses are translated back. `$$` stands for a plain dollar sign.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::endpoint::{Endpoint, EndpointError, Response};

const SETTLE_TIME: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(5);

pub struct Side {
    endpoint: Endpoint,
    prefix: String,
    arns: HashMap<String, String>,
}

impl Side {
    /// `letter` tells the two sides apart, `run` one run from another.
    #[must_use]
    pub fn new(endpoint: Endpoint, run: &str, letter: char) -> Self {
        Self { endpoint, prefix: format!("kf{run}{letter}"), arns: HashMap::new() }
    }

    /// Calls an operation with the scenario's names translated there and back.
    pub fn call(&mut self, operation: &str, request: &Value) -> Result<Response, EndpointError> {
        let mut response = self.endpoint.call(operation, &self.outgoing(request))?;
        self.remember_arn(&response.body);
        response.body = self.incoming(&response.body);
        Ok(response)
    }

    /// Sends a body that need not be JSON.
    pub fn send(&mut self, headers: &[(String, String)], body: &str) -> Result<Response, EndpointError> {
        let body = body.replace("\"$", &format!("\"{}-", self.prefix));
        let mut response = self.endpoint.send(headers, body.as_bytes())?;
        response.body = self.incoming(&response.body);
        Ok(response)
    }

    /// Waits until a table and its indexes have finished what they were asked to do.
    pub fn settle(&mut self, table: &str) -> Result<(), EndpointError> {
        let started = Instant::now();
        while started.elapsed() < SETTLE_TIME {
            let response = self.call("DescribeTable", &json!({"TableName": table}))?;
            if !response.is_success() || is_settled(&response.body) {
                return Ok(());
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }

    /// Deletes every table of this side, also protected ones.
    pub fn clean_up(&mut self) -> Result<(), EndpointError> {
        let mut start = format!("{}-", self.prefix);
        loop {
            let page = self.endpoint.call("ListTables", &json!({"ExclusiveStartTableName": start}))?;
            let names: Vec<_> = page.body.get("TableNames").and_then(Value::as_array).into_iter().flatten().collect();
            for name in names.iter().filter_map(|name| name.as_str()) {
                if name.starts_with(&self.prefix) {
                    self.delete(name)?;
                }
            }
            match page.body.get("LastEvaluatedTableName").and_then(Value::as_str) {
                Some(last) if last.starts_with(&self.prefix) => last.clone_into(&mut start),
                _ => break,
            }
        }
        self.arns.clear();
        Ok(())
    }

    fn delete(&mut self, name: &str) -> Result<(), EndpointError> {
        let request = json!({"TableName": name});
        if !self.endpoint.call("DeleteTable", &request)?.is_success() {
            let unprotected = json!({"TableName": name, "DeletionProtectionEnabled": false});
            self.endpoint.call("UpdateTable", &unprotected)?;
            self.endpoint.call("DeleteTable", &request)?;
        }
        let logical = self.incoming(&request);
        self.settle(logical.get("TableName").and_then(Value::as_str).unwrap_or_default())
    }

    fn remember_arn(&mut self, body: &Value) {
        let description = body.get("TableDescription").or_else(|| body.get("Table"));
        let member = |name| description.and_then(|table| table.get(name)).and_then(Value::as_str);
        if let (Some(name), Some(arn)) = (member("TableName"), member("TableArn")) {
            self.arns.insert(name.to_owned(), arn.to_owned());
        }
    }

    fn outgoing(&self, value: &Value) -> Value {
        map_strings(value, &|text| self.outgoing_text(text))
    }

    fn outgoing_text(&self, text: &str) -> String {
        let Some(rest) = text.strip_prefix('$') else {
            return text.to_owned();
        };
        if rest.starts_with('$') {
            rest.to_owned()
        } else if let Some(token) = rest.strip_prefix("token:") {
            format!("{}={token}", self.prefix)
        } else if let Some(table) = rest.strip_prefix("arn:") {
            let (table, below) = table.split_at(table.find('/').unwrap_or(table.len()));
            let name = format!("{}-{table}", self.prefix);
            let unknown = || format!("arn:aws:dynamodb:us-east-1:000000000000:table/{name}");
            format!("{}{below}", self.arns.get(&name).cloned().unwrap_or_else(unknown))
        } else {
            format!("{}-{rest}", self.prefix)
        }
    }

    fn incoming(&self, value: &Value) -> Value {
        let table = format!("{}-", self.prefix);
        let token = format!("{}=", self.prefix);
        map_strings(value, &|text| text.replace(&table, "$").replace(&token, "$token:"))
    }
}

fn is_settled(description: &Value) -> bool {
    let table = description.get("Table");
    let active =
        |value: &Value, name: &str| value.get(name).and_then(Value::as_str).is_none_or(|text| text == "ACTIVE");
    let indexes = table.and_then(|table| table.get("GlobalSecondaryIndexes")).and_then(Value::as_array);
    table.is_some_and(|table| active(table, "TableStatus"))
        && indexes.into_iter().flatten().all(|index| active(index, "IndexStatus"))
}

fn map_strings(value: &Value, change: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(change(text)),
        Value::Array(values) => values.iter().map(|value| map_strings(value, change)).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| (change(key), map_strings(value, change))).collect::<Map<_, _>>().into()
        }
        other => other.clone(),
    }
}
